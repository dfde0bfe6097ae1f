"""The row is the queue: a file on its way in is claimed under a lease, absorbed in chunks, and can be resumed or cancelled."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import F, Q

from outreach.teams import audit
from outreach.teams.domain.refusal import Refusal
from outreach.teams.models import Membership, Team, User
from prospects.domain.columns import plan_from
from prospects.domain.formats.registry import read_upload
from prospects.domain.imported import ImportedPerson, Reading, Skipped
from prospects.domain.names import NoName, fold_name, read_name
from prospects.domain.reading import Unreadable
from prospects.domain.upload import Upload
from prospects.models import ImportBatch, ImportState, Prospect
from prospects.queries import archive_owner
from prospects.services.absorbing import absorb, lock_team
from prospects.services.doubts import look_for_twins
from prospects.services.mappings import remembered_plan
from prospects.services.owners import absorb_owner, as_person

CHUNK = 500
LEASE = timedelta(minutes=2)
MAX_BYTES = 300_000_000
_OPEN = (ImportState.PREPARED, ImportState.WAITING, ImportState.RUNNING)


@dataclass(frozen=True)
class Lease:
    """A batch that this process may work on until somebody cancels it or the lease runs out."""

    batch: ImportBatch


def queue_import(
    *,
    team: Team,
    actor: User | None,
    file_name: str,
    data: bytes,
    owner: User | None = None,
    prospect: Prospect | None = None,
    state: ImportState = ImportState.WAITING,
    now: datetime,
) -> ImportBatch | Refusal:
    """Store a file. A waiting batch is picked up by a worker, a prepared one when somebody starts it.

    A table whose header the team has mapped before is read by that mapping.
    """
    refused = _refuse(team=team, owner=owner, prospect=prospect, data=data)
    if refused is not None:
        return refused
    digest = hashlib.sha256(data).hexdigest()
    earlier = (
        ImportBatch.objects.filter(team=team, file_sha256=digest, observed_on__isnull=False).order_by("id").first()
    )
    plan = remembered_plan(team=team, upload=Upload(file_name=file_name, data=data), now=now)
    with transaction.atomic():
        batch = ImportBatch.objects.create(
            team=team,
            created_by=actor,
            owner=owner,
            prospect=prospect,
            file_name=Upload(file_name=file_name, data=b"").file_name[:300] or "unnamed",
            file_bytes=data,
            file_sha256=digest,
            mapping=plan.as_json() if plan is not None else None,
            state=state,
            observed_on=earlier.observed_on if earlier is not None else now.date(),
            created_at=now,
        )
        audit.record(team=team, actor=actor, action="import.queued", target=batch, details={"bytes": len(data)})
    return batch


def _refuse(*, team: Team, owner: User | None, prospect: Prospect | None, data: bytes) -> Refusal | None:
    if len(data) > MAX_BYTES:
        return Refusal(
            code="too-large",
            message=f"The file is larger than {MAX_BYTES // 1_000_000} MB. Split it and import the parts.",
        )
    if prospect is not None and prospect.team_id != team.pk:
        return Refusal(code="not-found", message="There is no such prospect in this team.")
    if owner is not None and not Membership.objects.filter(team=team, user=owner, active=True).exists():
        return Refusal(code="not-a-member", message=f"{owner.email} is not an active member of the team {team.slug}.")
    return None


def import_bytes(
    *,
    team: Team,
    actor: User | None,
    file_name: str,
    data: bytes,
    owner: User | None = None,
    prospect: Prospect | None = None,
    now: datetime,
) -> ImportBatch | Refusal:
    """Import a file here and now. The batch of a file that cannot be read is REFUSED, with the reason in `message`.

    owner: the team mate whose archive it is; found by name or address in the archive where not given.
    prospect: whose own archive it is, in place of an owner.
    """
    batch = queue_import(
        team=team, actor=actor, file_name=file_name, data=data, owner=owner, prospect=prospect, now=now
    )
    if isinstance(batch, Refusal):
        return batch
    lease = claim(now=now, only=batch.pk)
    return work(lease=lease, clock=lambda: now) if lease is not None else batch


def claim(*, now: datetime, only: int | None = None) -> Lease | None:
    """The next batch that waits, or that a worker left behind; None when there is none. One holder at a time."""
    with transaction.atomic():
        due = ImportBatch.objects.filter(
            Q(state=ImportState.WAITING) | Q(state=ImportState.RUNNING, lease_until__lt=now)
        ).order_by("id")
        if only is not None:
            due = due.filter(pk=only)
        batch = (
            due.select_for_update(skip_locked=True, of=("self",)).select_related("team", "owner", "prospect").first()
        )
        if batch is None:
            return None
        batch.state = ImportState.RUNNING
        batch.lease_until = now + LEASE
        batch.started_at = batch.started_at or now
        batch.save(update_fields=["state", "lease_until", "started_at"])
    return Lease(batch=batch)


def work(*, lease: Lease, clock: Callable[[], datetime]) -> ImportBatch:
    """Read the file and absorb it chunk by chunk, each in a transaction of its own with the progress in it.

    A worker that takes over continues after the last chunk that was committed; a cancelled batch stops before
    the next one. `clock` gives the time of each chunk, for the lease. Reading is complete before anything is written: a broken file leaves nothing behind.
    """
    batch, now = lease.batch, clock()
    reading = read_upload(
        Upload(file_name=batch.file_name, data=bytes(batch.file_bytes)),
        today=batch.observed_on or now.date(),
        plan=plan_from(batch.mapping),
    )
    if isinstance(reading, Unreadable):
        batch.format = batch.format or reading.format
        return _refused(batch, reading.message, now)
    people, reading, refusal = _settle(batch, reading)
    if refusal:
        return _refused(batch, refusal, now)
    if not batch.format and not _begin(batch, reading, people, clock()):
        return _reloaded(batch)
    while batch.rows_done < batch.rows:
        if not _next_chunk(batch, people, clock()):
            return _reloaded(batch)
    return _finish(batch, clock())


def _settle(batch: ImportBatch, reading: Reading) -> tuple[tuple[ImportedPerson, ...], Reading, str]:
    """Whose archive it is. Returns the people to absorb, the reading with its skips and warnings, and a refusal."""
    if not reading.owner_rows and not any(person.first_degree for person in reading.people):
        if batch.prospect is not None:
            return (
                (),
                reading,
                "A prospect can be named for a LinkedIn archive only; this file lists people of its own.",
            )
        return reading.people, reading, ""
    if batch.prospect is not None:
        return _prospects_own(reading, batch.prospect)
    owner, warning = archive_owner(team=batch.team, named=batch.owner, actor_id=batch.created_by_id, reading=reading)
    if owner is None:
        return (), reading, "The team has no active member whose archive this could be. Name one as the owner."
    batch.owner = owner
    warnings = (*reading.warnings, warning) if warning else reading.warnings
    return reading.people, replace(reading, warnings=warnings), ""


def _prospects_own(reading: Reading, prospect: Prospect) -> tuple[tuple[ImportedPerson, ...], Reading, str]:
    known, said = read_name(prospect.full_name), read_name(reading.owner_name)
    if not isinstance(known, NoName) and not isinstance(said, NoName) and fold_name(known.full) != fold_name(said.full):
        return (), reading, f"The archive is of {said.full}, not of {known.full}. Nothing was imported."
    skipped = [
        Skipped(row=person.row, reason="a prospect's own connections are not imported", place=person.place)
        for person in reading.people
    ]
    person = as_person(rows=reading.owner_rows, prospect=prospect, name=known)
    return (person,) if person else (), replace(reading, people=(), skipped=(*reading.skipped, *skipped)), ""


def _begin(batch: ImportBatch, reading: Reading, people: Sequence[ImportedPerson], now: datetime) -> bool:
    """Record what the file holds, and absorb what describes the owner."""
    with transaction.atomic():
        if not _hold(batch, now):
            return False
        batch.format, batch.rows = reading.format, max(reading.rows, len(people))
        batch.rows_done = batch.rows - len(people)
        batch.warnings = list(reading.warnings)[:1_000]
        batch.skipped = [_skip_row(entry) for entry in reading.skipped]
        batch.created = batch.updated = batch.unchanged = 0
        batch.prospect_ids = []
        if batch.prospect is None and batch.owner is not None and reading.owner_rows:
            lock_team(team=batch.team)
            batch.updated, batch.unchanged = absorb_owner(
                team=batch.team, batch=batch, owner=batch.owner, rows=reading.owner_rows, now=now
            )
        _save_progress(batch)
    return True


def _next_chunk(batch: ImportBatch, people: Sequence[ImportedPerson], now: datetime) -> bool:
    start = batch.rows_done - (batch.rows - len(people))
    chunk = people[start : start + CHUNK]
    with transaction.atomic():
        if not _hold(batch, now):
            return False
        lock_team(team=batch.team)
        done = absorb(team=batch.team, batch=batch, owner=batch.owner or batch.created_by, people=chunk, now=now)
        _count(batch, done.created, done.updated, done.unchanged)
        batch.skipped += [_skip_row(entry) for entry in done.skipped]
        batch.prospect_ids = list(dict.fromkeys([*batch.prospect_ids, *done.prospect_ids]))
        batch.rows_done += len(chunk)
        _save_progress(batch)
    return True


def _count(batch: ImportBatch, created: int, updated: int, unchanged: int) -> None:
    batch.created += created
    batch.updated += updated
    batch.unchanged += unchanged


def _hold(batch: ImportBatch, now: datetime) -> bool:
    """Whether the batch is still ours, counted with the last chunk we know of: cancelled or taken over, it is not."""
    held = ImportBatch.objects.filter(pk=batch.pk, state=ImportState.RUNNING, rows_done=batch.rows_done)
    return bool(held.update(lease_until=now + LEASE, rows_done=F("rows_done")))


def _save_progress(batch: ImportBatch) -> None:
    batch.save(
        update_fields=[
            "owner", "format", "rows", "rows_done", "created", "updated", "unchanged", "skipped", "warnings", "prospect_ids",
        ]
    )  # fmt: skip


def _skip_row(entry: Skipped) -> dict[str, object]:
    return {"row": entry.row, "reason": entry.reason, "place": entry.place, "cells": dict(entry.cells)}


def _finish(batch: ImportBatch, now: datetime) -> ImportBatch:
    """The file itself is no longer needed: what it said is evidence, what was not used stands in the batch."""
    with transaction.atomic():
        if batch.created:
            look_for_twins(batch=batch, now=now)
        batch.state, batch.finished_at, batch.lease_until, batch.file_bytes = ImportState.DONE, now, None, b""
        if batch.created + batch.updated + batch.unchanged == 0:
            batch.message = f"None of the {batch.rows} rows could be used; see the reasons."
        batch.save(update_fields=["state", "finished_at", "lease_until", "file_bytes", "message"])
        audit.record(
            team=batch.team,
            actor=batch.created_by,
            action="import.finished",
            target=batch,
            details={
                "format": batch.format,
                "rows": batch.rows,
                "created": batch.created,
                "updated": batch.updated,
                "skipped": len(batch.skipped),
            },
        )
    return batch


def _refused(batch: ImportBatch, message: str, now: datetime) -> ImportBatch:
    with transaction.atomic():
        batch.state, batch.message = ImportState.REFUSED, message
        batch.finished_at, batch.lease_until, batch.file_bytes = now, None, b""
        batch.save(update_fields=["state", "format", "message", "finished_at", "lease_until", "file_bytes"])
        audit.record(team=batch.team, actor=batch.created_by, action="import.refused", target=batch)
    return batch


def _reloaded(batch: ImportBatch) -> ImportBatch:
    batch.refresh_from_db()
    return batch


def cancel(*, team: Team, actor: User, batch_id: int, now: datetime) -> ImportBatch | Refusal:
    """Stop a batch before its next chunk. What is in stays in, and it can be resumed."""
    return _move(
        team=team,
        actor=actor,
        batch_id=batch_id,
        states=_OPEN,
        to=ImportState.CANCELLED,
        action="import.cancelled",
        now=now,
    )


def resume(*, team: Team, actor: User, batch_id: int, now: datetime) -> ImportBatch | Refusal:
    """Go on with a cancelled batch where it stopped."""
    return _move(
        team=team,
        actor=actor,
        batch_id=batch_id,
        states=(ImportState.CANCELLED,),
        to=ImportState.WAITING,
        action="import.resumed",
        now=now,
    )


def _move(
    *, team: Team, actor: User, batch_id: int, states: Sequence[str], to: ImportState, action: str, now: datetime
) -> ImportBatch | Refusal:
    with transaction.atomic():
        batch = ImportBatch.objects.select_for_update().filter(team=team, pk=batch_id).defer("file_bytes").first()
        if batch is None:
            return Refusal(code="not-found", message="There is no such import in this team.")
        if batch.state not in states or (to == ImportState.WAITING and not batch.file_sha256):
            return Refusal(code="too-late", message=f"This import is {batch.get_state_display().lower()} already.")
        batch.state, batch.lease_until = to, None
        batch.finished_at = now if to == ImportState.CANCELLED else None
        batch.save(update_fields=["state", "lease_until", "finished_at"])
        audit.record(team=team, actor=actor, action=action, target=batch, details={"rows_done": batch.rows_done})
    return batch


def start(
    *, team: Team, actor: User, batch_id: int, owner: User | None, prospect: Prospect | None, now: datetime
) -> ImportBatch | Refusal:
    """Let a prepared file in, as the archive of `owner` or of `prospect` where it is an archive."""
    refused = _refuse(team=team, owner=owner, prospect=prospect, data=b"")
    if refused is not None:
        return refused
    with transaction.atomic():
        ImportBatch.objects.filter(team=team, pk=batch_id, state=ImportState.PREPARED).update(
            owner=owner, prospect=prospect
        )
        return _move(
            team=team,
            actor=actor,
            batch_id=batch_id,
            states=(ImportState.PREPARED,),
            to=ImportState.WAITING,
            action="import.started",
            now=now,
        )


def forget_abandoned(*, now: datetime) -> int:
    """Files that were handed in and never started are not kept for longer than a day."""
    old = ImportBatch.objects.filter(state=ImportState.PREPARED, created_at__lt=now - timedelta(days=1))
    return old.update(state=ImportState.CANCELLED, file_bytes=b"", message="Never started; the file was not kept.")
