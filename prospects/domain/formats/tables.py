"""Reading of tables: the header by the columns a format is known by, and the rows as records by folded label."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date

from prospects.domain import facts
from prospects.domain.building import PersonBuilder
from prospects.domain.imported import Format, ImportedPerson, Reading, Skipped
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


def records_of(upload: Upload, needed: frozenset[str]) -> Iterator[Record] | Unreadable:
    """All records below the header. A repeated column name keeps its first cell that says something."""
    if isinstance(upload.rows, Unreadable):
        return upload.rows
    table = table_from(upload.rows, lambda row: float(needed <= labels_of(row)))
    if isinstance(table, Unreadable):
        return table
    header = tuple(fold_label(name) for name in table.header)
    return (
        Record(cells=_cells(header, row), row=row.number, place=f"{upload.file_name} row {row.number}")
        for row in table.rows
    )


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
    name: str, label: str, *, needed: str, fill: Filler, observed: Callable[[Record], date | None] | None = None
) -> Format:
    """A format with a person in each row. `needed` are the folded labels that it is known by, blank-separated."""
    columns = frozenset(needed.split())

    def recognises(upload: Upload) -> bool:
        return header_of(upload, columns) is not None

    def read(upload: Upload, today: date) -> Reading | Unreadable:
        records = records_of(upload, columns)
        if isinstance(records, Unreadable):
            return records
        people: list[ImportedPerson] = []
        skipped: list[Skipped] = []
        for record in records:
            day = (observed(record) if observed else None) or today
            found = _person(record, format_name=name, observed_at=min(day, today), fill=fill)
            if isinstance(found, ImportedPerson):
                people.append(found)
            else:
                skipped.append(Skipped(row=record.row, reason=found, place=record.place, cells=dict(record.cells)))
        return Reading(format=name, people=tuple(people), skipped=tuple(skipped), warnings=warnings_of(upload))

    return Format(name=name, label=label, recognises=recognises, read=read)


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
