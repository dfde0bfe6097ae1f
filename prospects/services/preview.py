"""What a prepared file would do, found out by doing it and taking it back: the rules of the import itself, nothing written."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from django.db import transaction

from outreach.teams.models import Team, User
from prospects.domain.columns import plan_from
from prospects.domain.formats.registry import GENERIC, format_of, label_of, read_upload
from prospects.domain.imported import ImportedPerson, Reading
from prospects.domain.reading import Unreadable
from prospects.domain.table_head import Head, beginning_of, head_of
from prospects.models import ImportBatch, Prospect
from prospects.queries import archive_owner
from prospects.services.absorbing import absorb, lock_team
from prospects.services.batches import CHUNK
from prospects.services.files import upload_of

#: Larger files are looked at in their first part; what has no first part is counted while it is imported.
WHOLE_BYTES = 8_000_000
#: How many people are tried, and how many are shown.
TRIED, SHOWN = 2_000, 8
_COLUMNS = {
    "full_name": "Name",
    "title": "Title",
    "company__name": "Company",
    "headline": "Headline",
    "location": "Location",
    "email": "E-mail",
    "linkedin_url": "Profile",
    "language": "Language",
}


@dataclass(frozen=True)
class Change:
    column: str
    before: str
    after: str


@dataclass(frozen=True)
class RowOutcome:
    """What one row would do: `outcome` is new, updated, unchanged or skipped, with the reason of the last."""

    row: int
    name: str
    outcome: str
    reason: str = ""
    changes: tuple[Change, ...] = ()
    facts: int = 0
    keys: tuple[str, ...] = ()


@dataclass(frozen=True)
class Preview:
    """What a file would bring. `tried` of its `people` were tried; `whole` says whether the whole file was read.

    table      whether its columns could be chosen by a person
    by_format  the format that knows the file, where a person chose the columns all the same
    """

    label: str
    table: bool
    by_format: str
    rows: int
    people: int
    tried: int
    whole: bool
    created: int
    updated: int
    unchanged: int
    owner_rows: int
    skipped: int
    reasons: tuple[tuple[str, int], ...]
    sample: tuple[RowOutcome, ...]
    warnings: tuple[str, ...]
    owner_name: str
    needs_owner: bool
    by_archive: bool
    owner: User | None
    first_degree: bool


def preview_of(*, batch: ImportBatch, now: datetime) -> Preview | Unreadable | None:
    """None for a large file that cannot be looked at in part."""
    upload = upload_of(batch)
    part = upload if upload.size <= WHOLE_BYTES else beginning_of(upload)
    if part.size > WHOLE_BYTES:
        return None
    plan = plan_from(batch.mapping)
    found = format_of(part)
    if plan is None and isinstance(found, Unreadable):
        return found
    reading = read_upload(part, today=batch.observed_on or now.date(), plan=plan)
    if isinstance(reading, Unreadable):
        return reading
    connected = any(person.first_degree for person in reading.people)
    known = None if isinstance(found, Unreadable) else found
    owner, _ = archive_owner(team=batch.team, named=batch.owner, actor_id=batch.created_by_id, reading=reading)
    tried = reading.people[:TRIED]
    counted = _tried(team=batch.team, owner=owner or batch.created_by, people=tried, now=now)
    refused = Counter(entry.reason for entry in reading.skipped) + counted.reasons
    return Preview(
        label=label_of(reading.format),
        table=not part.is_archive and isinstance(head_of(part), Head),
        by_format=known.label if known and plan and known.name not in GENERIC else "",
        rows=reading.rows,
        people=len(reading.people),
        tried=len(tried),
        whole=part is upload,
        created=counted.created,
        updated=counted.updated,
        unchanged=counted.unchanged,
        owner_rows=len(reading.owner_rows),
        skipped=refused.total(),
        reasons=tuple(refused.most_common(8)),
        sample=tuple(sorted((*counted.sample, *_unread(reading)), key=lambda outcome: outcome.row)[:SHOWN]),
        warnings=reading.warnings[:20],
        owner_name=reading.owner_name,
        needs_owner=bool(known and plan is None and known.needs_owner) or connected,
        owner=owner,
        by_archive=bool(known and known.needs_owner),
        first_degree=connected,
    )


def asks_for_columns(*, batch: ImportBatch) -> bool:
    """Whether the file is a table that no format knows, so that a person says what its columns are."""
    part = beginning_of(upload_of(batch))
    if part.is_archive or not isinstance(head_of(part), Head):
        return False
    found = format_of(part)
    return isinstance(found, Unreadable) or found.name in GENERIC


@dataclass(frozen=True)
class _Counted:
    created: int
    updated: int
    unchanged: int
    reasons: Counter[str]
    sample: tuple[RowOutcome, ...]


def _tried(*, team: Team, owner: User | None, people: Sequence[ImportedPerson], now: datetime) -> _Counted:
    created = updated = unchanged = 0
    reasons: Counter[str] = Counter()
    with transaction.atomic():
        lock_team(team=team)
        sample = tuple(_one(team=team, owner=owner, person=person, now=now) for person in people[:SHOWN])
        for start in range(0, len(people), CHUNK):
            done = absorb(team=team, batch=None, owner=owner, people=people[start : start + CHUNK], now=now)
            created, updated, unchanged = created + done.created, updated + done.updated, unchanged + done.unchanged
            reasons.update(entry.reason for entry in done.skipped)
        transaction.set_rollback(True)
    return _Counted(created, updated, unchanged, reasons, _with_changes(sample))


@dataclass(frozen=True)
class _Outcome:
    shown: RowOutcome
    prospect_id: int = 0
    after: Mapping[str, object] | None = None


def _one(*, team: Team, owner: User | None, person: ImportedPerson, now: datetime) -> _Outcome:
    """What this row alone would do."""
    shown = RowOutcome(
        row=person.row,
        name=person.name.full,
        outcome="unchanged",
        facts=len(person.evidence) + len(person.about_company),
        keys=tuple(key.value for key in person.keys if key.kind != "source_id"),
    )
    with transaction.atomic():
        done = absorb(team=team, batch=None, owner=owner, people=[person], now=now)
        pk = next(iter(done.prospect_ids), 0)
        after = Prospect.objects.filter(pk=pk).values(*_COLUMNS).first()
        transaction.set_rollback(True)
    if done.skipped:
        return _Outcome(replace(shown, outcome="skipped", reason=done.skipped[0].reason))
    return _Outcome(
        replace(shown, outcome="new" if done.created else "updated" if done.updated else "unchanged"), pk, after
    )


def _with_changes(outcomes: Sequence[_Outcome]) -> tuple[RowOutcome, ...]:
    """After the rollback: the columns as they are, beside what they would become."""
    before = {
        row["pk"]: row
        for row in Prospect.objects.filter(pk__in=[o.prospect_id for o in outcomes]).values("pk", *_COLUMNS)
    }
    return tuple(
        replace(outcome.shown, changes=_changes(before.get(outcome.prospect_id, {}), outcome.after or {}))
        for outcome in outcomes
    )


def _changes(before: Mapping[str, object], after: Mapping[str, object]) -> tuple[Change, ...]:
    pairs = ((label, str(before.get(name) or ""), str(after.get(name) or "")) for name, label in _COLUMNS.items())
    return tuple(Change(label, old, new) for label, old, new in pairs if old != new and new)


def _unread(reading: Reading) -> list[RowOutcome]:
    """The first rows that name nobody."""
    return [
        RowOutcome(row=entry.row, name="", outcome="skipped", reason=entry.reason) for entry in reading.skipped[:SHOWN]
    ]
