"""Tables of outcomes with known effects, for the estimator to find again."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit, logit

from analytics.domain.learning.effects import Cells, Effect, fit

Floats = NDArray[np.float64]
#: A sign is claimed from this probability on.
CLAIM = 0.98


@dataclass(frozen=True)
class Recovered:
    """covered, claimed, wrong: counts over all effects; error: their root mean square in log odds."""

    effects: int
    covered: int
    claimed: int
    wrong: int
    error: float

    @property
    def coverage(self) -> float:
        return self.covered / max(1, self.effects)

    @property
    def wrong_share(self) -> float:
        return self.wrong / max(1, self.claimed)


def table(
    *, seed: int, messages: int, effects: Floats, base: float = 0.05, segments: int = 6, strategies: int = 32
) -> Cells:
    """Outcomes of messages spread over segments and strategies, with slopes and residuals of their own."""
    rng = np.random.default_rng(seed)
    attributes = rng.integers(0, 2, (strategies, len(effects))).astype(float)
    level, slopes = rng.normal(0, 0.4, segments), rng.normal(0, 0.06, (segments, len(effects)))
    segment = np.repeat(np.arange(segments), strategies)
    strategy = np.tile(np.arange(strategies), segments)
    assigned = attributes[strategy]
    share = rng.dirichlet(np.full(segments, 4.0))[segment] / strategies
    trials = rng.multinomial(messages, share / share.sum())
    eta = float(logit(base)) - 0.5 * float(np.sum(effects)) + level[segment] + assigned @ effects
    eta = eta + (slopes[segment] * assigned).sum(axis=1) + rng.normal(0, 0.06, strategies)[strategy]
    return Cells(segment, strategy, assigned, trials.astype(float), rng.binomial(trials, expit(eta)).astype(float))


def recovered(found: list[tuple[tuple[Effect, ...], Floats]]) -> Recovered:
    """Fitted effects against the true ones, over any number of tables."""
    pairs = [(effect, float(true)) for effects, trues in found for effect, true in zip(effects, trues, strict=True)]
    claims = [(effect, true) for effect, true in pairs if max(effect.better, 1 - effect.better) >= CLAIM]
    return Recovered(
        effects=len(pairs),
        covered=sum(effect.low <= true <= effect.high for effect, true in pairs),
        claimed=len(claims),
        wrong=sum((effect.mean > 0) != (true > 0) for effect, true in claims),
        error=float(np.sqrt(np.mean([(effect.mean - true) ** 2 for effect, true in pairs]))),
    )


def recover(*, messages: int, seeds: range, effects: Floats | None = None, base: float = 0.05) -> Recovered:
    """Fit one table per seed. effects: the true log odds, or six of size about .15 drawn for each seed."""
    found = []
    for seed in seeds:
        true = np.random.default_rng(seed + 10_000).normal(0, 0.15, 6) if effects is None else np.asarray(effects)
        cells = table(seed=seed, messages=messages, effects=true, base=base)
        found.append((fit(cells, [str(at) for at in range(len(true))]).effects, true))
    return recovered(found)
