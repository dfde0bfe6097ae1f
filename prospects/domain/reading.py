"""Bytes as people really have them, read into text and tables. Never raises on bad input: refusals are values.

The order is the one that hides nothing: byte order mark, UTF-16 without one, UTF-8, and only then
cp1252, with a warning. Then the delimiter (also from a `sep=` line), then a scored search for the header.
Large files go through the same steps block by block (see `blocks`); what is read of them is read anew at each pass.
"""

from __future__ import annotations

import csv
import io
import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import overload

from prospects.domain.western import WESTERN, beyond_ascii, high_bytes, western_warnings

MAX_COLUMNS = 2_000
MAX_CELL_CHARACTERS = 1_000_000
MAX_LINE_CHARACTERS = 16_000_000
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


class Text:
    """The words of a file. Those of a large one are decoded anew by each use of `blocks` or `text`."""

    def __init__(
        self,
        text: str = "",
        encoding: str = "",
        warnings: tuple[str, ...] = (),
        *,
        blocks: Callable[[], Iterator[str]] | None = None,
        lone_returns: bool | None = None,
    ) -> None:
        self.encoding, self.warnings = encoding, warnings
        self.large = blocks is not None
        self.blocks = blocks or (lambda: iter((text,)))
        #: Lines end in CR alone, as in a file of the classic Mac.
        self.lone_returns = "\n" not in text if lone_returns is None else lone_returns
        self.head = next(self.blocks(), "")[:_SAMPLE_CHARACTERS]

    @property
    def text(self) -> str:
        return "".join(self.blocks())

    def lines(self) -> Iterator[str]:
        """Physical lines, each with its end: CR, LF or both; other separators are part of what people wrote."""
        rest = ""
        for block in self.blocks():
            pieces = list(io.StringIO(rest + (block.replace("\r", "\n") if self.lone_returns else block), newline=""))
            rest = "" if not pieces or pieces[-1].endswith("\n") else pieces.pop()
            yield from pieces
            if len(rest) > MAX_LINE_CHARACTERS:
                raise BrokenTable(f"A line has more than {MAX_LINE_CHARACTERS:,} characters. Break it into rows.")
        if rest:
            yield rest if rest.endswith("\r") else f"{rest}\n"


@dataclass(frozen=True, slots=True)
class Row:
    """One record of a table; `number` counts from 1 in the file, header and preamble included."""

    number: int
    cells: tuple[str, ...]

    @property
    def blank(self) -> bool:
        return not any(map(str.strip, self.cells))


class BrokenTable(ValueError):
    """Where a table cannot be read on, in words for a person. Never leaves this module for input that was counted."""


class Rows(Sequence[Row]):
    """The records of a text that is too large to be held, read anew by each loop. Only the beginning can be cut out.

    filled: how many are not blank
    """

    def __init__(self, read: Callable[[], Iterator[Row]]) -> None:
        self._read = read
        self._count = self.filled = 0
        for row in read():
            self._count += 1
            self.filled += not row.blank

    def __iter__(self) -> Iterator[Row]:
        return self._read()

    def __len__(self) -> int:
        return self._count

    @overload
    def __getitem__(self, index: int) -> Row: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[Row, ...]: ...
    def __getitem__(self, index: int | slice) -> Row | tuple[Row, ...]:
        if isinstance(index, int):
            return next(islice(self._read(), range(self._count)[index], None))
        start, stop, step = index.indices(self._count)
        return tuple(islice(self._read(), start, stop, step))


class _Below(Sequence[Row]):
    """The rows under a header that say anything."""

    def __init__(self, rows: Rows, number: int) -> None:
        self._rows, self._number = rows, number
        above = (row for row in rows[:HEADER_SEARCH_ROWS] if row.number <= number)
        self._count = rows.filled - sum(not row.blank for row in above)

    def __iter__(self) -> Iterator[Row]:
        return (row for row in self._rows if row.number > self._number and not row.blank)

    def __len__(self) -> int:
        return self._count

    @overload
    def __getitem__(self, index: int) -> Row: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[Row, ...]: ...
    def __getitem__(self, index: int | slice) -> Row | tuple[Row, ...]:
        if isinstance(index, int):
            return next(islice(iter(self), range(self._count)[index], None))
        return tuple(islice(iter(self), *index.indices(self._count)))


@dataclass(frozen=True, slots=True)
class Table:
    """A header and the records under it."""

    header: tuple[str, ...]
    rows: Sequence[Row]
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
        return misfit(encoding, error.start)


def scrub(text: str) -> str:
    """Without NUL and lone surrogates, which no database stores and no reader sees."""
    return "".join(sign for sign in text if sign != "\x00" and not "\ud800" <= sign <= "\udfff")


def _western(data: bytes) -> Text:
    try:
        data.decode("utf-8")
        place = 0
    except UnicodeDecodeError as error:
        place = error.start
    text = data.decode("utf-8", errors=WESTERN)
    # Each byte of Windows-1252 is one sign; where there are fewer signs, some were UTF-8.
    mixed = beyond_ascii(text) < high_bytes(data)
    warnings = western_warnings(bad=text.count("\ufffd"), line=data.count(b"\n", 0, place) + 1, mixed=mixed)
    return Text(text=text, encoding="mixed" if mixed else "cp1252", warnings=warnings)


def is_binary(text: str) -> bool:
    """Whether the beginning of a text holds more control signs than any text does."""
    head = text[:4_000]
    odd = sum(1 for sign in head if unicodedata.category(sign) == "Cc" and sign not in "\t\r\n\f\v\x1a")
    return odd > max(2, len(head) // 100)


def foreign_of(data: bytes) -> Unreadable | None:
    """What a file is that is no text, by its first bytes."""
    for start, what in _BINARY:
        if data.startswith(start):
            return Unreadable(f"This is {what}, not a list of people. Export it as CSV or JSON and import that.")
    return None


def marked_encoding(data: bytes) -> str:
    """The encoding that the first bytes say, "" without such a mark."""
    return next((encoding for mark, encoding in _MARKS if data.startswith(mark)), "") or _utf16_without_mark(data)


def misfit(encoding: str, place: int) -> Unreadable:
    """The byte at `place`, from 0, is not of the encoding that the file says it has."""
    return Unreadable(
        f"The file says it is {encoding.removesuffix('-sig').upper()} but byte {place + 1} does not fit. "
        "Save it again as UTF-8 and import that."
    )


def decode(data: bytes) -> Text | Unreadable:
    """The text of a file. Empty and binary files are refused with the reason."""
    if not data.strip():
        return Unreadable("The file is empty.")
    foreign = foreign_of(data)
    if foreign is not None:
        return foreign
    marked = marked_encoding(data)
    found: Text | Unreadable
    if marked:
        found = _attempt(data, marked)
    else:
        found = _attempt(data, "utf-8")
        found = _western(data) if isinstance(found, Unreadable) else found
    if isinstance(found, Text) and not found.text.strip():
        return Unreadable("The file is empty.")
    if isinstance(found, Text) and is_binary(found.text):
        return Unreadable("This is not a text file. Export it as CSV or JSON and import that.")
    if isinstance(found, Text) and "\x00" in found.text:
        return Text(text=found.text.replace("\x00", ""), encoding=found.encoding, warnings=found.warnings)
    return found


def _delimiter_score(lines: Sequence[str], delimiter: str) -> float:
    try:
        widths = [len(row) for row in csv.reader(lines, delimiter=delimiter) if row]
    except csv.Error:
        return 0.0
    if not widths:
        return 0.0
    width, count = max(Counter(widths).items(), key=lambda item: (item[1] * (item[0] > 1), item[0]))
    return 0.0 if width < 2 else count / len(widths) * (1 + min(width, 50) / 100)


def _sample(text: Text) -> list[str]:
    lines = list(islice(Text(text.head, lone_returns=text.lone_returns).lines(), 60))
    return lines[:-1] if len(lines) > 1 and len(text.head) == _SAMPLE_CHARACTERS else lines


def _find_delimiter(sample: Sequence[str]) -> str:
    best = max(_DELIMITERS, key=lambda delimiter: _delimiter_score(sample, delimiter))
    return best if _delimiter_score(sample, best) else ","


def _column_of(cells: Sequence[str]) -> int:
    return next((index for index, cell in enumerate(cells, 1) if _END in cell), len(cells))


def _closed(lines: Iterator[str]) -> Iterator[str]:
    """The lines, and a mark behind them that tells a cell left open."""
    yield from lines
    yield _END


def _parsed(lines: Iterator[str], delimiter: str, offset: int) -> Iterator[Row]:
    """Raises BrokenTable with row and column in words."""
    number = offset
    reader = csv.reader(_closed(lines), delimiter=delimiter)
    try:
        for number, cells in enumerate(reader, offset + 1):
            if len(cells) > MAX_COLUMNS:
                raise BrokenTable(f"Row {number} has {len(cells):,} columns; at most {MAX_COLUMNS:,} are read.")
            if len(cells) == 1 and cells[0] == _END:
                return
            yield Row(number=number, cells=tuple(cells))
    except csv.Error as error:
        raise BrokenTable(
            f"Row {number + 1} cannot be read ({error}). Mend that row and import the file again."
        ) from error
    raise BrokenTable(
        f"Row {number}, column {_column_of(cells)}: a quotation mark is opened and never closed. "
        "Close it and import the file again."
    )


def rows_of(text: Text) -> Sequence[Row] | Unreadable:
    """All records of a delimited text, quoted line breaks included, in any of the usual delimiters."""
    sample = _sample(text)
    hint = _SEP_LINE.match(sample[0].strip("\r\n")) if sample else None
    delimiter, offset = (hint.group(1), 1) if hint else (_find_delimiter(sample), 0)

    def read() -> Iterator[Row]:
        return _parsed(islice(text.lines(), offset, None), delimiter, offset)

    try:
        return Rows(read) if text.large else tuple(read())
    except BrokenTable as error:
        return Unreadable(str(error))


def split_rows(text: str) -> tuple[Row, ...] | Unreadable:
    """All records of a delimited text that is at hand."""
    found = rows_of(Text(text))
    return found if isinstance(found, Unreadable) else tuple(found)


def fold_label(label: str) -> str:
    """A column name for comparing: case, accents, punctuation and spaces folded ("E-mail 1 - Value" → "email1value")."""
    if label.isascii():
        return "".join(filter(str.isalnum, label.lower()))
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
    if isinstance(rows, Rows):
        return Table(header=header_names(best.cells), rows=_Below(rows, best.number))
    below = tuple(row for row in rows if row.number > best.number and not row.blank)
    return Table(header=header_names(best.cells), rows=below)
