"""Where the next messages go: by the chance that a strategy is the best one, between floors and caps."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from analytics.domain.learning.posterior import Posterior

Floats = NDArray[np.float64]
Booleans = NDArray[np.bool_]


@dataclass(frozen=True)
class Policy:
    """Shares of all messages, in 0..1, and how outcomes are valued.

    incumbent, challenger, newcomer   least share of each; a newcomer is one with fewer than `learned` matured messages
    unapproved   most that all strategies together may get which no person has approved for use
    duel       least share of the incumbent while a challenger is likelier the best than not: a claim needs both sides
    holdback     least share of the former incumbent after a promotion
    uniform      equal slice mixed in by "learn faster" (0 or .3)
    meeting, optout   weights of a meeting and of an opt-out against one positive reply (at least 5)
    """

    incumbent: float = 0.15
    challenger: float = 0.04
    newcomer: float = 0.10
    learned: int = 100
    unapproved: float = 0.40
    duel: float = 0.25
    leading: float = 0.50
    holdback: float = 0.05
    uniform: float = 0.0
    meeting: float = 1.0
    optout: float = 5.0


def best_chances(utilities: Floats, weights: Floats, *, open_arms: Booleans) -> Floats:
    """psi: the chance that each open arm's utility is the largest. utilities (..., T, draws, K), weights (..., T)."""
    allowed = np.where(open_arms[..., None, None, :], utilities, -np.inf)
    best = allowed.argmax(axis=-1)
    chances = np.stack([(best == arm).mean(axis=-1) for arm in range(utilities.shape[-1])], axis=-1)
    return np.asarray((weights[..., None] * chances).sum(axis=-2), dtype=float)


def utility(
    reply: Posterior,
    positive: Posterior,
    meeting: Posterior,
    optout: Posterior,
    *,
    policy: Policy,
    draws: int,
    rng: np.random.Generator,
) -> tuple[Floats, Floats]:
    """Draws of p_positive + w_m p_meeting - lambda p_optout (..., T, draws, K) and their weights (..., T).

    positive is given a reply, meeting given a positive reply. The draws go by the tau of the replies; of the other
    outcomes one tau is drawn each time by its weight.
    """
    replied = reply.draws(draws, rng)
    pleased = replied * _any_tau(positive, replied.shape, rng)
    met = pleased * _any_tau(meeting, replied.shape, rng)
    left = _any_tau(optout, replied.shape, rng)
    return pleased + policy.meeting * met - policy.optout * left, reply.weight


def _any_tau(outcome: Posterior, shape: tuple[int, ...], rng: np.random.Generator) -> Floats:
    """Draws of the shape, each under a tau drawn by weight."""
    drawn = outcome.draws(shape[-2], rng)
    bounds = np.cumsum(outcome.weight, axis=-1)
    which = (rng.random((*bounds.shape[:-1], shape[-3], shape[-2]))[..., None] > bounds[..., None, None, :]).sum(
        axis=-1
    )
    which = np.minimum(which, drawn.shape[-3] - 1)[..., None]
    return np.asarray(np.take_along_axis(drawn, np.broadcast_to(which, (*which.shape[:-1], shape[-1])), axis=-3))


def allocate(
    chances: Floats,
    policy: Policy,
    *,
    incumbent: NDArray[np.int64],
    open_arms: Booleans,
    new_arms: Booleans,
    approved: Booleans,
    unconfirmed: Booleans,
    former: Booleans | None = None,
) -> Floats:
    """pi = (1 - sum of floors) psi + floors, then the cap; (..., K), summing to one, 0 for closed arms.

    incumbent (...): its index. approved: arms that a person has approved for use (the incumbent is). unconfirmed: arms
    whose gate has not passed. former: former incumbents that keep the holdback.
    """
    arms = chances.shape[-1]
    is_incumbent = np.arange(arms) == incumbent[..., None]
    floors = np.where(new_arms, policy.newcomer, policy.challenger)
    if former is not None:
        floors = np.where(former, np.maximum(floors, policy.holdback), floors)
    leading = (chances >= policy.leading) & ~is_incumbent & unconfirmed
    least = np.where(leading.any(axis=-1, keepdims=True), policy.duel, policy.incumbent)
    floors = np.where(is_incumbent, least, floors) * open_arms
    floors *= np.minimum(1.0, 0.9 / np.maximum(floors.sum(axis=-1, keepdims=True), 1e-9))
    shares = (1 - floors.sum(axis=-1, keepdims=True)) * chances + floors
    if policy.uniform:
        equal = open_arms / open_arms.sum(axis=-1, keepdims=True)
        shares = (1 - policy.uniform) * shares + policy.uniform * equal
    return _capped(shares, policy.unapproved, approved | is_incumbent)


def _capped(shares: Floats, most: float, approved: Booleans) -> Floats:
    """Unapproved arms together get no more than `most`; what they lose goes to the approved ones in proportion."""
    loose = np.where(approved, 0.0, shares)
    total = loose.sum(axis=-1, keepdims=True)
    scale = np.where(total > most, most / np.maximum(total, 1e-12), 1.0)
    loose *= scale
    firm = np.where(approved, shares, 0.0)
    firm_total = np.maximum(firm.sum(axis=-1, keepdims=True), 1e-12)
    return np.asarray(loose + firm * (1 - loose.sum(axis=-1, keepdims=True)) / firm_total, dtype=float)
