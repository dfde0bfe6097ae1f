"""Readings that the drafts of a crew have in common."""

from __future__ import annotations

from itertools import count

from messaging.writing.sharing import HOLDS, Readings, shared, sharing


def test_outside_a_crew_every_reading_is_fresh() -> None:
    numbers = count()
    assert [shared("policy", lambda: next(numbers)) for _ in range(3)] == [0, 1, 2]


def test_a_reading_holds_for_a_second_and_under_its_own_name() -> None:
    now, numbers = [0.0], count()
    with sharing(Readings(clock=lambda: now[0])):
        assert [shared("policy", lambda: next(numbers)) for _ in range(3)] == [0, 0, 0]
        assert shared("offer", lambda: next(numbers)) == 1
        now[0] = HOLDS
        assert shared("policy", lambda: next(numbers)) == 2
    assert shared("policy", lambda: next(numbers)) == 3
