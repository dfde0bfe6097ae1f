"""What stops a strategy whatever its replies: people who ask to be left alone."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.stats import beta

Floats = NDArray[np.float64]
Booleans = NDArray[np.bool_]
#: Prior of an opt-out rate: one in 250.
PRIOR = (1.0, 249.0)
#: The base leans on two thousand messages at that rate: held against a rate of a few messages, good strategies froze.
_BASE_PRIOR = (8.0, 2000.0)
#: Fewer people than this say nothing about a rate, however few messages there were.
_LEAST = 4
FREEZE_AT, FREEZE_RATIO = 0.8, 2.0
PROMOTE_AT, PROMOTE_RATIO = 0.8, 1.25
_GRID = (np.arange(400) + 0.5) / 400


def freeze_chance(optouts: Floats, messages: Floats, base: Floats | float) -> Floats:
    """P(opt-out rate > 2 x base) under Beta(1, 249); frozen at .8 and more. base in (0, 1)."""
    gone, sent = np.asarray(optouts, dtype=float), np.asarray(messages, dtype=float)
    limit = np.minimum(FREEZE_RATIO * np.asarray(base, dtype=float), 1.0)
    chance = beta.sf(limit, PRIOR[0] + gone, PRIOR[1] + np.maximum(sent - gone, 0.0))
    return np.where(gone >= _LEAST, chance, 0.0)


def base_rate(optouts: Floats, messages: Floats) -> Floats:
    """The rate that a strategy is held against: that of all messages of the others."""
    return np.asarray((_BASE_PRIOR[0] + optouts) / (_BASE_PRIOR[1] + messages), dtype=float)


def no_worse_chance(optouts: Floats, messages: Floats, base_optouts: Floats, base_messages: Floats) -> Floats:
    """P(q_k <= 1.25 q_0) with both rates uncertain; a promotion needs .8."""
    gone, sent = np.asarray(base_optouts, dtype=float)[..., None], np.asarray(base_messages, dtype=float)[..., None]
    others = beta.ppf(_GRID, PRIOR[0] + gone, PRIOR[1] + np.maximum(sent - gone, 0.0))
    mine, total = np.asarray(optouts, dtype=float)[..., None], np.asarray(messages, dtype=float)[..., None]
    below = beta.cdf(np.minimum(PROMOTE_RATIO * others, 1.0), PRIOR[0] + mine, PRIOR[1] + np.maximum(total - mine, 0.0))
    return np.asarray(below.mean(axis=-1), dtype=float)
