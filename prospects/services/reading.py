"""A file as chunks of parcels: read in this process where it is small, in one of its own beside the writing where it is not."""

from __future__ import annotations

import json
import marshal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from typing import IO, Any

import prospects
from prospects.domain.columns import plan_from
from prospects.domain.formats.registry import stream_of
from prospects.domain.identity import Key, KeyKind
from prospects.domain.imported import OwnerRow, Reading, Skipped, Stream, collected, streamed
from prospects.domain.names import NoName, fold_name, read_name
from prospects.domain.parcels import Chunk, Owner, Parcel, chunks_of, owner_rows_of
from prospects.domain.reading import Unreadable
from prospects.file_reader import head_of
from prospects.models import ImportBatch, Prospect
from prospects.services.files import laid_out, upload_of
from prospects.services.owners import as_person

#: Bytes from which on a process of its own is worth its start.
APART = 2_000_000
_ROOT = Path(prospects.__path__[0]).parent


@dataclass(frozen=True)
class Order:
    """Which chunks are wanted: from the record of that index on, of that size, known to whom, with cards or without."""

    start: int
    size: int
    owner: Owner | None
    cards: bool


Reader = Callable[[Order], Iterator[Chunk]]


class ReaderLost(RuntimeError):
    """The reading process ended without having told all. The batch is taken up again when its lease has run out."""


@dataclass
class Source:
    """An opened file.

    rows      all records, those about the owner of an archive included
    before    how many of them are done before the first chunk
    connects  whether people are first-degree connections of somebody
    refusal   why the file cannot be imported for this prospect, "" otherwise
    """

    format: str
    rows: int
    read: Reader
    before: int = 0
    owner_rows: tuple[OwnerRow, ...] = ()
    owner_name: str = ""
    owner_keys: tuple[Key, ...] = ()
    warnings: list[str] = field(default_factory=list)
    connects: bool = False
    refusal: str = ""

    @property
    def is_archive(self) -> bool:
        return bool(self.owner_rows) or self.connects

    def chunks(self, *, done: int, size: int, owner: Owner | None, cards: bool) -> Iterator[Chunk]:
        """The records that are left when that many rows are done."""
        return self.read(Order(start=max(0, done - self.before), size=size, owner=owner, cards=cards))


@contextmanager
def opened(*, batch: ImportBatch, today: date) -> Iterator[Source | Unreadable]:
    """The file of a batch. Nothing of its reading runs on when the block is left."""
    if batch.file_size >= APART and batch.prospect is None:
        with laid_out(batch=batch) as path, _apart(batch, path, today) as source:
            yield source
        return
    stream = stream_of(upload_of(batch), today=today, plan=plan_from(batch.mapping))
    if isinstance(stream, Unreadable):
        yield stream
    elif batch.prospect is not None:
        yield _prospects_own(stream, batch.prospect)
    else:
        yield _source(head_of(stream), _reader(stream))


def _reader(stream: Stream) -> Reader:
    told = len(stream.warnings)

    def read(order: Order) -> Iterator[Chunk]:
        return chunks_of(
            stream.outcomes(order.start),
            size=order.size,
            owner=order.owner,
            cards=order.cards,
            warnings=stream.warnings,
            told=told,
        )

    return read


def _source(head: dict[str, Any], read: Reader) -> Source:
    owner_rows = owner_rows_of(head["owner_rows"])
    return Source(
        format=head["format"],
        rows=head["rows"],
        read=read,
        before=len(owner_rows),
        owner_rows=owner_rows,
        owner_name=head["owner_name"],
        owner_keys=tuple(Key(KeyKind(kind), value) for kind, value in head["owner_keys"]),
        warnings=head["warnings"],
        connects=head["connects"],
    )


@contextmanager
def _apart(batch: ImportBatch, path: Path, today: date) -> Iterator[Source | Unreadable]:
    job = {"path": str(path), "file_name": batch.file_name, "today": today.isoformat(), "plan": batch.mapping}
    command = [sys.executable, "-m", "prospects.file_reader", json.dumps(job)]
    with subprocess.Popen(command, cwd=_ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        if process.stdin is None or process.stdout is None:
            raise ReaderLost
        try:
            head = _heard(process.stdout)
            if "unreadable" in head:
                yield Unreadable(head["unreadable"], format=head["format"])
            else:
                yield _source(head, _remote(process.stdin, process.stdout))
        finally:
            process.kill()


def _remote(orders: IO[bytes], answers: IO[bytes]) -> Reader:
    def read(order: Order) -> Iterator[Chunk]:
        orders.write(json.dumps(vars(order)).encode() + b"\n")
        orders.flush()
        while (answer := _heard(answers)) is not None:
            parcels, skipped, warnings = answer
            yield Chunk(
                parcels=list(map(Parcel._make, parcels)),
                skipped=[Skipped(row=row, reason=why, place=place, cells=cells) for row, why, place, cells in skipped],
                warnings=warnings,
            )

    return read


def _heard(answers: IO[bytes]) -> Any:
    try:
        return marshal.load(answers)  # noqa: S302  # from a process of our own
    except (EOFError, ValueError, TypeError) as error:
        raise ReaderLost("The process that reads the file has ended.") from error


def _prospects_own(stream: Stream, prospect: Prospect) -> Source | Unreadable:
    """An archive of a prospect: one person with all that it says, connections left out."""
    reading = collected(stream)
    if isinstance(reading, Unreadable):
        return reading
    if not reading.owner_rows and not any(person.first_degree for person in reading.people):
        refusal = "A prospect can be named for a LinkedIn archive only; this file lists people of its own."
        return Source(format=reading.format, rows=reading.rows, read=_reader(stream), refusal=refusal)
    known, said = read_name(prospect.full_name), read_name(reading.owner_name)
    if not isinstance(known, NoName) and not isinstance(said, NoName) and fold_name(known.full) != fold_name(said.full):
        refusal = f"The archive is of {said.full}, not of {known.full}. Nothing was imported."
        return Source(format=reading.format, rows=reading.rows, read=_reader(stream), refusal=refusal)
    left_out = [
        Skipped(row=person.row, reason="a prospect's own connections are not imported", place=person.place)
        for person in reading.people
    ]
    person = as_person(rows=reading.owner_rows, prospect=prospect, name=known)
    people, skipped = (person,) if person else (), (*reading.skipped, *left_out)
    own = streamed(Reading(format=reading.format, people=people, skipped=skipped, warnings=reading.warnings))
    rows = len(reading.owner_rows) + len(skipped)
    return Source(
        format=reading.format, rows=rows, read=_reader(own), before=max(0, rows - own.rows), warnings=own.warnings
    )
