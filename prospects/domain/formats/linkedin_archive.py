"""A LinkedIn archive: the ZIP, or one of its files. It describes its owner; Connections are the prospects."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import date
from itertools import islice

from prospects.domain.formats.linkedin_files import (
    ADDRESSES,
    CONNECTIONS,
    PROFILE,
    UNUSED,
    USED,
    Line,
    Part,
    connection,
    owner_name,
)
from prospects.domain.identity import Key, email_keys
from prospects.domain.imported import Outcome, OwnerRow, Skipped, Stream, streaming
from prospects.domain.names import PersonName
from prospects.domain.reading import Row, Table, Unreadable, fold_label, table_from
from prospects.domain.upload import Upload

NAME = "linkedin_archive"
NAME_2018 = "linkedin_archive_2018"
_PARTS = (CONNECTIONS, *USED, *UNUSED)
_EXPORT_DAY = re.compile(r"(?<!\d)(\d{2})-(\d{2})-(\d{4})(?!\d)")
_TIMESTAMP = re.compile(r"\d{4}-\d{2}-\d{2} \d{2}:\d{2}")
#: Columns that only the 2018 form has, or lacks.
_OLD_COLUMNS = frozenset({"contactinstructions", "sharetitle", "sharedescription"})


@dataclass(frozen=True, slots=True)
class _Lines:
    """The records of one file of the archive, read anew by each loop."""

    table: Table
    part: Part
    place: str
    observed_at: date

    def __iter__(self) -> Iterator[Line]:
        header = tuple(fold_label(name) for name in self.table.header)
        used = _continued(self.table) if self.part.continued else self.table.rows
        return (
            Line(
                cells=_by_label(header, row.cells),
                row=row.number,
                index=index,
                place=f"{self.place} row {row.number}",
                observed_at=self.observed_at,
            )
            for index, row in enumerate(used)
            if not _is_note(row, self.table)
        )


@dataclass(slots=True)
class _Found:
    """What has been read so far."""

    rest: list[_Lines | Skipped] = field(default_factory=list)
    owner_rows: list[OwnerRow] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    owner: PersonName | None = None
    keys: list[Key] = field(default_factory=list)


def _labels(row: Row) -> frozenset[str]:
    return frozenset(fold_label(cell) for cell in row.cells if cell.strip())


def _named(part: Part, upload: Upload) -> bool:
    return any(upload.stem == stem or upload.stem.startswith(f"{stem} ") for stem in part.stems)


def _part_of(upload: Upload) -> tuple[Part, frozenset[str]] | None:
    """The part that a single file is, by its columns; by its name too where the columns are too common."""
    rows = upload.rows
    if isinstance(rows, Unreadable):
        return None
    for row in rows[:40]:
        labels = _labels(row)
        fitting = [part for part in _PARTS if part.columns <= labels or _old_connections(part, labels)]
        named = [part for part in fitting if _named(part, upload)]
        for part in named or [part for part in fitting if not part.only_by_name]:
            return part, labels
    return None


def _old_connections(part: Part, labels: frozenset[str]) -> bool:
    return part is CONNECTIONS and {"firstname", "lastname", "connectedon"} <= labels


def _is_old(part: Part, labels: frozenset[str]) -> bool:
    return bool(labels & _OLD_COLUMNS) or (part is CONNECTIONS and "url" not in labels)


def _members(upload: Upload) -> Iterator[Upload]:
    if not isinstance(upload.members, Unreadable):
        for path, file in sorted(upload.members.items(), key=lambda item: item[0].casefold()):
            if path.casefold().endswith(".csv") and "__MACOSX" not in path and file.head(4_000).strip():
                yield file


def _parts(upload: Upload) -> list[tuple[Part, frozenset[str]]]:
    files = _members(upload) if upload.is_zip else [upload]
    return [found for file in files if (found := _part_of(file))]


def recognises(upload: Upload) -> bool:
    parts = _parts(upload)
    return bool(parts) and not any(_is_old(*found) for found in parts)


def recognises_2018(upload: Upload) -> bool:
    return any(_is_old(*found) for found in _parts(upload))


def export_day(file_name: str, today: date) -> date:
    """The day the archive was made, from its name (…_12-20-2024.zip); otherwise the day it is read."""
    match = _EXPORT_DAY.search(file_name)
    if match:
        month, day, year = (int(part) for part in match.groups())
        try:
            return min(date(year, month, day), today)
        except ValueError:
            return today
    return today


def _continued(table: Table) -> Iterable[Row]:
    """Rows whose last cell goes on, unquoted, in the rows below: a row without a time stamp belongs to the last one."""
    pending: Row | None = None
    width = len(table.header)
    for row in table.rows:
        if _TIMESTAMP.match(row.cells[0]) or pending is None:
            if pending is not None:
                yield pending
            pending = row
        else:
            more = ",".join(row.cells)
            cells = (*pending.cells[: width - 1], "\n".join([*pending.cells[width - 1 :], more]))
            pending = Row(number=pending.number, cells=cells)
    if pending is not None:
        yield pending


def _lines(upload: Upload, part: Part, *, prefix: str, observed_at: date) -> _Lines | Unreadable:
    rows = upload.rows
    if isinstance(rows, Unreadable):
        return rows
    table = table_from(rows, lambda row: float(len(part.columns & _labels(row))))
    if isinstance(table, Unreadable):
        return table
    return _Lines(table=table, part=part, place=f"{prefix}{upload.file_name}", observed_at=observed_at)


def _by_label(header: tuple[str, ...], cells: tuple[str, ...]) -> dict[str, str]:
    found: dict[str, str] = {}
    for name, cell in zip(header, cells, strict=False):
        if name and not found.get(name):
            found[name] = cell
    return found


def _is_note(row: Row, table: Table) -> bool:
    """A line of explanation in one cell under a header of many."""
    return len(table.header) > 2 and len([cell for cell in row.cells if cell.strip()]) == 1 and len(row.cells) == 1


def _read_part(upload: Upload, part: Part, found: _Found, *, prefix: str, observed_at: date) -> None:
    if isinstance(upload.decoded, Unreadable):
        return
    found.warnings += [f"{prefix}{upload.file_name}: {warning}" for warning in upload.decoded.warnings]
    lines = _lines(upload, part, prefix=prefix, observed_at=observed_at)
    if isinstance(lines, Unreadable):
        found.warnings.append(f"{prefix}{upload.file_name} was not read: {lines.message}")
        return
    if part.read is None:
        found.rest.append(lines)
        return
    for line in lines:
        _read_line(line, part, found)


def _read_line(line: Line, part: Part, found: _Found) -> None:
    outcome = part.read(line) if part.read is not None else part.unused
    if isinstance(outcome, str):
        found.rest.append(_skipped(line, outcome))
        return
    found.owner_rows.append(OwnerRow(row=line.row, place=line.place, evidence=outcome))
    _note_owner(line, part, found)


def _skipped(line: Line, reason: str) -> Skipped:
    return Skipped(row=line.row, reason=reason, place=line.place, cells=dict(line.cells))


def _note_owner(line: Line, part: Part, found: _Found) -> None:
    if part is PROFILE and found.owner is None:
        name = owner_name(line)
        found.owner = name if isinstance(name, PersonName) else None


def _owner_addresses(upload: Upload) -> list[Key]:
    if isinstance(upload.decoded, Unreadable):
        return []
    return list(email_keys(upload.decoded.text))


def _read_zip(upload: Upload, found: _Found, *, observed_at: date) -> Unreadable | None:
    if isinstance(upload.members, Unreadable):
        return upload.members
    unused: list[str] = []
    for file in _members(upload):
        known = _part_of(file)
        if known and known[0] is ADDRESSES:
            found.keys += _owner_addresses(file)
        if known is None or (known[0].read is None and known[0] is not CONNECTIONS):
            unused.append(file.file_name)
            continue
        prefix = f"{upload.file_name} › "
        _read_part(file, known[0], found, prefix=prefix, observed_at=observed_at)
    if unused:
        found.warnings.append(f"Not used as evidence: {', '.join(unused)}.")
    return None


def _rest(found: _Found) -> Iterator[tuple[Line | Skipped, Part]]:
    """Connections and records that are not used, in the order of the files."""
    for entry in found.rest:
        if isinstance(entry, Skipped):
            yield entry, CONNECTIONS
        else:
            yield from ((line, entry.part) for line in entry)


def _stream(upload: Upload, today: date, *, format_name: str) -> Stream | Unreadable:
    """What describes the owner is read at once; connections, and records that are not used, one by one."""
    found = _Found()
    observed_at = export_day(upload.file_name, today)
    if upload.is_zip:
        refused = _read_zip(upload, found, observed_at=observed_at)
        if refused:
            return refused
    else:
        known = _part_of(upload)
        if known is None:
            return upload.decoded if isinstance(upload.decoded, Unreadable) else Unreadable("This is no archive file.")
        _read_part(upload, known[0], found, prefix="", observed_at=observed_at)

    def outcomes(start: int) -> Iterator[Outcome]:
        for line, part in islice(_rest(found), start, None):
            if isinstance(line, Skipped):
                yield line
                continue
            person = connection(line, format_name=format_name) if part is CONNECTIONS else part.unused
            yield _skipped(line, person) if isinstance(person, str) else person

    return Stream(
        format=format_name,
        rows=sum(1 for _ in _rest(found)),
        outcomes=outcomes,
        warnings=found.warnings,
        owner_rows=tuple(found.owner_rows),
        owner_name=found.owner.full if found.owner else "",
        owner_keys=tuple(found.keys),
        connects=any(isinstance(entry, _Lines) and entry.part is CONNECTIONS for entry in found.rest),
    )


FORMAT = streaming(
    NAME,
    "LinkedIn archive",
    recognises=recognises,
    stream=lambda upload, today: _stream(upload, today, format_name=NAME),
    needs_owner=True,
)
FORMAT_2018 = streaming(
    NAME_2018,
    "LinkedIn archive (2018)",
    recognises=recognises_2018,
    stream=lambda upload, today: _stream(upload, today, format_name=NAME_2018),
    needs_owner=True,
)
