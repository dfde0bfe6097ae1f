"""What waits for a person: which counts matter to which right, and in which order they are served."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass

from outreach.teams.domain.capabilities import Capability


@dataclass(frozen=True)
class Counts:
    """How much waits in a team. Each number is counted up to a cap and no further."""

    to_answer: int = 0
    unmatched: int = 0
    overdue: int = 0
    to_review: int = 0
    changes: int = 0
    blocked: int = 0
    by_hand: int = 0
    unconfirmed: int = 0
    failed: int = 0
    policies: int = 0
    being_written: int = 0
    oldest_answer: dt.datetime | None = None
    oldest_review: dt.datetime | None = None
    has_people: bool = False
    has_campaigns: bool = False
    has_enrolments: bool = False


@dataclass(frozen=True)
class Todo:
    """key: names the sentence and the page. since: when the oldest of them came."""

    key: str
    count: int
    urgent: bool
    since: dt.datetime | None = None


def todo(*, counts: Counts, capabilities: frozenset[Capability]) -> tuple[Todo, ...]:
    """What one with these rights can do now, most pressing first; empty lines are left out.

    People who wrote to us come before people whom we write to; what is late before what is new.
    """
    c = counts
    lines = (
        (Capability.REPLY, Todo("to_answer", c.to_answer, urgent=True, since=c.oldest_answer)),
        (Capability.REVIEW, Todo("overdue", c.overdue, urgent=True, since=c.oldest_review)),
        (Capability.SEND, Todo("unconfirmed", c.unconfirmed, urgent=True)),
        (
            Capability.REVIEW,
            Todo(
                "to_review", max(c.to_review - c.overdue, 0), urgent=False, since=None if c.overdue else c.oldest_review
            ),
        ),
        (Capability.MANAGE, Todo("policies", c.policies, urgent=False)),
        (Capability.SEND, Todo("by_hand", c.by_hand, urgent=False)),
        (Capability.WRITE, Todo("changes", c.changes, urgent=False)),
        (Capability.SEND, Todo("failed", c.failed, urgent=False)),
        (Capability.WRITE, Todo("blocked", c.blocked, urgent=False)),
        (Capability.REPLY, Todo("unmatched", c.unmatched, urgent=False)),
    )
    return tuple(line for capability, line in lines if line.count and capability in capabilities)


def next_step(*, counts: Counts, capabilities: frozenset[Capability]) -> str:
    """The step that a team which has just begun takes next: "import", "campaign", "enrol", or "" after that."""
    if not counts.has_people:
        return "import" if Capability.IMPORT in capabilities else ""
    if not counts.has_campaigns:
        return "campaign" if Capability.MANAGE in capabilities else ""
    if not counts.has_enrolments:
        return "enrol" if Capability.WRITE in capabilities else ""
    return ""
