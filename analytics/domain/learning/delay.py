"""How late replies come, and what a young message counts for meanwhile.

A message sent yesterday without a reply is no failure yet. The distribution F of the age of replies is estimated by
Kaplan and Meier (1958) from all messages, the unanswered ones censored at their age; a message of age a then counts as
F(a) of a message. Early counts may steer allocation; a claim rests on outcomes within the whole window only.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
#: Days within which an outcome counts; every claim names it.
WINDOW = 28
#: Until so many replies are known the curve leans on a usual one: a median of two days.
_PRIOR_REPLIES = 20.0
_PRIOR_SCALE, _PRIOR_SHAPE = 3.2, 0.75


@dataclass(frozen=True)
class DelayCurve:
    """F by whole days: share[a] of all replies within the window have come by the end of day a. Last is 1."""

    share: Floats
    replies: float

    def at(self, ages: Floats | Sequence[float]) -> Floats:
        """F of ages in days; 1 beyond the window, 0 before the first day."""
        days = np.asarray(ages, dtype=float)
        steps = np.clip(np.floor(days).astype(int), 0, len(self.share) - 1)
        return np.where(days < 0, 0.0, np.where(days >= len(self.share), 1.0, self.share[steps]))


def incidence(answered: Floats, watched: Floats) -> Floats:
    """Share of messages answered by the end of each day (Kaplan-Meier: 1 - S).

    answered[..., a]: replies that came at age a in days. watched[..., a]: messages not answered before that were
    observed through that age.
    """
    hazard = np.divide(answered, watched, out=np.zeros(np.broadcast(answered, watched).shape), where=watched > 0)
    return np.asarray(1.0 - np.cumprod(1.0 - np.minimum(hazard, 1.0), axis=-1), dtype=float)


def usual_curve(window: int = WINDOW) -> Floats:
    """What is assumed before a team has replies of its own: a Weibull curve, half within about two days."""
    days = np.arange(1, window + 1, dtype=float)
    curve = 1.0 - np.exp(-((days / _PRIOR_SCALE) ** _PRIOR_SHAPE))
    return np.asarray(curve / curve[-1], dtype=float)


def delay_curve(answered: Floats, watched: Floats) -> DelayCurve:
    """F from counts by age (see `incidence`), leaning on the usual curve while replies are few."""
    grown = incidence(np.asarray(answered, dtype=float), np.asarray(watched, dtype=float))
    replies = float(np.sum(answered))
    own = grown / grown[-1] if grown[-1] > 0 else usual_curve(len(grown))
    weight = replies / (replies + _PRIOR_REPLIES)
    return DelayCurve(weight * own + (1 - weight) * usual_curve(len(grown)), replies)


def effective_exposure(sent_by_age: Floats, curve: DelayCurve) -> Floats:
    """n_eff: what messages of age 0, 1, 2 … days (last axis; the last entry all older ones) count for together."""
    days = sent_by_age.shape[-1]
    weights = curve.at(np.arange(days, dtype=float))
    return np.asarray((sent_by_age * weights).sum(axis=-1), dtype=float)
