"""What every importer hands over: people with evidence and keys, and each row that could not be used, with the reason."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import date

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


@dataclass(frozen=True, slots=True)
class Format:
    """One importer. `recognises` is cheap and looks at names and headers; `read` is pure.

    needs_owner: the file describes a team mate, so somebody has to be named.
    """

    name: str
    label: str
    recognises: Callable[[Upload], bool]
    read: Callable[[Upload, date], Reading | Unreadable]
    needs_owner: bool = False


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
