"""The row is the queue: a file on its way in is claimed under a lease, absorbed in chunks, and can be resumed or cancelled."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import BinaryIO

from django.db import transaction
from django.db.models import F, Q, QuerySet

from outreach.teams import audit
from outreach.teams.domain.refusal import Refusal
from outreach.teams.models import Membership, Team, User
from prospects.domain.imported import Skipped
from prospects.domain.parcels import Chunk
from prospects.domain.reading import Unreadable
from prospects.domain.upload import Upload
from prospects.models import ImportBatch, ImportPart, ImportState, ImportStep, Prospect
from prospects.queries import archive_owner
from prospects.services import files, reading
from prospects.services.absorbing import lock_team, owner_of
from prospects.services.doubts import look_for_twins
from prospects.services.mappings import remembered_plan
from prospects.services.owners import absorb_owner
from prospects.services.swift import absorb_parcels

#: Rows that go in together: a twentieth of the file, at least and at most so many.
CHUNK, LARGEST_CHUNK = 500, 1_300
LEASE = timedelta(minutes=2)
MAX_BYTES = 4_000_000_000
_MOST_WARNINGS = 1_000
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
    data: bytes | BinaryIO,
    owner: User | None = None,
    prospect: Prospect | None = None,
    state: ImportState = ImportState.WAITING,
    now: datetime,
) -> ImportBatch | Refusal:
    """Store a file, which is read piece by piece. A waiting batch is picked up by a worker, a prepared one when started.

    A table whose header the team has mapped before is read by that mapping.
    """
    size, digest = files.measured(data)
    refused = _refuse(team=team, owner=owner, prospect=prospect, size=size)
    if refused is not None:
        return refused
    earlier = (
        ImportBatch.objects.filter(team=team, file_sha256=digest, observed_on__isnull=False).order_by("id").first()
    )
    plan = remembered_plan(team=team, upload=files.handed_in(data, file_name=file_name, size=size), now=now)
    with transaction.atomic():
        batch = ImportBatch.objects.create(
            team=team,
            created_by=actor,
            owner=owner,
            prospect=prospect,
            file_name=Upload(file_name=file_name, data=b"").file_name[:300] or "unnamed",
            file_size=size,
            file_sha256=digest,
            mapping=plan.as_json() if plan is not None else None,
            state=state,
            observed_on=earlier.observed_on if earlier is not None else now.date(),
            created_at=now,
        )
        files.keep(batch=batch, data=data)
        audit.record(team=team, actor=actor, action="import.queued", target=batch, details={"bytes": size})
    return batch


def _refuse(*, team: Team, owner: User | None, prospect: Prospect | None, size: int) -> Refusal | None:
    if size > MAX_BYTES:
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
    data: bytes | BinaryIO,
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
        batch.claimed_at, batch.claimed_rows = now, batch.rows_done
        batch.save(update_fields=["state", "lease_until", "started_at", "claimed_at", "claimed_rows"])
    return Lease(batch=batch)


def work(*, lease: Lease, clock: Callable[[], datetime]) -> ImportBatch:
    """Read the file and absorb it chunk by chunk, each in a transaction of its own with the progress in it.

    A worker that takes over continues after the last chunk that was committed; a cancelled batch stops before
    the next one. `clock` gives the time of each chunk, for the lease. The file is read to its end before anything is
    written, and once more while it is: a broken file leaves nothing behind, and none is held as a whole.
    """
    batch, now = lease.batch, clock()
    today = batch.observed_on or now.date()
    with reading.opened(batch=batch, today=today) as source:
        if isinstance(source, Unreadable):
            batch.format = batch.format or source.format
            return _refused(batch, source.message, now)
        refusal = _settle(batch, source)
        if refusal:
            return _refused(batch, refusal, now)
        if not batch.format and not _begin(batch, source, clock()):
            return _reloaded(batch)
        owner = owner_of(batch.owner or batch.created_by)
        size = min(LARGEST_CHUNK, max(CHUNK, batch.rows // 20))
        for chunk in source.chunks(done=batch.rows_done, size=size, owner=owner, cards=_is_first(batch)):
            if not _next_chunk(batch, chunk, clock()):
                return _reloaded(batch)
    return _finish(batch, clock())


def _settle(batch: ImportBatch, source: reading.Source) -> str:
    """Whose archive it is. A refusal, or ""."""
    if source.refusal or batch.prospect is not None or not source.is_archive:
        return source.refusal
    owner, warning = archive_owner(team=batch.team, named=batch.owner, actor_id=batch.created_by_id, reading=source)
    if owner is None:
        return "The team has no active member whose archive this could be. Name one as the owner."
    batch.owner = owner
    source.warnings += [warning] if warning else []
    return ""


def _is_first(batch: ImportBatch) -> bool:
    """Whether most of the file is likely to be new, so that it pays to prepare for that."""
    same = ImportBatch.objects.filter(team=batch.team, file_sha256=batch.file_sha256, state=ImportState.DONE)
    return not same.exclude(pk=batch.pk).exists()


def _begin(batch: ImportBatch, source: reading.Source, now: datetime) -> bool:
    """Record what the file holds, and absorb what describes the owner."""
    with transaction.atomic():
        if not _hold(batch, now):
            return False
        batch.format, batch.rows, batch.rows_done = source.format, source.rows, source.before
        batch.warnings = source.warnings[:_MOST_WARNINGS]
        batch.created = batch.updated = batch.unchanged = 0
        if batch.prospect is None and batch.owner is not None and source.owner_rows:
            lock_team(team=batch.team)
            batch.updated, batch.unchanged = absorb_owner(
                team=batch.team, batch=batch, owner=batch.owner, rows=source.owner_rows, now=now
            )
        _save_progress(batch)
    return True


def _next_chunk(batch: ImportBatch, chunk: Chunk, now: datetime) -> bool:
    with transaction.atomic():
        if not _hold(batch, now):
            return False
        lock_team(team=batch.team)
        owner = batch.owner or batch.created_by
        done = absorb_parcels(team=batch.team, batch=batch, owner=owner, parcels=chunk.parcels, now=now)
        skipped = [*chunk.skipped, *done.skipped]
        _count(batch, done.created, done.updated, done.unchanged)
        batch.problems += len(skipped)
        batch.warnings = [*batch.warnings, *chunk.warnings][:_MOST_WARNINGS]
        ImportStep.objects.create(
            batch=batch,
            first=batch.rows_done,
            rows=chunk.rows,
            skipped=[_skip_row(entry) for entry in skipped],
            prospect_ids=list(dict.fromkeys(done.prospect_ids)),
        )
        batch.rows_done += chunk.rows
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
            "owner", "format", "rows", "rows_done", "created", "updated", "unchanged", "problems", "warnings",
        ]
    )  # fmt: skip


def _skip_row(entry: Skipped) -> dict[str, object]:
    return {"row": entry.row, "reason": entry.reason, "place": entry.place, "cells": dict(entry.cells)}


def _finish(batch: ImportBatch, now: datetime) -> ImportBatch:
    with transaction.atomic():
        files.forget(batch=batch)
        if batch.created:
            look_for_twins(batch=batch, now=now)
        batch.state, batch.finished_at, batch.lease_until = ImportState.DONE, now, None
        if batch.created + batch.updated + batch.unchanged == 0:
            batch.message = f"None of the {batch.rows} rows could be used; see the reasons."
        batch.save(update_fields=["state", "finished_at", "lease_until", "message"])
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
                "skipped": batch.problems,
            },
        )
    return batch


def _refused(batch: ImportBatch, message: str, now: datetime) -> ImportBatch:
    with transaction.atomic():
        files.forget(batch=batch)
        batch.state, batch.message = ImportState.REFUSED, message
        batch.finished_at, batch.lease_until = now, None
        batch.save(update_fields=["state", "format", "message", "finished_at", "lease_until"])
        audit.record(team=batch.team, actor=batch.created_by, action="import.refused", target=batch)
    return batch


def _reloaded(batch: ImportBatch) -> ImportBatch:
    batch.refresh_from_db()
    return batch


def cancel(*, team: Team, actor: User, batch_id: int, now: datetime) -> ImportBatch | Refusal:
    """Stop a batch before its next chunk. What is in stays in, and it can be resumed; one that was never started is
    given up, since whose it is was never said."""
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
        batch = ImportBatch.objects.select_for_update().filter(team=team, pk=batch_id).first()
        if batch is None:
            return Refusal(code="not-found", message="There is no such import in this team.")
        if batch.state not in states or (to == ImportState.WAITING and not batch.file_sha256):
            return Refusal(code="too-late", message=f"This import is {batch.get_state_display().lower()} already.")
        if to == ImportState.WAITING and not files.is_kept(batch=batch):
            return Refusal(code="not-kept", message="The file was not kept. Hand it in again.")
        if batch.state == ImportState.PREPARED and to == ImportState.CANCELLED:
            _give_up(ImportBatch.objects.filter(pk=batch.pk))
            batch.refresh_from_db()
        batch.state, batch.lease_until = to, None
        batch.finished_at = now if to == ImportState.CANCELLED else None
        batch.save(update_fields=["state", "lease_until", "finished_at"])
        audit.record(team=team, actor=actor, action=action, target=batch, details={"rows_done": batch.rows_done})
    return batch


def start(
    *, team: Team, actor: User, batch_id: int, owner: User | None, prospect: Prospect | None, now: datetime
) -> ImportBatch | Refusal:
    """Let a prepared file in, as the archive of `owner` or of `prospect` where it is an archive."""
    refused = _refuse(team=team, owner=owner, prospect=prospect, size=0)
    if refused is not None:
        return refused
    with transaction.atomic():
        ImportBatch.objects.filter(team=team, pk=batch_id, state=ImportState.PREPARED).update(
            owner=owner, prospect=prospect, started_by=actor
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
    with transaction.atomic():
        return _give_up(old)


def _give_up(batches: QuerySet[ImportBatch]) -> int:
    ImportPart.objects.filter(batch__in=batches).delete()
    return batches.update(state=ImportState.CANCELLED, message="Never started; the file was not kept.")
