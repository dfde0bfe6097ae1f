"""Dates and periods as people write them."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from prospects.domain.wild_dates import iso_of, period_of, read_date, read_period
from tests.files import table

HARD = table("dates_hard.csv")


@pytest.mark.parametrize("row", HARD, ids=[row["raw"] for row in HARD])
def test_hard_dates_are_read_as_expected(row: dict[str, str]) -> None:
    period = read_period(row["raw"])
    start = iso_of(period.start) or ("AMBIGUOUS" if period.problem else "")
    current = {True: "1", False: "0", None: ""}[period.current]
    assert (start, iso_of(period.end), current) == (row["expected_start"], row["expected_end"], row["current"])


@pytest.mark.parametrize(
    ("text", "iso"),
    [
        ("16 Dec 2024", "2024-12-16"),
        ("Nov 2024", "2024-11"),
        ("2024", "2024"),
        ("May 4, 2022", "2022-05-04"),
        ("07/01/23, 08:14 AM", "2023-07-01"),
        ("2024-12-17 09:02:41 UTC", "2024-12-17"),
        ("2025-01-10T08:31:22.114Z", "2025-01-10"),
        ("3. März 2021", "2021-03-03"),
        ("1er août 2019", "2019-08-01"),
        ("12 de enero de 2020", "2020-01-12"),
        ("2020年3月5日", "2020-03-05"),
        ("31/12/2020", "2020-12-31"),
        ("12.11.2020", "2020-11-12"),
    ],
)
def test_a_date_keeps_its_precision(text: str, iso: str) -> None:
    assert read_date(text).iso == iso


@pytest.mark.parametrize("text", ["03/04/2021", "31 Feb 2026", "2021-13-01", "soon", "44/44/2021"])
def test_a_date_that_cannot_be_known_is_no_date_and_says_why(text: str) -> None:
    found = read_date(text)
    assert found.interval is None
    assert found.problem


@pytest.mark.parametrize("text", ["", "null", "N/A", "-", "undefined"])
def test_words_for_nothing_are_nothing(text: str) -> None:
    assert read_date(text) == read_date("")


def test_an_undefined_end_is_neither_open_nor_closed() -> None:
    period = read_period("2019 - undefined")
    assert (iso_of(period.start), period.current, period.end_text) == ("2019", None, "unknown")


@pytest.mark.parametrize(
    ("start", "end", "end_text"),
    [("Jan 2022", "", ""), ("2015", "Nov 2017", "2017-11"), ("2023", "Present", ""), ("2020", "null", "")],
)
def test_a_period_in_two_cells_knows_whether_it_is_open(start: str, end: str, end_text: str) -> None:
    assert period_of(start, end).end_text == end_text


def test_a_period_that_ends_before_it_begins_is_flagged() -> None:
    period = period_of("2020", "2018")
    assert period.problem
    assert period.end is None


@given(st.text(max_size=60))
def test_no_text_breaks_the_reader(text: str) -> None:
    read_date(text)
    read_period(text)


@given(st.dates(min_value=date(1950, 1, 1), max_value=date(2049, 12, 31)))
def test_a_written_day_is_that_day(day: date) -> None:
    assert read_date(day.strftime("%d %b %Y")).iso == day.isoformat()
    assert read_date(day.strftime("%B %d, %Y")).iso == day.isoformat()
