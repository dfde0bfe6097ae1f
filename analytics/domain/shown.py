"""What people read of a computation: states, lifts and doubts in words, from its plain JSON. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import ceil, exp, log
from typing import Any

from analytics.domain.attributes import EFFECTS
from analytics.domain.forest import Row, percent_change
from analytics.domain.funnel import Interval, wilson

#: Fewer matured messages or replies than these say nothing about an attribute.
LEAST_MESSAGES, LEAST_REPLIES = 1_000, 100
#: Probability from which the direction of an effect is called known, and from which it leans.
KNOWN, LEANS = 0.98, 0.8
#: The effect that planning reckons with where none is seen yet: a fifth more.
_WORTH = log(1.2)
_DISTANCE = 2.9  # standard errors: a probability of .98, reached in four of five cases

SHORT = {
    "milestone": "Milestone over other openings",
    "few_references": "1–2 references over 3+",
    "situational": "Situational layer",
    "motivational": "Motivational layer",
    "short": "Shorter half of lengths",
    "warm": "Warm tone over others",
}

STATES = {
    "exploring": "Outcomes come in; nothing can be said yet.",
    "leaning": "The chance to be better is 80% or more. That steers where messages go; it claims nothing.",
    "confirmed": "Outcomes are so unlikely by chance that the difference is claimed, however often one looks.",
    "incumbent": "What the others are compared with: the strategy a manager approved last, or the one in force before.",
    "frozen": "Gets no new messages: too many people asked to be left alone, or one complained.",
}

DEFINITIONS = (
    ("Matured", "Messages sent 28 days ago or earlier, within the last year. Only these count for a claim."),
    ("Pending", "Sent in the last 28 days: they steer, weighed by how many of their replies should be in by now."),
    (
        "Lift",
        (
            "Reply rate against the incumbent’s, with the interval that holds it with 90%. Pulled towards no difference while"
            " messages are few. A reply counts within 28 days of sending."
        ),
    ),
    ("Better", "Probability that the true reply rate is higher than the incumbent’s."),
    (
        "Expected loss",
        (
            "What staying with this strategy costs on average against the best one, in positive replies and meetings less five"
            " times the opt-outs, a thousand messages."
        ),
    ),
    (
        "Against chance",
        (
            "How many times likelier the outcomes are if the strategy is better than if it is not. The line to be confirmed is"
            " 20 to 1 for each strategy that is compared."
        ),
    ),
    ("Opt-outs", "People who asked to be left alone within 28 days, of all messages sent."),
    ("Share", "Of new drafts, over the campaigns that are not finished."),
)


@dataclass(frozen=True)
class ArmRow:
    """One strategy as a row. state: key of STATES; the rest are words, "" where there is nothing to say."""

    key: str
    name: str
    state: str
    matured: int
    pending: int
    lift: str
    better: str
    loss: str
    chance: str
    draw: str
    optouts: str
    present: float
    needs: str

    @property
    def share(self) -> str:
        return f"{self.present:.0%}"


def arm_rows(arms: Sequence[Mapping[str, Any]], present: Mapping[str, float], frozen: frozenset[str]) -> list[ArmRow]:
    """present: shares as they are by key. frozen: keys stopped now; a stop counts at once, without a new computation."""
    return [_arm(arm, present.get(arm["key"], 0.0), arm["key"] in frozen, _base(arms)) for arm in arms]


def _base(arms: Sequence[Mapping[str, Any]]) -> str:
    return next((str(arm["name"]) for arm in arms if arm["incumbent"]), "")


def state_of(arm: Mapping[str, Any], *, frozen: bool) -> str:
    if frozen:
        return "frozen"
    # a stop that was lifted since is no stop any more
    return "exploring" if arm["state"] == "frozen" else str(arm["state"])


def _arm(arm: Mapping[str, Any], present: float, frozen: bool, base: str) -> ArmRow:  # noqa: FBT001
    sent = arm["matured"] + arm["pending"]
    first = arm["incumbent"]
    return ArmRow(
        key=arm["key"], name=arm["name"], state=state_of(arm, frozen=frozen), matured=arm["matured"],
        pending=arm["pending"], lift="" if first else in_percent(arm["lift"]) or "too little to tell",
        better="" if first else f"{arm['better']:.0%}", loss=f"{1000 * arm['loss']:.1f}",
        chance="" if first else against_chance(arm["odds"]), draw="" if first else drawn(arm, base),
        optouts=f"{arm['optouts']:,} ({arm['optouts'] / sent:.1%})" if sent else "0", present=present,
        needs=arm["needs"],
    )  # fmt: skip


def in_percent(interval: Sequence[float] | None) -> str:
    """ "+14% (−1% to +31%)" of low, middle and high factors; "" without."""
    if interval is None:
        return ""
    low, middle, high = (percent_change(value) for value in interval)
    return f"{middle} ({low} to {high})"


def against_chance(odds: float) -> str:
    if odds < 2:
        return "nothing yet"
    return f"{odds:,.0f} to 1" if odds < 1e6 else "over a million to 1"


def drawn(arm: Mapping[str, Any], base: str) -> str:
    """What the evidence rests on, in words."""
    outcomes, of_arm = arm["draw"]
    if not outcomes:
        return ""
    replies = "reply" if outcomes == 1 else "replies"
    return f"Of {outcomes:,} {replies} where it was an even draw, {of_arm:,} came from {arm['name']}, the others from {base}."


def arm_forest(rows: Sequence[ArmRow], arms: Sequence[Mapping[str, Any]]) -> list[Row]:
    """The challengers; the incumbent is the zero they are drawn against."""
    return [
        Row(row.name, arm["lift"], row.state if arm["lift"] else "too little to tell", firm=row.state == "confirmed")
        for row, arm in zip(rows, arms, strict=True) if not arm["incumbent"]
    ]  # fmt: skip


@dataclass(frozen=True)
class EffectRow:
    """One attribute as a row. interval: low, middle, high factors on the odds of a reply."""

    key: str
    name: str
    compared: str
    interval: tuple[float, float, float]
    factor: str
    percent: str
    chance: str
    state: str


def effect_rows(effects: Sequence[Mapping[str, Any]]) -> list[EffectRow]:
    found = []
    told = dict(EFFECTS)
    for effect in effects:
        low, middle, high = (exp(effect[name]) for name in ("low", "mean", "high"))
        sure = max(effect["better"], 1 - effect["better"])
        known, leans = (
            ("more replies", "leans to more") if effect["better"] >= 0.5 else ("fewer replies", "leans to fewer")
        )
        state = known if sure >= KNOWN else leans if sure >= LEANS else "too little to tell"
        found.append(
            EffectRow(
                effect["name"], SHORT.get(effect["name"], effect["name"]), told.get(effect["name"], ""),
                (low, middle, high), f"×{middle:.2f} ({low:.2f}–{high:.2f})", in_percent((low, middle, high)),
                f"{effect['better']:.0%}", state,
            )
        )  # fmt: skip
    return found


def effect_forest(rows: Sequence[EffectRow]) -> list[Row]:
    return [Row(row.name, row.interval, row.state, firm=row.state.endswith(" replies")) for row in rows]


@dataclass(frozen=True)
class TooLittle:
    """Why nothing is said of the attributes, and how long it takes. weeks None: nothing is being sent."""

    messages: int
    replies: int
    more: int
    weeks: int | None

    @property
    def words(self) -> str:
        so_far = f"Too little to tell: {self.messages:,} messages with {self.replies:,} replies are 28 days old."
        if self.weeks is None:
            return f"{so_far} About {self.more:,} more are needed, and none were sent in the last weeks."
        unit = "week" if self.weeks == 1 else "weeks"
        return f"{so_far} About {self.more:,} more are needed: about {self.weeks} {unit} at this rate."


def too_little(*, messages: int, replies: int, weekly: float) -> TooLittle | None:
    """None when there is enough to show effects. What is needed is told for an effect of a fifth."""
    if messages >= LEAST_MESSAGES and replies >= LEAST_REPLIES:
        return None
    rate = (replies + 1) / (messages + 20)
    more = max(_needed(rate) - messages, LEAST_MESSAGES - messages, 1)
    step = 10 ** max(0, len(str(more)) - 2)
    rounded = ceil(more / step) * step
    return TooLittle(messages, replies, rounded, max(1, ceil(rounded / weekly)) if weekly >= 1 else None)


def _needed(rate: float) -> int:
    """Messages, half with the attribute, that show an effect of a fifth: four variances of a log odds ratio."""
    return ceil(4 * _DISTANCE**2 / (rate * (1 - rate) * _WORTH**2))


def weekly_rate(weeks: Sequence[Mapping[str, Any]]) -> float:
    """Messages a week, the mean of the last four whole weeks with any."""
    last = [sum(week["sent"].values()) for week in weeks[-4:]]
    return sum(last) / len(last) if last else 0.0


@dataclass(frozen=True)
class Counted:
    """A value of one dimension: matured messages, and shares of them with their 95% intervals."""

    value: str
    sent: int
    replied: int
    reply: Interval | None
    positive: Interval | None
    meeting: Interval | None
    optout: Interval | None


TABLES = (
    ("hook", "Hook type", "what the message opens with"),
    ("depth", "Depth", "references the strategy asks for"),
    ("layers", "Layers", "layers of personalisation used"),
    ("tone", "Tone", "tone the strategy asks for"),
    ("length", "Length", "band in words; connection notes in characters"),
    ("language", "Language", "language of the message"),
    ("channel", "Channel", "how it was sent"),
    ("persona", "Seniority", "read from the prospect’s title"),
)


def counted(rows: Sequence[Mapping[str, Any]]) -> list[Counted]:
    return [
        Counted(
            str(row["value"]).replace("_", " ") or "not known", row["sent"], row["replied"],
            *(_share(row[name], row["sent"]) for name in ("replied", "positive", "meetings", "optouts")),
        )
        for row in rows
    ]  # fmt: skip


def _share(hits: int, trials: int) -> Interval | None:
    return wilson(hits=min(max(hits, 0), trials), trials=trials)
