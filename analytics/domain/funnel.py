"""From drafted to meeting: counts, shares of the stage before, and their intervals. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import sqrt

#: Each stage, in order: key, name, what it counts.
STAGES: tuple[tuple[str, str, str], ...] = (
    ("drafted", "Drafted", "A text was written in the chosen time."),
    ("verified", "Verified", "Each of its sentences passed the verifier at least once."),
    ("approved", "Approved", "A person approved the exact bytes; approvals that lapsed or were undone count too."),
    (
        "delivered",
        "Delivered",
        "It left, or a person attests to have sent it, and it did not come back as undeliverable.",
    ),
    ("replied", "Replied", "A person answered. Automatic replies do not count; asking to be taken off does."),
    ("positive", "Positive", "The answer shows interest, books a meeting, or points to a better person."),
    ("meeting", "Meeting", "The answer books or accepts a meeting."),
)
KEYS = tuple(key for key, _, _ in STAGES)
Z95 = 1.959964


@dataclass(frozen=True)
class Interval:
    """A share with its 95% interval (Wilson 1927), all in 0..1."""

    share: float
    low: float
    high: float


@dataclass(frozen=True)
class Stage:
    """One step. `of_previous` is None for the first, and where the stage before is empty."""

    key: str
    name: str
    definition: str
    count: int
    of_previous: Interval | None


def wilson(*, hits: int, trials: int) -> Interval | None:
    """None without trials: no share is better than a made-up one."""
    if trials <= 0:
        return None
    share, z2 = hits / trials, Z95**2
    centre = (share + z2 / (2 * trials)) / (1 + z2 / trials)
    half = Z95 * sqrt(share * (1 - share) / trials + z2 / (4 * trials**2)) / (1 + z2 / trials)
    return Interval(share, max(0.0, centre - half), min(1.0, centre + half))


def funnel(*, counts: Mapping[str, int]) -> tuple[Stage, ...]:
    """The stages with their shares. A missing count is 0."""
    stages: list[Stage] = []
    for key, name, definition in STAGES:
        count = counts.get(key, 0)
        before = wilson(hits=count, trials=stages[-1].count) if stages else None
        stages.append(Stage(key, name, definition, count, before))
    return tuple(stages)


def total(*, rows: tuple[Mapping[str, int], ...]) -> dict[str, int]:
    return {key: sum(row.get(key, 0) for row in rows) for key in KEYS}
