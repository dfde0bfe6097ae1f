"""Whose data a file is: a team mate's as a rule, a prospect's own only when it is said; and what follows for the sender."""

from __future__ import annotations

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from outreach.campaigns.models import SenderIdentity
from outreach.teams.access import Member
from outreach.teams.models import AuditEvent, Team
from prospects.domain.evidence import Kind
from prospects.models import Evidence, ImportBatch, Prospect
from prospects.queries import evidence_of
from prospects.tasks import run_imports
from tests.domain.prospects.test_formats import read
from tests.files import ARCHIVE
from tests.people import a_member, a_user, signed_in
from tests.services.prospects.imports import dossier, imported

NAME = read(ARCHIVE.name, ARCHIVE.read_bytes()).owner_name
SEARCH = (
    "profileUrl,fullName,companyName,title,connectionDegree,defaultProfileUrl,vmid,query\n"
    "https://www.linkedin.com/sales/lead/ACwAAAabc123,Maren Oduya,Tarnhelm,VP Sales,1st,https://www.linkedin.com/in/maren,ACwAAAabc123,q\n"
)


def url(team: Team, name: str, **arguments: object) -> str:
    return reverse(f"prospects:{name}", kwargs={"team": team.slug, **arguments})


@pytest.fixture
def manager(team: Team) -> Member:
    return a_member(team=team, role="manager")


@pytest.fixture
def client(manager: Member) -> Client:
    return signed_in(user=manager.user)


@pytest.fixture
def owner(team: Team) -> Member:
    """The team mate whose name the archive bears."""
    return a_member(team=team, user=a_user(full_name="Ines Calloway-Brandt"))


def handed_in(client: Client, team: Team, data: bytes, name: str) -> ImportBatch:
    client.post(url(team, "import"), {"file": SimpleUploadedFile(name, data)})
    return ImportBatch.objects.filter(team=team).latest("id")


def through(client: Client, team: Team, batch: ImportBatch, **whose: object) -> ImportBatch:
    client.post(url(team, "start", pk=batch.pk), whose)
    run_imports()
    batch.refresh_from_db()
    return batch


def test_the_wizard_proposes_the_team_mate_whom_the_archive_names(client: Client, team: Team) -> None:
    named = a_member(team=team, user=a_user(full_name=NAME))
    batch = handed_in(client, team, ARCHIVE.read_bytes(), ARCHIVE.name)
    page = client.get(url(team, "batch", pk=batch.pk))
    assert page.context["form"].initial["whose"] == str(named.user.pk)
    assert "Whose data is it?" in page.content.decode()


def test_without_such_a_name_it_proposes_whoever_asks(client: Client, team: Team, manager: Member) -> None:
    batch = handed_in(client, team, ARCHIVE.read_bytes(), ARCHIVE.name)
    assert client.get(url(team, "batch", pk=batch.pk)).context["form"].initial["whose"] == str(manager.user.pk)


def test_an_archive_tells_about_its_owner_and_its_connections_are_first_degree(
    client: Client, team: Team, owner: Member
) -> None:
    batch = handed_in(client, team, ARCHIVE.read_bytes(), ARCHIVE.name)
    through(client, team, batch, whose=owner.user.pk)
    about = Evidence.objects.filter(owner=owner.user)
    assert {Kind.NAME, Kind.HEADLINE, Kind.POSITION, Kind.POST} <= set(about.values_list("kind", flat=True))
    assert set(about.values_list("actor", flat=True)) == {"sender"}
    assert not about.filter(prospect__isnull=False).exists()
    people = Prospect.objects.filter(team=team)
    assert set(people.values_list("first_degree", flat=True)) == {True}
    tied = Evidence.objects.filter(kind=Kind.CONNECTION)
    assert {row.fields["to_id"] for row in tied} == {str(owner.user.pk)}
    assert tied.count() == people.count()


def test_a_school_in_both_records_is_in_common_with_the_owner_alone(
    client: Client, team: Team, owner: Member, manager: Member
) -> None:
    through(client, team, handed_in(client, team, ARCHIVE.read_bytes(), ARCHIVE.name), whose=owner.user.pk)
    school = Evidence.objects.filter(owner=owner.user, kind=Kind.EDUCATION).first()
    assert school is not None
    batch = imported(
        team=team,
        data=dossier(education=[{"school": school.fields["school"], "degree": "MSc", "start": "2010", "end": "2012"}]),
        name="d.json",
    )
    prospect = Prospect.objects.get(pk=batch.prospect_ids[0])
    shared = [item for item in evidence_of(prospect=prospect, owner=owner.user) if item.kind is Kind.IN_COMMON]
    assert [(item.get("kind"), item.get("name")) for item in shared] == [("school", school.fields["school"])]
    assert "own" in shared[0].source
    assert not [item for item in evidence_of(prospect=prospect, owner=manager.user) if item.kind is Kind.IN_COMMON]


def test_a_prospects_own_archive_must_be_said_and_describes_that_prospect(client: Client, team: Team) -> None:
    batch = imported(team=team, data=dossier(full_name=NAME, linkedin="https://www.linkedin.com/in/own"), name="d.json")
    prospect = Prospect.objects.get(pk=batch.prospect_ids[0])
    archive = handed_in(client, team, ARCHIVE.read_bytes(), ARCHIVE.name)
    done = through(client, team, archive, whose="prospect", prospect="https://www.linkedin.com/in/own")
    assert (done.prospect, done.owner) == (prospect, None)
    kinds = set(Evidence.objects.filter(prospect=prospect).values_list("kind", flat=True))
    assert {Kind.POSITION, Kind.POST, Kind.EDUCATION} <= kinds
    assert not Evidence.objects.filter(owner__isnull=False).exists()
    assert Prospect.objects.filter(team=team).count() == 1
    assert any("own connections are not imported" in entry["reason"] for entry in done.skipped)


def test_somebody_elses_archive_is_not_taken_for_the_prospects(client: Client, team: Team) -> None:
    imported(
        team=team, data=dossier(full_name="Paolo Reni", linkedin="https://www.linkedin.com/in/paolo"), name="d.json"
    )
    archive = handed_in(client, team, ARCHIVE.read_bytes(), ARCHIVE.name)
    done = through(client, team, archive, whose="prospect", prospect="https://www.linkedin.com/in/paolo")
    assert done.state == "refused"
    assert f"The archive is of {NAME}, not of Paolo Reni" in done.message


def test_first_degree_people_of_a_search_are_asked_about_too(client: Client, team: Team, owner: Member) -> None:
    batch = handed_in(client, team, SEARCH.encode(), "search.csv")
    page = client.get(url(team, "batch", pk=batch.pk)).content.decode()
    assert "Say whose they are" in page
    through(client, team, batch, whose=owner.user.pk)
    assert Evidence.objects.get(kind=Kind.CONNECTION).fields["to_id"] == str(owner.user.pk)


def test_the_archive_becomes_the_senders_identity_when_a_manager_says_so(
    client: Client, team: Team, owner: Member
) -> None:
    batch = handed_in(client, team, ARCHIVE.read_bytes(), ARCHIVE.name)
    through(client, team, batch, whose=owner.user.pk)
    page = client.get(url(team, "batch", pk=batch.pk)).content.decode()
    assert "Make this the sender" in page
    assert not SenderIdentity.objects.exists()
    client.post(url(team, "sender", pk=batch.pk))
    made = SenderIdentity.objects.get(team=team)
    role = Evidence.objects.filter(owner=owner.user, kind=Kind.POSITION, fields__company=made.company).first()
    assert role is not None
    assert (made.full_name, made.title, made.user) == (NAME, role.fields["title"], owner.user)
    assert AuditEvent.objects.filter(team=team, action="sender.created").count() == 1
    assert "Make this the sender" not in client.get(url(team, "batch", pk=batch.pk)).content.decode()


def test_a_sender_that_says_something_else_is_changed_only_when_asked_and_keeps_the_signature(
    client: Client, team: Team, owner: Member
) -> None:
    row = SenderIdentity.objects.create(
        team=team, user=owner.user, full_name="I. C.", company="Old", signature="+49 40 1234567"
    )
    batch = handed_in(client, team, ARCHIVE.read_bytes(), ARCHIVE.name)
    through(client, team, batch, whose=owner.user.pk)
    row.refresh_from_db()
    assert row.company == "Old"
    assert "Sign as the archive says" in client.get(url(team, "batch", pk=batch.pk)).content.decode()
    client.post(url(team, "sender", pk=batch.pk))
    row.refresh_from_db()
    assert (row.full_name, row.signature) == (NAME, "+49 40 1234567")


def test_a_writer_may_import_but_not_change_who_signs(team: Team, owner: Member) -> None:
    writer = signed_in(user=owner.user)
    batch = handed_in(writer, team, ARCHIVE.read_bytes(), ARCHIVE.name)
    through(writer, team, batch, whose=owner.user.pk)
    assert "A manager can make this" in writer.get(url(team, "batch", pk=batch.pk)).content.decode()
    assert writer.post(url(team, "sender", pk=batch.pk)).status_code == 403


def test_a_file_that_describes_nobody_of_the_team_signs_nothing(client: Client, team: Team) -> None:
    batch = imported(team=team, data=dossier(), name="d.json")
    assert client.post(url(team, "sender", pk=batch.pk)).status_code == 404
