"""Which step comes next: every condition, before and after its time."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from outreach.campaigns.domain.sequence import CONDITIONS, Due, Later, Over, Step, next_step

SENT = datetime(2026, 11, 2, 9, 0, tzinfo=UTC)
NOTE = Step(1, "linkedin_connection")
AFTER = SENT + timedelta(days=3)


def follow_up(condition: str, *, position: int = 2, wait: int = 3, channel: str = "linkedin_message") -> Step:
    return Step(position, channel, wait, condition)


@pytest.mark.parametrize(
    ("condition", "connected", "replied", "taken"),
    [
        ("always", False, False, True),
        ("always", True, True, True),
        ("connected", True, False, True),
        ("connected", False, False, False),
        ("connected", None, False, False),
        ("not_connected", False, False, True),
        ("not_connected", True, False, False),
        ("not_connected", None, False, False),
        ("no_reply", True, False, True),
        ("no_reply", False, False, True),
        ("no_reply", False, True, False),
        ("connected", True, True, True),
    ],
)
def test_conditions(condition: str, connected: bool | None, replied: bool, taken: bool) -> None:
    found = next_step(
        steps=(NOTE, follow_up(condition)),
        position=1,
        last_sent_at=SENT,
        connected=connected,
        replied=replied,
        now=AFTER,
    )
    if taken:
        assert found == Due(follow_up(condition), AFTER)
    else:
        assert isinstance(found, Over)
        assert [(one.step.position, bool(one.reason)) for one in found.passed] == [(2, True)]


def test_first_step_is_due_at_once() -> None:
    found = next_step(steps=(NOTE,), position=0, last_sent_at=SENT, connected=False, replied=False, now=SENT)
    assert found == Due(NOTE, SENT)


def test_before_its_time_no_condition_is_asked() -> None:
    step = follow_up("connected")
    found = next_step(
        steps=(NOTE, step), position=1, last_sent_at=SENT, connected=False, replied=False,
        now=AFTER - timedelta(seconds=1),
    )  # fmt: skip
    assert found == Later(step, AFTER)


def test_a_step_passed_over_leads_to_the_next_by_its_own_wait() -> None:
    mail = follow_up("not_connected", position=3, wait=4, channel="email")
    steps = (NOTE, follow_up("connected"), mail)
    waits = next_step(steps=steps, position=1, last_sent_at=SENT, connected=False, replied=False, now=AFTER)
    assert isinstance(waits, Later)
    assert (waits.step, waits.at, len(waits.passed)) == (mail, SENT + timedelta(days=7), 1)
    due = next_step(
        steps=steps, position=1, last_sent_at=SENT, connected=False, replied=False, now=SENT + timedelta(days=7)
    )
    assert isinstance(due, Due)
    assert due.step == mail


def test_after_the_last_step_it_is_over() -> None:
    found = next_step(steps=(NOTE,), position=1, last_sent_at=SENT, connected=True, replied=False, now=AFTER)
    assert found == Over()


_STEPS = st.lists(st.tuples(st.integers(0, 30), st.sampled_from(CONDITIONS)), min_size=1, max_size=6).map(
    lambda rows: tuple(Step(place, "email", *row) for place, row in enumerate(rows, start=1))
)


@given(_STEPS, st.integers(0, 6), st.sampled_from([True, False, None]), st.booleans(), st.integers(0, 200))
def test_every_step_is_told_once_and_none_comes_early(
    steps: tuple[Step, ...], position: int, connected: bool | None, replied: bool, days: int
) -> None:
    now = SENT + timedelta(days=days)
    found = next_step(steps=steps, position=position, last_sent_at=SENT, connected=connected, replied=replied, now=now)
    told = [one.step.position for one in found.passed]
    if not isinstance(found, Over):
        told.append(found.step.position)
        assert (found.at <= now) is isinstance(found, Due)
        waited = sum(step.wait_days for step in steps if position < step.position <= found.step.position)
        assert found.at == SENT + timedelta(days=waited)
    assert told == list(range(position + 1, position + 1 + len(told)))
    if isinstance(found, Over):
        assert told == list(range(position + 1, len(steps) + 1))
