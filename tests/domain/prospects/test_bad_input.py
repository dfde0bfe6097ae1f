"""Whatever a cell, a line or a value holds: nothing raises, nothing is lost, nothing is made up."""

from __future__ import annotations

import calendar
import csv
import io
import json
from datetime import date

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from prospects.domain.evidence import Evidence
from prospects.domain.formats.registry import read_upload
from prospects.domain.identity import is_blank
from prospects.domain.imported import Reading
from prospects.domain.names import NoName, read_name
from prospects.domain.reading import Unreadable
from prospects.domain.spreadsheet import inert
from prospects.domain.upload import Upload
from prospects.domain.wild_dates import read_date, read_period
from tests.fuzz import CELLS, spoiled

TODAY = date(2026, 12, 1)
HEADER = (
    "Full Name",
    "Title",
    "Company",
    "Start Date",
    "End Date",
    "Email",
    "LinkedIn URL",
    "Headline",
    "Location",
    "Skills",
)
NULLS = ("null", "NULL", "None", "n/a", "N/A", "-", "--", "#N/A", "nan", "undefined", "[not provided]", "false", " ")
cell = st.one_of(st.sampled_from(CELLS), st.sampled_from(NULLS), st.text(max_size=40), st.dates().map(str))
rows = st.lists(st.lists(cell, min_size=1, max_size=len(HEADER) + 2), max_size=6)


def table(lines: list[list[str]]) -> bytes:
    written = io.StringIO()
    csv.writer(written).writerows([HEADER, *lines])
    return written.getvalue().encode("utf-8", errors="surrogatepass")


def texts_of(found: Reading) -> list[str]:
    items: list[Evidence] = [item for person in found.people for item in (*person.evidence, *person.about_company)]
    items += [item for row in found.owner_rows for item in row.evidence]
    return [text for item in items for text in (item.text, *item.fields.values())]


@settings(deadline=None, max_examples=60)
@given(rows)
def test_every_row_of_any_table_is_a_person_or_has_a_reason(lines: list[list[str]]) -> None:
    found = read_upload(Upload(file_name="people.csv", data=table(lines)), today=TODAY)
    if isinstance(found, Unreadable):
        assert found.message
        return
    places = [person.row for person in found.people] + [entry.row for entry in found.skipped]
    assert len(places) == len(set(places))
    assert all(entry.reason for entry in found.skipped)
    for text in texts_of(found):
        assert text.strip()
        assert not is_blank(text)
        assert "\x00" not in text
        text.encode("utf-8")  # no halves of surrogate pairs


@settings(deadline=None, max_examples=60)
@given(st.binary(max_size=400), st.sampled_from(("x.csv", "x.json", "x.vcf", "x.zip", "x.xml", "x", "Shares.csv")))
def test_no_bytes_break_a_reader(data: bytes, name: str) -> None:
    assert isinstance(read_upload(Upload(file_name=name, data=data), today=TODAY), (Reading, Unreadable))


scalars = st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=20), st.sampled_from(CELLS))
names = st.sampled_from(
    [
        "experience",
        "experiences",
        "work_experience",
        "member_experience_collection",
        "title",
        "company",
        "company_name",
        "starts_at",
        "ends_at",
        "start_date",
        "end_date",
        "date_from",
        "public_identifier",
        "full_name",
        "fullName",
        "firstName",
        "first_name",
        "last_name",
        "name",
        "linkedinUrl",
        "provider_id",
        "timePeriod",
        "basics",
        "work",
        "data",
        "postedAt",
        "content",
        "author",
        "text",
        "education",
        "languages",
        "skills",
        "location",
        "headline",
        "about",
        "activity",
        "id",
        "url",
        "prospect",
        "posts",
    ]
)
trees = st.recursive(
    scalars,
    lambda inner: st.one_of(st.lists(inner, max_size=4), st.dictionaries(names, inner, max_size=8)),
    max_leaves=25,
)


@settings(deadline=None, max_examples=100)
@given(trees)
def test_no_json_breaks_a_reader(tree: object) -> None:
    data = json.dumps(tree).encode()
    for raw in (data, b"[" + data + b"]", data + b"\n" + data):
        assert isinstance(read_upload(Upload(file_name="x.json", data=raw), today=TODAY), (Reading, Unreadable))


@pytest.mark.parametrize("number", range(0, 300, 3))
def test_spoiled_samples_are_read_or_refused(number: int) -> None:
    name, data = spoiled(number)
    found = read_upload(Upload(file_name=name, data=data), today=TODAY)
    assert isinstance(found, (Reading, Unreadable))
    if isinstance(found, Reading):
        assert not any("\x00" in text for text in texts_of(found))


# -- dates: a precision that is not written is not made up -----------------------------------
years, months = st.integers(1950, 2030), st.integers(1, 12)


@given(years)
def test_a_year_stays_a_year(year: int) -> None:
    for text in (f"{year}", f" {year} ", f"{year}年", f"({year})"):
        found = read_date(text).interval
        assert found is not None
        assert (found.first, found.last) == (date(year, 1, 1), date(year, 12, 31))


@given(
    years,
    months,
    st.sampled_from(
        ("{y}-{m:02}", "{y}/{m:02}", "{m:02}/{y}", "{m}-{y}", "{name} {y}", "{short} {y}", "{short}. {y}", "{y}年{m}月")
    ),
)
def test_a_month_stays_a_month(year: int, month: int, form: str) -> None:
    text = form.format(y=year, m=month, name=calendar.month_name[month], short=calendar.month_abbr[month])
    found = read_date(text).interval
    assert found is not None, text
    assert found.precision == "month"
    assert (found.first.year, found.first.month) == (year, month)


@given(st.integers(1, 12), st.integers(1, 12), years)
def test_day_and_month_that_could_change_places_are_no_day(one: int, other: int, year: int) -> None:
    found = read_date(f"{one:02}/{other:02}/{year}")
    assert (found.interval is None) == (one != other)
    assert found.interval is not None or "can be read as" in found.problem


@given(st.text(max_size=60))
def test_no_text_makes_a_period_that_ends_before_it_begins(text: str) -> None:
    for found in (read_period(text), read_period(f"2015 - {text}")):
        if found.start and found.end:
            assert found.end.last >= found.start.first


# -- names, formulas, directions -------------------------------------------------------------
@pytest.mark.parametrize("sign", "=+-@\t\r")
@given(rest=st.text(alphabet="ABCabc123!()\"',|/", min_size=1, max_size=20))
def test_a_formula_is_nobody_and_inert_on_export(sign: str, rest: str) -> None:
    assert isinstance(read_name(f"={rest}"), NoName)
    shown = inert(f"{sign}{rest}")
    assert not shown.startswith(("=", "+", "-", "@", "\t", "\r"))
    assert shown.removeprefix("'") == f"{sign}{rest}"  # nothing of the value is lost


@pytest.mark.parametrize("sign", "\u200b\u200e\u200f\u202a\u202b\u202d\u202e\u2066\u2067\u2069\ufeff\u00ad\u0007\u0000")
def test_signs_that_nobody_sees_are_not_part_of_a_name(sign: str) -> None:
    for text in (f"{sign}Maren Oduya", f"Maren{sign} Oduya", f"Ma{sign}ren Oduya", f"Maren Oduya{sign}"):
        found = read_name(text)
        assert not isinstance(found, NoName)
        assert found.full == "Maren Oduya"


@pytest.mark.parametrize("null", NULLS)
def test_a_null_in_words_is_nothing_in_any_column(null: str) -> None:
    line = ["Maren Oduya", *[null] * (len(HEADER) - 1)]
    found = read_upload(Upload(file_name="people.csv", data=table([line])), today=TODAY)
    assert isinstance(found, Reading)
    assert [item.kind for item in found.people[0].evidence] == ["name"]
    nobody = read_upload(Upload(file_name="people.csv", data=table([[null, "CTO", "Acme"], line])), today=TODAY)
    assert isinstance(nobody, Reading)
    assert [person.name.full for person in nobody.people] == ["Maren Oduya"]


_PASSPORT = (
    '<SkillsPassport xmlns="http://europass.cedefop.europa.eu/Europass"><LearnerInfo><Identification><PersonName>'
    "<FirstName>&x;</FirstName><Surname>Lind</Surname></PersonName></Identification></LearnerInfo></SkillsPassport>"
)


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("cv.xml", f'<!DOCTYPE S [<!ENTITY x SYSTEM "file:///etc/passwd">]>{_PASSPORT}', "entities"),
        ("cv.xml", f'<!DOCTYPE S [<!ENTITY x "Ada">]>{_PASSPORT}', "entities"),
        ("p.json", '[{"first_name": ' + "9" * 6_000 + "}]", "more digits"),
    ],
)
def test_what_hides_in_a_file_is_named_in_plain_words(name: str, text: str, said: str) -> None:
    found = read_upload(Upload(file_name=name, data=text.encode()), today=TODAY)
    assert isinstance(found, Unreadable)
    assert said in found.message
