"""One experiment, simulated before it is begun: what a manager may expect of it."""

from __future__ import annotations

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
