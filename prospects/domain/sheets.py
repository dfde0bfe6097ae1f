"""Workbooks (XLSX, XLSM, XLSB) as rows of text, by the reader calamine."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date, datetime, time, timedelta
from itertools import islice

from python_calamine import CalamineError, CalamineWorkbook

from prospects.domain.blocks import Opener
from prospects.domain.reading import MAX_COLUMNS, Row, Rows, Unreadable, scrub

MAX_ROWS = 1_048_576


def _cell(value: object) -> str:
    """Numbers without a trailing ".0"; days as ISO, whatever the sheet shows."""
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
        return str(int(value))
    if isinstance(value, datetime):
        return value.date().isoformat() if value.time() == time.min else value.isoformat(sep=" ", timespec="seconds")
    if isinstance(value, (date, time)):
        return value.isoformat()
    if isinstance(value, timedelta):
        return str(value)
    return "" if value is None else scrub(str(value))


def sheet_rows(opener: Opener) -> Sequence[Row] | Unreadable:
    """The rows of the first sheet that holds any. The library holds the sheet; the texts of its rows are made as they are read."""
    try:
        with opener() as file:
            workbook = CalamineWorkbook.from_filelike(file)
            sheets = [workbook.get_sheet_by_name(name) for name in workbook.sheet_names]
    except (CalamineError, OSError, ValueError) as error:
        return Unreadable(f"The workbook cannot be opened ({str(error)[:120]}). Save it again as XLSX or CSV.")
    sheet = next((sheet for sheet in sheets if sheet.height), None)
    if sheet is None:
        return Unreadable("The workbook holds no rows.")
    if sheet.width > MAX_COLUMNS or sheet.height > MAX_ROWS:
        return Unreadable(f"The sheet has {sheet.width:,} columns; at most {MAX_COLUMNS:,} are read.")
    row, column = sheet.start or (0, 0)

    def read() -> Iterator[Row]:
        for number, cells in enumerate(islice(sheet.iter_rows(), row, None), row + 1):
            yield Row(number=number, cells=tuple(_cell(value) for value in cells[column:]))

    return Rows(read)
