"""Which step of a sequence comes next for one person, when, and why not another.

A step waits its days after the one before it was sent, or, where that one was passed over, after it would have been due.
Its condition is asked when it is due, not before: who accepts a connection on the last day is still connected then.
Whether a message was opened is never asked.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

ALWAYS, CONNECTED, NOT_CONNECTED, NO_REPLY = CONDITIONS = ("always", "connected", "not_connected", "no_reply")


@dataclass(frozen=True, slots=True)
class Step:
    """One message of the sequence. position counts from 1; wait_days from the step before; condition is one of CONDITIONS."""

    position: int
    channel: str
    wait_days: int = 0
    condition: str = ALWAYS
    instruction: str = ""


@dataclass(frozen=True, slots=True)
class Passed:
    """A step that was due and not taken, with the reason."""

    step: Step
    reason: str


@dataclass(frozen=True, slots=True)
class Due:
    """This step is to be taken now; it has been due since `at`."""

    step: Step
    at: datetime
    passed: tuple[Passed, ...] = ()


@dataclass(frozen=True, slots=True)
class Later:
    """This step comes next and is due at `at`; its condition is asked then."""

    step: Step
    at: datetime
    passed: tuple[Passed, ...] = ()


@dataclass(frozen=True, slots=True)
class Over:
    """No step is left."""

    passed: tuple[Passed, ...] = ()
    reason: str = "The sequence has no further step."


def next_step(
    *,
    steps: Sequence[Step],
    position: int,
    last_sent_at: datetime,
    connected: bool | None,
    replied: bool,
    now: datetime,
) -> Due | Later | Over:
    """What comes after `position` (0: nothing was sent yet, and last_sent_at is when the person was enrolled).

    connected: None where nobody knows, which fulfils neither condition on it.
    """
    base = last_sent_at
    passed: list[Passed] = []
    for step in sorted(steps, key=lambda one: one.position):
        if step.position <= position:
            continue
        base += timedelta(days=step.wait_days)
        if base > now:
            return Later(step, base, tuple(passed))
        reason = _why_not(step=step, connected=connected, replied=replied)
        if reason is None:
            return Due(step, base, tuple(passed))
        passed.append(Passed(step, reason))
    return Over(tuple(passed))


def _why_not(*, step: Step, connected: bool | None, replied: bool) -> str | None:
    reasons = {
        CONNECTED: (connected is not True, "The connection was not accepted."),
        NOT_CONNECTED: (
            connected is not False,
            "The connection was accepted." if connected else "Whether the connection was accepted is not known.",
        ),
        NO_REPLY: (replied, "The person replied."),
    }
    fails, reason = reasons.get(step.condition, (False, ""))
    return reason if fails else None
