"""Industry notes: written, reviewed, cited, replaced, retired."""

from __future__ import annotations

from datetime import timedelta
from random import Random

import pytest
from django.db import DatabaseError, transaction

from messaging.writing.dossiers import freeze, standing
from messaging.writing.services import write_due
from outreach.teams.access import Member
from outreach.teams.domain.refusal import Refusal
from outreach.teams.models import AuditEvent, Team
from prospects import services
from prospects.domain.evidence import Actor, Kind
from prospects.domain.industries import fault_of
from prospects.models import IndustryNote, NoteState, Prospect
from prospects.queries.industries import industry_key, shelves, shipped
from tests.factories import NOW, a_campaign, a_prospect, an_unwritten_draft, evidence
from tests.people import a_member, a_team

TEXT = "Fintech companies answer to several regulators at once."


@pytest.fixture
def writer(team: Team) -> Member:
    return a_member(team=team, role="writer")


@pytest.fixture
def manager(team: Team) -> Member:
    return a_member(team=team, role="manager")


def written(member: Member, text: str = TEXT, industry: str = "Financial technology") -> IndustryNote:
    row = services.write_note(
        member=member, industry=industry, text=text, kind="regulation", source="Payment law", source_url="",
        language="en", now=NOW,
    )  # fmt: skip
    assert isinstance(row, IndustryNote), row
    return row


def of_fintech(team: Team) -> Prospect:
    prospect = a_prospect(team=team)
    evidence(
        prospect=prospect, kind=Kind.COMPANY_FACT, actor=Actor.COMPANY, text="FinTech",
        fields={"attribute": "industry", "value": "FinTech"},
    )  # fmt: skip
    return prospect


def cited(team: Team, prospect: Prospect) -> list[str]:
    frozen = freeze(prospect=prospect, campaign=a_campaign(team=team), now=NOW)
    return [item["text"] for item in frozen.items if item["kind"] == Kind.INDUSTRY_NOTE]


def test_twenty_industries_ship_with_statements_that_a_team_could_have_written() -> None:
    assert len(shipped()) == 20
    for industry in shipped():
        assert 4 <= len(industry.starters) <= 6
        for starter in industry.starters:
            assert fault_of(starter.text) == ""
            assert starter.kind in IndustryNote.Kind.values
            assert starter.rests_on
    names = [name for industry in shipped() for name in industry.names]
    assert len(names) == len(set(names))


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("FinTech", "fintech"),
        ("  financial   services technology ", "fintech"),
        ("Bank", "banking"),
        ("Food bank", "food bank"),
    ],
)
def test_an_industry_is_known_by_its_whole_name(text: str, key: str) -> None:
    assert industry_key(text) == key


def test_only_a_reviewed_note_is_cited_and_only_for_its_industry(team: Team, writer: Member, manager: Member) -> None:
    prospect, other = of_fintech(team), a_prospect(team=team)
    row = written(writer)
    assert cited(team, prospect) == []
    assert isinstance(services.approve_note(member=writer, note_id=row.pk, now=NOW), Refusal)
    services.approve_note(member=manager, note_id=row.pk, now=NOW)
    assert cited(team, prospect) == [TEXT]
    assert cited(a_team(), of_fintech(a_team())) == []
    other.company = None
    other.save()
    assert cited(team, other) == []


def test_a_review_holds_for_a_year(team: Team, manager: Member) -> None:
    prospect = of_fintech(team)
    row = written(manager)
    services.approve_note(member=manager, note_id=row.pk, now=NOW - timedelta(days=366))
    assert cited(team, prospect) == []
    services.approve_note(member=manager, note_id=row.pk, now=NOW)
    assert cited(team, prospect) == [TEXT]


def test_a_retired_note_supports_nothing_that_was_frozen_with_it(team: Team, manager: Member) -> None:
    prospect, campaign = of_fintech(team), a_campaign(team=team)
    row = written(manager)
    services.approve_note(member=manager, note_id=row.pk, now=NOW)
    frozen = freeze(prospect=prospect, campaign=campaign, now=NOW)
    before = standing(frozen=frozen, campaign=campaign, send_by=NOW.date()).of(Kind.INDUSTRY_NOTE)
    services.retire_note(member=manager, note_id=row.pk, now=NOW)
    after = standing(frozen=frozen, campaign=campaign, send_by=NOW.date()).of(Kind.INDUSTRY_NOTE)
    assert ([item.text for item in before], after) == ([TEXT], ())
    assert before[0].actor is Actor.INDUSTRY


def test_a_newer_version_takes_over_when_it_is_approved(team: Team, writer: Member, manager: Member) -> None:
    prospect = of_fintech(team)
    old = written(writer)
    services.approve_note(member=manager, note_id=old.pk, now=NOW)
    newer = services.revise_note(
        member=writer, note_id=old.pk, text="Fintech companies answer to many regulators.", kind="regulation",
        source="Payment law", source_url="", now=NOW,
    )  # fmt: skip
    assert isinstance(newer, IndustryNote)
    assert (newer.version, cited(team, prospect)) == (2, [TEXT])
    services.approve_note(member=manager, note_id=newer.pk, now=NOW)
    assert cited(team, prospect) == ["Fintech companies answer to many regulators."]
    again = services.revise_note(
        member=writer, note_id=old.pk, text="Other words.", kind="survey", source="x", source_url="", now=NOW
    )
    assert isinstance(again, Refusal)
    assert set(AuditEvent.objects.filter(team=team).values_list("action", flat=True)) >= {
        "industry_note.written", "industry_note.revised", "industry_note.approved",
    }  # fmt: skip


@pytest.mark.parametrize(
    "change",
    [
        {"text": "You answer to several regulators."},
        {"text": ""},
        {"text": "x" * 301},
        {"kind": "rumour"},
        {"source": " "},
        {"source_url": "ftp://x"},
        {"industry": ""},
    ],
)
def test_what_is_no_note_is_refused(writer: Member, change: dict[str, str]) -> None:
    given = {"industry": "Fintech", "text": TEXT, "kind": "survey", "source": "S", "source_url": "", "language": "en"}
    assert isinstance(services.write_note(member=writer, now=NOW, **(given | change)), Refusal)


def test_the_same_statement_is_kept_once_and_never_edited_or_deleted(team: Team, writer: Member) -> None:
    row = written(writer)
    again = services.write_note(
        member=writer, industry="fintech", text=TEXT, kind="survey", source="S", source_url="", language="en", now=NOW
    )
    assert isinstance(again, Refusal)
    for attempt in (lambda: IndustryNote.objects.update(text="other"), lambda: IndustryNote.objects.all().delete()):
        with pytest.raises(DatabaseError), transaction.atomic():
            attempt()
    row.refresh_from_db()
    assert row.text == TEXT


def test_starters_come_once_and_unreviewed(team: Team, writer: Member) -> None:
    assert services.take_starters(member=writer, industry="fintech", now=NOW) == 5
    assert services.take_starters(member=writer, industry="fintech", now=NOW) == 0
    assert set(IndustryNote.objects.values_list("state", flat=True)) == {NoteState.DRAFT}
    shelf = next(one for one in shelves(team=team) if one.key == "fintech")
    assert (shelf.approved, shelf.drafts, shelf.starters) == (0, 5, 0)


def test_other_teams_and_roles_decide_nothing(team: Team, manager: Member) -> None:
    row = written(manager)
    stranger = a_member(team=a_team(), role="manager")
    for member in (stranger, a_member(team=team, role="analyst")):
        assert isinstance(services.approve_note(member=member, note_id=row.pk, now=NOW), Refusal)
        assert isinstance(services.retire_note(member=member, note_id=row.pk, now=NOW), Refusal)
    row.refresh_from_db()
    assert row.state == NoteState.DRAFT


def test_the_composer_writes_with_notes_at_hand_and_says_nothing_of_them_about_the_person(
    team: Team, manager: Member
) -> None:
    services.take_starters(member=manager, industry="fintech", now=NOW)
    for note in IndustryNote.objects.all():
        services.approve_note(member=manager, note_id=note.pk, now=NOW)
    prospect = of_fintech(team)
    draft = an_unwritten_draft(campaign=a_campaign(team=team), prospect=prospect)
    (written,) = write_due(only=[draft.pk], model=None, now=NOW, rng=Random(7), clock=lambda: NOW)
    assert written.outcome == "ready"
    draft.refresh_from_db()
    assert draft.dossier is not None
    assert sum(item["kind"] == Kind.INDUSTRY_NOTE for item in draft.dossier.items) == 5
    assert draft.current is not None
    assert "regulators" not in draft.current.body
