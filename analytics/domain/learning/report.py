"""One experiment, simulated before it is begun: what a manager may expect of it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from analytics.domain.learning.market import Market
from analytics.domain.learning.simulation import NEVER, Plan, simulate


def simulated(
    *, seed: int, weeks: int, weekly: float, base: float, lift: float, strategies: int, runs: int
) -> dict[str, Any]:
    """Means over the runs. regret, uniform: replies lost against the best strategy by our policy and by an equal split;
    oracle: replies of the best one; false_winner_rate: share of runs among equal strategies with a false winner;
    best_arm_found_week: median week in which the best one is confirmed, null when less than half the runs find it."""
    lifts = np.ones(strategies)
    lifts[-1] = 1 + lift
    plan = Plan(weeks=weeks)
    found = simulate(Market(lifts=lifts, weekly=weekly, base=base), plan, runs=runs, arms=strategies, seed=seed)
    alike = simulate(
        Market(lifts=np.ones(strategies), weekly=weekly, base=base), Plan(weeks=weeks, promotes=False),
        runs=runs, arms=strategies, seed=seed + 1,
    )  # fmt: skip
    median = float(np.median(found.confirmed_on[:, -1]))
    return {
        "regret": round(float(found.lost.mean()), 2),
        "oracle": round(float(found.oracle.mean()), 2),
        "uniform": round(float(found.lost_equal.mean()), 2),
        "false_winner_rate": round(float((alike.confirmed_on < NEVER).any(axis=1).mean()), 4),
        "best_arm_found_week": None if median >= NEVER else round(median / 7, 1),
        "found_share": round(float((found.confirmed_on[:, -1] < NEVER).mean()), 4),
        "frozen_share": round(float((found.frozen_on < NEVER).any(axis=1).mean()), 4),
        "runs": runs,
    }


#: Markets that a plan is tried on, and how often the shares are set anew in them: enough for two digits, in seconds.
PLAN_RUNS, PLAN_WEEKS, _PLAN_EVERY, _PLAN_DRAWS = 200, 52, 14, 32


@dataclass(frozen=True)
class Planned:
    """What to expect of an experiment of a year.

    median     weeks until the better strategy is confirmed in half of the markets; None when fewer find it in a year
    by         (weeks, share of the markets in which it is confirmed by then)
    likely     weeks between which the middle half of all markets confirm it; None as an end: not within the year
    won        replies a year over an equal split of the same messages, on average
    missed     replies a year lost against knowing the best from the start
    unlike     share of the markets in which another than the better one was confirmed first
    """

    median: float | None
    by: tuple[tuple[int, float], ...]
    likely: tuple[float | None, float | None]
    won: float
    missed: float
    unlike: float


@lru_cache(maxsize=64)
def planned(*, weekly: float, base: float, lift: float, strategies: int) -> Planned:
    """One strategy is better by `lift` (a share), the others are as good as the incumbent. Deterministic."""
    lifts = np.ones(strategies)
    lifts[-1] = 1 + lift
    plan = Plan(weeks=PLAN_WEEKS, every=_PLAN_EVERY, draws=_PLAN_DRAWS)
    market = Market(lifts=lifts, weekly=weekly, base=base)
    found = simulate(market, plan, runs=PLAN_RUNS, arms=strategies, seed=7)
    days = np.sort(found.confirmed_on[:, -1])
    others = found.confirmed_on[:, :-1].min(axis=1)
    quarters = [_weeks(days[int(share * (len(days) - 1))]) for share in (0.25, 0.5, 0.75)]
    return Planned(
        median=quarters[1],
        by=tuple((weeks, float((days < 7 * weeks).mean())) for weeks in (8, 13, 26, 39, PLAN_WEEKS)),
        likely=(quarters[0], quarters[2]),
        won=float((found.lost_equal - found.lost).mean()),
        missed=float(found.lost.mean()),
        unlike=float(((others < NEVER) & (others < found.confirmed_on[:, -1])).mean()),
    )


def _weeks(day: float) -> float | None:
    return None if day >= NEVER else round(float(day) / 7, 1)
