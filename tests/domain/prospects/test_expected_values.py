"""The table of what every sample says (tests/data/prospects_expected.json, checked by reading the samples) holds."""

from __future__ import annotations

import json

import pytest

from tests.domain.prospects.expected import TABLE, files, name_of, told

EXPECTED = json.loads(TABLE.read_text(encoding="utf-8"))
FILES = {name_of(path): path for path in files()}


def test_the_table_names_every_sample() -> None:
    assert set(EXPECTED) == set(FILES)


@pytest.mark.parametrize("name", FILES)
def test_a_sample_says_what_the_table_says(name: str) -> None:
    assert told(FILES[name]) == EXPECTED[name]


def test_every_sample_is_named_by_its_format() -> None:
    """All but the empty file, of which nobody can say what it should have been."""
    assert [name for name, entry in EXPECTED.items() if not entry["format"]] == ["26_messy_csv/empty.csv"]


def test_an_interval_is_as_long_as_the_source_is_precise() -> None:
    """No day where a sample gives a month or a year: the days in the table are those that stand in the samples."""
    lines = [line for entry in EXPECTED.values() for person in entry.get("people", []) for line in person["facts"]]
    days = {line.split("[")[1].split("..")[0] for line in lines if "[" in line and _one_day(line)}
    assert days == {
        "2016-02-29",
        "2019-11-20",
        "2012-09-01",
        "2023-10-01",
        "2024-11-19",
        "2024-10-30",
        "2026-04-01",
        "2025-12-09",
    }


def _one_day(line: str) -> bool:
    first, last = line.split("[")[1].split("]", maxsplit=1)[0].split("..")
    return first == last
