"""When a role was held, from whatever columns a table has: an ended role is never told as a present one."""

from __future__ import annotations

from datetime import date

import pytest

from prospects.domain.evidence import Kind
from prospects.domain.formats.registry import read_upload
from prospects.domain.imported import Reading
from prospects.domain.upload import Upload
from tests.files import table

TODAY = date(2026, 12, 1)
HARD = table("dates_hard.csv")


def read(header: str, cells: str) -> tuple[str, str, tuple[str, ...]]:
    """(start, end, warnings) of the one role."""
    data = f"Full Name,Title,Company,{header}\nAda Ek,CTO,Acme,{cells}\n".encode()
    found = read_upload(Upload(file_name="x.csv", data=data), today=TODAY)
    assert isinstance(found, Reading), found
    role = next(item for item in found.people[0].evidence if item.kind is Kind.POSITION)
    return role.get("start"), role.get("end"), found.warnings


@pytest.mark.parametrize(
    ("header", "cells", "start", "end"),
    [
        ("Start Date,End Date", "2015,2017", "2015", "2017"),
        ("Start Date,End Date", "2015,", "2015", ""),
        ("Start Date,End Date", "2015-03,Present", "2015-03", ""),
        ("Started,Ended", "2015,heute", "2015", ""),
        ("Start Date,End Date", ",2017", "", "2017"),
        ("Start Date,End Date", "2015,soon", "2015", "unknown"),
        ("Start Date,End Date", "2020,2015", "2020", "unknown"),
        ("Start Date,End Date", "2015,03/04/2021", "2015", "unknown"),
        ("Start Date,End Date", "null,null", "", ""),
        ("Start Date", "2015 - 2017", "2015", "2017"),
        ("Start Date", "2015 - Present", "2015", ""),
        ("Since", "2015", "2015", ""),
        ("Date Range", "2015 - 2017", "2015", "2017"),
        ("Date Range", "2015", "2015", "unknown"),
        ("Zeitraum", "seit 2015", "2015", "unknown"),
        ("Date Range", "", "", ""),
    ],
)
def test_a_role_ends_where_the_table_says_so(header: str, cells: str, start: str, end: str) -> None:
    assert read(header, cells)[:2] == (start, end)


@pytest.mark.parametrize("cells", ["2015,soon", "2020,2015", "2015,03/04/2021", "03/04/2021,2022"])
def test_what_is_not_certain_is_told(cells: str) -> None:
    assert "kept as unknown" in " ".join(read("Start Date,End Date", cells)[2])


@pytest.mark.parametrize("row", HARD, ids=[row["raw"] for row in HARD])
@pytest.mark.parametrize("header", ["Start Date", "Date Range"])
def test_hard_dates_in_a_column_give_the_expected_start_and_end(header: str, row: dict[str, str]) -> None:
    start, end, warnings = read(header, f'"{row["raw"]}"')
    expected = row["expected_start"]
    assert start == ("" if expected == "AMBIGUOUS" else expected)
    assert end.replace("unknown", "") == row["expected_end"]
    assert expected != "AMBIGUOUS" or any("can be read as" in warning for warning in warnings)
    if row["current"] == "1":
        assert end == ""
