"""A market that answers by known rules, so that the loop can be held against the truth. Seeded, many runs at once."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from analytics.domain.learning.delay import WINDOW

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Market:
    """What is true of a market.

    lifts      (K,) or (R, K): reply rate of each strategy over the base, as a factor; the first is the incumbent
    weekly     messages a week
    base       reply rate of the incumbent at the start
    drift      standard deviation of the weekly step of the common log rate (a random walk)
    medians    (K,): median age of a reply in days
    optouts    (K,): rate of opt-outs
    positive, meeting   share of replies that are positive, of those that become meetings
    arrives    (K,): day on which a strategy is added (0: from the start)
    """

    lifts: Floats
    weekly: float = 200.0
    base: float = 0.05
    drift: float = 0.0
    medians: Floats = field(default_factory=lambda: np.asarray([2.0]))
    optouts: Floats = field(default_factory=lambda: np.asarray([0.004]))
    positive: float = 0.5
    meeting: float = 0.3
    arrives: Floats = field(default_factory=lambda: np.asarray([0.0]))


@dataclass(frozen=True)
class Cohort:
    """What became of the messages of one day: counts (R, K), replies by age (R, K, WINDOW + 1), the last one later."""

    sent: Floats
    replies: Floats
    positive: Floats
    meetings: Floats
    optouts: Floats


class Weather:
    """The market's state while days pass."""

    def __init__(self, market: Market, runs: int, arms: int, rng: np.random.Generator) -> None:
        self._market, self._rng = market, rng
        self._level = np.zeros((runs, 1))
        self.lifts = np.broadcast_to(np.asarray(market.lifts, dtype=float), (runs, arms)).copy()
        self._ages = _age_shares(np.broadcast_to(market.medians, (arms,)))
        self._optouts = np.broadcast_to(market.optouts, (runs, arms))

    def rates(self) -> Floats:
        """True reply rates of today (R, K)."""
        return np.asarray(np.minimum(self._market.base * self.lifts * np.exp(self._level), 0.9), dtype=float)

    def send(self, shares: Floats, day: int) -> Cohort:
        """Send a day's messages by shares (R, K)."""
        rng, market = self._rng, self._market
        if day and day % 7 == 0 and market.drift:
            self._level += rng.normal(0.0, market.drift, self._level.shape)
        volume = np.asarray(rng.poisson(market.weekly / 7, shares.shape[0]))
        sent = _multinomial(rng, volume, shares)
        answered = rng.binomial(sent, self.rates())
        by_age = _multinomial(rng, answered, np.broadcast_to(self._ages, (*answered.shape, self._ages.shape[-1])))
        inside = by_age[..., :WINDOW].sum(axis=-1)
        positive = rng.binomial(inside, market.positive)
        return Cohort(
            sent=sent.astype(float),
            replies=by_age.astype(float),
            positive=positive.astype(float),
            meetings=rng.binomial(positive, market.meeting).astype(float),
            optouts=rng.binomial(sent, self._optouts).astype(float),
        )


def _multinomial(rng: np.random.Generator, totals: NDArray[np.int64], shares: Floats) -> NDArray[np.int64]:
    """Totals (...) spread by shares (..., K), one binomial after the other."""
    left = np.asarray(totals).copy()
    rest = np.ones(left.shape)
    parts = []
    for arm in range(shares.shape[-1]):
        share = np.clip(np.divide(shares[..., arm], rest, out=np.zeros(left.shape), where=rest > 1e-12), 0.0, 1.0)
        taken = left if arm == shares.shape[-1] - 1 else rng.binomial(left, share)
        parts.append(taken)
        left = left - taken
        rest = rest - shares[..., arm]
    return np.stack(parts, axis=-1)


def _age_shares(medians: Floats) -> Floats:
    """Share of replies by day of age, Weibull with shape .75: (K, WINDOW + 1), the last entry all later ones."""
    scale = np.asarray(medians, dtype=float)[:, None] / np.log(2) ** (1 / 0.75)
    edges = np.arange(0, WINDOW + 1, dtype=float)
    cumulative = 1 - np.exp(-((edges / scale) ** 0.75))
    return np.concatenate([np.diff(cumulative, axis=1), 1 - cumulative[:, -1:]], axis=1)
