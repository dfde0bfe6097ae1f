"""Shares and intervals of the funnel."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analytics.domain.chart import narrow, wide
from analytics.domain.funnel import KEYS, funnel, wilson


@pytest.mark.parametrize(
    ("hits", "trials", "low", "high"),
    [(0, 10, 0.0, 0.278), (10, 10, 0.722, 1.0), (331, 3388, 0.088, 0.108), (1, 2, 0.095, 0.905)],
)
def test_the_interval_is_wilsons(hits: int, trials: int, low: float, high: float) -> None:
    found = wilson(hits=hits, trials=trials)
    assert found is not None
    assert (found.low, found.high) == pytest.approx((low, high), abs=0.001)


def test_without_trials_there_is_no_share() -> None:
    assert wilson(hits=0, trials=0) is None


@given(st.integers(1, 10**6).flatmap(lambda trials: st.tuples(st.integers(0, trials), st.just(trials))))
def test_the_share_lies_in_its_interval(pair: tuple[int, int]) -> None:
    found = wilson(hits=pair[0], trials=pair[1])
    assert found is not None
    assert 0 <= found.low <= found.share + 1e-12
    assert found.share - 1e-12 <= found.high <= 1


def test_bars_are_drawn_in_proportion() -> None:
    stages = funnel(counts={"drafted": 200, "verified": 100})
    assert [stage.key for stage in stages] == list(KEYS)
    assert [bar.width for bar in wide(stages=stages).bars][:3] == [330.0, 165.0, 0.0]
    assert len(narrow(stages=funnel(counts={})).bars) == len(KEYS)
