"""Evidence by hand, and what may be said to whom."""

from __future__ import annotations

from datetime import date, timedelta

import pytest

from outreach.campaigns.models import SenderIdentity
from outreach.teams.access import Member
from outreach.teams.domain.refusal import Refusal
from outreach.teams.models import Team
from prospects import services
from prospects.domain.dates import DateInterval
from prospects.domain.evidence import Evidence as Fact
from prospects.domain.evidence import Kind
from prospects.invariants import invariants
from prospects.models import Evidence, EvidenceState, IndustryNote, Prospect, ProspectState
from prospects.queries import evidence_of
from tests.files import ARCHIVE, DOSSIERS
from tests.people import a_member
from tests.services.prospects.imports import NOW, connections, dossier, imported, only_prospect, someone

MAREN = "Maren,Oduya,https://www.linkedin.com/in/maren-oduya,,Tarnhelm,VP Sales,16 Dec 2024"
DAY = DateInterval(date(2026, 11, 5), date(2026, 11, 5))


@pytest.fixture
def writer(team: Team) -> Member:
    return a_member(team=team, role="writer", user=someone())


@pytest.fixture
def maren(writer: Member) -> Prospect:
    imported(team=writer.team, data=connections(MAREN), owner=writer.user)
    return only_prospect(writer.team)


def added(member: Member, prospect: Prospect, **changes: object) -> Evidence | Refusal:
    given = {
        "kind": "post", "actor": "prospect", "text": "We moved.", "fields": {}, "occurred": DAY,
        "url": "https://www.linkedin.com/posts/x", "snapshot": "", "observed_at": NOW.date(), "now": NOW,
    }  # fmt: skip
    return services.add_evidence(member=member, prospect=prospect, **{**given, **changes})


def kinds(facts: tuple[Fact, ...]) -> list[Kind]:
    return [fact.kind for fact in facts]


def test_added_evidence_may_be_said(writer: Member, maren: Prospect) -> None:
    row = added(writer, maren)
    assert isinstance(row, Evidence)
    assert row.added_by == writer.user
    assert [fact.text for fact in evidence_of(prospect=maren) if fact.kind is Kind.POST] == ["We moved."]


def test_the_same_evidence_twice_is_one(writer: Member, maren: Prospect) -> None:
    assert added(writer, maren) == added(writer, maren)


def test_news_is_kept_with_the_company(writer: Member, maren: Prospect) -> None:
    row = added(writer, maren, kind="company_news", actor="company", text="Tarnhelm grows.")
    assert isinstance(row, Evidence)
    assert (row.prospect, row.company) == (None, maren.company)
    assert Kind.COMPANY_NEWS in kinds(evidence_of(prospect=maren))


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"text": " "}, "text-missing"),
        ({"url": ""}, "source-missing"),
        ({"url": "javascript:alert(1)"}, "source-unusable"),
        ({"kind": "gossip"}, "unknown-kind"),
        ({"observed_at": NOW.date() + timedelta(days=1)}, "date-in-future"),
        ({"occurred": DateInterval(date(2030, 1, 1), date(2030, 1, 1))}, "date-in-future"),
    ],
)
def test_evidence_that_proves_nothing_is_refused(writer: Member, maren: Prospect, changes: dict, code: str) -> None:
    refused = added(writer, maren, **changes)
    assert isinstance(refused, Refusal)
    assert refused.code == code


def test_an_analyst_adds_nothing(maren: Prospect) -> None:
    refused = added(a_member(team=maren.team, role="analyst"), maren)
    assert isinstance(refused, Refusal)
    assert refused.code == "not-allowed"


def test_nobody_adds_to_another_teams_prospect(maren: Prospect, other_team: Team) -> None:
    refused = added(a_member(team=other_team, role="admin"), maren)
    assert isinstance(refused, Refusal)
    assert refused.code == "not-found"


def test_retracted_evidence_is_not_said_and_does_not_come_back(writer: Member) -> None:
    data = dossier(posts=[{"id": "post1", "date": "2026-11-05", "text": "Wrong."}])
    imported(team=writer.team, data=data, name="d.json")
    row = Evidence.objects.get(kind="post")
    assert isinstance(services.retract(member=writer, evidence_id=row.pk, reason="not hers", now=NOW), Evidence)
    imported(team=writer.team, data=data, name="d.json")
    assert Kind.POST not in kinds(evidence_of(prospect=only_prospect(writer.team)))


def test_superseding_links_the_old_to_the_new(writer: Member, maren: Prospect) -> None:
    old = Evidence.objects.get(prospect=maren, kind="position")
    new = services.supersede(
        member=writer, evidence_id=old.pk, text="CRO, Tarnhelm", fields={"title": "CRO", "company": "Tarnhelm"},
        occurred=None, url="https://www.linkedin.com/in/maren-oduya", snapshot="", observed_at=NOW.date(), now=NOW,
    )  # fmt: skip
    old.refresh_from_db()
    maren.refresh_from_db()
    assert (old.state, old.superseded_by) == (EvidenceState.SUPERSEDED, new)
    assert maren.title == "CRO"


def test_a_connection_is_known_to_the_one_who_has_it(writer: Member, maren: Prospect) -> None:
    colleague = a_member(team=writer.team)
    assert Kind.CONNECTION in kinds(evidence_of(prospect=maren, owner=writer.user))
    assert Kind.CONNECTION not in kinds(evidence_of(prospect=maren, owner=colleague.user))
    assert Kind.CONNECTION not in kinds(evidence_of(prospect=maren))


def test_a_shared_school_is_derived_with_the_years_of_both(writer: Member) -> None:
    imported(team=writer.team, data=ARCHIVE.read_bytes(), name=ARCHIVE.name, owner=writer.user)
    school = {"school": "Greyfriars Business School", "degree": "MBA", "start": "2017", "end": "2019"}
    batch = imported(team=writer.team, data=dossier(education=[school]), name="d.json")
    facts = evidence_of(prospect=Prospect.objects.get(pk=batch.prospect_ids[0]), owner=writer.user)
    shared = next(fact for fact in facts if fact.kind is Kind.IN_COMMON)
    assert (shared.get("kind"), shared.get("sender_years"), shared.get("prospect_years")) == (
        "school",
        "2016-2018",
        "2017-2019",
    )
    assert shared.row_id


def test_things_in_common_with_one_sender_are_not_another_ones(writer: Member) -> None:
    batch = imported(team=writer.team, data=DOSSIERS.read_bytes(), name=DOSSIERS.name, owner=writer.user)
    rohan = Prospect.objects.get(pk=batch.prospect_ids[0])
    assert Kind.IN_COMMON not in kinds(evidence_of(prospect=rohan, owner=writer.user))
    SenderIdentity.objects.create(team=writer.team, user=writer.user, full_name="Marcus Feld", company="Querywright")
    assert Kind.IN_COMMON in kinds(evidence_of(prospect=rohan, owner=writer.user))


def test_superseded_evidence_is_not_said(writer: Member, maren: Prospect) -> None:
    imported(
        team=writer.team,
        data=connections(MAREN.replace("VP Sales", "CRO")),
        now=NOW + timedelta(days=9),
        owner=writer.user,
    )
    roles = [fact.get("title") for fact in evidence_of(prospect=maren) if fact.kind is Kind.POSITION]
    assert roles == ["CRO"]


def test_a_conflict_is_settled_by_a_name_that_fits(writer: Member, maren: Prospect) -> None:
    imported(team=writer.team, data=connections(MAREN.replace("Maren", "Paolo")), owner=writer.user)
    maren.refresh_from_db()
    refused = services.resolve_conflict(member=writer, prospect=maren, full_name="Paolo Oduya", now=NOW)
    assert isinstance(refused, Refusal)
    settled = services.resolve_conflict(member=writer, prospect=maren, full_name="Maren Oduya", now=NOW)
    assert isinstance(settled, Prospect)
    assert settled.state == ProspectState.ACTIVE


def test_all_invariants_hold_after_imports_and_edits(writer: Member, maren: Prospect) -> None:
    imported(team=writer.team, data=ARCHIVE.read_bytes(), name=ARCHIVE.name, owner=writer.user)
    imported(team=writer.team, data=DOSSIERS.read_bytes(), name=DOSSIERS.name)
    added(writer, maren)
    imported(team=writer.team, data=connections(MAREN.replace("Maren", "Paolo")), owner=writer.user)  # leaves a doubt
    note = services.write_note(
        member=writer, industry="Shipping", text="Ports close in storms.", kind="regulation", source="Port rules",
        source_url="", language="en", now=NOW,
    )  # fmt: skip
    assert isinstance(note, IndustryNote), note
    services.approve_note(member=a_member(team=writer.team, role="manager"), note_id=note.pk, now=NOW)
    one, other = Prospect.objects.filter(team=writer.team, state=ProspectState.ACTIVE).order_by("pk")[:2]
    merged = services.merge(member=writer, kept_id=one.pk, absorbed_id=other.pk, now=NOW)
    assert not isinstance(merged, Refusal), merged
    found = {invariant.name: list(invariant.broken()) for invariant in invariants()}
    assert not any(found.values()), found
    assert {invariant.name for invariant in invariants() if not invariant.rows()} == set()
