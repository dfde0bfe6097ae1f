"""People on their way to the database: what most of them need is made beforehand, where the file is read.

A parcel holds nothing but texts, numbers and tuples, so that it passes cheaply from the process that reads to the one
that writes. Most rows of a file are either new people or say what is known already; for those the parcel is enough.
The person as the importer made it is packed in it for the rest.
"""

from __future__ import annotations

import marshal
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import date
from functools import lru_cache
from itertools import islice
from typing import Any, NamedTuple

from prospects.domain import common_ground
from prospects.domain.card import card_of
from prospects.domain.dates import DateInterval
from prospects.domain.evidence import Actor, Evidence, Kind, encoded, fields_of
from prospects.domain.identity import Key, KeyKind, profile_url
from prospects.domain.imported import ImportedPerson, Outcome, OwnerRow, Skipped
from prospects.domain.language import Signal
from prospects.domain.names import PersonName
from prospects.domain.succession import slots_of

#: Stands in rows where the columns of the record begin; no text holds it.
RECORD = "\x00"
PROSPECT_COLUMNS = (
    "full_name", "email", "linkedin_url", "first_degree", "headline", "title", "location", "language", "language_confidence",
    "language_signals",
)  # fmt: skip
KEY_COLUMNS = ("kind", "value")
#: The columns of evidence that a parcel fills, in this order.
EVIDENCE_COLUMNS = (
    "kind", "actor", "ref", "text", "fields", "occurred_first", "occurred_last", "observed_at", "language", "source",
    "source_url", "content_hash", "slot",
)  # fmt: skip
_SPECIAL = re.compile(r"[\\\t\n\r]")
_ESCAPES = {"\\": "\\\\", "\t": "\\t", "\n": "\\n", "\r": "\\r"}


class Owner(NamedTuple):
    """The team mate in relation to whom the file's people are known."""

    pk: int
    name: str


class Parcel(NamedTuple):
    """One person.

    keys      (kind, value) of the identity keys, best first
    day       when all of it was observed; "" where the parts differ
    hashes    content hashes of the evidence about the person, each once
    about     (content hash, day) of each fact about the company
    packed    see `unpacked`

    What is stored of a new person, in the COPY text format; all "" where it was not asked for:

    employer  name of the company of the present role
    prospect  the cells of PROSPECT_COLUMNS
    key_rows  rows of KEY_COLUMNS, each begun by RECORD
    evidence  rows of EVIDENCE_COLUMNS, each begun by RECORD; "" where one has no day
    """

    row: int
    place: str
    full_name: str
    keys: tuple[tuple[str, str], ...]
    company: str
    company_domain: str
    first_degree: bool
    profile: str
    day: str
    hashes: tuple[str, ...]
    about: tuple[tuple[str, str], ...]
    packed: bytes
    employer: str = ""
    prospect: str = ""
    key_rows: str = ""
    evidence: str = ""


class Chunk(NamedTuple):
    """Some records of a file in their order; `warnings` are those that reading them added."""

    parcels: list[Parcel]
    skipped: list[Skipped]
    warnings: list[str]

    @property
    def rows(self) -> int:
        return len(self.parcels) + len(self.skipped)


def copy_text(text: str) -> str:
    """A value for the COPY text format."""
    return _SPECIAL.sub(lambda match: _ESCAPES[match.group(0)], text) if _SPECIAL.search(text) else text


def chunks_of(
    outcomes: Iterator[Outcome], *, size: int, owner: Owner | None, cards: bool, warnings: list[str], told: int
) -> Iterator[Chunk]:
    """Parcels of a stream; `warnings` are the stream's, of which that many are known: each chunk tells those added."""
    while taken := list(islice(outcomes, size)):
        added, told = warnings[told:], len(warnings)
        yield Chunk(
            parcels=[parcel_of(item, owner, cards=cards) for item in taken if isinstance(item, ImportedPerson)],
            skipped=[item for item in taken if isinstance(item, Skipped)],
            warnings=added,
        )


def parcel_of(person: ImportedPerson, owner: Owner | None, *, cards: bool) -> Parcel:
    items = relative_to(person, owner)
    unlike: dict[str, tuple[int, str]] = {}
    for index, item in enumerate(items):
        fields = item.encoded_fields
        unlike.setdefault(item.hash_of(fields), (index, fields))
    days = {item.observed_at for item in items}
    day = next(iter(days)) if len(days) == 1 else None
    return Parcel(
        row=person.row,
        place=person.place,
        full_name=person.name.full[:300],
        keys=tuple([(str(key.kind), key.value) for key in person.keys]),
        company=person.company,
        company_domain=person.company_domain,
        first_degree=person.first_degree,
        profile=profile_url(person.keys)[:500],
        day=day.isoformat() if day else "",
        hashes=tuple(unlike),
        about=tuple([(item.content_hash, _iso(item.observed_at) or "") for item in person.about_company]),
        packed=marshal.dumps(_plain(person)),
        **_written(person, items, unlike, dated=None not in days) if cards else {},
    )


def written(parcel: Parcel, owner: Owner | None) -> Parcel:
    """The same with what is stored of a new person, where that was not asked for when it was made."""
    return parcel if parcel.prospect else parcel_of(unpacked(parcel.packed), owner, cards=True)


def evidence_rows(items: Sequence[Evidence]) -> str:
    """Rows of EVIDENCE_COLUMNS in the COPY text format, each begun by RECORD; what is said twice stands there once."""
    rows: dict[str, str] = {}
    for item, slot in zip(items, slots_of(items), strict=True):
        fields = item.encoded_fields
        word = item.hash_of(fields)
        rows.setdefault(word, _line(item, fields, word, slot))
    return "".join(rows.values())


def _written(
    person: ImportedPerson, items: Sequence[Evidence], unlike: Mapping[str, tuple[int, str]], *, dated: bool
) -> dict[str, str]:
    """unlike: content hash → index of the first item of that hash, and its fields as JSON."""
    slots = slots_of(items)
    evidence = [_line(items[at], fields, word, slots[at]) for word, (at, fields) in unlike.items()] if dated else []
    card = card_of([items[at] for at, _ in unlike.values()])
    email = next((key.value for key in person.keys if key.kind is KeyKind.EMAIL), "")
    cells = (
        person.name.full[:300], email, profile_url(person.keys)[:500], "t" if person.first_degree else "f", card.headline,
        card.title, card.location, card.language.code, repr(card.language.confidence), _signals(card.language.signals),
    )  # fmt: skip
    return {
        "employer": card.company,
        "prospect": "\t".join(map(copy_text, cells)) + "\n",
        "key_rows": "".join([f"{RECORD}\t{key.kind}\t{copy_text(key.value)}\n" for key in person.keys]),
        "evidence": "".join(evidence),
    }


def relative_to(person: ImportedPerson, owner: Owner | None) -> tuple[Evidence, ...]:
    """The evidence, where what holds between the person and one team mate says which one."""
    items = [_with_sender(item, person, owner) if item.kind is Kind.IN_COMMON else item for item in person.evidence]
    if person.first_degree and owner is not None and items and items[0].observed_at:
        items.append(
            common_ground.connection(
                to=owner.name,
                to_id=owner.pk,
                connected=person.connected_on,
                observed_at=items[0].observed_at,
                source=person.place,
            )
        )
    return tuple(items)


def _with_sender(item: Evidence, person: ImportedPerson, owner: Owner | None) -> Evidence:
    if person.in_common_with:
        extra = (("with", person.in_common_with),)
    elif owner is not None:
        extra = (("to_id", str(owner.pk)),)
    else:
        return item
    return replace(item, fields=fields_of((*item.fields.items(), *extra)))


def _line(item: Evidence, fields: str, fingerprint: str, slot: str) -> str:
    """The same values as of a row that is stored by itself."""
    words = (
        item.ref[:64], item.text, fields, item.language[:16], item.source[:500], item.link, slot[:200],
    )  # fmt: skip
    if _SPECIAL.search("".join(words)):
        ref, text, fields, language, source, url, slot = map(copy_text, words)
    else:
        ref, text, fields, language, source, url, slot = words
    occurred = item.occurred
    first, last = (occurred.first.isoformat(), occurred.last.isoformat()) if occurred else ("\\N", "\\N")
    observed = item.observed_at.isoformat() if item.observed_at else "\\N"
    cells = (
        RECORD, item.kind, item.actor, ref, text, fields, first, last, observed, language, source, url, fingerprint, slot,
    )  # fmt: skip
    return "\t".join(cells) + "\n"


@lru_cache(maxsize=4_096)
def _signals(signals: tuple[Signal, ...]) -> str:
    """As JSON."""
    words = [
        encoded({"source": signal.source, "code": signal.code})[:-1]
        + f', "weight": {signal.weight!r}, "reason": {encoded(signal.reason)}}}'
        for signal in signals
    ]
    return f"[{', '.join(words)}]"


# -- the person as plain values ----------------------------------------------------------------------
def _iso(day: date | None) -> str | None:
    return day.isoformat() if day else None


def _day(text: str | None) -> date | None:
    return date.fromisoformat(text) if text else None


def _plain_evidence(item: Evidence) -> tuple[Any, ...]:
    occurred = item.occurred
    first, last = (occurred.first.isoformat(), occurred.last.isoformat()) if occurred else (None, None)
    return (
        item.ref, str(item.kind), str(item.actor), item.text, dict(item.fields), first, last, _iso(item.observed_at),
        item.source, item.language,
    )  # fmt: skip


def _evidence(plain: tuple[Any, ...]) -> Evidence:
    ref, kind, actor, text, fields, first, last, observed, source, language = plain
    begin, end = _day(first), _day(last)
    return Evidence(
        ref=ref,
        kind=Kind(kind),
        actor=Actor(actor),
        text=text,
        fields=fields_of(fields.items()),
        occurred=DateInterval(begin, end) if begin and end else None,
        observed_at=_day(observed),
        source=source,
        language=language,
    )


def _plain(person: ImportedPerson) -> tuple[Any, ...]:
    name, connected = person.name, person.connected_on
    return (
        person.row,
        person.place,
        (name.full, name.first, name.last, name.suffix, name.nickname, name.former, name.raw),
        [(str(key.kind), key.value) for key in person.keys],
        [_plain_evidence(item) for item in person.evidence],
        person.company,
        person.company_domain,
        [_plain_evidence(item) for item in person.about_company],
        person.first_degree,
        (_iso(connected.first), _iso(connected.last)) if connected else None,
        person.in_common_with,
        [kind.value for kind in person.complete],
    )


def unpacked(packed: bytes) -> ImportedPerson:
    """The person as the importer made it."""
    plain = marshal.loads(packed)  # noqa: S302  # made by parcel_of, never from outside
    row, place, name, keys, evidence, company, domain, about, first_degree, connected, common, complete = plain
    begin, end = (_day(connected[0]), _day(connected[1])) if connected else (None, None)
    return ImportedPerson(
        row=row,
        place=place,
        name=PersonName(*name),
        keys=tuple(Key(KeyKind(kind), value) for kind, value in keys),
        evidence=tuple(map(_evidence, evidence)),
        company=company,
        company_domain=domain,
        about_company=tuple(map(_evidence, about)),
        first_degree=first_degree,
        connected_on=DateInterval(begin, end) if begin and end else None,
        in_common_with=common,
        complete=frozenset(map(Kind, complete)),
    )


def plain_owner_rows(rows: Sequence[OwnerRow]) -> list[tuple[Any, ...]]:
    return [(row.row, row.place, [_plain_evidence(item) for item in row.evidence]) for row in rows]


def owner_rows_of(plain: Sequence[tuple[Any, ...]]) -> tuple[OwnerRow, ...]:
    return tuple(OwnerRow(row=row, place=place, evidence=tuple(map(_evidence, items))) for row, place, items in plain)
