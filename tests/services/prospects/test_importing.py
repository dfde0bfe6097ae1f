"""Files become prospects with evidence: matched by keys, never doubled, never blanked."""

from __future__ import annotations

from datetime import timedelta

import pytest

from outreach.teams.access import Member
from outreach.teams.models import AuditEvent, Team
from prospects.domain.evidence import Kind
from prospects.models import Evidence, EvidenceState, ImportState, Prospect, ProspectState
from prospects.queries import card_for
from tests.files import ARCHIVE, DOSSIERS
from tests.people import a_member
from tests.services.prospects.imports import NOW, connections, counts, dossier, imported, only_prospect, someone

MAREN = "Maren,Oduya,https://www.linkedin.com/in/maren-oduya,,Tarnhelm,VP Sales,16 Dec 2024"


@pytest.fixture(autouse=True)
def owner(team: Team) -> Member:
    return a_member(team=team, role="writer", user=someone())


def texts(prospect: Prospect, kind: Kind, state: str = EvidenceState.CURRENT) -> list[str]:
    rows = Evidence.objects.filter(prospect=prospect, kind=kind, state=state).order_by("id")
    return list(rows.values_list("text", flat=True))


def test_connections_of_an_archive_become_first_degree_prospects(team: Team) -> None:
    batch = imported(team=team, data=ARCHIVE.read_bytes(), name=ARCHIVE.name)
    assert (batch.format, batch.state) == ("linkedin_archive", ImportState.DONE)
    assert batch.created == 8
    assert all(Prospect.objects.filter(team=team).values_list("first_degree", flat=True))


def test_the_rest_of_an_archive_describes_its_owner(team: Team, owner: Member) -> None:
    imported(team=team, data=ARCHIVE.read_bytes(), name=ARCHIVE.name, owner=owner.user)
    about_owner = Evidence.objects.filter(owner=owner.user)
    assert about_owner.filter(kind=Kind.POSITION).count() == 5
    assert about_owner.filter(kind=Kind.POST).count() == 2
    assert set(about_owner.values_list("actor", flat=True)) == {"sender"}


def test_every_row_of_an_archive_is_accounted_for(team: Team) -> None:
    batch = imported(team=team, data=ARCHIVE.read_bytes(), name=ARCHIVE.name)
    assert sum(counts(batch)) == batch.rows
    assert all(entry["reason"] for entry in batch.skipped)


def test_an_archive_without_a_named_owner_says_whose_it_was_taken_for(team: Team, owner: Member) -> None:
    batch = imported(team=team, data=ARCHIVE.read_bytes(), name=ARCHIVE.name)
    assert batch.owner == owner.user
    assert any(owner.user.email in warning for warning in batch.warnings)


def test_an_archive_is_its_namesakes(team: Team) -> None:
    namesake = a_member(team=team, role="writer", user=someone(email="p@x.example", full_name="Priyanka Raghavan-Holt"))
    batch = imported(team=team, data=ARCHIVE.read_bytes(), name=ARCHIVE.name)
    assert batch.owner == namesake.user


def test_an_archive_was_observed_on_the_day_it_was_made(team: Team) -> None:
    imported(team=team, data=ARCHIVE.read_bytes(), name=ARCHIVE.name)
    days = set(Evidence.objects.filter(kind=Kind.POSITION).values_list("observed_at", flat=True))
    assert {day.isoformat() for day in days} == {"2024-12-20"}


@pytest.mark.parametrize("path", [ARCHIVE, DOSSIERS])
def test_the_same_file_again_changes_nothing(team: Team, path) -> None:
    first = imported(team=team, data=path.read_bytes(), name=path.name)
    rows = Evidence.objects.count()
    again = imported(team=team, data=path.read_bytes(), name=path.name, now=NOW + timedelta(days=40))
    assert (again.created, again.updated) == (0, 0)
    assert again.rows == first.rows
    assert Evidence.objects.count() == rows


def test_all_gold_dossiers_are_imported(team: Team) -> None:
    batch = imported(team=team, data=DOSSIERS.read_bytes(), name=DOSSIERS.name)
    assert counts(batch) == (15, 0, 0, 0)
    assert set(Prospect.objects.values_list("language", flat=True)) == {"en", "de", "nl", "fr", "es", "pt-BR", "it"}


def test_one_profile_in_many_spellings_is_one_person(team: Team) -> None:
    rows = [
        "Théo,Brisebois,https://www.linkedin.com/in/th%C3%A9o-b,,Vexelle,CEO,01 Jan 2024",
        "Théo,Brisebois,https://www.LinkedIn.com/in/Théo-B/?trk=x,,Vexelle,CEO,01 Jan 2024",
        "Théo,B.,linkedin.com/in/th%c3%a9o-b,,Vexelle,CEO,01 Jan 2024",
    ]
    assert counts(imported(team=team, data=connections(*rows))) == (1, 0, 2, 0)


def test_two_people_of_one_name_stay_two(team: Team) -> None:
    rows = [MAREN, MAREN.replace("maren-oduya", "maren-oduya-2")]
    assert imported(team=team, data=connections(*rows)).created == 2


def test_an_absent_column_blanks_nothing(team: Team) -> None:
    imported(team=team, data=connections(MAREN.replace(",,Tarnhelm", ",m@tarnhelm.example,Tarnhelm")))
    imported(team=team, data=connections("Maren,Oduya,https://www.linkedin.com/in/maren-oduya,,,,16 Dec 2024"))
    prospect = only_prospect(team)
    assert (prospect.email, prospect.title) == ("m@tarnhelm.example", "VP Sales")


def test_a_newer_title_supersedes_the_old_one(team: Team) -> None:
    imported(team=team, data=connections(MAREN))
    later = imported(team=team, data=connections(MAREN.replace("VP Sales", "CRO")), now=NOW + timedelta(days=30))
    prospect = only_prospect(team)
    assert later.updated == 1
    assert texts(prospect, Kind.POSITION) == ["CRO, Tarnhelm"]
    old = Evidence.objects.get(prospect=prospect, kind=Kind.POSITION, state=EvidenceState.SUPERSEDED)
    assert old.superseded_by is not None
    assert prospect.title == "CRO"


def test_an_older_file_supersedes_nothing(team: Team) -> None:
    imported(team=team, data=dossier(headline="Chief"), name="new.json", now=NOW)
    imported(team=team, data=dossier(headline="Clerk"), name="old.json", now=NOW - timedelta(days=90))
    assert texts(only_prospect(team), Kind.HEADLINE) == ["Chief"]


def test_files_in_any_order_settle(team: Team) -> None:
    files = [dossier(headline="One"), dossier(headline="Two"), dossier(headline="Three", location="Bern, Switzerland")]
    for _ in range(2):
        last = [imported(team=team, data=data, name="d.json") for data in files]
    assert [(batch.created, batch.updated) for batch in last] == [(0, 0)] * 3


def test_a_newer_full_profile_ends_the_roles_it_no_longer_lists(team: Team) -> None:
    before = dossier(positions=[{"title": "CTO", "company": "A", "start": "2020"}])
    after = dossier(positions=[{"title": "CEO", "company": "B", "start": "2026-11"}])
    imported(team=team, data=before, name="d.json")
    imported(team=team, data=after, name="d.json", now=NOW + timedelta(days=1))
    assert texts(only_prospect(team), Kind.POSITION) == ["CEO, B (2026-11 to today)"]


def test_the_same_words_in_a_newer_file_are_fresh_again(team: Team) -> None:
    imported(team=team, data=connections(MAREN))
    again = imported(team=team, data=connections(MAREN, ""), now=NOW + timedelta(days=30))
    assert counts(again)[:3] == (0, 0, 1)
    row = Evidence.objects.get(kind=Kind.POSITION)
    assert row.last_seen_at == (NOW + timedelta(days=30)).date()


def test_a_key_under_another_name_stops_the_person_and_changes_nothing(team: Team) -> None:
    imported(team=team, data=connections(MAREN))
    batch = imported(team=team, data=connections(MAREN.replace("Maren", "Paolo")))
    prospect = only_prospect(team)
    assert counts(batch) == (0, 0, 0, 1)
    assert prospect.state == ProspectState.CONFLICTED
    assert "Paolo" in prospect.conflict
    assert prospect.full_name == "Maren Oduya"


def test_keys_of_two_people_in_one_row_are_not_guessed_about(team: Team) -> None:
    imported(team=team, data=connections(MAREN, "Ada,Ek,https://www.linkedin.com/in/ada-ek,ada@x.example,X,CEO,"))
    batch = imported(team=team, data=connections(MAREN.replace(",,Tarnhelm", ",ada@x.example,Tarnhelm")))
    assert counts(batch) == (0, 0, 0, 1)
    assert "different people" in batch.skipped[0]["reason"]


def test_a_prospects_own_archive_describes_that_prospect(team: Team) -> None:
    imported(team=team, data=connections(MAREN.replace("Maren,Oduya,", "Priyanka,Raghavan-Holt,")))
    prospect = only_prospect(team)
    batch = imported(team=team, data=ARCHIVE.read_bytes(), name=ARCHIVE.name, prospect=prospect)
    assert (batch.created, batch.updated) == (0, 1)
    assert len(texts(prospect, Kind.POST)) == 2
    assert Prospect.objects.count() == 1


def test_an_archive_of_somebody_else_is_not_put_on_a_prospect(team: Team) -> None:
    imported(team=team, data=connections(MAREN))
    batch = imported(team=team, data=ARCHIVE.read_bytes(), name=ARCHIVE.name, prospect=only_prospect(team))
    assert batch.state == ImportState.REFUSED
    assert "Priyanka" in batch.message


def test_a_file_with_nothing_usable_is_no_success(team: Team) -> None:
    batch = imported(team=team, data=connections(",,,,,,30 Apr 2024"))
    assert batch.message.startswith("None of the 1 rows")


def test_an_unreadable_file_is_refused_with_the_reason(team: Team) -> None:
    batch = imported(team=team, data=b"\x89PNG\r\n\x1a\n....", name="photo.csv")
    assert (batch.state, Prospect.objects.count()) == (ImportState.REFUSED, 0)
    assert "picture" in batch.message


def test_the_file_itself_is_not_kept(team: Team) -> None:
    batch = imported(team=team, data=connections(MAREN))
    batch.refresh_from_db()
    assert not batch.parts.exists()


def test_what_other_teams_know_is_neither_matched_nor_changed(team: Team, other_team: Team) -> None:
    a_member(team=other_team)
    imported(team=other_team, data=connections(MAREN))
    assert imported(team=team, data=connections(MAREN)).created == 1


def test_an_import_leaves_a_trail_without_content(team: Team) -> None:
    imported(team=team, data=connections(MAREN))
    event = AuditEvent.objects.get(team=team, action="import.finished")
    assert event.details["created"] == 1
    assert "Maren" not in str(event.details)


def test_positions_say_whether_they_are_current(team: Team) -> None:
    imported(
        team=team,
        data=dossier(positions=[{"title": "CEO", "company": "B", "start": "2026", "end": None}]),
        name="d.json",
    )
    assert card_for(prospect=only_prospect(team)).positions[0]["current"] is True
