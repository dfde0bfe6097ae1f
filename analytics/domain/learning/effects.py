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
    design, blocks = _design(cells)
    results = [_laplace(design, cells, _penalty(blocks, tau)) for tau in taus]
    evidence = np.asarray([result.evidence for result in results])
    weights = np.exp(evidence - evidence.max())
    weights /= weights.sum()
    means = np.stack([result.mean for result in results])
    sds = np.stack([np.sqrt(np.diag(result.covariance)) for result in results])
    at = blocks["attribute"]
    effects = tuple(
        _mixture(name, weights, means[:, column], sds[:, column])
        for name, column in zip(names, range(at.start, at.stop), strict=True)
    )
    middle = weights @ means
    count = cells.attributes.shape[1]
    slopes = middle[blocks["slope"]].reshape(-1, count)
    return Fit(
        effects, slopes + middle[at], float(expit(middle[0])), tuple(float(w) for w in weights),
        all(result.converged for result in results),
    )  # fmt: skip


@dataclass(frozen=True)
class _Result:
    mean: Floats
    covariance: Floats
    evidence: float
    converged: bool


def _design(cells: Cells) -> tuple[Floats, dict[str, slice]]:
    rows, count = cells.attributes.shape
    segments, strategies = int(cells.segment.max()) + 1, int(cells.strategy.max()) + 1
    by_segment = np.eye(segments)[cells.segment]
    slopes = (by_segment[:, :, None] * cells.attributes[:, None, :]).reshape(rows, segments * count)
    parts = {
        "level": np.ones((rows, 1)), "segment": by_segment, "attribute": cells.attributes, "slope": slopes,
        "strategy": np.eye(strategies)[cells.strategy],
    }  # fmt: skip
    blocks, start = {}, 0
    for name, part in parts.items():
        blocks[name] = slice(start, start + part.shape[1])
        start += part.shape[1]
    return np.concatenate(list(parts.values()), axis=1), blocks


def _penalty(blocks: dict[str, slice], tau: float) -> Floats:
    sds = {"level": LEVEL_SD, "segment": SEGMENT_SD, "attribute": tau, "slope": SLOPE_SD, "strategy": STRATEGY_SD}
    penalty = np.empty(max(block.stop for block in blocks.values()))
    for name, block in blocks.items():
        penalty[block] = sds[name] ** -2.0
    return penalty


def _laplace(design: Floats, cells: Cells, penalty: Floats) -> _Result:
    won, tried = cells.successes, np.maximum(cells.trials, cells.successes)
    start = np.log((won.sum() + 1) / max(tried.sum() - won.sum() + 1, 1.0))
    theta = np.zeros(design.shape[1])
    theta[0] = start
    centre = np.zeros_like(theta)
    centre[0] = start  # the level is free: its prior only keeps an empty table from running away
    converged = False
    for _ in range(_STEPS):
        rate = expit(design @ theta)
        weight = np.maximum(tried * rate * (1 - rate), 1e-12)
        gradient = design.T @ (won - tried * rate) - penalty * (theta - centre)
        hessian = (design * weight[:, None]).T @ design + np.diag(penalty)
        step = np.linalg.solve(hessian, gradient)
        theta = theta + np.clip(step, -2.0, 2.0)
        if float(np.abs(step).max()) < _CLOSE_ENOUGH:
            converged = True
            break
    rate = np.clip(expit(design @ theta), 1e-12, 1 - 1e-12)
    weight = tried * rate * (1 - rate)
    hessian = (design * weight[:, None]).T @ design + np.diag(penalty)
    likelihood = float((won * np.log(rate) + (tried - won) * np.log1p(-rate)).sum())
    apart = theta - centre
    evidence = (
        likelihood - 0.5 * float(penalty @ apart**2) + 0.5 * float(np.log(penalty).sum())
        - 0.5 * float(np.linalg.slogdet(hessian)[1])
    )  # fmt: skip
    return _Result(theta, np.linalg.inv(hessian), evidence, converged)


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
