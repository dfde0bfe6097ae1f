from dataclasses import replace
from datetime import UTC, date, datetime, timedelta

import pytest

from messaging.review.domain.approval import (
    ApprovalFacts,
    FourEyes,
    LostEvidence,
    Part,
    may_undo,
    observed_through,
    refusal_of,
    send_by_of,
)
from messaging.review.domain.leases import Lease, LeaseChange, change_of
from prospects.domain.evidence import Actor, Evidence, Kind

NOW = datetime(2026, 12, 1, 10, 0, tzinfo=UTC)
PAIR = FourEyes(demanded=True, reviewers=2, delay=timedelta(minutes=10))
ALONE = replace(PAIR, reviewers=1)
WITHOUT = replace(PAIR, demanded=False)
GIVEN_UP = replace(WITHOUT, off_since=NOW - timedelta(hours=1))
PART = Part("You wrote, prompted or evidenced this text.", NOW - timedelta(minutes=4))
EARLIER = replace(PART, since=NOW - timedelta(hours=2))
SOON, BEFORE = NOW + timedelta(minutes=3), NOW - timedelta(minutes=3)
CLEAN = ApprovalFacts(
    user_id=1,
    now=NOW,
    state="ready",
    state_reason="",
    seen_revision=5,
    current_revision=5,
    written_at=NOW - timedelta(minutes=4),
    part=None,
    four_eyes=PAIR,
    lease=None,
    suppressed="",
    prospect_state="active",
    prospect_conflict="",
    enrolment_state="active",
    campaign_status="running",
    connected_already=False,
    recipient="d@x.example",
    account_active=True,
    parent_pending=False,
    lost_evidence=(),
    open_findings=0,
    refused="",
    quality=(),
    send_by=date(2026, 12, 8),
    today=date(2026, 12, 1),
)


def test_a_clean_text_by_somebody_else_may_be_approved():
    assert refusal_of(CLEAN) is None


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"state": "approved"}, "state"),
        ({"state": "rejected"}, "state"),
        ({"state": "sent"}, "state"),
        ({"state": "changes"}, "state"),
        ({"state": "waiting"}, "state"),
        ({"current_revision": 6}, "stale"),
        ({"current_revision": None}, "stale"),
        ({"lease": Lease(2, "Anders", SOON)}, "leased"),
        ({"suppressed": "opted out"}, "suppressed"),
        ({"prospect_state": "erased"}, "erased"),
        ({"prospect_state": "conflicted"}, "conflicted"),
        ({"enrolment_state": "replied"}, "ended"),
        ({"enrolment_state": "removed"}, "ended"),
        ({"enrolment_state": "finished"}, "ended"),
        ({"campaign_status": "finished"}, "ended"),
        ({"connected_already": True}, "connected"),
        ({"refused": "No lexicon for Turkish."}, "unreadable"),
        ({"state": "blocked", "open_findings": 2}, "findings"),
        ({"state": "blocked", "state_reason": "The dossier disagrees."}, "blocked"),
        ({"lost_evidence": (LostEvidence("3", "retracted"),)}, "evidence"),
        ({"quality": ("Two questions.",)}, "quality"),
        ({"send_by": date(2026, 11, 30)}, "recency"),
        ({"send_by": None}, "recency"),
        ({"part": PART}, "own_text"),
        ({"part": PART, "four_eyes": WITHOUT}, "too_soon"),
        ({"part": EARLIER, "four_eyes": GIVEN_UP, "written_at": BEFORE - timedelta(hours=1)}, "own_text"),
        ({"part": PART, "four_eyes": ALONE}, "too_soon"),
        ({"recipient": ""}, "no_recipient"),
        ({"account_active": False}, "no_account"),
        ({"parent_pending": True}, "parent"),
    ],
)
def test_each_rule_refuses_with_its_reason(changes, code):
    refusal = refusal_of(replace(CLEAN, **changes))
    assert refusal is not None
    assert refusal.code == code
    assert refusal.message


@pytest.mark.parametrize(
    "changes",
    [
        {"lease": Lease(1, "me", SOON)},
        {"lease": Lease(2, "Anders", BEFORE)},
        {"send_by": date(2026, 12, 1)},
        {"enrolment_state": "paused"},
        {"campaign_status": "paused"},
        {"part": PART, "four_eyes": ALONE, "written_at": NOW - timedelta(minutes=10)},
        {"part": PART, "four_eyes": WITHOUT, "written_at": NOW - timedelta(minutes=10)},
        {"part": PART, "four_eyes": GIVEN_UP, "written_at": NOW - timedelta(minutes=10)},
        {"part": EARLIER, "four_eyes": replace(GIVEN_UP, reviewers=1), "written_at": NOW - timedelta(minutes=10)},
    ],
)
def test_what_looks_like_a_hindrance_but_is_none(changes):
    assert refusal_of(replace(CLEAN, **changes)) is None


@pytest.mark.parametrize(("four_eyes", "costs"), [(PAIR, True), (ALONE, False), (replace(PAIR, demanded=False), False)])
def test_an_edit_costs_the_right_to_approve_only_where_somebody_else_has_it(four_eyes, costs):
    assert four_eyes.edit_costs_approval is costs


@pytest.mark.parametrize(
    ("days", "valid_until", "send_by"),
    [
        (7, None, date(2026, 12, 8)),
        (7, date(2026, 12, 4), date(2026, 12, 4)),
        (7, date(2027, 1, 1), date(2026, 12, 8)),
        (7, date(2026, 11, 30), date(2026, 11, 30)),
    ],
)
def test_send_by_is_the_earlier_of_policy_and_claims(days, valid_until, send_by):
    assert send_by_of(today=date(2026, 12, 1), policy_days=days, valid_until=valid_until) == send_by


def position(observed: date | None, *, end: str = "") -> Evidence:
    fields = {"title": "CTO", "company": "Pipewren", "end": end}
    return Evidence("1", Kind.POSITION, Actor.PROSPECT, "CTO, Pipewren", fields, observed_at=observed)


@pytest.mark.parametrize(
    ("cited", "through"),
    [
        ([], None),
        ([position(date(2026, 6, 1))], date(2026, 11, 28)),
        ([position(date(2026, 6, 1)), position(date(2026, 9, 1))], date(2026, 11, 28)),
        ([position(date(2020, 6, 1), end="2021-01")], None),
        ([position(None)], None),
    ],
)
def test_an_open_position_is_known_only_for_as_long_as_the_policy_trusts_an_observation(cited, through):
    assert observed_through(cited=cited, observed_days=180) == through


@pytest.mark.parametrize(
    ("seconds", "claimed", "code"),
    [
        (0, False, None),
        (59, False, None),
        (60, False, "too_late"),
        (5, True, "claimed"),
    ],
)
def test_undo_ends_with_the_grace_period_or_the_claim(seconds, claimed, code):
    refusal = may_undo(
        approved_at=NOW, grace=timedelta(seconds=60), claimed=claimed, now=NOW + timedelta(seconds=seconds)
    )
    assert (refusal.code if refusal else None) == code


@pytest.mark.parametrize(
    ("lease", "take_over", "change"),
    [
        (None, False, LeaseChange.TAKEN),
        (Lease(1, "me", SOON), False, LeaseChange.KEPT),
        (Lease(1, "me", BEFORE), False, LeaseChange.TAKEN),
        (Lease(2, "Anders", SOON), False, LeaseChange.REFUSED),
        (Lease(2, "Anders", SOON), True, LeaseChange.TAKEN_OVER),
        (Lease(2, "Anders", BEFORE), True, LeaseChange.TAKEN),
    ],
)
def test_opening_a_draft_changes_its_lease(lease, take_over, change):
    assert change_of(lease=lease, user_id=1, take_over=take_over, now=NOW) is change
