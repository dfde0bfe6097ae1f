"""Bytes into text and tables."""

from __future__ import annotations

import io
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from prospects.domain.blocks import decode_large
from prospects.domain.reading import MAX_COLUMNS, Row, Text, Unreadable, decode, fold_label, split_rows, table_from
from tests.files import MESSY

FILES = sorted(path for path in MESSY.glob("*.csv") if path.stat().st_size)


def rows_of(text: str) -> tuple[Row, ...]:
    found = split_rows(text)
    assert not isinstance(found, Unreadable), found
    return found


@pytest.mark.parametrize(
    ("data", "encoding"),
    [
        ("Né,é".encode(), "utf-8"),
        ("Né,é".encode("utf-8-sig"), "utf-8"),
        ("Né,é".encode("utf-16"), "utf-16"),
        ("Name,Firm".encode("utf-16-le"), "utf-16-le"),
        ("Name,Firm".encode("utf-16-be"), "utf-16-be"),
        ("Né,é".encode("cp1252"), "cp1252"),
    ],
)
def test_the_encoding_is_found(data: bytes, encoding: str) -> None:
    found = decode(data)
    assert isinstance(found, Text)
    assert found.encoding == encoding
    assert not found.text.startswith("\ufeff")


def test_western_encoding_comes_last_and_with_a_warning() -> None:
    found = decode((MESSY / "european_semicolon_cp1252.csv").read_bytes())
    assert isinstance(found, Text)
    assert "Théo;Brisebois" in found.text
    assert found.warnings


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"", "empty"),
        (b" \r\n", "empty"),
        (b"%PDF-1.7", "PDF"),
        (bytes(range(32)) * 40, "not a text"),
        (b"\xff\xfe\x00\xd8", "does not fit"),
    ],
)
def test_what_is_no_text_is_refused_with_the_reason(data: bytes, said: str) -> None:
    found = decode(data)
    assert isinstance(found, Unreadable)
    assert said in found.message


@pytest.mark.parametrize(
    ("text", "cells"),
    [
        ("a,b\n1,2\n", ("1", "2")),
        ("a;b\n1,5;2\n", ("1,5", "2")),
        ("a\tb\n1\t2\n", ("1", "2")),
        ("a|b\n1|2\n", ("1", "2")),
        ("a,b\r1,2\r", ("1", "2")),
        ('a,b\n"x\ny","z ""q"""\n', ("x\ny", 'z "q"')),
        ('a,b\n5" pipe,2\n', ('5" pipe', "2")),
    ],
)
def test_rows_are_split_at_the_delimiter_in_use(text: str, cells: tuple[str, ...]) -> None:
    assert rows_of(text)[1].cells == cells


def test_a_sep_line_names_the_delimiter_and_is_no_row() -> None:
    first = rows_of('sep=;\r\na,b;"c; d"\r\n')[0]
    assert (first.number, first.cells) == (2, ("a,b", "c; d"))


def test_an_unclosed_quotation_mark_is_told_with_row_and_column() -> None:
    found = split_rows('a,b\n1,2\n3,"never closed\n4,5\n')
    assert isinstance(found, Unreadable)
    assert "Row 3, column 2" in found.message


def test_too_many_columns_are_refused() -> None:
    found = split_rows("x," * (MAX_COLUMNS + 1))
    assert isinstance(found, Unreadable)
    assert "columns" in found.message


def test_a_preamble_is_no_header() -> None:
    rows = rows_of('Notes:\n"Long, long note"\n\nFirst Name,Last Name\nMaren,Oduya\n')
    table = table_from(
        rows, lambda row: float(sum(fold_label(cell) in {"firstname", "lastname"} for cell in row.cells))
    )
    assert not isinstance(table, Unreadable)
    assert (table.header, len(table.rows)) == (("First Name", "Last Name"), 1)


def test_a_file_without_a_header_says_so() -> None:
    table = table_from(rows_of("1,2\n3,4\n"), lambda row: 0.0)
    assert isinstance(table, Unreadable)
    assert "No header row" in table.message


@pytest.mark.parametrize("path", FILES, ids=[path.name for path in FILES])
def test_mutated_files_never_break_the_reader(path) -> None:
    rng = random.Random(path.name)
    data = path.read_bytes()
    for _ in range(40):
        mutated = bytearray(data)
        for _ in range(rng.randint(1, 12)):
            place = rng.randrange(len(mutated) + 1)
            mutated[place : place + rng.randint(0, 6)] = rng.choice(
                [b'"', b"\x00", b"\xff", b",", b"\r", b"\n", b"\xed\xa0\x80", b""]
            )
        text = decode(bytes(mutated))
        if isinstance(text, Text):
            split_rows(text.text)


MIXED = (
    "Name,Company\nZoë Müller,Hafen\n".encode() + "Théo,Société\nÀ,B\n".encode("cp1252") + "Łukasz,Gdańsk\n".encode()
)


@pytest.mark.parametrize("large", [False, True])
@pytest.mark.parametrize(
    ("data", "text", "words"),
    [
        (MIXED, "Name,Company\nZoë Müller,Hafen\nThéo,Société\nÀ,B\nŁukasz,Gdańsk\n", "mixes encodings: what is not UTF-8, first in line 3"),
        ("A,é\nB,ü\n".encode("cp1252"), "A,é\nB,ü\n", "is not UTF-8, first in line 1; it was read as Windows-1252"),
        (b"A,B\n\x81,x\n", "A,B\n\ufffd,x\n", "first in line 2"),
    ],
)  # fmt: skip
def test_what_is_not_utf8_is_read_as_western_and_the_line_named(
    data: bytes, text: str, words: str, large: bool
) -> None:
    found = decode_large(lambda: io.BytesIO(data), block=7) if large else decode(data)
    assert isinstance(found, Text)
    assert found.text == text
    assert words in found.warnings[0]


@given(
    st.lists(
        st.tuples(st.text(st.characters(codec="cp1252", exclude_categories=["Cc", "Cs"]), max_size=9), st.booleans()),
        max_size=9,
    )
)
def test_small_and_large_files_of_mixed_encodings_read_the_same(lines: list[tuple[str, bool]]) -> None:
    data = b"Name\n" + b"".join(f"{line}\n".encode("cp1252" if western else "utf-8") for line, western in lines)
    small, large = decode(data), decode_large(lambda: io.BytesIO(data), block=5)
    assert isinstance(small, Text)
    assert isinstance(large, Text)
    assert (small.text, small.warnings) == (large.text, large.warnings)
