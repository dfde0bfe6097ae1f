"""Time to meeting: how many messages lead to one by each day, how long those took, and whether two strategies differ."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.stats import chi2

from analytics.domain.learning.delay import incidence

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class MeetingTimes:
    """by_day[d]: share of messages with a meeting by the end of day d. median: days, of those that led to one."""

    by_day: Floats
    median: float | None
    meetings: int
    messages: int


def meeting_times(days: Floats, happened: NDArray[np.bool_], *, horizon: int = 90) -> MeetingTimes:
    """days: age at the meeting, or age today where there was none (censored). Kaplan and Meier."""
    met, watched = _table(np.asarray(days, dtype=float), np.asarray(happened, dtype=bool), horizon)
    curve = incidence(met, watched)
    count = int(met.sum())
    reached = np.flatnonzero(curve >= curve[-1] / 2) if count else np.asarray([], dtype=int)
    return MeetingTimes(curve, float(reached[0]) if len(reached) else None, count, len(np.asarray(days)))


def log_rank(
    days_a: Floats, happened_a: NDArray[np.bool_], days_b: Floats, happened_b: NDArray[np.bool_], *, horizon: int = 90
) -> tuple[float, float]:
    """Chi-square of one degree and its p-value: whether meetings come at the same pace (Mantel 1966)."""
    met_a, watched_a = _table(np.asarray(days_a, dtype=float), np.asarray(happened_a, dtype=bool), horizon)
    met_b, watched_b = _table(np.asarray(days_b, dtype=float), np.asarray(happened_b, dtype=bool), horizon)
    met, watched = met_a + met_b, watched_a + watched_b
    at = (met > 0) & (watched > 1)
    expected = (met * watched_a / np.maximum(watched, 1))[at].sum()
    share = watched_a / np.maximum(watched, 1)
    spread = (met * share * (1 - share) * (watched - met) / np.maximum(watched - 1, 1))[at].sum()
    if spread <= 0:
        return 0.0, 1.0
    statistic = float((met_a[at].sum() - expected) ** 2 / spread)
    return statistic, float(chi2.sf(statistic, 1))


def _table(days: Floats, happened: NDArray[np.bool_], horizon: int) -> tuple[Floats, Floats]:
    """Events on each day, and messages under watch at its beginning."""
    whole = np.clip(np.floor(days).astype(int), 0, horizon)
    events = np.bincount(whole[happened & (whole < horizon)], minlength=horizon)[:horizon].astype(float)
    leaving = np.bincount(whole, minlength=horizon + 1)[: horizon + 1].astype(float)
    watched = len(days) - np.concatenate([[0.0], np.cumsum(leaving)[: horizon - 1]])
    return events, watched
