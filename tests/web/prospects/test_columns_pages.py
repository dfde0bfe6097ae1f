"""Choosing columns, and what the team remembers of it: who may, what is said, what is kept, what outsiders see."""

from __future__ import annotations

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from outreach.teams import audit
from outreach.teams.access import Member
from outreach.teams.models import AuditEvent, Team
from prospects.models import ColumnMapping, ImportBatch, ImportState, Prospect
from prospects.services import choose_columns, import_bytes
from prospects.tasks import run_imports
from tests.files import SAMPLES
from tests.people import a_member, signed_in
from tests.services.prospects.imports import NOW, imported

TABLE = b"Kontakt,Rolle,Mail\nMaren Oduya,VP Sales,m@x.example\nTheo Brisebois,CTO,t@x.example\n"
CHOICE = {"header": "1", "c1": "full", "c2": "title", "c3": "email", "remember": "1"}
APOLLO = next(SAMPLES.glob("06_apollo*/*.csv"))


def url(team: Team, name: str, **arguments: object) -> str:
    return reverse(f"prospects:{name}", kwargs={"team": team.slug, **arguments})


@pytest.fixture
def writer(team: Team) -> Member:
    return a_member(team=team, role="writer")


@pytest.fixture
def client(writer: Member) -> Client:
    return signed_in(user=writer.user)


def handed_in(client: Client, team: Team, data: bytes = TABLE, name: str = "people.csv") -> ImportBatch:
    assert client.post(url(team, "import"), {"file": SimpleUploadedFile(name, data)}).status_code == 302
    return ImportBatch.objects.filter(team=team).latest("id")


@pytest.fixture
def remembered(client: Client, team: Team) -> ColumnMapping:
    batch = handed_in(client, team)
    client.post(url(team, "columns", pk=batch.pk), CHOICE)
    return ColumnMapping.objects.get(team=team)


def test_a_table_nobody_knows_is_asked_about_before_it_is_previewed(client: Client, team: Team) -> None:
    batch = handed_in(client, team)
    answer = client.get(url(team, "batch", pk=batch.pk))
    assert answer.status_code == 302
    assert answer["Location"] == url(team, "columns", pk=batch.pk)
    assert {line.target for line in client.get(answer["Location"]).context["lines"]} == {"", "email"}


def test_a_choice_is_kept_with_the_file_remembered_and_in_the_audit(
    client: Client, team: Team, writer: Member, remembered: ColumnMapping
) -> None:
    assert remembered.columns == {"kontakt": "full", "rolle": "title", "mail": "email"}
    assert (remembered.saved_by, remembered.uses) == (writer.user, 0)
    assert ImportBatch.objects.get().mapping == {"header_row": 1, "columns": remembered.columns}
    actions = list(AuditEvent.objects.filter(team=team).order_by("id").values_list("action", flat=True))
    assert actions == ["import.queued", "import.columns_chosen", "mapping.saved"]
    event = AuditEvent.objects.get(action="mapping.saved")
    assert audit.matches(event=event, content='{"kontakt": "full", "mail": "email", "rolle": "title"}')


def test_the_next_file_of_that_header_goes_straight_to_the_preview(
    client: Client, team: Team, remembered: ColumnMapping
) -> None:
    batch = handed_in(client, team, b"mail;KONTAKT;Rolle\nn@x.example;Nora Body;CEO\n", "other.csv")
    page = client.get(url(team, "batch", pk=batch.pk))
    assert page.status_code == 200
    assert "Nora Body" in page.content.decode()
    client.post(url(team, "start", pk=batch.pk))
    run_imports()
    assert Prospect.objects.get(full_name="Nora Body").email == "n@x.example"
    remembered.refresh_from_db()
    assert remembered.uses == 1


def test_a_command_reads_a_remembered_header_the_same_way(team: Team, remembered: ColumnMapping) -> None:
    batch = imported(team=team, data=TABLE, name="again.csv")
    assert (batch.created, Prospect.objects.get(full_name="Theo Brisebois").title) == (2, "CTO")


def test_another_team_remembers_nothing_of_it(team: Team, other_team: Team, remembered: ColumnMapping) -> None:
    a_member(team=other_team)
    outcome = import_bytes(team=other_team, actor=None, file_name="p.csv", data=TABLE, now=NOW)
    assert isinstance(outcome, ImportBatch)
    assert outcome.state == ImportState.REFUSED


def test_a_newer_choice_for_the_same_header_replaces_the_older(
    client: Client, team: Team, remembered: ColumnMapping
) -> None:
    batch = handed_in(client, team)
    client.post(url(team, "columns", pk=batch.pk), {**CHOICE, "c2": "headline"})
    assert ColumnMapping.objects.get(team=team).columns["rolle"] == "headline"
    assert AuditEvent.objects.filter(action="mapping.replaced").count() == 1


def test_a_choice_need_not_be_remembered(client: Client, team: Team) -> None:
    batch = handed_in(client, team)
    client.post(url(team, "columns", pk=batch.pk), {key: value for key, value in CHOICE.items() if key != "remember"})
    batch.refresh_from_db()
    assert batch.mapping is not None
    assert not ColumnMapping.objects.exists()


@pytest.mark.parametrize(
    ("posted", "words"),
    [
        ({"header": "1", "c2": "title"}, "No column holds a name"),
        ({"header": "1", "c1": "email"}, "“Kontakt” (column 1) cannot be E-mail address"),
        ({"header": "1", "c1": "full", "c7": "title"}, "no column 7"),
        ({"header": "1", "c1": "nonsense"}, "there is no field “nonsense”"),
        ({"header": "3", "c1": "full"}, "column names in row 3 but no rows under them"),
        ({"header": "x", "cx": "full", "c": "full", "c-1": "full"}, "No column holds a name"),
    ],
)
def test_a_choice_that_cannot_be_read_is_refused_with_what_was_chosen_kept(
    client: Client, team: Team, posted: dict[str, str], words: str
) -> None:
    batch = handed_in(client, team)
    answer = client.post(url(team, "columns", pk=batch.pk), {**posted, "remember": "1"})
    assert (answer.status_code, words in answer.content.decode()) == (422, True)
    batch.refresh_from_db()
    assert (batch.mapping, ColumnMapping.objects.count()) == (None, 0)
    if posted.get("c1") == "email":
        assert [line.target for line in answer.context["lines"]] == ["email", "", ""]


def test_a_known_format_may_be_read_by_ones_own_columns_and_back(client: Client, team: Team) -> None:
    batch = handed_in(client, team, APOLLO.read_bytes(), APOLLO.name)
    page = client.get(url(team, "batch", pk=batch.pk)).content.decode()
    assert "The columns are read by the rules of Apollo" in page
    lines = client.get(url(team, "columns", pk=batch.pk)).context["lines"]
    chosen = {f"c{line.column.number}": line.target for line in lines if line.target in {"first", "last"}}
    client.post(url(team, "columns", pk=batch.pk), {"header": "1", **chosen})
    assert "Read it as Apollo" in client.get(url(team, "batch", pk=batch.pk)).content.decode()
    client.post(url(team, "read_by_format", pk=batch.pk))
    batch.refresh_from_db()
    assert batch.mapping is None


def test_columns_are_not_changed_once_the_import_has_started(client: Client, team: Team, writer: Member) -> None:
    batch = handed_in(client, team)
    client.post(url(team, "columns", pk=batch.pk), CHOICE)
    client.post(url(team, "start", pk=batch.pk))
    refused = choose_columns(member=writer, batch_id=batch.pk, header_row=1, chosen={1: "full"}, remember=True, now=NOW)
    assert getattr(refused, "code", "") == "too-late"
    assert client.get(url(team, "columns", pk=batch.pk)).status_code == 302


def test_a_mapping_is_listed_forgotten_and_that_is_recorded(
    client: Client, team: Team, remembered: ColumnMapping
) -> None:
    page = client.get(url(team, "mappings")).content.decode()
    assert "Kontakt" in page
    assert "Full name" in page
    client.post(url(team, "forget_mapping", pk=remembered.pk))
    assert not ColumnMapping.objects.exists()
    assert AuditEvent.objects.filter(team=team, action="mapping.deleted").count() == 1
    assert client.get(url(team, "batch", pk=handed_in(client, team).pk)).status_code == 302


@pytest.mark.parametrize("role", ["reviewer", "analyst"])
def test_who_may_not_import_may_not_choose_or_forget(team: Team, remembered: ColumnMapping, role: str) -> None:
    other = signed_in(user=a_member(team=team, role=role).user)
    pk = ImportBatch.objects.get().pk
    assert other.get(url(team, "mappings")).status_code == 403
    assert other.get(url(team, "columns", pk=pk)).status_code == 403
    assert other.post(url(team, "columns", pk=pk), CHOICE).status_code == 403
    assert other.post(url(team, "read_by_format", pk=pk)).status_code == 403
    assert other.post(url(team, "forget_mapping", pk=remembered.pk)).status_code == 403
    assert ColumnMapping.objects.exists()


def test_other_teams_do_not_find_any_of_it(team: Team, other_team: Team, remembered: ColumnMapping) -> None:
    outsider = signed_in(user=a_member(team=other_team, role="admin").user)
    pk = ImportBatch.objects.get().pk
    for where in (team, other_team):
        assert outsider.get(url(where, "columns", pk=pk)).status_code == 404
        assert outsider.post(url(where, "columns", pk=pk), CHOICE).status_code == 404
        assert outsider.post(url(where, "read_by_format", pk=pk)).status_code == 404
    assert outsider.post(url(other_team, "forget_mapping", pk=remembered.pk)).status_code == 404
    assert ColumnMapping.objects.exists()
    assert "Kontakt" not in outsider.get(url(other_team, "mappings")).content.decode()


def test_the_list_of_mappings_costs_the_same_with_many(
    client: Client, team: Team, writer: Member, django_assert_max_num_queries
) -> None:
    ColumnMapping.objects.bulk_create(
        ColumnMapping(
            team=team, fingerprint=f"{n:064}", labels=["Name"], columns={"name": "full"}, saved_by=writer.user
        )
        for n in range(70)
    )
    with django_assert_max_num_queries(3 + 2):
        first = client.get(url(team, "mappings"))
    assert len(first.context["page"].rows) == 30
    assert first.context["page"].next


def test_a_table_of_many_columns_shows_what_can_be_chosen(client: Client, team: Team) -> None:
    wide = ",".join(["Name", *(f"c{n}" for n in range(900))]) + "\nMaren" + ",x" * 900 + "\n"
    batch = handed_in(client, team, wide.encode())
    answer = client.get(url(team, "columns", pk=batch.pk))
    assert (len(answer.context["lines"]), answer.context["hidden"]) == (300, 601)
    chosen = {f"c{line.column.number}": line.target for line in answer.context["lines"]}
    assert client.post(url(team, "columns", pk=batch.pk), {"header": "1", **chosen}).status_code == 302
