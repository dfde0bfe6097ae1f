"""Reading of tables: the header by the columns a format is known by, and the rows as records by folded label."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import islice

from prospects.domain import facts
from prospects.domain.building import PersonBuilder
from prospects.domain.imported import Format, ImportedPerson, Outcome, Skipped, Stream, streaming
from prospects.domain.reading import Row, Unreadable, fold_label, table_from
from prospects.domain.upload import Upload
from prospects.domain.wild_dates import Period


@dataclass(frozen=True, slots=True)
class Record:
    """One row: cells by folded label, the file's own words kept for problem rows."""

    cells: Mapping[str, str]
    row: int
    place: str

    @property
    def fingerprint(self) -> str:
        """The whole row, for records that carry no key."""
        return json.dumps(dict(self.cells), ensure_ascii=False, sort_keys=True)

    def get(self, *labels: str) -> str:
        """The first of these columns that says something; nulls written as words say nothing."""
        return next((value for label in labels if (value := facts.clean(self.cells.get(label, "")))), "")


def labels_of(row: Row) -> frozenset[str]:
    return frozenset(fold_label(cell) for cell in row.cells if cell.strip())


def header_of(upload: Upload, needed: frozenset[str]) -> Row | None:
    """The row in the beginning that holds all the needed columns."""
    if upload.is_archive or isinstance(upload.rows, Unreadable):
        return None
    return next((row for row in upload.rows[:40] if needed <= labels_of(row)), None)


@dataclass(frozen=True, slots=True)
class Records:
    """The records below the header of a table, read anew by each loop."""

    header: tuple[str, ...]
    rows: Sequence[Row]
    file_name: str

    def __len__(self) -> int:
        return len(self.rows)

    def __iter__(self) -> Iterator[Record]:
        return self.from_index(0)

    def from_index(self, start: int) -> Iterator[Record]:
        """The records from that one on. A repeated column name keeps its first cell that says something."""
        header, file_name = self.header, self.file_name
        for row in islice(self.rows, start, None):
            yield Record(cells=_cells(header, row), row=row.number, place=f"{file_name} row {row.number}")


def records_of(upload: Upload, needed: frozenset[str]) -> Records | Unreadable:
    """All records below the header that has the needed columns."""
    if isinstance(upload.rows, Unreadable):
        return upload.rows
    table = table_from(upload.rows, lambda row: float(needed <= labels_of(row)))
    if isinstance(table, Unreadable):
        return table
    header = tuple(fold_label(name) for name in table.header)
    return Records(header=header, rows=table.rows, file_name=upload.file_name)


def _cells(header: tuple[str, ...], row: Row) -> dict[str, str]:
    found: dict[str, str] = {}
    for label, cell in zip(header, row.cells, strict=False):
        if label and not found.get(label):
            found[label] = cell
    return found


def warnings_of(upload: Upload) -> tuple[str, ...]:
    """What was doubtful about reading the bytes."""
    if upload.is_zip or isinstance(upload.decoded, Unreadable):
        return ()
    return upload.decoded.warnings


#: Fills the builder from a record; a sentence says why the record is not used.
Filler = Callable[[PersonBuilder, Record], str | None]


def table_format(
    name: str,
    label: str,
    *,
    needed: str,
    fill: Filler,
    observed: Callable[[Record], date | None] | None = None,
    connects: bool = False,
) -> Format:
    """A format with a person in each row. `needed` are the folded labels that it is known by, blank-separated.

    connects: a row may say that the person is a first-degree connection.
    """
    columns = frozenset(needed.split())

    def recognises(upload: Upload) -> bool:
        return header_of(upload, columns) is not None

    def stream(upload: Upload, today: date) -> Stream | Unreadable:
        records = records_of(upload, columns)
        if isinstance(records, Unreadable):
            return records

        def outcomes(start: int) -> Iterator[Outcome]:
            for record in records.from_index(start):
                day = (observed(record) if observed else None) or today
                yield outcome_of(record, _person(record, format_name=name, observed_at=min(day, today), fill=fill))

        return Stream(
            format=name, rows=len(records), outcomes=outcomes, warnings=list(warnings_of(upload)), connects=connects
        )

    return streaming(name, label, recognises=recognises, stream=stream)


def outcome_of(record: Record, found: ImportedPerson | str) -> Outcome:
    """The person, or the record as it was with the reason why there is none."""
    if isinstance(found, str):
        return Skipped(row=record.row, reason=found, place=record.place, cells=dict(record.cells))
    return found


def _person(record: Record, *, format_name: str, observed_at: date, fill: Filler) -> ImportedPerson | str:
    builder = PersonBuilder(format_name=format_name, row=record.row, place=record.place, observed_at=observed_at)
    builder.fingerprint = record.fingerprint
    return fill(builder, record) or builder.build()


def place(record: Record, *labels: str) -> str:
    """A location from the columns of its parts."""
    return ", ".join(value for label in labels if (value := record.get(label)))


def role_now(builder: PersonBuilder, title: str, company: str) -> None:
    """The present role, of which such tables know no dates."""
    builder.position(title=title, company=company, period=Period(current=True))
