"""What newer evidence replaces: the slot it fills, and the plan for one person's record."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date

from prospects.domain.evidence import Evidence, Kind
from prospects.domain.identity import normalized_company

#: Kinds of which a record shows one at a time.
_SINGLE = frozenset({Kind.NAME, Kind.HEADLINE, Kind.LOCATION, Kind.ABOUT, Kind.PROFILE_LANGUAGE})
_WORDS = re.compile(r"[^\W_]+")
_MANY_FACTS = frozenset({"alias"})


def _fold(text: str) -> str:
    return " ".join(_WORDS.findall(text.casefold()))


def _position_slot(item: Evidence) -> str:
    start, end = item.get("start"), item.get("end")
    if not start and not end:
        return "position:current"
    return f"position:{normalized_company(item.get('company'))}:{_fold(item.get('title'))}:{start[:4]}"


def _education_slot(item: Evidence) -> str:
    return f"education:{_fold(item.get('school'))}:{_fold(item.get('degree'))}"


def _fact_slot(item: Evidence) -> str:
    attribute = item.get("attribute")
    return "" if attribute in _MANY_FACTS else f"company_fact:{attribute}"


def _numbered_slot(item: Evidence) -> str:
    """Posts carry LinkedIn's number, entries of feeds a hash; the small ids of a file ("post1") mean nothing outside it."""
    number = item.get("id")
    return f"{item.kind.value}:{number}" if number.isdigit() or number.startswith("web-") else ""


_SLOTS: Mapping[Kind, Callable[[Evidence], str]] = {
    Kind.POSITION: _position_slot,
    Kind.EDUCATION: _education_slot,
    Kind.CONNECTION: lambda item: f"connection:{item.get('to_id')}",
    Kind.COMPANY_FACT: _fact_slot,
    Kind.POST: _numbered_slot,
    Kind.RESHARE: _numbered_slot,
    Kind.COMPANY_NEWS: _numbered_slot,
}


def slot_of(item: Evidence) -> str:
    """The place that holds one value at a time; "" for evidence that stands beside others of its kind.

    A role without any date is a snapshot of the present: the next snapshot replaces it. A dated role is
    known by company, title and year of its start, so that its end can be filled in later.
    """
    if item.kind in _SINGLE:
        return item.kind.value
    maker = _SLOTS.get(item.kind)
    return maker(item)[:200] if maker else ""


def slots_of(items: Sequence[Evidence]) -> tuple[str, ...]:
    """The slots of one source's items; a second item for the same slot gets one of its own."""
    seen: dict[str, int] = {}
    slots = []
    for item in items:
        slot = slot_of(item)
        if slot:
            seen[slot] = seen.get(slot, 0) + 1
            slot = slot if seen[slot] == 1 else f"{slot}#{seen[slot]}"
        slots.append(slot)
    return tuple(slots)


@dataclass(frozen=True, slots=True)
class Known:
    """A stored row, as far as succession looks at it."""

    row_id: int
    kind: str
    slot: str
    content_hash: str
    observed_at: date
    current: bool
    open_position: bool = False


@dataclass(frozen=True, slots=True)
class Addition:
    """Evidence to store. `replaced_by` is a stored row that is newer than it, so that it is history at once."""

    item: Evidence
    slot: str
    replaces: tuple[int, ...] = ()
    replaced_by: int | None = None


@dataclass(slots=True)
class Plan:
    """What one source changes in one record. `seen_again` are current rows that it confirms, with the later day."""

    additions: list[Addition] = field(default_factory=list)
    seen_again: dict[int, date] = field(default_factory=dict)
    ended: list[int] = field(default_factory=list)


def plan(*, items: Sequence[Evidence], known: Iterable[Known], complete: frozenset[Kind]) -> Plan:
    """How new evidence goes into a record.

    The same words, observed no later than a row that says them, are known, be the row current, superseded or
    retracted: importing a file again changes nothing, in whatever order. An older observation never
    replaces a newer one.
    """
    rows = list(known)
    by_hash: dict[str, list[Known]] = {}
    for row in rows:
        by_hash.setdefault(row.content_hash, []).append(row)
    current = {row.slot: row for row in rows if row.current and row.slot}
    found = Plan()
    taken: set[str] = set()
    for item, slot in zip(items, slots_of(items), strict=True):
        fingerprint = item.content_hash
        if fingerprint in taken:
            continue
        taken.add(fingerprint)
        same = by_hash.get(fingerprint, [])
        if _is_known(item, same, found):
            continue
        found.additions.append(_addition(item, slot, current))
    if found.additions:
        _end_unlisted(found, items, rows, complete)
    return found


def _is_known(item: Evidence, same: Sequence[Known], found: Plan) -> bool:
    day = item.observed_at
    live = next((row for row in same if row.current), None)
    if live is not None:
        if day is not None and live.observed_at < day:
            found.seen_again[live.row_id] = day
        return True
    return any(day is None or row.observed_at >= day for row in same)


def _addition(item: Evidence, slot: str, current: Mapping[str, Known]) -> Addition:
    holder = current.get(slot) if slot else None
    if holder is None:
        return Addition(item=item, slot=slot)
    if item.observed_at is not None and item.observed_at < holder.observed_at:
        return Addition(item=item, slot=slot, replaced_by=holder.row_id)
    return Addition(item=item, slot=slot, replaces=(holder.row_id,))


def _end_unlisted(found: Plan, items: Sequence[Evidence], rows: Sequence[Known], complete: frozenset[Kind]) -> None:
    """A newer full list of roles says that open roles it does not name are over."""
    if Kind.POSITION not in complete:
        return
    listed = {item.content_hash for item in items}
    replaced = {row_id for addition in found.additions for row_id in addition.replaces}
    days = [item.observed_at for item in items if item.kind is Kind.POSITION and item.observed_at]
    if not days:
        return
    found.ended += [
        row.row_id
        for row in rows
        if row.current
        and row.open_position
        and row.observed_at < min(days)
        and row.content_hash not in listed
        and row.row_id not in replaced
    ]
