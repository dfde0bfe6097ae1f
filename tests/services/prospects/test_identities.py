"""Conflicts are shown, merges decided by a person and taken back."""

from __future__ import annotations

from datetime import timedelta
from random import Random

import pytest

from messaging.enrolment.domain.exclusions import Why
from messaging.writing.services import write_due
from outreach.teams.access import Member
from outreach.teams.domain.refusal import Refusal
from outreach.teams.models import AuditEvent, Team
from prospects import services
from prospects.domain.evidence import Kind
from prospects.models import (
    Company,
    Doubt,
    DoubtState,
    Evidence,
    IdentityKey,
    Merge,
    MergeSuggestion,
    Prospect,
    ProspectState,
    SuggestionState,
)
from tests.factories import a_campaign, a_prospect, an_unwritten_draft
from tests.people import a_member, a_team
from tests.services.enrolment.test_enrolling import enrolled
from tests.services.prospects.imports import NOW, connections, counts, dossier, imported, only_prospect

MAREN = "Maren,Oduya,https://www.linkedin.com/in/maren-oduya,m@tarnhelm.example,Tarnhelm,VP Sales,16 Dec 2024"
PAOLO = MAREN.replace("Maren,Oduya", "Paolo,Conti")
LATER = NOW + timedelta(days=1)


@pytest.fixture(autouse=True)
def writer(team: Team) -> Member:
    return a_member(team=team, role="writer")


def doubted(team: Team) -> Doubt:
    imported(team=team, data=connections(MAREN))
    imported(team=team, data=connections(PAOLO), now=LATER)
    return Doubt.objects.get(team=team)


def test_a_name_that_disagrees_is_kept_as_a_question_with_what_is_shared(team: Team) -> None:
    doubt = doubted(team)
    assert (doubt.said_name, doubt.state) == ("Paolo Conti", DoubtState.OPEN)
    assert ["linkedin_slug", "maren-oduya"] in doubt.keys
    assert "row 2" in doubt.place
    assert doubt.prospect.state == ProspectState.CONFLICTED


def test_a_draft_is_refused_until_somebody_decides(team: Team, writer: Member) -> None:
    campaign = a_campaign(team=team)
    prospect = a_prospect(team=team)
    draft = an_unwritten_draft(campaign=campaign, prospect=prospect)
    IdentityKey.objects.create(team=team, prospect=prospect, kind="linkedin_slug", value="maren-oduya")
    imported(team=team, data=connections(PAOLO))
    (refused,) = write_due(only=[draft.pk], model=None, now=NOW, rng=Random(7), clock=lambda: NOW)
    assert refused.outcome == "blocked"
    draft.refresh_from_db()
    assert "Paolo Conti" in draft.state_reason
    other = a_campaign(team=team)
    assert {one.reason for one in enrolled(writer, other, prospect.pk).excluded} == {Why.CONFLICTED}
    decided = services.decide_doubt(member=writer, doubt_id=Doubt.objects.get().pk, answer="other", now=LATER)
    assert isinstance(decided, Doubt)
    prospect.refresh_from_db()
    assert (prospect.state, prospect.conflict) == (ProspectState.ACTIVE, "")
    draft.state, draft.state_reason = "waiting", ""
    draft.save()
    (written,) = write_due(only=[draft.pk], model=None, now=LATER, rng=Random(7), clock=lambda: LATER)
    assert written.outcome == "ready"


def test_somebody_else_stays_out_without_asking_again(team: Team, writer: Member) -> None:
    services.decide_doubt(member=writer, doubt_id=doubted(team).pk, answer="other", now=LATER)
    again = imported(team=team, data=connections(PAOLO, ""), now=LATER)
    assert counts(again) == (0, 0, 0, 1)
    assert "decided" in again.skipped[0]["reason"]
    assert only_prospect(team).state == ProspectState.ACTIVE


def test_another_name_of_the_same_person_is_taken_from_then_on(team: Team, writer: Member) -> None:
    services.decide_doubt(member=writer, doubt_id=doubted(team).pk, answer="same", now=LATER)
    again = imported(team=team, data=connections(PAOLO, ""), now=LATER)
    assert counts(again)[:2] == (0, 1)
    assert only_prospect(team).full_name == "Paolo Conti"
    former = imported(team=team, data=connections(MAREN), now=LATER)
    assert counts(former) == (0, 0, 1, 0)
    assert only_prospect(team).state == ProspectState.ACTIVE


def test_keys_that_are_somebody_elses_make_a_record_of_their_own(team: Team, writer: Member) -> None:
    doubt = doubted(team)
    last = services.decide_doubt(member=writer, doubt_id=doubt.pk, answer="theirs", now=LATER)
    assert isinstance(last, Refusal)
    assert last.code == "last-key"
    IdentityKey.objects.create(team=team, prospect=doubt.prospect, kind="linkedin_slug", value="maren-o")
    services.decide_doubt(member=writer, doubt_id=doubt.pk, answer="theirs", now=LATER)
    again = imported(team=team, data=connections(PAOLO, ""), now=LATER)
    assert counts(again)[0] == 1
    assert set(Prospect.objects.values_list("full_name", "email")) == {
        ("Maren Oduya", ""), ("Paolo Conti", "m@tarnhelm.example"),
    }  # fmt: skip


def test_who_may_not_write_decides_nothing(team: Team) -> None:
    doubt = doubted(team)
    for member in (a_member(team=team, role="analyst"), a_member(team=a_team(), role="writer")):
        answer = services.decide_doubt(member=member, doubt_id=doubt.pk, answer="same", now=LATER)
        assert isinstance(answer, Refusal)
        assert isinstance(services.merge(member=member, kept_id=doubt.prospect_id, absorbed_id=1, now=NOW), Refusal)
    doubt.refresh_from_db()
    assert doubt.state == DoubtState.OPEN


# -- suggestions -----------------------------------------------------------------------------


def test_a_row_with_keys_of_two_suggests_the_pair(team: Team) -> None:
    imported(team=team, data=connections(MAREN, "M,Oduya,https://www.linkedin.com/in/mo,mo@x.example,X,CEO,"))
    imported(team=team, data=connections(MAREN.replace("m@tarnhelm.example", "mo@x.example")))
    suggestion = MergeSuggestion.objects.get(team=team)
    assert (suggestion.reason, suggestion.state) == ("row", SuggestionState.OPEN)
    assert "row 2" in suggestion.place


def test_one_name_at_one_company_is_suggested_never_merged(team: Team) -> None:
    imported(team=team, data=connections(MAREN))
    second = dossier(
        full_name="MAREN ODUYA",
        emails=["maren@tarnhelm.example"],
        positions=[{"title": "CRO", "company": "Tarnhelm GmbH"}],
    )
    imported(team=team, data=second, name="d.json", now=LATER)
    assert Prospect.objects.filter(team=team).count() == 2
    assert MergeSuggestion.objects.get(team=team).reason == "name_company"


@pytest.mark.parametrize(
    "row",
    [
        MAREN.replace("maren-oduya", "maren-oduya-2").replace("m@", "o@"),  # a profile of her own: two people
        MAREN.replace("maren-oduya", "").replace("m@", "o@").replace("Tarnhelm", "Tarnhelm Labs"),  # never by prefix
    ],
)
def test_who_is_another_person_is_not_suggested(team: Team, row: str) -> None:
    imported(team=team, data=connections(MAREN))
    imported(team=team, data=connections(row), now=LATER)
    assert not MergeSuggestion.objects.exists()


def test_two_people_are_not_suggested_again(team: Team, writer: Member) -> None:
    first, second = pair(team)
    row = services.suggest(member=writer, first=first, second=second, now=NOW)
    assert isinstance(row, MergeSuggestion)
    services.decline(member=writer, suggestion_id=row.pk, now=NOW)
    imported(team=team, data=connections(MAREN, OTHER.replace("o@", "o2@")), now=LATER)
    row.refresh_from_db()
    assert row.state == SuggestionState.DECLINED


# -- merging ---------------------------------------------------------------------------------

OTHER = MAREN.replace("https://www.linkedin.com/in/maren-oduya", "").replace("m@", "o@").replace("VP Sales", "CRO")


def pair(team: Team) -> tuple[Prospect, Prospect]:
    imported(team=team, data=connections(MAREN))
    imported(team=team, data=connections(OTHER), name="other.csv", now=LATER)
    return tuple(Prospect.objects.filter(team=team).order_by("pk"))  # type: ignore[return-value]


def current(prospect: Prospect) -> set[tuple[str, str]]:
    return set(Evidence.objects.filter(prospect=prospect, state="current").values_list("kind", "text"))


def state_of(prospect: Prospect) -> tuple[object, ...]:
    row = Prospect.objects.get(pk=prospect.pk)
    keys = set(row.identity_keys.values_list("kind", "value"))
    return row.state, row.full_name, row.title, row.email, row.linkedin_url, row.company_id, keys, current(row)


def test_a_merge_brings_facts_and_keys_together_and_the_newer_holds(team: Team, writer: Member) -> None:
    kept, absorbed = pair(team)
    done = services.merge(member=writer, kept_id=kept.pk, absorbed_id=absorbed.pk, now=LATER)
    assert isinstance(done, Merge)
    kept.refresh_from_db()
    absorbed.refresh_from_db()
    assert (kept.title, kept.email, absorbed.state) == ("CRO", "m@tarnhelm.example", ProspectState.MERGED)
    assert (Kind.POSITION, "CRO, Tarnhelm") in current(kept)
    assert {key.value for key in kept.identity_keys.all()} >= {"m@tarnhelm.example", "o@tarnhelm.example"}
    assert not absorbed.identity_keys.exists()
    assert AuditEvent.objects.filter(team=team, action="prospect.merged", target_id=kept.pk).exists()


def test_files_after_a_merge_find_the_kept_record_and_change_nothing(team: Team, writer: Member) -> None:
    kept, absorbed = pair(team)
    services.merge(member=writer, kept_id=kept.pk, absorbed_id=absorbed.pk, now=LATER)
    for data, name in ((MAREN, "Connections.csv"), (OTHER, "other.csv")):
        assert counts(imported(team=team, data=connections(data), name=name, now=LATER))[:2] == (0, 0)


@pytest.mark.parametrize("newer_first", [True, False])
def test_a_merge_taken_back_leaves_everything_as_it_was(team: Team, writer: Member, newer_first: bool) -> None:
    one, other = pair(team)
    kept, absorbed = (other, one) if newer_first else (one, other)
    before = state_of(kept), state_of(absorbed)
    row = services.merge(member=writer, kept_id=kept.pk, absorbed_id=absorbed.pk, now=LATER)
    assert isinstance(row, Merge)
    assert state_of(kept) != before[0]
    undone = services.unmerge(member=writer, merge_id=row.pk, now=LATER)
    assert isinstance(undone, Merge)
    assert (state_of(kept), state_of(absorbed)) == before
    twice = services.unmerge(member=writer, merge_id=row.pk, now=LATER)
    assert isinstance(twice, Refusal)
    again = services.merge(member=writer, kept_id=kept.pk, absorbed_id=absorbed.pk, now=LATER)
    assert isinstance(again, Merge)


def test_what_came_since_the_merge_stays_and_what_was_retracted_stays_retracted(team: Team, writer: Member) -> None:
    kept, absorbed = pair(team)
    row = services.merge(member=writer, kept_id=kept.pk, absorbed_id=absorbed.pk, now=LATER)
    assert isinstance(row, Merge)
    copy = Evidence.objects.get(prospect=kept, kind=Kind.POSITION, state="current")
    services.retract(member=writer, evidence_id=copy.pk, reason="wrong", now=LATER)
    imported(team=team, data=connections(MAREN.replace("VP Sales", "CEO")), now=LATER + timedelta(days=1))
    services.unmerge(member=writer, merge_id=row.pk, now=LATER)
    assert (Kind.POSITION, "CEO, Tarnhelm") in current(kept)
    kept.refresh_from_db()
    assert (kept.state, "1 fact" in kept.conflict) == (ProspectState.CONFLICTED, True)
    assert Evidence.objects.get(prospect=absorbed, kind=Kind.POSITION).state == "retracted"


def test_of_two_profile_names_neither_pushes_the_other_out_when_files_come_again(team: Team, writer: Member) -> None:
    second = MAREN.replace("maren-oduya", "maren-o").replace("m@", "o@")
    for number, row in enumerate((MAREN, second)):
        imported(team=team, data=connections(row), now=NOW + timedelta(hours=number))
    kept, absorbed = Prospect.objects.filter(team=team).order_by("pk")
    services.merge(member=writer, kept_id=kept.pk, absorbed_id=absorbed.pk, now=LATER)
    for row in (second, MAREN, second):
        assert counts(imported(team=team, data=connections(row), now=LATER))[:3] == (0, 0, 1)
    kept.refresh_from_db()
    assert kept.linkedin_url.endswith("/maren-oduya")


def test_merging_refuses_what_makes_no_sense(team: Team, writer: Member) -> None:
    kept, absorbed = pair(team)
    foreign = a_prospect(team=a_team())

    def code(kept_id: int, absorbed_id: int) -> str:
        answer = services.merge(member=writer, kept_id=kept_id, absorbed_id=absorbed_id, now=NOW)
        return answer.code if isinstance(answer, Refusal) else "merged"

    assert code(kept.pk, kept.pk) == "same-record"
    assert code(kept.pk, foreign.pk) == "not-found"
    Prospect.objects.filter(pk=kept.pk).update(state="conflicted", conflict="who?")
    assert code(kept.pk, absorbed.pk) == "conflicted"
    Prospect.objects.filter(pk=kept.pk).update(state="active", conflict="")
    assert code(kept.pk, absorbed.pk) == "merged"
    assert code(absorbed.pk, kept.pk) == "merged-already"


def test_an_absorbed_record_is_not_enrolled_nor_is_its_twin_twice(team: Team, writer: Member) -> None:
    campaign = a_campaign(team=team)
    kept, absorbed = a_prospect(team=team), a_prospect(team=team)
    enrolled(writer, campaign, absorbed.pk)
    services.merge(member=writer, kept_id=kept.pk, absorbed_id=absorbed.pk, now=NOW)
    done = enrolled(writer, campaign, kept.pk, absorbed.pk)
    assert {one.prospect_id: one.reason for one in done.excluded} == {
        kept.pk: Why.ENROLLED_ALREADY,
        absorbed.pk: Why.MERGED,
    }


# -- companies -------------------------------------------------------------------------------


def apollo(*rows: str) -> str:
    return "First Name,Last Name,Title,Company,Email,Website\n" + "\n".join(rows) + "\n"


def test_a_new_name_under_a_known_domain_is_the_same_company(team: Team) -> None:
    imported(team=team, data=apollo("Ada,Ek,CEO,Acme,ada@acme.example,acme.example"), name="a.csv")
    imported(team=team, data=apollo("Bo,Ek,CTO,Acme Software,bo@acme.example,https://www.acme.example/"), name="b.csv")
    assert list(Company.objects.values_list("name", "domain")) == [("Acme", "acme.example")]
    assert {row.company_id for row in Prospect.objects.all()} == {Company.objects.get().pk}


def test_prefixes_and_shared_domains_join_nothing(team: Team) -> None:
    rows = (
        "Ada,Ek,CEO,Acme,a@x.example,https://acme.github.io",
        "Bo,Ek,CTO,Acme Labs,b@x.example,https://labs.github.io",
    )
    imported(team=team, data=apollo(*rows), name="a.csv")
    assert set(Company.objects.values_list("name", flat=True)) == {"Acme", "Acme Labs"}
