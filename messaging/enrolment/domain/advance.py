"""What becomes of somebody whose message was sent: the next step, a wait, a question to a person, or the end."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from outreach.campaigns.domain.sequence import CONNECTED, NOT_CONNECTED, Due, Later, Step, next_step

#: After the last message a person stays enrolled for so long: an answer is waited for, and nobody else writes to them.
ANSWER_DAYS = 14
#: How soon is asked again whether somebody is connected now.
LOOK_AGAIN = timedelta(days=1)
NOT_SAID = "Nobody has said whether the connection was accepted; say so, or import your connections again."
ENDED = "The last message of the sequence was sent."


@dataclass(frozen=True, slots=True)
class Place:
    """Where an enrolment stands after it was looked at.

    moved: the step is another one now, and a draft for it may be written from due_at on; else it is looked at again then.
    """

    step: int
    due_at: datetime
    state: str = "active"
    reason: str = ""
    moved: bool = False


def place_of(
    *, steps: Sequence[Step], step: int, sent_at: datetime, connected: bool | None, replied: bool, now: datetime
) -> Place:
    """Of somebody who is active and whose message of this step went out at sent_at."""
    if replied:
        return Place(step, now, state="replied", reason="They have replied")
    asked = _asks_for_connection(steps=steps, step=step, sent_at=sent_at, now=now)
    if connected is None and asked:
        return Place(step, now + LOOK_AGAIN, reason=NOT_SAID)
    found = next_step(steps=steps, position=step, last_sent_at=sent_at, connected=connected, replied=replied, now=now)
    passed = " ".join(f"Step {one.step.position} was passed over: {one.reason}" for one in found.passed)[:300]
    if isinstance(found, Due):
        return Place(found.step.position, found.at, reason=passed, moved=True)
    if isinstance(found, Later):
        return Place(step, found.at, reason=passed)
    end = sent_at + timedelta(days=ANSWER_DAYS)
    if end > now:
        return Place(step, end, reason=passed)
    return Place(step, now, state="finished", reason=passed or ENDED)


def _asks_for_connection(*, steps: Sequence[Step], step: int, sent_at: datetime, now: datetime) -> bool:
    """Whether the first step that is due and not plainly passed over depends on the connection."""
    at = sent_at
    for one in sorted(steps, key=lambda each: each.position):
        if one.position <= step:
            continue
        at += timedelta(days=one.wait_days)
        if at > now:
            return False
        return one.condition in (CONNECTED, NOT_CONNECTED)
    return False


def connection_of(*, first_degree: bool, said: bool | None) -> bool | None:
    """A recorded connection, else what a person said, else nobody knows."""
    return True if first_degree else said
