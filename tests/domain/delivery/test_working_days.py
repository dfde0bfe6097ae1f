"""Days on which nobody is written to, by the calendar of where they live."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from messaging.delivery.domain.rules import Facts, Go, Hold, NoteUse, decide
from messaging.delivery.domain.working_days import Calendar, closed_because, countries, wait_of, zone_of


def at(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


@pytest.mark.parametrize(
    ("now", "calendar", "until", "words"),
    [
        # Saturday; Monday at eight in Berlin is seven in UTC
        ("2026-11-28T12:00", Calendar(country="DE"), "2026-11-30T07:00", "weekend in Germany"),
        ("2026-11-27T12:00", Calendar(country="DE"), None, ""),
        # Friday and Saturday are the weekend there, Sunday is not
        ("2026-11-27T12:00", Calendar(country="EG"), "2026-11-29T06:00", "weekend in Egypt"),
        ("2026-11-29T12:00", Calendar(country="EG"), None, ""),
        ("2026-11-29T12:00", Calendar(), "2026-11-30T08:00", "is weekend;"),
        ("2026-11-28T12:00", Calendar(country="DE", weekends=True), None, ""),
        # Christmas, then Boxing Day, which is a Saturday
        ("2026-12-25T12:00", Calendar(country="DE"), "2026-12-28T07:00", "Christmas"),
        ("2026-12-25T12:00", Calendar(country="DE", holidays=True), None, ""),
        # Thanksgiving for the team, no day of rest for the prospect
        ("2026-11-26T12:00", Calendar(country="DE"), None, ""),
        ("2026-11-26T12:00", Calendar(country="DE", home="US"), "2026-11-27T07:00", "Thanksgiving"),
        # the team's country stands in for an unknown one
        ("2026-07-03T12:00", Calendar(home="US"), "2026-07-06T12:00", "Independence Day"),
        ("2026-12-01T12:00", Calendar(closed=frozenset({date(2026, 12, 1)})), "2026-12-02T08:00", "closed day of the team"),
        # Sunday evening in UTC is Monday morning in Sydney, Friday night there is still Friday
        ("2026-11-29T22:00", Calendar(country="AU"), None, ""),
        ("2026-11-27T14:00", Calendar(country="AU"), "2026-11-29T21:00", "weekend in Australia"),
        # a Chinese Friday night is not a weekend in Los Angeles
        ("2026-11-28T03:00", Calendar(country="US"), None, ""),
    ],
)
def test_when_it_waits_until_when_and_why(now: str, calendar: Calendar, until: str | None, words: str) -> None:
    wait = wait_of(calendar=calendar, now=at(now))
    assert (wait.until if wait else None) == (at(until) if until else None)
    assert words in (wait.reason if wait else "")


CALENDARS = st.builds(
    Calendar,
    country=st.sampled_from(["", "DE", "US", "SA", "JP", "BR", "IN", "ZZ"]),
    home=st.sampled_from(["", "GB", "CN"]),
    closed=st.frozensets(st.dates(date(2026, 1, 1), date(2026, 3, 1)), max_size=30),
    weekends=st.booleans(),
    holidays=st.booleans(),
)


@given(st.floats(0, 4 * 365 * 86_400), CALENDARS)
def test_after_a_wait_the_way_is_free_and_later(seconds: float, calendar: Calendar) -> None:
    now = at("2026-01-01") + timedelta(seconds=seconds)
    wait = wait_of(calendar=calendar, now=now)
    if wait is not None:
        assert wait.until > now
        assert wait_of(calendar=calendar, now=wait.until) is None
    if calendar.weekends and calendar.holidays and not calendar.closed:
        assert wait is None


def test_what_is_not_known_holds_nothing_up() -> None:
    assert zone_of("ZZ").utcoffset(at("2026-12-01T12:00")) == timedelta(0)
    assert closed_because(calendar=Calendar(country="ZZ"), day=date(2026, 12, 1)) == ""
    assert ("DE", "Germany") in countries()
    assert len(countries()) > 100


def test_the_order_is_what_ends_what_is_full_what_is_closed() -> None:
    saturday = at("2026-11-28T12:00")
    base = Facts(send_by=date(2026, 12, 24), calendar=Calendar(country="DE"))
    assert isinstance(decide(facts=base, now=saturday), Hold)
    assert isinstance(decide(facts=base, now=at("2026-11-30T09:00")), Go)
    full = Facts(
        send_by=date(2026, 12, 24),
        notes=(NoteUse(days=7, cap=80, used=3), NoteUse(days=30, cap=5, used=5, oldest=at("2026-11-10T09:00"))),
    )
    held = decide(facts=full, now=saturday)
    assert isinstance(held, Hold)
    assert (held.until, "5 connection notes in 30 days" in held.reason) == (at("2026-12-10T09:00"), True)
