"""How far a campaign's people have come: counts, what is stuck and why, and the band that shows it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

WIDTH, HEIGHT, TOP, SLOPE = 1200.0, 112.0, 8.0, 26.0


@dataclass(frozen=True, slots=True)
class Counts:
    """What the rows say. Mappings are by state; messages of all steps count, people once in `replied`.

    written: drafts that have a text; fallback: texts the composer wrote for the model
    findings: how many blocked drafts have a finding of each kind
    """

    enrolments: Mapping[str, int] = field(default_factory=dict)
    drafts: Mapping[str, int] = field(default_factory=dict)
    written: int = 0
    fallback: int = 0
    findings: Mapping[str, int] = field(default_factory=dict)
    deliveries: Mapping[str, int] = field(default_factory=dict)
    lapsed: int = 0
    replied: int = 0
    to_answer: int = 0


@dataclass(frozen=True, slots=True)
class Stuck:
    """Why some are no further. link is a place where it can be dealt with: review, blocked, outbox, inbox or ""."""

    count: int
    what: str
    link: str = ""


@dataclass(frozen=True, slots=True)
class Step:
    """One step of the picture."""

    name: str
    count: int
    stuck: tuple[Stuck, ...] = ()
    waiting: tuple[Stuck, ...] = ()


def _some(*found: Stuck) -> tuple[Stuck, ...]:
    return tuple(one for one in found if one.count)


def _sum(counts: Mapping[str, int], *states: str) -> int:
    return sum(counts.get(state, 0) for state in states)


def steps_of(*, counts: Counts) -> tuple[Step, ...]:
    """Enrolled, asked, written, verified, approved, sent, replied, each with what stays behind."""
    enrolments, drafts, deliveries = counts.enrolments, counts.drafts, counts.deliveries
    enrolled = sum(enrolments.values())
    asked = sum(drafts.values())
    approved = _sum(drafts, "approved", "sent")
    verified = approved + _sum(drafts, "ready", "changes", "rejected")
    blocked = tuple(Stuck(number, f"with a {kind} finding") for kind, number in counts.findings.items())
    return (
        Step(
            "Enrolled",
            enrolled,
            _some(Stuck(_sum(enrolments, "removed"), "removed"), Stuck(_sum(enrolments, "paused"), "paused")),
        ),
        Step("Asked", asked, _some(Stuck(max(enrolled - asked, 0), "without a draft yet"))),
        Step(
            "Written",
            counts.written,
            _some(
                Stuck(_sum(drafts, "waiting"), "waiting to be written"),
                Stuck(_sum(drafts, "writing"), "being written"),
                Stuck(_sum(drafts, "cancelled"), "cancelled"),
                Stuck(counts.fallback, "by the composer instead of the model"),
            ),
        ),
        Step(
            "Verified",
            verified,
            _some(Stuck(_sum(drafts, "blocked"), "blocked", "blocked"), *blocked),
        ),
        Step(
            "Approved",
            approved,
            _some(Stuck(_sum(drafts, "rejected"), "rejected"), Stuck(counts.lapsed, "lapsed")),
            _some(
                Stuck(_sum(drafts, "ready"), "to review", "review"),
                Stuck(_sum(drafts, "changes"), "to change", "review"),
            ),
        ),
        Step(
            "Sent",
            _sum(deliveries, "sent", "attested", "handed_over"),
            _some(
                Stuck(_sum(deliveries, "waiting", "claimed"), "scheduled", "outbox"),
                Stuck(_sum(deliveries, "failed"), "failed", "outbox"),
            ),
            _some(
                Stuck(_sum(deliveries, "task"), "to send by hand", "outbox"),
                Stuck(_sum(deliveries, "unconfirmed"), "to confirm", "outbox"),
            ),
        ),
        Step("Replied", counts.replied, (), _some(Stuck(counts.to_answer, "to answer", "inbox"))),
    )


@dataclass(frozen=True, slots=True)
class Band:
    """One coloured piece: points of its outline and of its upper edge, as SVG writes them."""

    css: str
    area: str
    edge: str


@dataclass(frozen=True, slots=True)
class Picture:
    """The band from the first step to the last; cuts are the x of the lines between steps."""

    bands: tuple[Band, ...]
    cuts: tuple[str, ...]


def picture_of(*, counts: Sequence[int]) -> Picture:
    """A band whose height is each step's share of the largest; grey, then verified, then ink for replies."""
    most = max([*counts, 1])
    each = WIDTH / len(counts)
    heights = [HEIGHT - (HEIGHT - TOP) * count / most for count in counts]
    groups = ((0, 3, "f0"), (3, 6, "f1"), (6, len(counts), "f2"))
    return Picture(
        bands=tuple(_band(heights, each, first, last, css) for first, last, css in groups if first < len(counts)),
        cuts=tuple(f"{each * place:.1f}" for place in range(1, len(counts))),
    )


def _band(heights: Sequence[float], each: float, first: int, last: int, css: str) -> Band:
    points = [(each * first, heights[first - 1])] if first else []
    for place in range(first, min(last, len(heights))):
        start = each * place
        points += [(start + (SLOPE if place else 0.0), heights[place]), (start + each, heights[place])]
    edge = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
    return Band(css, f"{edge} {points[-1][0]:.1f},{HEIGHT:.0f} {points[0][0]:.1f},{HEIGHT:.0f}", edge)
