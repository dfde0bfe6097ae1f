"""The whole loop against a simulated market: allocation day by day, claims, guardrails, promotions.

Used by tests, by the targets, and by managers who want to know how long an experiment will take.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from analytics.domain.learning import gate, guardrails
from analytics.domain.learning.allocation import Policy, allocate, best_chances, utility
from analytics.domain.learning.delay import WINDOW, usual_curve
from analytics.domain.learning.market import Cohort, Market, Weather
from analytics.domain.learning.posterior import OTHER_TAUS, REPLY_TAUS, posterior

Floats = NDArray[np.float64]
NEVER = 10**6


@dataclass(frozen=True)
class Plan:
    """How the loop is run. fixed: shares that never change (a duel). promotes: a person approves what is confirmed."""

    weeks: int = 52
    every: int = 1  # days between reallocations
    draws: int = 64
    alpha: float = gate.ALPHA
    policy: Policy = field(default_factory=Policy)
    fixed: tuple[float, ...] = ()
    promotes: bool = True


@dataclass(frozen=True)
class Outcome:
    """Per run. Days are NEVER where it did not happen.

    lost, lost_equal   replies lost against the best strategy by our policy, and by an equal split
    oracle             replies of the best strategy
    confirmed_on       (R, K) day on which the gate passed against the incumbent of that day
    worse              (R,) whether something was confirmed that is worse than the incumbent then was
    frozen_on, frozen_after  (R, K) day, and messages of that strategy until then
    shares             (R, weeks, K) share of each week's messages
    """

    lost: Floats
    lost_equal: Floats
    oracle: Floats
    confirmed_on: NDArray[np.int64]
    worse: NDArray[np.bool_]
    frozen_on: NDArray[np.int64]
    frozen_after: Floats
    shares: Floats


class _State:
    def __init__(self, runs: int, arms: int, days: int) -> None:
        self.sent = np.zeros((runs, arms, days))
        self.shares = np.zeros((runs, arms, days))
        self.early = np.zeros((runs, arms))
        self.answered = np.zeros((runs, WINDOW))
        self.watched = np.zeros((runs, WINDOW))
        self.positive = np.zeros((runs, arms))
        self.meetings = np.zeros((runs, arms))
        self.matured_replies = np.zeros((runs, arms))
        self.matured = np.zeros((runs, arms))
        self.optouts = np.zeros((runs, arms))
        self.total = np.zeros((runs, arms))
        self.wealth = np.zeros((runs, arms, len(gate.RATIOS)))
        self.incumbent = np.zeros(runs, dtype=int)
        self.former = np.zeros((runs, arms), dtype=bool)
        self.better = np.ones((runs, arms))
        self.standing = np.zeros((runs, arms), dtype=bool)
        self.confirmed = np.full((runs, arms), NEVER)
        self.frozen = np.full((runs, arms), NEVER)
        self.frozen_after = np.zeros((runs, arms))
        self.worse = np.zeros(runs, dtype=bool)


def simulate(market: Market, plan: Plan, *, runs: int, arms: int, seed: int) -> Outcome:
    """Run `runs` independent markets. Deterministic for a seed."""
    rng = np.random.default_rng(seed)
    weather = Weather(market, runs, arms, rng)
    days = plan.weeks * 7
    state = _State(runs, arms, days)
    arrives = np.broadcast_to(market.arrives, (arms,))
    cohorts: list[Cohort] = []
    lost, lost_equal, oracle = np.zeros(runs), np.zeros(runs), np.zeros(runs)
    shares = np.zeros((runs, arms))
    for day in range(days):
        present = np.broadcast_to(arrives <= day, (runs, arms))
        open_arms = present & (state.frozen == NEVER)
        if plan.fixed:
            shares = np.broadcast_to(np.asarray(plan.fixed), (runs, arms))
        elif day % plan.every == 0 or np.any(arrives == day):
            shares = _shares(state, plan, open_arms, day, rng)
        else:
            shares = shares * open_arms
            shares = shares / shares.sum(axis=1, keepdims=True)
        rates = weather.rates()
        best = np.where(present, rates, 0.0).max(axis=1)
        daily = market.weekly / 7
        lost += daily * (best - (shares * rates).sum(axis=1))
        lost_equal += daily * (best - (present * rates).sum(axis=1) / present.sum(axis=1))
        oracle += daily * best
        cohort = weather.send(shares, day)
        cohorts.append(cohort)
        _observe(state, cohorts, shares, day)
        _judge(state, plan, weather, day, int(present[0].sum()))
    weekly = state.shares.reshape(runs, arms, plan.weeks, 7).mean(axis=3).transpose(0, 2, 1)
    return Outcome(
        lost,
        lost_equal,
        oracle,
        state.confirmed,
        state.worse,
        state.frozen,
        state.frozen_after,
        weekly,
    )


def _observe(state: _State, cohorts: list[Cohort], shares: Floats, day: int) -> None:
    """Everything that becomes known at the end of the day."""
    cohort = cohorts[day]
    state.sent[:, :, day], state.shares[:, :, day] = cohort.sent, shares
    state.total += cohort.sent
    state.optouts += cohort.optouts
    for age in range(min(WINDOW, day + 1)):
        older = cohorts[day - age]
        came = older.replies[:, :, age]
        state.early += came
        state.answered[:, age] += came.sum(axis=1)
        before = older.replies[:, :, :age].sum(axis=(1, 2)) if age else 0.0
        state.watched[:, age] += older.sent.sum(axis=1) - before
    ripe = day - WINDOW + 1
    if ripe < 0:
        return
    old = cohorts[ripe]
    won = old.replies[:, :, :WINDOW].sum(axis=2)
    state.matured += old.sent
    state.matured_replies += won
    state.positive += old.positive
    state.meetings += old.meetings
    rows = np.arange(len(state.incumbent))
    sending = state.shares[:, :, ripe]
    base = np.maximum(sending[rows, state.incumbent], 1e-9)[:, None]
    odds = np.maximum(sending, 1e-9) / base
    state.wealth += np.where(
        (sending > 0)[..., None], gate.log_wealth(won, won[rows, state.incumbent][:, None], odds), 0.0
    )


def _shares(state: _State, plan: Plan, open_arms: NDArray[np.bool_], day: int, rng: np.random.Generator) -> Floats:
    exposed = _effective(state, day)
    reply = posterior(state.early, exposed, usual=0.05, taus=REPLY_TAUS)
    state.better = reply.better_than(state.incumbent)
    positive = posterior(state.positive, state.matured_replies, usual=0.5, taus=OTHER_TAUS)
    meeting = posterior(state.meetings, state.positive, usual=0.3, taus=OTHER_TAUS)
    optout = posterior(state.optouts, state.total, usual=0.004, taus=OTHER_TAUS)
    values, weights = utility(reply, positive, meeting, optout, policy=plan.policy, draws=plan.draws, rng=rng)
    chances = best_chances(values, weights, open_arms=open_arms)
    new = exposed < plan.policy.learned
    return allocate(
        chances, plan.policy, incumbent=state.incumbent, open_arms=open_arms, new_arms=new,
        approved=np.ones_like(open_arms), unconfirmed=~state.standing, former=state.former,
    )  # fmt: skip


def _effective(state: _State, day: int) -> Floats:
    """n_eff (R, K) with the delay curve of each run so far."""
    young = min(day, WINDOW)
    hazard = np.divide(state.answered, state.watched, out=np.zeros_like(state.answered), where=state.watched > 0)
    grown = 1.0 - np.cumprod(1.0 - np.minimum(hazard, 1.0), axis=1)
    replies = state.answered.sum(axis=1, keepdims=True)
    own = np.divide(
        grown, grown[:, -1:], out=np.broadcast_to(usual_curve(), grown.shape).copy(), where=grown[:, -1:] > 0
    )
    weight = replies / (replies + 20.0)
    curve = weight * own + (1 - weight) * usual_curve()
    old = state.sent[:, :, : day - young].sum(axis=2)
    recent = state.sent[:, :, day - young : day][:, :, ::-1]
    return np.asarray(old + np.einsum("rka,ra->rk", recent, curve[:, :young]), dtype=float)


def _judge(state: _State, plan: Plan, weather: Weather, day: int, present: int) -> None:
    """Freeze what people leave over; confirm what passed the gate; let a person promote it."""
    rows = np.arange(len(state.incumbent))
    mine, sent = state.optouts, state.total
    others = guardrails.base_rate(mine.sum(axis=1, keepdims=True) - mine, sent.sum(axis=1, keepdims=True) - sent)
    open_now = state.frozen == NEVER
    freeze = open_now & (sent > 0) & (guardrails.freeze_chance(mine, sent, others) >= guardrails.FREEZE_AT)
    freeze[rows, state.incumbent] = False
    state.frozen[freeze] = day
    state.frozen_after[freeze] = sent[freeze]
    evidence = gate.log_evidence(state.wealth)
    passed = (evidence >= gate.threshold(present - 1, plan.alpha)) & (state.frozen == NEVER)
    passed &= state.better >= gate.LEANING
    passed[rows, state.incumbent] = False
    state.standing |= passed
    fresh = passed & (state.confirmed == NEVER)
    if fresh.any():
        rates = weather.rates()
        state.confirmed[fresh] = day
        state.worse |= (fresh & (rates < rates[rows, state.incumbent][:, None])).any(axis=1)
    if plan.promotes and day % 7 == 6:
        _promote(state, np.where(state.standing & (state.frozen == NEVER), evidence, -np.inf))


def _promote(state: _State, evidence: Floats) -> None:
    """A person who looks once a week makes the best confirmed strategy the incumbent, where opt-outs allow it."""
    runs = np.flatnonzero(np.isfinite(evidence.max(axis=1)))
    arms, bases = evidence[runs].argmax(axis=1), state.incumbent[runs]
    safe = guardrails.no_worse_chance(
        state.optouts[runs, arms], state.total[runs, arms], state.optouts[runs, bases], state.total[runs, bases]
    )
    willing = safe >= guardrails.PROMOTE_AT
    runs, arms, bases = runs[willing], arms[willing], bases[willing]
    state.former[runs, bases] = True
    state.former[runs, arms] = False
    state.incumbent[runs] = arms
    state.wealth[runs] = 0.0
    state.standing[runs] = False
