"""Strategies as combinations of attributes: what is learned of one serves all that share it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit, logit

from analytics.domain.learning.delay import usual_curve
from analytics.domain.learning.effects import Cells, fit

Floats = NDArray[np.float64]
#: Effects of the method as factors on the reply rate: milestones over company news, one or two references over three and
#: more, the contextual, situational (+50-70%) and motivational (+40-60%) layers.
METHOD_EFFECTS = (1.23, 1.31, 1.30, 1.60, 1.50)
METHOD_NAMES = ("milestone", "depth 1-2", "contextual", "situational", "motivational")
_SPREAD = 0.06
#: Share of the replies that have come by the end of the first, second … week, with the usual delay.
_BY_WEEK = np.asarray(usual_curve())[[6, 13, 20, 27]]


@dataclass(frozen=True)
class Gain:
    """Mean true reply rates over the whole time, of our policy, an equal split and the best combination."""

    policy: float
    equal: float
    oracle: float

    @property
    def share(self) -> float:
        """How much of what could be won over an equal split was won."""
        return (self.policy - self.equal) / max(self.oracle - self.equal, 1e-12)


def combinations(attributes: int) -> Floats:
    """Every combination of 0 and 1: (2^A, A)."""
    return np.asarray((np.arange(2**attributes)[:, None] >> np.arange(attributes)) & 1, dtype=float)


def steered(*, seed: int, weekly: float = 200.0, weeks: int = 52, every: int = 1, base: float = 0.05) -> Gain:
    """One run: combinations get messages by their chance to be best, after a refit every few weeks.

    Each run has effects around the method's and small differences of its own for every combination. Young messages
    count for the share of their replies that has come.
    """
    rng = np.random.default_rng(seed)
    table = combinations(len(METHOD_EFFECTS))
    true = np.log(METHOD_EFFECTS) + rng.normal(0.0, 0.1, len(METHOD_EFFECTS))
    level = float(logit(base)) - 0.5 * float(true.sum())
    rates = expit(level + table @ true + rng.normal(0.0, 0.06, len(table)))
    shares = np.full(len(table), 1 / len(table))
    exposed, won, total = np.zeros(len(table)), np.zeros(len(table)), 0.0
    steps = np.diff(_BY_WEEK, prepend=0.0)
    young: list[tuple[Floats, NDArray[np.int64]]] = []
    for week in range(weeks):
        total += float(shares @ rates)
        sent = rng.multinomial(int(rng.poisson(weekly)), shares).astype(float)
        young.append((sent, rng.multinomial(rng.binomial(sent.astype(int), rates), steps)))
        for age in range(min(len(steps), week + 1)):
            older, came = young[week - age]
            exposed, won = exposed + older * steps[age], won + came[:, age]
        if week % every == 0:
            shares = _shares(table, exposed, won, rng)
    return Gain(total / weeks, float(rates.mean()), float(rates.max()))


def _shares(table: Floats, sent: Floats, won: Floats, rng: np.random.Generator) -> Floats:
    seen = sent > 0
    codes = np.flatnonzero(seen)
    cells = Cells(np.zeros(len(codes), dtype=int), codes, table[seen], sent[seen], won[seen])
    effects = fit(cells, METHOD_NAMES).effects
    drawn = rng.normal([e.mean for e in effects], [e.sd for e in effects], (400, len(effects)))
    best = (drawn @ table.T).argmax(axis=1)
    chances = np.bincount(best, minlength=len(table)) / len(drawn)
    return np.asarray((1 - _SPREAD) * chances + _SPREAD / len(table), dtype=float)
