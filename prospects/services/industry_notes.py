"""Industry notes are written, reviewed by a manager, replaced by a newer version, and retired. Never edited."""

from __future__ import annotations

from datetime import datetime

from django.db import IntegrityError, transaction

from outreach.teams import audit
from outreach.teams.access import Member, gate
from outreach.teams.domain.capabilities import Capability
from outreach.teams.domain.refusal import Refusal
from prospects.domain.industries import fault_of
from prospects.domain.reading import scrub
from prospects.models import IndustryNote, NoteState
from prospects.queries.industries import industry_key, shipped

_TWICE = Refusal(code="said-already", message="The team has this statement already.")
_GONE = Refusal(code="not-found", message="There is no such note in this team.")


def write_note(
    *, member: Member, industry: str, text: str, kind: str, source: str, source_url: str, language: str, now: datetime
) -> IndustryNote | Refusal:
    """A first version, to be reviewed."""
    refused = gate(member=member, capability=Capability.WRITE) or _fault(industry, text, kind, source, source_url)
    if refused is not None:
        return refused
    row = IndustryNote(
        team=member.team, industry=industry_key(industry), text=_one_line(text), kind=kind, source=_one_line(source),
        source_url=source_url.strip(), language=language or "en", author=member.user, created_at=now,
    )  # fmt: skip
    return _store(member, row, "industry_note.written")


def revise_note(
    *, member: Member, note_id: int, text: str, kind: str, source: str, source_url: str, now: datetime
) -> IndustryNote | Refusal:
    """A newer version of a note, to be reviewed; until then the one before it holds."""
    refused = gate(member=member, capability=Capability.WRITE)
    if refused is not None:
        return refused
    with transaction.atomic():
        old = IndustryNote.objects.select_for_update().filter(team=member.team, pk=note_id).first()
        if old is None:
            return _GONE
        refused = _closed(old) or _fault(old.industry, text, kind, source, source_url)
        if refused is not None:
            return refused
        row = IndustryNote(
            team=member.team, industry=old.industry, text=_one_line(text), kind=kind, source=_one_line(source),
            source_url=source_url.strip(), language=old.language, version=old.version + 1, replaces=old,
            author=member.user, created_at=now,
        )  # fmt: skip
        if (row.text, row.kind, row.source, row.source_url) == (old.text, old.kind, old.source, old.source_url):
            return Refusal(code="nothing-new", message="This says the same as the version before.")
        if row.text == old.text and old.state == NoteState.DRAFT:
            _retire(old, now)  # the same words under a better source: one of them is enough
        return _store(member, row, "industry_note.revised")


def _closed(old: IndustryNote) -> Refusal | None:
    if old.state == NoteState.RETIRED:
        return Refusal(code="retired", message="This note is retired; write a new one.")
    if IndustryNote.objects.filter(replaces=old).exists():
        return Refusal(code="revised-already", message="There is a newer version; change that one.")
    return None


def _fault(industry: str, text: str, kind: str, source: str, source_url: str) -> Refusal | None:
    fault = fault_of(text)
    if fault:
        return Refusal(code="text-unusable", message=fault)
    if not industry.strip():
        return Refusal(code="industry-missing", message="Say which industry it is about.")
    if kind not in IndustryNote.Kind.values or not source.strip():
        return Refusal(code="source-missing", message="Say what kind of source it rests on, and which.")
    if source_url.strip() and not source_url.strip().lower().startswith(("https://", "http://")):
        return Refusal(code="source-unusable", message="The address has to begin with https:// or http://.")
    return None


def _one_line(text: str) -> str:
    return " ".join(scrub(text).split())[:300]


def _store(member: Member, row: IndustryNote, action: str) -> IndustryNote | Refusal:
    try:
        with transaction.atomic():
            row.save()
            audit.record(team=member.team, actor=member.user, action=action, target=row, content=row.text)
    except IntegrityError:
        return _TWICE
    return row


def approve_note(*, member: Member, note_id: int, now: datetime) -> IndustryNote | Refusal:
    """A manager has read it and stands by it; what it replaces is retired. Approving again renews the review."""
    refused = gate(member=member, capability=Capability.MANAGE)
    if refused is not None:
        return refused
    with transaction.atomic():
        row = IndustryNote.objects.select_for_update().filter(team=member.team, pk=note_id).first()
        if row is None:
            return _GONE
        if row.state == NoteState.RETIRED:
            return Refusal(code="retired", message="This note is retired; write a new one.")
        before = IndustryNote.objects.select_for_update().filter(successor=row).first()
        if before is not None and before.state != NoteState.RETIRED:
            _retire(before, now)
        row.state, row.reviewed_by, row.reviewed_at = NoteState.APPROVED, member.user, now
        row.save(update_fields=["state", "reviewed_by", "reviewed_at"])
        audit.record(team=member.team, actor=member.user, action="industry_note.approved", target=row, content=row.text)
    return row


def retire_note(*, member: Member, note_id: int, now: datetime) -> IndustryNote | Refusal:
    """Nothing rests on it any more: approvals that cite it lapse."""
    refused = gate(member=member, capability=Capability.MANAGE)
    if refused is not None:
        return refused
    with transaction.atomic():
        row = IndustryNote.objects.select_for_update().filter(team=member.team, pk=note_id).first()
        if row is None:
            return _GONE
        if row.state == NoteState.RETIRED:
            return Refusal(code="retired", message="This note is retired already.")
        _retire(row, now)
        audit.record(team=member.team, actor=member.user, action="industry_note.retired", target=row)
    return row


def _retire(row: IndustryNote, now: datetime) -> None:
    row.state, row.retired_at = NoteState.RETIRED, now
    row.save(update_fields=["state", "retired_at"])


def take_starters(*, member: Member, industry: str, now: datetime) -> int | Refusal:
    """Take the shipped statements on an industry over, to be reviewed. Returns how many came."""
    refused = gate(member=member, capability=Capability.WRITE)
    if refused is not None:
        return refused
    found = next((one for one in shipped() if one.key == industry), None)
    if found is None:
        return Refusal(code="not-found", message="There are no starters for this industry.")
    with transaction.atomic():
        have = set(IndustryNote.objects.filter(team=member.team, industry=industry).values_list("text", flat=True))
        rows = [
            IndustryNote(
                team=member.team, industry=industry, text=starter.text, kind=starter.kind, source=starter.rests_on,
                created_at=now,
            )
            for starter in found.starters
            if starter.text not in have
        ]  # fmt: skip
        IndustryNote.objects.bulk_create(rows, ignore_conflicts=True)
        audit.record(
            team=member.team, actor=member.user, action="industry_note.starters_taken", target=member.team,
            details={"industry": industry, "notes": len(rows)},
        )  # fmt: skip
    return len(rows)
