"""What people are told is what was computed, and no more than that."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analytics.domain.forest import Row, forest, percent_change, strips
from analytics.domain.learning.report import planned
from analytics.domain.shown import (
    against_chance,
    counted,
    drawn,
    effect_rows,
    in_percent,
    state_of,
    too_little,
    weekly_rate,
)
from analytics.domain.told import Matured, tables


@pytest.mark.parametrize(
    ("factor", "words"), [(1.0, "0"), (1.004, "0"), (1.25, "+25%"), (0.8, "−20%"), (2.0, "+100%"), (0.5, "−50%")]
)
def test_factors_in_percent(factor, words):
    assert percent_change(factor) == words


def test_an_interval_in_words():
    assert in_percent((0.99, 1.14, 1.31)) == "+14% (−1% to +31%)"
    assert in_percent(None) == ""


@given(st.lists(st.tuples(*[st.floats(0.05, 20)] * 3), max_size=6), st.booleans())
def test_everything_drawn_stays_on_the_drawing_and_in_order(found, narrow):
    rows = [Row(str(at), tuple(sorted(values)), "leaning") for at, values in enumerate(found)]
    plot = forest(rows, narrow=narrow)
    assert [mark.row for mark in plot.marks] == rows
    for mark in plot.marks:
        assert plot.left <= mark.x1 <= mark.box_x + 4.5 + 0.1
        assert mark.box_x + 4.5 <= mark.x2 + 0.1 <= plot.right + 0.2
        assert mark.y < plot.bottom < plot.height
    assert [tick.label for tick in plot.ticks if tick.middle] == ["0"]


@pytest.mark.parametrize(
    ("odds", "words"), [(0.3, "nothing yet"), (1.9, "nothing yet"), (41.6, "42 to 1"), (2e6, "over a million to 1")]
)
def test_odds_against_chance(odds, words):
    assert against_chance(odds) == words


def test_the_even_draw_is_told_in_a_sentence():
    assert drawn({"draw": (87, 55), "name": "B"}, "A") == (
        "Of 87 replies where it was an even draw, 55 came from B, the others from A."
    )
    assert drawn({"draw": (0, 0), "name": "B"}, "A") == ""


@pytest.mark.parametrize(
    ("stored", "frozen", "shown"),
    [
        ("leaning", True, "frozen"),
        ("frozen", True, "frozen"),
        ("frozen", False, "exploring"),
        ("confirmed", False, "confirmed"),
    ],
)
def test_a_stop_counts_at_once_and_its_end_too(stored, frozen, shown):
    assert state_of({"state": stored}, frozen=frozen) == shown


@pytest.mark.parametrize(
    ("messages", "replies", "little"), [(500, 25, True), (999, 300, True), (5000, 40, True), (5000, 250, False)]
)
def test_with_few_messages_or_replies_it_is_too_little(messages, replies, little):
    assert (too_little(messages=messages, replies=replies, weekly=200) is not None) == little


def test_too_little_says_how_long():
    found = too_little(messages=500, replies=25, weekly=200)
    assert found is not None
    assert found.words.startswith("Too little to tell: 500 messages with 25 replies are 28 days old. About ")
    assert found.words.endswith("weeks at this rate.")
    assert found.more == pytest.approx(20_000, rel=0.3)
    still = too_little(messages=500, replies=25, weekly=0)
    assert still is not None
    assert "none were sent" in still.words


@pytest.mark.parametrize(
    ("better", "state"),
    [
        (0.99, "more replies"),
        (0.9, "leans to more"),
        (0.6, "too little to tell"),
        (0.1, "leans to fewer"),
        (0.01, "fewer replies"),
    ],
)
def test_the_state_of_an_effect(better, state):
    row = effect_rows([{"name": "warm", "mean": 0.1, "low": 0.0, "high": 0.2, "better": better}])[0]
    assert row.state == state
    assert row.factor == "×1.11 (1.00–1.22)"


def test_tables_add_up_by_each_dimension():
    def row(sent, **attributes):
        return Matured(1, "en", "email", "head", attributes, sent, sent // 10, 1, 1, 0)

    found = tables(
        [
            row(100, hook="milestone", layers=["situational", "contextual"]),
            row(50, hook="profile"),
            row(30, hook="profile"),
        ]
    )
    assert [(one["value"], one["sent"]) for one in found["hook"]] == [("milestone", 100), ("profile", 80)]
    assert [one["value"] for one in found["layers"]] == ["contextual, situational", "none"]
    assert found["language"] == [
        {"value": "en", "sent": 180, "replied": 18, "positive": 3, "meetings": 3, "optouts": 0}
    ]
    shown = counted(found["hook"])[0]
    assert shown.reply is not None
    assert shown.reply.share == pytest.approx(0.1)


def test_shares_over_time():
    strip = strips([{"1": 30, "2": 70}, {"1": 50, "2": 50}], {"1": "One", "2": "Two"})[0]
    assert [column.height for column in strip.columns] == [12, 20]
    assert strip.now == "50%"
    assert strips([], {"1": "One"})[0].columns == ()
    assert weekly_rate([{"sent": {"1": 30, "2": 70}}, {"sent": {"1": 50}}]) == 75
    assert weekly_rate([]) == 0


def test_a_plan_is_the_same_each_time_and_finds_large_differences_sooner():
    large = planned(weekly=2000, base=0.05, lift=0.6, strategies=2)
    planned.cache_clear()
    assert planned(weekly=2000, base=0.05, lift=0.6, strategies=2) == large
    small = planned(weekly=100, base=0.05, lift=0.1, strategies=2)
    assert large.median is not None
    assert large.median < 12
    assert small.median is None
    assert [share for _, share in large.by] == sorted(share for _, share in large.by)
