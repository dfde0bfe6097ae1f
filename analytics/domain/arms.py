"""A team's strategies as arms: what is known of each, its state as people are shown it, and the shares it should get."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from analytics.domain.learning import gate, guardrails
from analytics.domain.learning.allocation import Policy, allocate, best_chances, utility
from analytics.domain.learning.delay import WINDOW, delay_curve, effective_exposure
from analytics.domain.learning.needs import in_words, needed
from analytics.domain.learning.posterior import OTHER_TAUS, REPLY_TAUS, posterior

Floats = NDArray[np.float64]
DRAWS = 2_000
#: Fewer matured messages than this of all arms together say nothing that should be shown as a lift.
LEAST_SHOWN = 200
#: What a strategy still needs is told for a lift of a fifth where it shows less so far.
_SHOWN_LIFT = 1.2


@dataclass(frozen=True)
class Day:
    """Messages of one arm sent on one day under one set of odds. age in days; propensities by arm key as at the draw,
    vector their key. ages: replies by age, empty when not known."""

    age: int
    sent: int
    replied: int
    positive: int
    meetings: int
    optouts: int
    vector: str
    propensities: Mapping[str, float]
    ages: Sequence[int] = ()
    complaints: int = 0


@dataclass
class Record:
    """Everything that is known of one strategy. former: was the incumbent once. lifted: days since a manager took back
    a freeze; what was sent before that no longer stops it."""

    key: str
    name: str
    days: list[Day] = field(default_factory=list)
    frozen: bool = False
    approved: bool = True
    former: bool = False
    lifted: int | None = None


@dataclass(frozen=True)
class Arm:
    """One strategy as shown. lift: factor on the reply rate against the incumbent with its 90% interval, None when
    there is too little to tell. odds: how many times likelier the outcomes are if it is better than by chance."""

    key: str
    name: str
    state: str
    incumbent: bool
    matured: int
    pending: int
    replies: int
    optouts: int
    rate: float
    lift: tuple[float, float, float] | None
    better: float
    best: float
    share: float
    loss: float
    odds: float
    frozen: bool
    freeze: float
    no_worse: float
    needs: str
    draw: tuple[int, int]


@dataclass(frozen=True)
class Judgement:
    """arms in the order given, the incumbent among them; freeze: keys to stop now, each with the reason."""

    arms: tuple[Arm, ...]
    freeze: Mapping[str, str]

    @property
    def weights(self) -> dict[str, float]:
        return {arm.key: arm.share for arm in self.arms}


def judge(
    *, records: Sequence[Record], incumbent: str, weekly: float, policy: Policy, seed: int, alpha: float = gate.ALPHA
) -> Judgement:
    """Where the next messages should go and what may be said of each arm. Deterministic for a seed."""
    at = next((index for index, record in enumerate(records) if record.key == incumbent), 0)
    rng = np.random.default_rng(seed)
    counts = _Counts(records)
    reply = posterior(counts.early, counts.exposed, usual=0.05, taus=REPLY_TAUS)
    positive = posterior(counts.positive, counts.matured_replies, usual=0.5, taus=OTHER_TAUS)
    meeting = posterior(counts.meetings, counts.positive, usual=0.3, taus=OTHER_TAUS)
    optout = posterior(counts.optouts, counts.sent, usual=0.004, taus=OTHER_TAUS)
    base = guardrails.base_rate(counts.optouts.sum() - counts.optouts, counts.sent.sum() - counts.sent)
    freeze = guardrails.freeze_chance(counts.held("optouts"), counts.held("sent"), base)
    stop = _stop(counts, at, freeze, base)
    opened = np.asarray([not record.frozen and record.key not in stop for record in records])
    opened[at] = True
    values, weights = utility(reply, positive, meeting, optout, policy=policy, draws=DRAWS, rng=rng)
    best = best_chances(values, weights, open_arms=opened)
    better = reply.better_than(np.asarray(at))
    evidence = counts.evidence(at)
    passed = (evidence >= gate.threshold(len(records) - 1, alpha)) & (better >= gate.LEANING)
    shares = allocate(
        best, policy, incumbent=np.asarray(at), open_arms=opened, new_arms=counts.exposed < policy.learned,
        approved=np.asarray([record.approved for record in records]), unconfirmed=~passed,
        former=np.asarray([record.former for record in records]),
    )  # fmt: skip
    lifts = _lifts(reply.draws(DRAWS, rng), reply.weight, at)
    mean = (values * weights[..., None, None]).sum(axis=-3)
    loss = np.maximum(mean.max(axis=-1, keepdims=True) - mean, 0.0).mean(axis=-2)
    safe = guardrails.no_worse_chance(
        counts.optouts, counts.sent, np.full(len(records), counts.optouts[at]), np.full(len(records), counts.sent[at])
    )
    known = float(counts.matured.sum()) >= LEAST_SHOWN
    rate = (counts.early + 1) / (counts.exposed + 20)
    arms = tuple(
        Arm(
            key=record.key, name=record.name, incumbent=index == at,
            state=_state(index == at, bool(opened[index]), bool(passed[index]), float(better[index])),
            matured=int(counts.matured[index]), pending=int(counts.sent[index] - counts.matured[index]),
            replies=int(counts.early[index]), optouts=int(counts.optouts[index]), rate=float(rate[index]),
            lift=lifts[index] if known and index != at else None, better=float(better[index]), best=float(best[index]),
            share=float(shares[index]), loss=float(loss[index]), odds=float(np.exp(min(evidence[index], 50.0))),
            frozen=not opened[index], freeze=float(freeze[index]), no_worse=float(safe[index]),
            needs=_needs(counts, at, index, evidence=float(evidence[index]), weekly=weekly, alpha=alpha),
            draw=counts.draw(at, index),
        )
        for index, record in enumerate(records)
    )  # fmt: skip
    return Judgement(arms, stop)


class _Counts:
    def __init__(self, records: Sequence[Record]) -> None:
        self.records = records
        self._vectors = {day.vector: day.propensities for record in records for day in record.days}
        self.sent = self._sum(lambda day: day.sent)
        self.optouts = self._sum(lambda day: day.optouts)
        self.early = self._sum(lambda day: sum(day.ages[:WINDOW]) if day.ages else day.replied)
        self.matured = self._sum(lambda day: day.sent if day.age >= WINDOW else 0)
        self.matured_replies = self._sum(lambda day: day.replied if day.age >= WINDOW else 0)
        self.positive = self._sum(lambda day: min(day.positive, day.replied) if day.age >= WINDOW else 0)
        self.meetings = self._sum(lambda day: min(day.meetings, day.positive) if day.age >= WINDOW else 0)
        self.exposed = self._exposed()

    def _sum(self, of: Callable[[Day], int]) -> Floats:
        return np.asarray([float(sum(of(day) for day in record.days)) for record in self.records])

    def held(self, name: str) -> Floats:
        """Messages, opt-outs or complaints that may stop a strategy: those since a freeze of it was last lifted."""
        return np.asarray(
            [
                float(sum(getattr(d, name) for d in one.days if one.lifted is None or d.age < one.lifted))
                for one in self.records
            ]
        )

    def _exposed(self) -> Floats:
        answered, watched = np.zeros(WINDOW), np.zeros(WINDOW)
        by_age = np.zeros((len(self.records), WINDOW + 1))
        for index, record in enumerate(self.records):
            for day in record.days:
                by_age[index, min(max(day.age, 0), WINDOW)] += day.sent
                if not day.ages:
                    continue  # old messages: all their replies have come, and younger ones tell how fast
                seen = np.asarray(day.ages[:WINDOW], dtype=float)
                through = min(day.age + 1, WINDOW)
                answered[:through] += seen[:through]
                watched[:through] += day.sent - np.concatenate([[0.0], np.cumsum(seen)])[:through]
        return effective_exposure(by_age, delay_curve(answered, watched))

    def _ripe(self, index: int) -> dict[tuple[int, str], float]:
        found: dict[tuple[int, str], float] = {}
        for day in self.records[index].days:
            if day.age >= WINDOW:
                found[day.age, day.vector] = found.get((day.age, day.vector), 0.0) + day.replied
        return found

    def evidence(self, at: int) -> Floats:
        """log E of every arm against the incumbent. Replies of the incumbent are met with the arm's odds of that day."""
        found = np.zeros(len(self.records))
        for index in range(len(self.records)):
            if index == at:
                continue
            mine, theirs, odds = self._pairs(at, index)
            if len(odds):
                found[index] = float(gate.log_evidence(gate.log_wealth(mine, theirs, odds).sum(axis=0)))
        return found

    def _pairs(self, at: int, index: int) -> tuple[Floats, Floats, Floats]:
        """For each sending day and set of odds: replies of the arm, of the incumbent, and the odds between them."""
        mine, theirs = self._ripe(index), self._ripe(at)
        keys = (self.records[index].key, self.records[at].key)
        found = []
        for key in sorted(mine.keys() | theirs.keys()):
            odds = self._vectors.get(key[1], {})
            if odds.get(keys[0], 0.0) > 0 and odds.get(keys[1], 0.0) > 0:
                found.append((mine.get(key, 0.0), theirs.get(key, 0.0), odds[keys[0]] / odds[keys[1]]))
        table = np.asarray(found, dtype=float).reshape(-1, 3)
        return table[:, 0], table[:, 1], table[:, 2]

    def draw(self, at: int, index: int) -> tuple[int, int]:
        """ "Of 87 replies where it was an even draw, 55": (all, of the arm)."""
        if index == at:
            return 0, 0
        mine, theirs, odds = self._pairs(at, index)
        if not len(odds):
            return 0, 0
        drawn = gate.even_draw(mine, theirs, odds)
        return round(drawn.outcomes), round(drawn.of_arm)


def _lifts(rates: Floats, weights: Floats, at: int) -> list[tuple[float, float, float]]:
    """Factor on the incumbent's rate: 5%, 50%, 95% of the draws, each draw counted by its tau's weight."""
    ratio = rates / rates[..., at : at + 1]
    mass = np.repeat(weights / rates.shape[-2], rates.shape[-2])
    found = []
    for arm in range(rates.shape[-1]):
        values = ratio[..., arm].reshape(-1)
        order = np.argsort(values)
        cumulative = np.cumsum(mass[order])
        points = [
            values[order][min(int(np.searchsorted(cumulative, share)), len(values) - 1)] for share in (0.05, 0.5, 0.95)
        ]
        found.append((float(points[0]), float(points[1]), float(points[2])))
    return found


def _state(incumbent: bool, opened: bool, passed: bool, better: float) -> str:  # noqa: FBT001 - four facts of one arm
    if incumbent:
        return "incumbent"
    if not opened:
        return "frozen"
    if passed:
        return "confirmed"
    return "leaning" if better >= gate.LEANING else "exploring"


def _needs(counts: _Counts, at: int, index: int, *, evidence: float, weekly: float, alpha: float) -> str:
    if index == at:
        return ""
    arms = len(counts.records)
    base = float((counts.early[at] + 1) / (counts.exposed[at] + 20))
    mine = float((counts.early[index] + 1) / (counts.exposed[index] + 20))
    if evidence >= gate.threshold(arms - 1, alpha):
        return ""
    share = float(counts.sent[index] + 1) / float(counts.sent[at] + 1)
    both = weekly * float(counts.sent[at] + counts.sent[index] + 1) / float(counts.sent.sum() + 1)
    return in_words(
        needed(base=base, ratio=max(mine / base, _SHOWN_LIFT), odds=share, weekly=max(both, 1.0), comparisons=arms - 1,
               alpha=alpha, gathered=max(evidence, 0.0))
    )  # fmt: skip


def _stop(counts: _Counts, at: int, chance: Floats, base: Floats) -> dict[str, str]:
    """Strategies to stop now, with the reason: people leave over them, or one complained. Never the last one open."""
    optouts, sent, complaints = (counts.held(name) for name in ("optouts", "sent", "complaints"))
    found = {}
    for index, record in enumerate(counts.records):
        if record.frozen or index == at:
            continue
        if complaints[index] > 0:
            found[record.key] = f"A complaint came in after a message of “{record.name}”."
        elif chance[index] >= guardrails.FREEZE_AT:
            found[record.key] = _why_frozen(record, optouts[index], sent[index], float(base[index]))
    return found


def _why_frozen(record: Record, optouts: float, sent: float, base: float) -> str:
    return (
        f"{optouts:.0f} of {sent:.0f} people who got “{record.name}” asked to be left alone; "
        f"the other strategies have {base:.2%}."
    )
