"""The beginning of a table: its header, its first rows, and what its columns look like. Cheap for a file of any size."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from prospects.domain.columns import Column, by_labels, columns_of, fingerprint_of
from prospects.domain.reading import HEADER_SEARCH_ROWS, Row, Unreadable, fold_label
from prospects.domain.upload import Upload

HEAD_BYTES = 1_000_000
SAMPLE_ROWS = 200


@dataclass(frozen=True, slots=True)
class Head:
    """header_row is the number of the header, 0 where the table has none; rows are the first ones below it.

    first   the first rows of the file, among which the header can be chosen
    whole   whether the rows are all that the file has
    """

    header_row: int
    labels: tuple[str, ...]
    columns: tuple[Column, ...]
    rows: tuple[Row, ...]
    first: tuple[Row, ...]
    whole: bool

    @property
    def fingerprint(self) -> str:
        return fingerprint_of(self.labels) if self.header_row else ""


def beginning_of(upload: Upload) -> Upload:
    """The first part of a large text file, cut where no record is torn; other files as they are."""
    if upload.is_zip or upload.size <= HEAD_BYTES:
        return upload
    data = upload.head(HEAD_BYTES)
    wide = data[:2] in (b"\xff\xfe", b"\xfe\xff") or data[:200].count(0) > 20
    end = len(data) - len(data) % 2
    while end > 0:
        end = max(data.rfind(b"\n", 0, end), data.rfind(b"\r", 0, end))
        if end < 0:
            break
        stop = end + 1 + (wide and end % 2 == 0)
        if data.count(b'"', 0, stop) % 2 == 0 and (not wide or stop % 2 == 0):
            return Upload(file_name=upload.file_name, data=data[:stop])
    return upload


def table_of(upload: Upload) -> Sequence[Row] | Unreadable | None:
    """The rows of a file that can be read as a table of columns; None for archives, JSON, cards and XML."""
    if upload.is_archive:
        return upload.members if isinstance(upload.members, Unreadable) else None
    if not upload.is_zip:
        if isinstance(upload.decoded, Unreadable):
            return upload.decoded
        if upload.looks_like_json or upload.decoded.text.lstrip()[:12].casefold().startswith(("<", "begin:vcard")):
            return None
    return upload.rows


def _looks_like_header(row: Row) -> float:
    """Names of columns are short words, each once; values repeat, and hold figures, addresses and sentences."""
    filled = [cell.strip() for cell in row.cells if cell.strip()]
    if not filled:
        return -1.0
    known = len(by_labels(fold_label(cell) for cell in filled))
    alien = sum(1 for cell in filled if "@" in cell or "://" in cell or len(cell) > 60 or cell[:1].isdigit())
    return 3 * known + len(set(filled)) / 10 - 3 * alien


def header_row_of(rows: Sequence[Row]) -> int:
    """The number of the row that most looks like a header; the first of equals, as widths below it tell nothing more."""
    searched = [row for row in rows[:HEADER_SEARCH_ROWS] if not row.blank]
    width = max((sum(1 for cell in row.cells if cell.strip()) for row in searched), default=0)
    wide = [row for row in searched if sum(1 for cell in row.cells if cell.strip()) * 2 > width]
    best = max(wide, key=_looks_like_header, default=None)
    return best.number if best is not None else 0


def head_of(
    upload: Upload, *, header_row: int | None = None, remembered: Callable[[str], bool] | None = None
) -> Head | Unreadable | None:
    """The beginning of a table with the header in this row (0: there is none), or where it most looks like one.

    remembered: whether a mapping is kept for a fingerprint; a row with such a header is one. None: the file is no table.
    """
    part = beginning_of(upload)
    rows = table_of(part)
    if rows is None or isinstance(rows, Unreadable):
        return rows
    if not any(not row.blank for row in rows):
        return Unreadable("The file holds no rows.")
    chosen = header_row if header_row is not None else _known_header(rows, remembered) or header_row_of(rows)
    header = next((row for row in rows if row.number == chosen and chosen), None)
    labels = tuple(cell.strip().removeprefix("\ufeff") for cell in header.cells) if header else ()
    number = header.number if header else 0
    below = [row for row in rows if row.number > number and not row.blank]
    if not below:
        return Unreadable(
            f"{upload.file_name} has column names in row {number} but no rows under them; nothing was imported."
        )
    sample = tuple(below[:SAMPLE_ROWS])
    return Head(
        header_row=number,
        labels=labels,
        columns=columns_of(labels, sample),
        rows=sample,
        first=tuple(row for row in rows[:12] if not row.blank),
        whole=part is upload and len(below) <= SAMPLE_ROWS,
    )


def _known_header(rows: Sequence[Row], remembered: Callable[[str], bool] | None) -> int:
    if remembered is None:
        return 0
    return next(
        (row.number for row in rows[:HEADER_SEARCH_ROWS] if not row.blank and remembered(fingerprint_of(row.cells))), 0
    )
