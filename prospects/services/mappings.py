"""Columns of a prepared table: chosen by a person, remembered for the team's files with the same header, forgotten again."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import datetime

from django.db import transaction
from django.db.models import F

from outreach.teams import audit
from outreach.teams.access import Member, gate
from outreach.teams.domain.capabilities import Capability
from outreach.teams.domain.refusal import Refusal
from outreach.teams.models import Team
from prospects.domain.columns import TARGETS, Plan, check
from prospects.domain.reading import Unreadable, scrub
from prospects.domain.table_head import Head, head_of
from prospects.domain.upload import Upload
from prospects.models import ColumnMapping, ImportBatch, ImportState
from prospects.services.files import upload_of

_LABELS_KEPT = 300


def remembered_plan(*, team: Team, upload: Upload, now: datetime) -> Plan | None:
    """How the team reads tables with this header, None where nothing is remembered. Counts the use."""
    known = {row.fingerprint: row for row in ColumnMapping.objects.filter(team=team).order_by("-id")[:5_000]}
    if not known:
        return None
    head = head_of(upload, remembered=known.__contains__)
    if not isinstance(head, Head) or head.fingerprint not in known:
        return None
    row = known[head.fingerprint]
    ColumnMapping.objects.filter(pk=row.pk).update(used_at=now, uses=F("uses") + 1)
    return Plan(
        header_row=head.header_row,
        targets={key: target for key, target in row.columns.items() if target in TARGETS},
    )


def choose_columns(
    *, member: Member, batch_id: int, header_row: int, chosen: Mapping[int, str], remember: bool, now: datetime
) -> ImportBatch | Refusal:
    """Read a prepared table by these columns (number → field). A choice that cannot be read is refused, the column named."""
    refused = gate(member=member, capability=Capability.IMPORT)
    if refused is not None:
        return refused
    with transaction.atomic():
        batch = _prepared(member=member, batch_id=batch_id)
        if isinstance(batch, Refusal):
            return batch
        head = head_of(upload_of(batch), header_row=header_row)
        if not isinstance(head, Head):
            message = head.message if isinstance(head, Unreadable) else "This file has no columns to choose."
            return Refusal(code="no-columns", message=message)
        blocking = next((problem for problem in check(head.columns, chosen) if problem.blocks), None)
        if blocking is not None:
            return Refusal(code="columns", message=blocking.message)
        targets = {column.key: chosen[column.number] for column in head.columns if column.number in chosen}
        batch.mapping = Plan(header_row=head.header_row, targets=targets).as_json()
        batch.save(update_fields=["mapping"])
        audit.record(
            team=member.team,
            actor=member.user,
            action="import.columns_chosen",
            target=batch,
            details={"columns": len(targets), "header_row": head.header_row},
            content=json.dumps(targets, sort_keys=True),
        )
        if remember and head.fingerprint:
            _remember(member=member, batch=batch, head=head, targets=targets, now=now)
    return batch


def read_by_format(*, member: Member, batch_id: int) -> ImportBatch | Refusal:
    """Take the choice back: the file is read by the rules of its format, or by the names of its columns."""
    refused = gate(member=member, capability=Capability.IMPORT)
    if refused is not None:
        return refused
    with transaction.atomic():
        batch = _prepared(member=member, batch_id=batch_id)
        if isinstance(batch, Refusal):
            return batch
        batch.mapping = None
        batch.save(update_fields=["mapping"])
        audit.record(team=member.team, actor=member.user, action="import.columns_taken_back", target=batch)
    return batch


def _prepared(*, member: Member, batch_id: int) -> ImportBatch | Refusal:
    batch = ImportBatch.objects.select_for_update().filter(team=member.team, pk=batch_id).first()
    if batch is None:
        return Refusal(code="not-found", message="There is no such import in this team.")
    if batch.state != ImportState.PREPARED:
        return Refusal(code="too-late", message=f"This import is {batch.get_state_display().lower()} already.")
    return batch


def _remember(*, member: Member, batch: ImportBatch, head: Head, targets: Mapping[str, str], now: datetime) -> None:
    row, created = ColumnMapping.objects.update_or_create(
        team=member.team,
        fingerprint=head.fingerprint,
        defaults={
            "labels": [scrub(label)[:200] for label in head.labels[:_LABELS_KEPT]],
            "columns": dict(targets),
            "file_name": batch.file_name,
            "saved_by": member.user,
            "saved_at": now,
        },
    )
    audit.record(
        team=member.team,
        actor=member.user,
        action="mapping.saved" if created else "mapping.replaced",
        target=row,
        details={"columns": len(targets)},
        content=json.dumps(targets, sort_keys=True),
    )


def forget_mapping(*, member: Member, mapping_id: int) -> Refusal | None:
    """Files with that header are asked about again. What was imported stays as it is."""
    refused = gate(member=member, capability=Capability.IMPORT)
    if refused is not None:
        return refused
    with transaction.atomic():
        row = ColumnMapping.objects.select_for_update().filter(team=member.team, pk=mapping_id).first()
        if row is None:
            return Refusal(code="not-found", message="There is no such mapping in this team.")
        audit.record(
            team=member.team,
            actor=member.user,
            action="mapping.deleted",
            target=row,
            details={"uses": row.uses},
            content=json.dumps(row.columns, sort_keys=True),
        )
        row.delete()
    return None
