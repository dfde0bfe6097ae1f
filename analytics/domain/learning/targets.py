"""What the loop has to reach, measured against simulated markets: each figure with its reach and fail side."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from analytics.domain.learning.factorial import METHOD_EFFECTS, steered
from analytics.domain.learning.market import Market
from analytics.domain.learning.simulation import NEVER, Outcome, Plan, simulate
from analytics.domain.learning.synthetic import recover

Floats = NDArray[np.float64]
#: Log reply rates of combinations of the method's five effects spread so much.
SPREAD = float(np.sqrt((np.log(METHOD_EFFECTS) ** 2).sum() / 4))


@dataclass(frozen=True)
class Target:
    """name, value, the value to reach and the value that fails; higher: whether more is better."""

    name: str
    value: float
    reach: float
    fail: float
    higher: bool = False

    @property
    def reached(self) -> bool:
        return self.value >= self.reach if self.higher else self.value <= self.reach

    @property
    def failed(self) -> bool:
        return self.value < self.fail if self.higher else self.value > self.fail


def measure(*, runs: int, seed: int = 1, every: int = 1) -> Iterator[Target]:
    """Every row of the table, as soon as it is known. every: days between reallocations."""
    for part in (_equal_arms, _regret, _confirmed, _duel, _newcomer, _optouts, _effects, _factorial):
        yield from part(runs, seed, every)


def _confirmed_share(outcome: Outcome) -> float:
    return float((outcome.confirmed_on < NEVER).any(axis=1).mean())


def _equal_arms(runs: int, seed: int, every: int) -> Iterator[Target]:
    plan = Plan(every=every, promotes=False)
    for arms in (2, 4):
        outcome = simulate(Market(lifts=np.ones(arms)), plan, runs=runs, arms=arms, seed=seed)
        yield Target(f"A/A, K={arms}: false confirmed in 52 weeks", _confirmed_share(outcome), 0.03, 0.05)
    unequal = Market(lifts=np.ones(2), medians=np.asarray([1.0, 6.0]))
    outcome = simulate(unequal, plan, runs=runs, arms=2, seed=seed + 1)
    yield Target("A/A, unequal reply speeds: false confirmed", _confirmed_share(outcome), 0.05, 0.08)


def _regret(runs: int, seed: int, every: int) -> Iterator[Target]:
    lifts = np.exp(np.random.default_rng(seed + 2).normal(0.0, SPREAD, (runs, 4)))
    worse = 0.0
    for weekly, weeks, reach, fail in ((200.0, 52, 0.60, 0.75), (2000.0, 26, 0.27, 0.40)):
        outcome = simulate(
            Market(lifts=lifts, weekly=weekly), Plan(weeks=weeks, every=every), runs=runs, arms=4, seed=seed + 3
        )
        worse = max(worse, float(outcome.worse.mean()))
        ratio = float(outcome.lost.sum() / outcome.lost_equal.sum())
        yield Target(f"regret to that of an equal split, K=4, {weekly:.0f} a week, {weeks} weeks", ratio, reach, fail)
    yield Target("confirmed although worse than the incumbent", worse, 0.01, 0.02)


def _confirmed(runs: int, seed: int, every: int) -> Iterator[Target]:
    market = Market(lifts=np.asarray([1.0, 1.0, 1.0, 1.3]), weekly=2000.0)
    outcome = simulate(market, Plan(weeks=26, every=every), runs=runs, arms=4, seed=seed + 4)
    days = outcome.confirmed_on[:, 3]
    yield Target("+30% confirmed, K=4, 2,000 a week: median weeks", float(np.median(days)) / 7, 10.0, 26.0)
    yield Target("+30% confirmed by week 26", float((days < NEVER).mean()), 0.90, 0.75, higher=True)


def _duel(runs: int, seed: int, _: int) -> Iterator[Target]:
    plan = Plan(weeks=104, fixed=(0.5, 0.5), alpha=0.10, promotes=False)
    outcome = simulate(Market(lifts=np.asarray([1.0, 1.3])), plan, runs=max(runs, 1000), arms=2, seed=seed + 5)
    yield Target("50/50 duel, +30%, 200 a week, alpha 10%: median weeks",
                 float(np.median(outcome.confirmed_on[:, 1])) / 7, 25.0, 32.0)  # fmt: skip


def _newcomer(runs: int, seed: int, every: int) -> Iterator[Target]:
    """A strategy as good as +30% that is added when three others have run for twelve weeks."""
    market = Market(lifts=np.asarray([1.0, 1.0, 1.1, 1.3]), weekly=400.0, arrives=np.asarray([0.0, 0.0, 0.0, 84.0]))
    outcome = simulate(market, Plan(weeks=20, every=every), runs=runs, arms=4, seed=seed + 6)
    first = outcome.shares[:, 12:16, 3].mean(axis=1)
    yield Target("new arm: share of its first four weeks", float(first.mean()), 0.25, 0.10, higher=True)
    yield Target("new arm starved (under 8%)", float((first < 0.08).mean()), 0.01, 0.05)


def _optouts(runs: int, seed: int, every: int) -> Iterator[Target]:
    rates = np.asarray([0.004, 0.004, 0.004, 0.016])
    market = Market(lifts=np.ones(4), optouts=rates)
    outcome = simulate(market, Plan(every=every, promotes=False), runs=runs, arms=4, seed=seed + 7)
    frozen = outcome.frozen_on[:, 3] < NEVER
    after = np.where(frozen, outcome.frozen_after[:, 3], np.inf)
    yield Target("arm with four times the opt-outs: median messages until frozen", float(np.median(after)), 400, 800)
    yield Target("good arm frozen within a year", float((outcome.frozen_on[:, 1:3] < NEVER).mean()), 0.01, 0.02)


def _effects(runs: int, seed: int, _: int) -> Iterator[Target]:
    got = recover(messages=10_000, seeds=range(seed, seed + runs))
    yield Target("attributes at 10,000 messages: root mean square error", got.error, 0.11, 0.13)
    yield Target("attributes: 90% intervals cover, distance from .90", abs(got.coverage - 0.90), 0.03, 0.05)
    yield Target("attributes: wrong sign among claims", got.wrong_share, 0.01, 0.02)


def _factorial(runs: int, seed: int, _: int) -> Iterator[Target]:
    gains = [steered(seed=seed + run) for run in range(runs)]
    won = sum(gain.policy - gain.equal for gain in gains) / sum(gain.oracle - gain.equal for gain in gains)
    yield Target("factorial gain, 200 a week, 52 weeks", won, 0.70, 0.60, higher=True)
