"""Bytes as people really have them, read into text and tables. Never raises on bad input: refusals are values.

The order is the one that hides nothing: byte order mark, UTF-16 without one, UTF-8, and only then
cp1252, with a warning. Then the delimiter (also from a `sep=` line), then a scored search for the header.
"""

from __future__ import annotations

import csv
import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

MAX_COLUMNS = 2_000
MAX_CELL_CHARACTERS = 1_000_000
HEADER_SEARCH_ROWS = 40
_SAMPLE_CHARACTERS = 64_000
_DELIMITERS = ",;\t|"
_END = "\ue000end of file\ue000"
_SEP_LINE = re.compile(r"""\s*"?sep=(.)"?\s*\Z""", re.IGNORECASE)
_MARKS = (
    (b"\xef\xbb\xbf", "utf-8-sig"),
    (b"\xff\xfe\x00\x00", "utf-32"),
    (b"\x00\x00\xfe\xff", "utf-32"),
    (b"\xff\xfe", "utf-16"),
    (b"\xfe\xff", "utf-16"),
)
_BINARY = (
    (b"%PDF", "a PDF"),
    (b"\x89PNG", "a picture"),
    (b"\xff\xd8\xff", "a picture"),
    (b"GIF8", "a picture"),
    (b"\xd0\xcf\x11\xe0", "an old or password-protected Office file"),
    (b"\x1f\x8b", "a gzip archive"),
    (b"7z\xbc\xaf", "a 7z archive"),
    (b"Rar!", "a RAR archive"),
    (b"\x7fELF", "a program"),
)

csv.field_size_limit(MAX_CELL_CHARACTERS)


@dataclass(frozen=True, slots=True)
class Unreadable:
    """The input cannot be used at all; the message says where it breaks and what to do.

    format: the name of the format it is in all the same, "" where that is not known.
    """

    message: str
    format: str = ""


@dataclass(frozen=True, slots=True)
class Text:
    text: str
    encoding: str
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Row:
    """One record of a table; `number` counts from 1 in the file, header and preamble included."""

    number: int
    cells: tuple[str, ...]

    @property
    def blank(self) -> bool:
        return not any(cell.strip() for cell in self.cells)


@dataclass(frozen=True, slots=True)
class Table:
    """A header and the records under it."""

    header: tuple[str, ...]
    rows: tuple[Row, ...]
    warnings: tuple[str, ...] = ()

    def records(self) -> Iterator[tuple[Row, dict[str, str]]]:
        """Each row with its cells by header name. Repeated names keep the first non-blank cell."""
        for row in self.rows:
            yield row, _record(self.header, row.cells)


def _record(header: tuple[str, ...], cells: tuple[str, ...]) -> dict[str, str]:
    record: dict[str, str] = {}
    for name, cell in zip(header, cells, strict=False):
        if not record.get(name):
            record[name] = cell.strip()
    return record


def _utf16_without_mark(data: bytes) -> str:
    """ "utf-16-le" or "utf-16-be" when every other byte of the beginning is zero, as in plain western text."""
    head = data[:400]
    if len(head) < 4:
        return ""
    even, odd = head[0::2].count(0), head[1::2].count(0)
    half = len(head) // 2
    if odd > half * 0.6 and even < half * 0.1:
        return "utf-16-le"
    if even > half * 0.6 and odd < half * 0.1:
        return "utf-16-be"
    return ""


def _attempt(data: bytes, encoding: str) -> Text | Unreadable:
    try:
        return Text(text=data.decode(encoding).removeprefix("\ufeff"), encoding=encoding.removesuffix("-sig"))
    except UnicodeDecodeError as error:
        return Unreadable(
            f"The file says it is {encoding.removesuffix('-sig').upper()} but byte {error.start + 1} does not fit. "
            "Save it again as UTF-8 and import that."
        )


def scrub(text: str) -> str:
    """Without NUL and lone surrogates, which no database stores and no reader sees."""
    return "".join(sign for sign in text if sign != "\x00" and not "\ud800" <= sign <= "\udfff")


def _western(data: bytes) -> Text:
    text = data.decode("cp1252", errors="replace")
    warnings = [
        (
            "The file is not UTF-8; it was read as Windows-1252. Check that accented letters look right, "
            "or save it again as UTF-8."
        )
    ]
    bad = text.count("\ufffd")
    if bad:
        warnings.append(f"{bad} bytes have no meaning in Windows-1252 either and are shown as \ufffd.")
    return Text(text=text, encoding="cp1252", warnings=tuple(warnings))


def _is_binary(text: str) -> bool:
    head = text[:4_000]
    odd = sum(1 for sign in head if unicodedata.category(sign) == "Cc" and sign not in "\t\r\n\f\v\x1a")
    return odd > max(2, len(head) // 100)


def decode(data: bytes) -> Text | Unreadable:
    """The text of a file. Empty and binary files are refused with the reason."""
    if not data.strip():
        return Unreadable("The file is empty.")
    for start, what in _BINARY:
        if data.startswith(start):
            return Unreadable(f"This is {what}, not a list of people. Export it as CSV or JSON and import that.")
    marked = next((encoding for mark, encoding in _MARKS if data.startswith(mark)), "") or _utf16_without_mark(data)
    found: Text | Unreadable
    if marked:
        found = _attempt(data, marked)
    else:
        found = _attempt(data, "utf-8")
        found = _western(data) if isinstance(found, Unreadable) else found
    if isinstance(found, Text) and not found.text.strip():
        return Unreadable("The file is empty.")
    if isinstance(found, Text) and _is_binary(found.text):
        return Unreadable("This is not a text file. Export it as CSV or JSON and import that.")
    if isinstance(found, Text) and "\x00" in found.text:
        return Text(text=found.text.replace("\x00", ""), encoding=found.encoding, warnings=found.warnings)
    return found


def _lines(text: str) -> list[str]:
    """Physical lines with their ends; a file of lone CRs (classic Mac) counts its CRs as ends."""
    if "\n" not in text:
        text = text.replace("\r", "\n")
    return text.splitlines(keepends=True) if "\x85" not in text and "\u2028" not in text else _plain_lines(text)


def _plain_lines(text: str) -> list[str]:
    """Lines broken at CR and LF only: other separators are part of what people wrote."""
    return re.findall(r"[^\r\n]*(?:\r\n|\n|\r)|[^\r\n]+\Z", text)


def _delimiter_score(lines: Sequence[str], delimiter: str) -> float:
    try:
        widths = [len(row) for row in csv.reader(lines, delimiter=delimiter) if row]
    except csv.Error:
        return 0.0
    if not widths:
        return 0.0
    width, count = max(Counter(widths).items(), key=lambda item: (item[1] * (item[0] > 1), item[0]))
    return 0.0 if width < 2 else count / len(widths) * (1 + min(width, 50) / 100)


def _sample(lines: Sequence[str]) -> list[str]:
    taken, size = [], 0
    for line in lines:
        taken.append(line)
        size += len(line)
        if size > _SAMPLE_CHARACTERS or len(taken) >= 60:
            break
    return taken


def _find_delimiter(lines: Sequence[str]) -> str:
    sample = _sample(lines)
    best = max(_DELIMITERS, key=lambda delimiter: _delimiter_score(sample, delimiter))
    return best if _delimiter_score(sample, best) else ","


def _column_of(cells: Sequence[str]) -> int:
    return next((index for index, cell in enumerate(cells, 1) if _END in cell), len(cells))


def _parse(lines: list[str], delimiter: str, offset: int) -> tuple[Row, ...] | Unreadable:
    rows: list[Row] = []
    if lines and not lines[-1].endswith(("\n", "\r")):
        lines = [*lines[:-1], lines[-1] + "\n"]
    reader = csv.reader([*lines, _END], delimiter=delimiter)
    number = offset
    try:
        for cells in reader:
            number += 1
            if len(cells) > MAX_COLUMNS:
                return Unreadable(f"Row {number} has {len(cells):,} columns; at most {MAX_COLUMNS:,} are read.")
            rows.append(Row(number=number, cells=tuple(cells)))
    except csv.Error as error:
        return Unreadable(f"Row {number + 1} cannot be read ({error}). Mend that row and import the file again.")
    last = rows.pop()
    if last.cells != (_END,):
        return Unreadable(
            f"Row {last.number}, column {_column_of(last.cells)}: a quotation mark is opened and never closed. "
            "Close it and import the file again."
        )
    return tuple(rows)


def split_rows(text: str) -> tuple[Row, ...] | Unreadable:
    """All records of a delimited text, quoted line breaks included, in any of the usual delimiters."""
    lines = _lines(text)
    hint = _SEP_LINE.match(lines[0].strip("\r\n")) if lines else None
    if hint:
        return _parse(lines[1:], hint.group(1), 1)
    return _parse(lines, _find_delimiter(lines), 0)


def fold_label(label: str) -> str:
    """A column name for comparing: case, accents, punctuation and spaces folded ("E-mail 1 - Value" → "email1value")."""
    plain = unicodedata.normalize("NFKD", label)
    return "".join(sign for sign in plain.casefold() if sign.isalnum())


def header_names(cells: Iterable[str]) -> tuple[str, ...]:
    return tuple(cell.strip().removeprefix("\ufeff") for cell in cells)


def table_from(rows: Sequence[Row], score: Callable[[Row], float]) -> Table | Unreadable:
    """The table whose header is the best scoring of the first rows; preambles above it are dropped.

    `score` gives 0 for a row that is no header at all.
    """
    candidates = [row for row in rows[:HEADER_SEARCH_ROWS] if not row.blank]
    best = max(candidates, key=score, default=None)
    if best is None:
        return Unreadable("The file holds no rows.")
    if score(best) <= 0:
        return Unreadable(
            f"No header row was found in the first {HEADER_SEARCH_ROWS} rows. "
            "The first row should name the columns, for example: First Name, Last Name, Company, Email."
        )
    below = tuple(row for row in rows if row.number > best.number and (row.cells and not row.blank))
    return Table(header=header_names(best.cells), rows=below)
