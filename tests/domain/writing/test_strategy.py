"""Strategies: shipped figures, a stored form that survives, and draws whose odds are logged."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from messaging.hooks.domain.kinds import Layer
from messaging.hooks.domain.ranking import rank
from messaging.writing.domain.strategy import (
    DEFAULT_BANDS,
    SHIPPED,
    LengthBand,
    StrategyParameters,
    Unreadable,
    as_json,
    draw_strategy,
    limits_of,
    prefer,
    read_parameters,
)
from prospects.domain.evidence import Actor, Kind
from tests.domain.writing.material import COMPANY, NAME, POST, a_dossier, evidence

SHIPPED_FIGURES = [
    ("linkedin_message", LengthBand(60, 80)),
    ("inmail", LengthBand(100, 150)),
    ("linkedin_connection", LengthBand(60, 200, "characters")),
]


@pytest.mark.parametrize(("channel", "band"), SHIPPED_FIGURES)
def test_default_bands_are_the_methods_figures(channel, band):
    assert DEFAULT_BANDS[channel] == band


def test_default_depth_is_two_and_all_layers_are_used():
    assert StrategyParameters().depth == 2
    assert StrategyParameters().layers == tuple(Layer)


def test_note_limit_is_the_accounts_own():
    assert limits_of(channel="linkedin_connection").body == 200
    assert limits_of(channel="linkedin_connection", note_limit=300).body == 300
    assert limits_of(channel="inmail", note_limit=300).body == 1_900


@pytest.mark.parametrize("shipped", SHIPPED, ids=lambda shipped: shipped.key)
def test_shipped_strategy_survives_being_stored(shipped):
    assert read_parameters(as_json(shipped.parameters)) == shipped.parameters


UNREADABLE = [
    ({"depht": 2}, "depht"),
    ({"depth": 9}, "depth"),
    ({"tone": "loud"}, "tone"),
    ({"threshold": 2}, "threshold"),
    ({"layers": ["cosmic"]}, "cosmic"),
    ({"bands": {"fax": {"least": 1, "most": 2}}}, "fax"),
    ({"bands": {"email": {"least": 9, "most": 2}}}, "9 to 2"),
    ({"bands": 3}, "bands"),
    ({"hook_preference": {"milestone": -1}}, "below 0"),
    ({"hook_preference": {"weather": 1}}, "milestone"),
    ({"threshold": "high"}, "not supported"),
]


@pytest.mark.parametrize(("stored", "words"), UNREADABLE)
def test_unreadable_parameters_say_which_field(stored, words):
    answer = read_parameters(stored)
    assert isinstance(answer, Unreadable)
    assert words in answer.reason


def test_missing_fields_take_the_shipped_default():
    assert read_parameters({"depth": 1}) == replace(StrategyParameters(), depth=1)


def test_milestones_come_first_where_the_strategy_prefers_them():
    talk = evidence("talks[0]", Kind.TALK, "x", on="2026-10-20", title="Heat in the kiln", event="Kiln Day")
    news = evidence("news1", Kind.COMPANY_NEWS, "A kiln that reports heat", on="2026-11-10", actor=Actor.COMPANY)
    dossier = a_dossier(NAME, COMPANY, talk, news, POST)
    hooks = rank(dossier=dossier, value_proposition="")
    parameters = read_parameters({"hook_preference": {"milestone": 5}})
    assert prefer(hooks=hooks, dossier=dossier, parameters=parameters)[0].ref == "talks[0]"
    only = replace(parameters, layers=(Layer.CONTEXTUAL,))
    assert {hook.layer for hook in prefer(hooks=hooks, dossier=dossier, parameters=only)} <= {Layer.CONTEXTUAL}


@given(weights=st.dictionaries(st.text(min_size=1, max_size=5), st.floats(0, 100), min_size=1), seed=st.integers())
def test_propensities_sum_to_one_and_nothing_without_weight_is_drawn(weights, seed):
    if not any(weight > 0 for weight in weights.values()):
        with pytest.raises(ValueError, match="above 0"):
            draw_strategy(weights=weights, rng=Random(seed))
        return
    drawn = draw_strategy(weights=weights, rng=Random(seed))
    assert sum(drawn.propensities.values()) == pytest.approx(1)
    assert set(drawn.propensities) == set(weights)
    assert weights[drawn.key] > 0


def test_draws_follow_the_weights():
    rng = Random(7)
    drawn = Counter(draw_strategy(weights={"a": 3, "b": 1}, rng=rng).key for _ in range(4_000))
    assert drawn["a"] / 4_000 == pytest.approx(0.75, abs=0.03)


def test_the_order_of_the_weights_does_not_matter():
    one = draw_strategy(weights={"a": 1, "b": 2}, rng=Random(3))
    other = draw_strategy(weights={"b": 2, "a": 1}, rng=Random(3))
    assert one == other
