"""What each attribute of a message does to its outcome, shrunken, with intervals that hold.

    logit p = mu + b_s + sum_a beta_a x_a + sum_a gamma_sa x_a + u_k

fitted on cells (segment, strategy, attributes) by penalised iterated least squares with a Laplace approximation. The
random slopes gamma are not optional: without them 90% intervals cover 74% at 40,000 messages.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix
from scipy.special import expit, ndtr
from scipy.stats import norm

Floats = NDArray[np.float64]
Whole = NDArray[np.int64]
TAUS = (0.05, 0.1, 0.15, 0.22, 0.35, 0.5)
SEGMENT_SD, SLOPE_SD, STRATEGY_SD, LEVEL_SD = 0.6, 0.06, 0.06, 3.0
_STEPS, _CLOSE_ENOUGH = 25, 1e-8


@dataclass(frozen=True)
class Cells:
    """Messages with the same assigned attributes, counted together. All of length C but `attributes` (C, A).

    attributes   0 or 1; -1 and 1 work as well
    trials       messages, or what young ones count for; successes at most that
    """

    segment: Whole
    strategy: Whole
    attributes: Floats
    trials: Floats
    successes: Floats

    @property
    def messages(self) -> float:
        return float(self.trials.sum())


@dataclass(frozen=True)
class Effect:
    """A difference of log odds. low and high hold 90%; better is the probability that it is above zero."""

    name: str
    mean: float
    sd: float
    low: float
    high: float
    better: float

    @property
    def ratio(self) -> tuple[float, float, float]:
        """As a factor on the odds: low, middle, high."""
        return float(np.exp(self.low)), float(np.exp(self.mean)), float(np.exp(self.high))


@dataclass(frozen=True)
class Fit:
    """effects in the order of the attributes. by_segment (S, A): beta + gamma. base: rate at all attributes 0."""

    effects: tuple[Effect, ...]
    by_segment: Floats
    base: float
    weights: tuple[float, ...]
    converged: bool


def fit(cells: Cells, names: Sequence[str], *, taus: Sequence[float] = TAUS) -> Fit:
    """Fit one outcome. tau is averaged over by evidence, so intervals carry the doubt about shrinkage too."""
    design = _Design(cells)
    results = [_laplace(design, cells, tau) for tau in taus]
    evidence = np.asarray([result.evidence for result in results])
    weights = np.exp(evidence - evidence.max())
    weights /= weights.sum()
    at = design.attribute
    means = np.stack([result.shared[at] for result in results])
    sds = np.stack([np.sqrt(np.diag(result.covariance)[at]) for result in results])
    effects = tuple(_mixture(name, weights, means[:, column], sds[:, column]) for column, name in enumerate(names))
    slopes = sum(weight * result.local[:, 1:] for weight, result in zip(weights, results, strict=True))
    level = float(sum(weight * result.shared[0] for weight, result in zip(weights, results, strict=True)))
    return Fit(
        effects, np.asarray(slopes + weights @ means, dtype=float), float(expit(level)), tuple(float(w) for w in weights),
        all(result.converged for result in results),
    )  # fmt: skip


class _Design:
    """The model's columns: those all segments share, and those of one segment, which meet no other segment's.

    shared (C, 1 + A + K): level, attributes, strategy. local (C, 1 + A): the segment's own level and slopes. The normal
    equations are solved segment by segment (Schur complement): their cost grows with the number of segments, not with
    its cube.
    """

    def __init__(self, cells: Cells) -> None:
        rows, count = cells.attributes.shape
        self.segments, strategies = int(cells.segment.max()) + 1, int(cells.strategy.max()) + 1
        level = np.ones((rows, 1))
        self.shared = np.concatenate([level, cells.attributes, np.eye(strategies)[cells.strategy]], axis=1)
        self.local = np.concatenate([level, cells.attributes], axis=1)
        self.attribute = slice(1, 1 + count)
        self.segment = cells.segment
        self._adder = csr_matrix(
            (np.ones(rows), (cells.segment, np.arange(rows))), shape=(self.segments, rows), dtype=float
        )
        self.local_penalty = np.asarray([SEGMENT_SD**-2.0, *[SLOPE_SD**-2.0] * count])

    def penalty(self, tau: float) -> Floats:
        found = np.full(self.shared.shape[1], STRATEGY_SD**-2.0)
        found[0], found[self.attribute] = LEVEL_SD**-2.0, tau**-2.0
        return found

    def by_segment(self, values: Floats) -> Floats:
        """Rows (C, …) added up to (S, …)."""
        return np.asarray(self._adder @ values.reshape(len(values), -1)).reshape(self.segments, *values.shape[1:])

    def predict(self, shared: Floats, local: Floats) -> Floats:
        return np.asarray(self.shared @ shared + (self.local * local[self.segment]).sum(axis=1), dtype=float)


@dataclass(frozen=True)
class _Result:
    shared: Floats
    local: Floats
    covariance: Floats  # of the shared ones
    evidence: float
    converged: bool


@dataclass(frozen=True)
class _Curvature:
    """Minus the second derivatives: shared (P, P), cross (S, P, Q), inverse of the local ones (S, Q, Q), and the shared
    block once the local ones are eliminated."""

    cross: Floats
    inverse: Floats
    left: Floats
    log_determinant: float

    def solve(self, shared: Floats, local: Floats) -> tuple[Floats, Floats]:
        through = np.einsum("spq,sqr->spr", self.cross, self.inverse)
        first = np.linalg.solve(self.left, shared - np.einsum("spr,sr->p", through, local))
        rest = local - np.einsum("spq,p->sq", self.cross, first)
        return first, np.einsum("sqr,sr->sq", self.inverse, rest)


def _curvature(design: _Design, weight: Floats, penalty: Floats) -> _Curvature:
    weighted = design.local * weight[:, None]
    own = design.by_segment(weighted[:, :, None] * design.local[:, None, :]) + np.diag(design.local_penalty)
    cross = design.by_segment(design.shared[:, :, None] * weighted[:, None, :])
    inverse = np.asarray(np.linalg.inv(own), dtype=float)
    whole = (design.shared * weight[:, None]).T @ design.shared + np.diag(penalty)
    left = whole - np.einsum("spq,sqr,str->pt", cross, inverse, cross, optimize=True)
    determinant = float(np.linalg.slogdet(left)[1] + np.linalg.slogdet(own)[1].sum())
    return _Curvature(cross, inverse, left, determinant)


def _laplace(design: _Design, cells: Cells, tau: float) -> _Result:
    won, tried = cells.successes, np.maximum(cells.trials, cells.successes)
    penalty, own = design.penalty(tau), design.local_penalty
    start = np.log((won.sum() + 1) / max(tried.sum() - won.sum() + 1, 1.0))
    shared, local = np.zeros(len(penalty)), np.zeros((design.segments, len(own)))
    shared[0] = start
    centre = shared.copy()  # the level is free: its prior only keeps an empty table from running away
    converged = False
    for _ in range(_STEPS):
        rate = expit(design.predict(shared, local))
        curvature = _curvature(design, np.maximum(tried * rate * (1 - rate), 1e-12), penalty)
        missed = won - tried * rate
        step, inner = curvature.solve(
            design.shared.T @ missed - penalty * (shared - centre),
            design.by_segment(design.local * missed[:, None]) - own * local,
        )
        shared, local = shared + np.clip(step, -2.0, 2.0), local + np.clip(inner, -2.0, 2.0)
        if max(float(np.abs(step).max()), float(np.abs(inner).max())) < _CLOSE_ENOUGH:
            converged = True
            break
    rate = np.clip(expit(design.predict(shared, local)), 1e-12, 1 - 1e-12)
    curvature = _curvature(design, tried * rate * (1 - rate), penalty)
    likelihood = float((won * np.log(rate) + (tried - won) * np.log1p(-rate)).sum())
    apart = shared - centre
    evidence = (
        likelihood - 0.5 * float(penalty @ apart**2) - 0.5 * float((own * local**2).sum())
        + 0.5 * float(np.log(penalty).sum()) + 0.5 * design.segments * float(np.log(own).sum())
        - 0.5 * curvature.log_determinant
    )  # fmt: skip
    return _Result(shared, local, np.asarray(np.linalg.inv(curvature.left), dtype=float), evidence, converged)


def _mixture(name: str, weights: Floats, means: Floats, sds: Floats) -> Effect:
    mean = float(weights @ means)
    sd = float(np.sqrt(weights @ (sds**2 + (means - mean) ** 2)))
    better = float(weights @ ndtr(means / sds))
    low, high = (_quantile(share, weights, means, sds) for share in (0.05, 0.95))
    return Effect(name, mean, sd, low, high, better)


def _quantile(share: float, weights: Floats, means: Floats, sds: Floats) -> float:
    """Of a mixture of normals, by bisection: its distribution function has no inverse in closed form."""
    edges = norm.ppf(share, means, sds)
    low, high = float(edges.min()), float(edges.max())
    for _ in range(60):
        middle = (low + high) / 2
        if float(weights @ ndtr((middle - means) / sds)) < share:
            low = middle
        else:
            high = middle
    return (low + high) / 2
