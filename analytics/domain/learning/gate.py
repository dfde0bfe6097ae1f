"""When something may be called confirmed: an e-process that holds under any peeking and any allocation.

For each matured outcome that came from arm k or the incumbent 0, with q = pi_k / pi_0 at sending:

    E_k = mean over r of  prod r^[arm = k] (1 + q) / (1 + r q)          claim when E_k >= m / alpha, m comparisons

Under "arm k is no better" the outcome is k's with odds q at most, so each factor has a mean of at most one whatever the
allocation, mix of segments, drift or number of looks (Lindon and Malek 2022; Ville 1939).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import logsumexp

Floats = NDArray[np.float64]
RATIOS = (1.1, 1.2, 1.35, 1.5, 1.75, 2.1)
ALPHA = 0.05
#: Probability to be better than the incumbent from which a strategy is called leaning; nothing else is confirmed.
LEANING = 0.8
_LOG_RATIOS = np.log(RATIOS)


def log_wealth(of_arm: Floats, of_incumbent: Floats, odds: Floats) -> Floats:
    """What outcomes of one sending day add: (..., 6), one for each ratio. odds: q of that day, > 0."""
    both = np.asarray(of_arm + of_incumbent, dtype=float)[..., None]
    q = np.asarray(odds, dtype=float)[..., None]
    ratios = np.asarray(RATIOS)
    return np.asarray(np.asarray(of_arm)[..., None] * _LOG_RATIOS + both * np.log((1 + q) / (1 + ratios * q)))


def log_evidence(wealth: Floats) -> Floats:
    """log E from the summed log wealth (..., 6)."""
    return np.asarray(logsumexp(wealth, axis=-1) - np.log(len(RATIOS)), dtype=float)


def threshold(comparisons: int, alpha: float = ALPHA) -> float:
    """log of m / alpha."""
    return float(np.log(max(1, comparisons) / alpha))


@dataclass(frozen=True)
class EvenDraw:
    """ "Of 87 replies where it was an even draw, 55 came from B": what a person is told of the evidence."""

    outcomes: float
    of_arm: float
    of_incumbent: float


def even_draw(of_arm: Floats, of_incumbent: Floats, odds: Floats) -> EvenDraw:
    """Outcomes by sending day, thinned to what an even split would have brought: the side that was sent more often
    counts for less."""
    q = np.asarray(odds, dtype=float)
    arm = float((np.asarray(of_arm) * np.minimum(1.0, 1.0 / np.maximum(q, 1e-9))).sum())
    other = float((np.asarray(of_incumbent) * np.minimum(1.0, q)).sum())
    return EvenDraw(arm + other, arm, other)
