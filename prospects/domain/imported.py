"""What every importer hands over: people with evidence and keys, and each row that could not be used, with the reason."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date
from itertools import islice
from typing import Protocol

from prospects.domain.dates import DateInterval
from prospects.domain.evidence import Actor, Evidence, Kind, fields_of
from prospects.domain.identity import Key, KeyKind
from prospects.domain.names import PersonName
from prospects.domain.reading import Unreadable
from prospects.domain.upload import Upload


@dataclass(frozen=True, slots=True)
class ImportedPerson:
    """One prospect as one row of one file tells them.

    place        file and row, for people: "Connections.csv row 7"
    keys         identity keys, best first; never empty
    evidence     about the person; `ref` is the name in the source
    about_company facts about `company`, kept with the company
    connected_on the day they connected to the archive's owner; with `first_degree`
    complete     kinds whose full list this source gives: what it no longer lists has ended or was taken down
    """

    row: int
    place: str
    name: PersonName
    keys: tuple[Key, ...]
    evidence: tuple[Evidence, ...]
    company: str = ""
    company_domain: str = ""
    about_company: tuple[Evidence, ...] = ()
    first_degree: bool = False
    connected_on: DateInterval | None = None
    in_common_with: str = ""
    complete: frozenset[Kind] = frozenset()

    @property
    def emails(self) -> tuple[str, ...]:
        return tuple(key.value for key in self.keys if key.kind is KeyKind.EMAIL)


@dataclass(frozen=True, slots=True)
class OwnerRow:
    """One row of an archive that describes its owner."""

    row: int
    place: str
    evidence: tuple[Evidence, ...]


@dataclass(frozen=True, slots=True)
class Skipped:
    """A row that was not used. `cells` holds it as it was, for mending and importing again."""

    row: int
    reason: str
    place: str = ""
    cells: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Reading:
    """All that one file says. Every row is in exactly one of people, owner_rows and skipped."""

    format: str
    people: tuple[ImportedPerson, ...] = ()
    owner_rows: tuple[OwnerRow, ...] = ()
    owner_name: str = ""
    owner_keys: tuple[Key, ...] = ()
    skipped: tuple[Skipped, ...] = ()
    warnings: tuple[str, ...] = ()

    @property
    def rows(self) -> int:
        return len(self.people) + len(self.owner_rows) + len(self.skipped)


class Archive(Protocol):
    """What describes somebody, and may say whom."""

    @property
    def owner_name(self) -> str: ...
    @property
    def owner_keys(self) -> tuple[Key, ...]: ...


#: What became of one record of a file.
Outcome = ImportedPerson | Skipped


@dataclass(frozen=True, slots=True)
class Stream:
    """All that one file says, without holding it: the outcome of each record in turn.

    rows      how many outcomes there are
    outcomes  reads the file anew and gives them from the one of that index on
    warnings  grows while outcomes are read
    connects  whether people may be first-degree connections of somebody
    """

    format: str
    rows: int
    outcomes: Callable[[int], Iterator[Outcome]]
    warnings: list[str] = field(default_factory=list)
    owner_rows: tuple[OwnerRow, ...] = ()
    owner_name: str = ""
    owner_keys: tuple[Key, ...] = ()
    connects: bool = False

    @property
    def total(self) -> int:
        return self.rows + len(self.owner_rows)


def collected(stream: Stream | Unreadable) -> Reading | Unreadable:
    """A stream read to its end."""
    if isinstance(stream, Unreadable):
        return stream
    people: list[ImportedPerson] = []
    skipped: list[Skipped] = []
    for outcome in stream.outcomes(0):
        if isinstance(outcome, ImportedPerson):
            people.append(outcome)
        else:
            skipped.append(outcome)
    return Reading(
        format=stream.format,
        people=tuple(people),
        owner_rows=stream.owner_rows,
        owner_name=stream.owner_name,
        owner_keys=stream.owner_keys,
        skipped=tuple(skipped),
        warnings=tuple(stream.warnings),
    )


def streamed(reading: Reading) -> Stream:
    """A reading that is at hand, as a stream."""
    outcomes: tuple[Outcome, ...] = (*reading.skipped, *reading.people)
    return Stream(
        format=reading.format,
        rows=len(outcomes),
        outcomes=lambda start: islice(outcomes, start, None),
        warnings=list(reading.warnings),
        owner_rows=reading.owner_rows,
        owner_name=reading.owner_name,
        owner_keys=reading.owner_keys,
        connects=any(person.first_degree for person in reading.people),
    )


@dataclass(frozen=True, slots=True)
class Format:
    """One importer. `recognises` is cheap and looks at names and headers; `read` is pure.

    needs_owner: the file describes a team mate, so somebody has to be named.
    stream: the same as `read`, record by record, for formats whose files may be of any size.
    """

    name: str
    label: str
    recognises: Callable[[Upload], bool]
    read: Callable[[Upload, date], Reading | Unreadable]
    needs_owner: bool = False
    stream: Callable[[Upload, date], Stream | Unreadable] | None = None


def streaming(
    name: str,
    label: str,
    *,
    recognises: Callable[[Upload], bool],
    stream: Callable[[Upload, date], Stream | Unreadable],
    needs_owner: bool = False,
) -> Format:
    """A format that is read record by record."""
    return Format(
        name=name,
        label=label,
        recognises=recognises,
        read=lambda upload, today: collected(stream(upload, today)),
        needs_owner=needs_owner,
        stream=stream,
    )


def row_key(format_name: str, *parts: str) -> Key:
    """The key of a row that carries none of its own: the same words again are the same row."""
    words = json.dumps(parts, ensure_ascii=False)
    return Key(KeyKind.SOURCE_ID, f"{format_name}:{hashlib.sha256(words.encode()).hexdigest()[:32]}")


def name_evidence(name: PersonName, *, observed_at: date, source: str) -> Evidence:
    return fact(
        Kind.NAME,
        name.full,
        ref="full_name",
        observed_at=observed_at,
        source=source,
        fields=(
            ("full_name", name.full),
            ("first_name", name.first),
            ("last_name", name.last),
            ("suffix", name.suffix),
            ("nickname", name.nickname),
            ("former_name", name.former),
        ),
    )


def fact(
    kind: Kind,
    text: str,
    *,
    ref: str,
    observed_at: date,
    source: str,
    actor: Actor = Actor.PROSPECT,
    fields: Iterable[tuple[str, str | None]] = (),
    occurred: DateInterval | None = None,
    language: str = "",
) -> Evidence:
    """One piece of evidence, blank fields left out."""
    return Evidence(
        ref=ref,
        kind=kind,
        actor=actor,
        text=text.strip(),
        fields=fields_of(fields),
        occurred=occurred,
        observed_at=observed_at,
        source=source,
        language=language,
    )
