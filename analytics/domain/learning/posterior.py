"""Rates of a few arms, shrunken towards each other: a logistic model with a normal prior, by Newton and Laplace.

    logit p_k = mu + beta_k    mu ~ N(m, 1.5^2)    beta_k ~ N(0, tau^2), tau averaged by evidence

In eta = mu + beta the prior is N(m 1, 1.5^2 11' + tau^2 I), whose inverse is known in closed form.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit, logit, ndtr

Floats = NDArray[np.float64]
#: Standard deviations of log odds between strategies that are weighed against each other. Strategies differ by several
#: attributes at once: combinations of the method's five effects spread by .38.
REPLY_TAUS = (0.1, 0.22, 0.35, 0.5)
#: What a reply is worth hardly depends on the strategy that brought it; opt-outs have guardrails of their own.
OTHER_TAUS = (0.05, 0.1)
_MU_SD = 1.5
_STEPS = 7
_WIDEST = 8.0


@dataclass(frozen=True)
class Posterior:
    """Normal approximations of eta, one per tau. mean (..., T, K), factor (..., T, K, K) with factor factor' the
    covariance, weight (..., T) summing to one."""

    mean: Floats
    factor: Floats
    weight: Floats

    def moments(self) -> tuple[Floats, Floats]:
        """Mean and covariance of eta over all tau: (..., K) and (..., K, K)."""
        weight = self.weight[..., None]
        mean = (weight * self.mean).sum(axis=-2)
        apart = self.mean - mean[..., None, :]
        within = self.factor @ np.swapaxes(self.factor, -1, -2)
        between = apart[..., :, None] * apart[..., None, :]
        return mean, (weight[..., None] * (within + between)).sum(axis=-3)

    def better_than(self, arm: NDArray[np.int64]) -> Floats:
        """P(eta_k > eta_arm) for every k (..., K); arm (...) an index each."""
        apart = self.mean - np.take_along_axis(self.mean, np.asarray(arm)[..., None, None], axis=-1)
        covariance = self.factor @ np.swapaxes(self.factor, -1, -2)
        own = np.diagonal(covariance, axis1=-2, axis2=-1)
        index = np.broadcast_to(np.asarray(arm)[..., None, None, None], (*covariance.shape[:-1], 1))
        shared = np.take_along_axis(covariance, index, axis=-1)[..., 0]
        base = np.take_along_axis(own, np.asarray(arm)[..., None, None], axis=-1)
        spread = np.sqrt(np.maximum(own + base - 2 * shared, 1e-12))
        return np.asarray((self.weight[..., None] * ndtr(apart / spread)).sum(axis=-2), dtype=float)

    def draws(self, count: int, rng: np.random.Generator) -> Floats:
        """Rates drawn: (..., T, count, K). Draws of each tau count by its weight."""
        noise = rng.standard_normal((*self.mean.shape[:-1], count, self.mean.shape[-1]))
        eta = self.mean[..., None, :] + noise @ np.swapaxes(self.factor, -1, -2)
        return np.asarray(expit(eta), dtype=float)


def posterior(successes: Floats, trials: Floats, *, usual: float, taus: tuple[float, ...]) -> Posterior:
    """successes, trials (..., K), trials may be fractions of messages. usual: rate the team starts from, in (0, 1)."""
    tau2 = np.asarray(taus, dtype=float) ** 2
    won = np.asarray(successes, dtype=float)[..., None, :]
    tried = np.maximum(np.asarray(trials, dtype=float)[..., None, :], won)
    arms = won.shape[-1]
    precision = _precision(tau2, arms)
    centre = float(logit(usual))
    overall = (won.sum(axis=-1, keepdims=True) + usual * 20) / (tried.sum(axis=-1, keepdims=True) + 20)
    eta = np.broadcast_to(logit(np.clip(overall, 1e-4, 1 - 1e-4)), (*won.shape[:-2], len(tau2), arms)).copy()
    for _ in range(_STEPS):
        rate = expit(eta)
        gradient = won - tried * rate - np.einsum("tij,...tj->...ti", precision, eta - centre)
        hessian = precision + _diagonal(tried * rate * (1 - rate))
        step = np.linalg.solve(hessian, gradient[..., None])[..., 0]
        eta = np.clip(eta + np.clip(step, -2.0, 2.0), centre - _WIDEST, centre + _WIDEST)
    rate = expit(eta)
    hessian = precision + _diagonal(tried * rate * (1 - rate))
    apart = eta - centre
    fit = (won * np.log(np.maximum(rate, 1e-12)) + (tried - won) * np.log(np.maximum(1 - rate, 1e-12))).sum(axis=-1)
    prior = -0.5 * np.einsum("...ti,tij,...tj->...t", apart, precision, apart)
    evidence = fit + prior + 0.5 * np.linalg.slogdet(precision)[1] - 0.5 * np.linalg.slogdet(hessian)[1]
    weight = np.exp(evidence - evidence.max(axis=-1, keepdims=True))
    factor = np.linalg.cholesky(np.linalg.inv(hessian))
    return Posterior(eta, factor, weight / weight.sum(axis=-1, keepdims=True))


def _precision(tau2: Floats, arms: int) -> Floats:
    shared = _MU_SD**2 / (tau2 + arms * _MU_SD**2)
    return np.asarray((np.eye(arms) - shared[:, None, None]) / tau2[:, None, None], dtype=float)


def _diagonal(values: Floats) -> Floats:
    return np.asarray(values[..., None] * np.eye(values.shape[-1]), dtype=float)
