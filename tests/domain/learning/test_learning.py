"""The learning loop's estimators against known truths, quick and seeded; the long version is `bin/bench learning`."""

from __future__ import annotations

import json
from io import StringIO

import lifelines
import numpy as np
import pytest
from django.core.management import CommandError, call_command
from hypothesis import given, settings
from hypothesis import strategies as st
from lifelines import statistics
from statsmodels import api

from analytics.domain.learning import allocation, delay, gate, guardrails, meetings, needs
from analytics.domain.learning.effects import LEVEL_SD, SEGMENT_SD, SLOPE_SD, STRATEGY_SD, Cells, fit
from analytics.domain.learning.factorial import METHOD_EFFECTS, METHOD_NAMES, steered
from analytics.domain.learning.market import Market
from analytics.domain.learning.posterior import REPLY_TAUS, posterior
from analytics.domain.learning.simulation import NEVER, Plan, simulate
from analytics.domain.learning.synthetic import recover, table


def test_the_delay_curve_counts_young_messages_for_what_they_may_still_bring():
    answered = np.asarray([10.0, 5.0, 5.0])
    watched = np.asarray([100.0, 80.0, 50.0])
    grown = delay.incidence(answered, watched)
    assert grown == pytest.approx([0.1, 1 - 0.9 * 0.9375, 1 - 0.9 * 0.9375 * 0.9])
    curve = delay.delay_curve(answered * 1e6, watched * 1e6)
    assert curve.at([-1.0, 0.5, 7.0]) == pytest.approx([0.0, grown[0] / grown[-1], 1.0], abs=1e-4)
    assert delay.effective_exposure(np.asarray([0.0, 0.0, 40.0]), curve) == pytest.approx(40.0)


def test_without_replies_the_usual_curve_is_taken():
    curve = delay.delay_curve(np.zeros(28), np.zeros(28))
    assert curve.share == pytest.approx(delay.usual_curve())
    assert 1.0 < np.interp(0.5, curve.share, np.arange(1, 29)) < 4.0


@pytest.mark.parametrize(
    ("of_arm", "of_incumbent", "odds", "claims"),
    [(55, 32, 1.0, False), (160, 90, 1.0, True), (90, 160, 1.0, False), (250, 50, 5.0, False), (0, 0, 1.0, False)],
)
def test_the_gate_claims_on_outcomes_alone(of_arm, of_incumbent, odds, claims):
    wealth = gate.log_wealth(np.asarray(float(of_arm)), np.asarray(float(of_incumbent)), np.asarray(odds))
    assert bool(gate.log_evidence(wealth) >= gate.threshold(1)) is claims


@given(st.floats(0.05, 20.0), st.floats(0.0, 1.0))
def test_no_outcome_raises_the_evidence_on_average_when_the_arm_is_no_better(odds, worse):
    """The expectation of each factor is at most one when the arm's odds are at most q: nothing can be claimed by luck."""
    ratio = 1.0 - worse
    chance = odds * ratio / (1 + odds * ratio)
    won = np.exp(gate.log_wealth(np.asarray(1.0), np.asarray(0.0), np.asarray(odds)))
    lost = np.exp(gate.log_wealth(np.asarray(0.0), np.asarray(1.0), np.asarray(odds)))
    assert np.all(chance * won + (1 - chance) * lost <= 1 + 1e-9)


def test_an_even_draw_is_told_in_whole_outcomes():
    drawn = gate.even_draw(np.asarray([60.0, 10.0]), np.asarray([10.0, 10.0]), np.asarray([4.0, 1.0]))
    assert (drawn.of_arm, drawn.of_incumbent) == pytest.approx((25.0, 20.0))


@given(
    st.lists(st.integers(0, 300), min_size=2, max_size=6).map(np.asarray),
    st.integers(0, 2**31),
    st.integers(0, 5),
)
@settings(max_examples=40, deadline=None)
def test_shares_sum_to_one_keep_floors_and_give_nothing_to_closed_arms(replies, seed, closed):
    arms = len(replies)
    rng = np.random.default_rng(seed)
    opened = np.ones(arms, dtype=bool)
    opened[closed % arms] = closed % arms == 0  # the incumbent stays open
    fitted = posterior(replies.astype(float), np.full(arms, 400.0), usual=0.05, taus=REPLY_TAUS)
    chances = allocation.best_chances(fitted.draws(50, rng), fitted.weight, open_arms=opened)
    policy = allocation.Policy()
    shares = allocation.allocate(
        chances, policy, incumbent=np.asarray(0), open_arms=opened, new_arms=np.zeros(arms, bool),
        approved=np.ones(arms, bool), unconfirmed=np.ones(arms, bool),
    )  # fmt: skip
    assert shares.sum() == pytest.approx(1)
    assert np.all(shares[opened] >= policy.challenger - 1e-9)
    assert shares[0] >= policy.incumbent - 1e-9
    assert np.all(shares[~opened] == 0)


def test_unapproved_arms_together_stay_under_their_cap():
    chances = np.asarray([0.01, 0.01, 0.49, 0.49])
    shares = allocation.allocate(
        chances, allocation.Policy(), incumbent=np.asarray(0), open_arms=np.ones(4, bool), new_arms=np.zeros(4, bool),
        approved=np.asarray([True, True, False, False]), unconfirmed=np.ones(4, bool),
    )  # fmt: skip
    assert shares[2:].sum() == pytest.approx(0.40)
    assert shares.sum() == pytest.approx(1)


@pytest.mark.parametrize(
    ("optouts", "messages", "frozen"),
    [(3, 10, False), (4, 100, True), (6, 300, True), (5, 300, False), (5, 1500, False), (30, 7000, False)],
)
def test_an_arm_is_frozen_by_people_who_leave(optouts, messages, frozen):
    chance = guardrails.freeze_chance(np.asarray(float(optouts)), np.asarray(float(messages)), 0.004)
    assert bool(chance >= guardrails.FREEZE_AT) is frozen


def test_a_promotion_waits_until_opt_outs_are_known_to_be_no_worse():
    few = guardrails.no_worse_chance(np.asarray(1.0), np.asarray(300.0), np.asarray(1.0), np.asarray(300.0))
    many = guardrails.no_worse_chance(np.asarray(40.0), np.asarray(12000.0), np.asarray(60.0), np.asarray(15000.0))
    assert few < guardrails.PROMOTE_AT < many


def test_a_difference_that_is_not_there_is_never_called_near():
    assert not needs.needed(base=0.05, ratio=1.0, weekly=200).known
    assert "no difference" in needs.in_words(needs.needed(base=0.05, ratio=0.9, weekly=200))
    near = needs.needed(base=0.05, ratio=1.3, weekly=200, alpha=0.10)
    assert 20 < near.weeks < 60
    assert "weeks at this rate" in needs.in_words(near)


def test_times_to_meeting_and_their_difference():
    days = np.asarray([1.0, 3.0, 8.0, 30.0, 30.0, 30.0])
    met = np.asarray([True, True, True, False, False, False])
    found = meetings.meeting_times(days, met)
    assert (found.meetings, found.messages, found.median) == (3, 6, 3.0)
    assert found.by_day[8] == pytest.approx(0.5)
    assert meetings.log_rank(days, met, days, met)[1] == pytest.approx(1.0)
    later = np.where(met, days + 15, days)
    assert meetings.log_rank(np.tile(days, 30), np.tile(met, 30), np.tile(later, 30), np.tile(met, 30))[1] < 0.05


def test_equal_strategies_are_rarely_told_apart_and_a_better_one_is():
    alike = simulate(Market(lifts=np.ones(4)), Plan(every=7, promotes=False), runs=60, arms=4, seed=11)
    assert (alike.confirmed_on < NEVER).any(axis=1).mean() <= 0.08
    market = Market(lifts=np.asarray([1.0, 1.0, 1.0, 1.3]), weekly=2000)
    found = simulate(market, Plan(every=7, weeks=26), runs=40, arms=4, seed=3)
    assert (found.confirmed_on[:, 3] < NEVER).mean() >= 0.85
    assert found.lost.sum() < 0.65 * found.lost_equal.sum()
    assert not found.worse.any()


def test_the_same_seed_gives_the_same_run():
    runs = [simulate(Market(lifts=np.asarray([1.0, 1.2])), Plan(weeks=6), runs=5, arms=2, seed=9) for _ in range(2)]
    assert np.array_equal(runs[0].shares, runs[1].shares)


def test_an_arm_that_drives_people_away_is_frozen():
    market = Market(lifts=np.ones(4), optouts=np.asarray([0.004, 0.004, 0.004, 0.016]))
    outcome = simulate(market, Plan(every=7, promotes=False), runs=60, arms=4, seed=5)
    frozen = outcome.frozen_on[:, 3] < NEVER
    assert frozen.mean() > 0.85
    assert np.median(outcome.frozen_after[frozen, 3]) <= 500
    assert (outcome.frozen_on[:, 1:3] < NEVER).mean() <= 0.05


def test_the_methods_effects_are_recovered_within_their_intervals():
    got = recover(messages=20_000, seeds=range(25), effects=np.log(METHOD_EFFECTS))
    assert 0.80 <= got.coverage <= 0.97
    assert got.claimed > 80
    assert got.wrong == 0


def test_five_hundred_messages_claim_nothing_wrong_and_almost_nothing():
    got = recover(messages=500, seeds=range(25), effects=np.log(METHOD_EFFECTS))
    assert got.claimed <= 0.1 * got.effects


def test_an_empty_table_gives_no_effect_and_no_error():
    cells = Cells(np.zeros(2, int), np.asarray([0, 1]), np.asarray([[0.0], [1.0]]), np.zeros(2), np.zeros(2))
    (effect,) = fit(cells, ["layer"]).effects
    assert effect.low < 0 < effect.high
    assert effect.better == pytest.approx(0.5, abs=0.01)


def test_segments_get_slopes_of_their_own():
    cells = table(seed=4, messages=50_000, effects=np.log(METHOD_EFFECTS), segments=3)
    fitted = fit(cells, METHOD_NAMES)
    assert fitted.by_segment.shape == (3, 5)
    assert fitted.converged
    assert sum(fitted.weights) == pytest.approx(1)


def test_learning_by_attribute_wins_most_of_what_can_be_won():
    gains = [steered(seed=seed, every=4) for seed in range(4)]
    assert np.mean([gain.share for gain in gains]) > 0.5


def test_the_command_prints_the_fixed_names():
    out = StringIO()
    call_command("simulate_learning", "--seed", "3", "--weeks", "8", "--runs", "10", "--json", stdout=out)
    figures = json.loads(out.getvalue())
    assert {"regret", "oracle", "uniform", "false_winner_rate", "best_arm_found_week"} <= set(figures)
    assert figures["regret"] <= figures["uniform"]
    with pytest.raises(CommandError, match="--weeks must be from 5 to 260"):
        call_command("simulate_learning", "--weeks", "1")


def test_the_delay_curve_agrees_with_lifelines():
    rng = np.random.default_rng(7)
    ages = np.floor(rng.weibull(0.75, 4000) * 3)
    limits = rng.integers(1, 29, 4000).astype(float)
    answers = rng.random(4000) < 0.3
    seen = answers & (ages < limits)
    watched_until = np.where(seen, ages, limits)
    ours = meetings.meeting_times(watched_until, seen, horizon=28).by_day
    theirs = lifelines.KaplanMeierFitter().fit(watched_until, seen)
    assert ours == pytest.approx(1 - theirs.survival_function_at_times(np.arange(28)).to_numpy(), abs=1e-9)


def test_the_difference_of_meeting_times_agrees_with_lifelines():
    rng = np.random.default_rng(8)
    days = [np.floor(rng.exponential(mean, 500)) for mean in (20.0, 26.0)]
    met = [values < 90 for values in days]
    cut = [np.minimum(values, 90.0) for values in days]
    ours = meetings.log_rank(cut[0], met[0], cut[1], met[1])
    theirs = statistics.logrank_test(cut[0], cut[1], met[0], met[1])
    assert ours == pytest.approx((theirs.test_statistic, theirs.p_value), rel=1e-6)


def test_without_shrinkage_the_effects_are_those_of_a_plain_logistic_regression():
    rng = np.random.default_rng(9)
    attributes = rng.integers(0, 2, (400, 3)).astype(float)
    trials = rng.integers(50, 90, 400).astype(float)
    rate = 1 / (1 + np.exp(2.5 - attributes @ np.asarray([0.3, -0.2, 0.5])))
    won = rng.binomial(trials.astype(int), rate).astype(float)
    one = np.zeros(400, dtype=int)
    ours = fit(Cells(one, one, attributes, trials, won), ["a", "b", "c"], taus=(50.0,)).effects
    plain = api.GLM(np.column_stack([won, trials - won]), api.add_constant(attributes), family=api.families.Binomial())
    theirs = plain.fit().params[1:]
    # The random slopes of a single segment cannot be told from the effects: they only widen them.
    assert [effect.mean for effect in ours] == pytest.approx(list(theirs), abs=2e-3)


def test_segments_solved_one_by_one_are_the_whole_system_solved_at_once():
    """The fit against the same model written out as one dense regression, to numerical tolerance."""
    effects = np.log(METHOD_EFFECTS)
    cells = table(seed=3, messages=20_000, effects=effects, segments=6, strategies=12)
    tau = 0.22
    found = fit(cells, METHOD_NAMES, taus=(tau,))
    own = np.eye(6)[cells.segment]
    slopes = (own[:, :, None] * cells.attributes[:, None, :]).reshape(len(own), -1)
    design = np.concatenate([np.ones((len(own), 1)), own, cells.attributes, slopes, np.eye(12)[cells.strategy]], axis=1)
    sds = np.concatenate([[LEVEL_SD], [SEGMENT_SD] * 6, [tau] * 5, [SLOPE_SD] * 30, [STRATEGY_SD] * 12])
    centre = np.zeros(len(sds))
    centre[0] = np.log((cells.successes.sum() + 1) / (cells.messages - cells.successes.sum() + 1))
    theta = centre.copy()
    for _ in range(30):
        rate = 1 / (1 + np.exp(-design @ theta))
        hessian = (design * (cells.trials * rate * (1 - rate))[:, None]).T @ design + np.diag(sds**-2.0)
        theta += np.linalg.solve(
            hessian, design.T @ (cells.successes - cells.trials * rate) - (theta - centre) / sds**2
        )
    spread = np.sqrt(np.diag(np.linalg.inv(hessian)))
    assert [effect.mean for effect in found.effects] == pytest.approx(theta[7:12], abs=1e-8)
    assert [effect.sd for effect in found.effects] == pytest.approx(spread[7:12], abs=1e-8)
    assert found.by_segment == pytest.approx(theta[7:12] + theta[12:42].reshape(6, 5), abs=1e-8)
