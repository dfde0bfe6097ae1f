"""Lists of opt-outs, customers and open opportunities: taken once, and looked at wherever somebody could be written to."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from messaging.delivery.ports import Accepted
from messaging.enrolment.domain.exclusions import Why
from messaging.models import Approval, Delivery
from outreach.teams.access import Member
from outreach.teams.domain.refusal import Refusal
from outreach.teams.models import AuditEvent, Team
from prospects import suppression
from prospects.models import Company, Prospect, Suppression
from tests.factories import a_campaign, a_prospect
from tests.people import a_member, a_team
from tests.services.delivery.scenes import Fake, a_delivery, send
from tests.services.enrolment.test_enrolling import enrolled
from tests.services.prospects.imports import NOW, connections, counts, imported
from tests.services.review.scenes import a_scene, approve, seen_sha

pytestmark = pytest.mark.django_db


def taken(team: Team, data: str, kind: str = "customer", **more: Any) -> suppression.Taken:
    found = suppression.take_file(
        team=team, actor=None, file_name="list.csv", data=data.encode(), kind=kind, now=NOW, **more
    )
    assert isinstance(found, suppression.Taken), found
    return found


@pytest.fixture
def writer(team: Team) -> Member:
    return a_member(team=team, role="writer")


#: Each way by which a list may name the invented person.
LISTS = [
    ("opt_out", "Email\n{email}\n"),
    ("opt_out", "Profile URL\n{profile}\n"),
    ("customer", "Website\nhttps://www.pipewren.example\n"),
    ("opportunity", "Account Name\nPipewren Inc.\n"),
]


@pytest.mark.parametrize(("kind", "form"), LISTS)
def test_who_is_on_a_list_is_not_imported(team: Team, writer: Member, kind: str, form: str) -> None:
    email, profile = "diego@pipewren.example", "https://www.linkedin.com/in/diego-armenta"
    taken(team, form.format(email=email, profile=profile), kind)
    batch = imported(team=team, data=connections(f"Diego,Armenta,{profile},{email},Pipewren,Head,16 Dec 2024"))
    assert counts(batch) == (0, 0, 0, 1)
    assert "suppression list" in batch.skipped[0]["reason"]


@pytest.mark.parametrize(("kind", "form"), LISTS)
def test_who_is_on_a_list_is_not_enrolled(team: Team, writer: Member, kind: str, form: str) -> None:
    prospect = a_prospect(team=team)
    taken(team, form.format(email=prospect.email, profile=prospect.linkedin_url), kind)
    done = enrolled(writer, a_campaign(team=team), prospect.pk)
    assert [one.reason for one in done.excluded] == [Why.SUPPRESSED]


@pytest.mark.parametrize(("kind", "form"), LISTS)
def test_a_message_to_who_is_on_a_list_is_not_approved(kind: str, form: str) -> None:
    scene = a_scene()
    prospect, seen = scene.draft.prospect, seen_sha(member=scene.reviewer, draft=scene.draft)
    taken(prospect.team, form.format(email=prospect.email, profile=prospect.linkedin_url), kind)
    outcome = approve(member=scene.reviewer, draft=scene.draft, sha=seen)
    assert isinstance(outcome, Refusal)
    assert outcome.code == "suppressed"
    assert not Approval.objects.exists()


@pytest.mark.parametrize(("kind", "form"), LISTS)
def test_an_approved_message_to_who_is_on_a_list_is_not_sent(kind: str, form: str) -> None:
    delivery, fake = a_delivery(), Fake(Accepted("<x@y.example>", "250 OK"))
    prospect = delivery.prospect
    taken(prospect.team, form.format(email=prospect.email, profile=prospect.linkedin_url), kind)
    send(transport=fake)
    assert (fake.taken, Delivery.objects.get(pk=delivery.pk).state) == ([], "cancelled")


def test_a_company_is_covered_by_its_domain_whatever_addresses_its_people_have(team: Team, writer: Member) -> None:
    prospect = a_prospect(team=team, email="diego@home.example")
    Company.objects.filter(pk=prospect.company_id).update(domain="eu.pipewren.example")
    taken(team, "Domain\npipewren.example\n")
    assert suppression.of_prospects(team=team, prospect_ids=[prospect.pk])


def test_the_same_list_again_adds_nothing_and_is_of_one_team(team: Team) -> None:
    first, again = (taken(team, "Email,Company\na@x.example,Nordbau\n") for _ in range(2))
    assert ((first.added, first.known), (again.added, again.known)) == ((2, 0), (0, 2))
    assert suppression.find(team=a_team(), email="a@x.example") is None
    assert AuditEvent.objects.filter(team=team, action="suppression.list_taken").count() == 2
    assert "x.example" not in str(list(Suppression.objects.values())) + str(list(AuditEvent.objects.values("details")))


def test_a_new_list_lets_go_whom_only_the_last_one_named(team: Team) -> None:
    taken(team, "Company\nNordbau\nCorva Pay\n", "opportunity")
    taken(team, "Company\nNordbau\n", "customer")
    taken(team, "Email\nm@corva.example\n", "opt_out")
    replaced = taken(team, "Company\nFenwick\n", "opportunity", replace=True)
    assert replaced.lifted == 2
    assert suppression.find(team=team, company="Corva Pay") is None
    assert suppression.find(team=team, company="Nordbau") is not None  # still a customer
    assert suppression.find(team=team, email="m@corva.example") is not None
    opted_out = suppression.take_file(
        team=team, actor=None, file_name="l.csv", data=b"Email\nx@y.example\n", kind="opt_out", replace=True, now=NOW
    )
    assert isinstance(opted_out, Refusal)


def test_who_says_no_stays_out_when_a_list_lets_them_go(team: Team) -> None:
    taken(team, "Email\nm@corva.example\n", "opportunity")
    suppression.suppress(team=team, actor=None, kind="email", value="m@corva.example", reason="asked", now=NOW)
    taken(team, "Email\nx@corva.example\n", "opportunity", replace=True)
    assert suppression.find(team=team, email="m@corva.example") is not None


def test_a_refused_file_changes_nothing(team: Team) -> None:
    for data, kind in ((b"Name\nMaya\n", "customer"), (b"Email\nnone\n", "customer"), (b"Email\na@x.example\n", "x")):
        found = suppression.take_file(team=team, actor=None, file_name="l.csv", data=data, kind=kind, now=NOW)
        assert isinstance(found, Refusal)
    found = suppression.take_file(
        team=team,
        actor=None,
        file_name="l.csv",
        data=b"Email\na@x.example\nb@x.example\n",
        kind="customer",
        most=1,
        now=NOW,
    )
    assert isinstance(found, Refusal)
    assert not Suppression.objects.exists()


def test_the_list_survives_the_erasure_of_the_person(team: Team) -> None:
    prospect = a_prospect(team=team)
    taken(team, f"Email\n{prospect.email}\n", "opt_out")
    email = prospect.email
    Prospect.objects.filter(pk=prospect.pk).update(state="erased", email="", full_name="")
    assert suppression.find(team=team, email=email) is not None


def test_a_long_list_costs_few_queries(team: Team, django_assert_max_num_queries) -> None:
    rows = "".join(f"p{number}@x{number}.example\n" for number in range(1_500))
    with django_assert_max_num_queries(12):
        assert taken(team, "Email\n" + rows, "opt_out").added == 1_500


def test_the_command_takes_a_list_and_says_what_it_did(team: Team, tmp_path: Path) -> None:
    file = tmp_path / "customers.csv"
    file.write_text("Email,Company\nm@corva.example,Corva Pay\nwrong,\n")
    out = io.StringIO()
    call_command("import_suppressions", file, "--team", team.slug, "--list", "customer", "--json", stdout=out)
    shown = json.loads(out.getvalue())
    assert list(shown) == ["file", "rows", "added", "known", "lifted", "skipped"]
    assert (shown["rows"], shown["added"], [entry["row"] for entry in shown["skipped"]]) == (2, 2, [3])
    with pytest.raises(CommandError):
        call_command("import_suppressions", file, "--team", "nobody", "--list", "customer")
    with pytest.raises(SystemExit) as status:
        call_command("import_suppressions", tmp_path / "none.csv", "--team", team.slug, "--list", "customer")
    assert status.value.code == 2
