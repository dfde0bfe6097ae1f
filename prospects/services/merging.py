"""Two records of one person become one, by a person's decision; and become two again.

Evidence is immutable, its person included: the kept record gets copies, the absorbed one keeps its rows and is
hidden. Keys move, so that later files find the kept record. A `Merge` row holds all that is needed to take it back.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date, datetime

from django.db import transaction
from django.db.models import Q

from outreach.teams import audit
from outreach.teams.access import Member, gate
from outreach.teams.domain.capabilities import Capability
from outreach.teams.domain.refusal import Refusal
from prospects.models import (
    Evidence,
    EvidenceState,
    IdentityKey,
    Merge,
    MergeSuggestion,
    Prospect,
    ProspectState,
    SuggestionState,
)
from prospects.services.absorbing import lock_team
from prospects.services.evidence import refresh_card

_MOST_ROWS = 5_000
#: Columns of the kept record that the absorbed one fills where they are empty, and those that follow the evidence.
_FILLED = ("email", "linkedin_url", "first_degree")
_FOLLOWING = ("headline", "title", "location", "company_id")
_GONE = Refusal(code="not-found", message="There is no such prospect in this team.")


@dataclass
class _Moved:
    copies: list[list[int]] = field(default_factory=list)
    closed: list[int] = field(default_factory=list)


def merge(*, member: Member, kept_id: int, absorbed_id: int, now: datetime) -> Merge | Refusal:
    """Make one record of two. What the kept one knows stays; of two values for one slot the newer observation counts."""
    refused = gate(member=member, capability=Capability.WRITE)
    if refused is not None:
        return refused
    with transaction.atomic():
        lock_team(team=member.team)
        pair = _locked_pair(member, kept_id, absorbed_id)
        if isinstance(pair, Refusal):
            return pair
        kept, absorbed = pair
        row = Merge(team=member.team, kept=kept, absorbed=absorbed, absorbed_state=absorbed.state)
        row.made_by, row.made_at = member.user, now
        moved = _copy_evidence(kept, absorbed, now)
        row.copies, row.closed = moved.copies, moved.closed
        row.keys = list(IdentityKey.objects.filter(prospect=absorbed).values_list("pk", flat=True))
        IdentityKey.objects.filter(pk__in=row.keys).update(prospect=kept)
        row.columns = _fill(kept, absorbed)
        row.save()
        Prospect.objects.filter(pk=absorbed.pk).update(state=ProspectState.MERGED, conflict="", updated_at=now)
        refresh_card(prospect=kept, now=now)
        _settle_suggestions(member, kept, absorbed, SuggestionState.MERGED, now)
        audit.record(
            team=member.team, actor=member.user, action="prospect.merged", target=kept,
            details={"absorbed": absorbed.pk, "evidence": len(moved.copies), "keys": len(row.keys)},
        )  # fmt: skip
    return row


def _locked_pair(member: Member, kept_id: int, absorbed_id: int) -> tuple[Prospect, Prospect] | Refusal:
    if kept_id == absorbed_id:
        return Refusal(code="same-record", message="These are one record already. Choose two.")
    rows = Prospect.objects.select_for_update().filter(team=member.team, pk__in=[kept_id, absorbed_id]).order_by("pk")
    found = {row.pk: row for row in rows}
    if len(found) < 2 or any(row.state == ProspectState.ERASED for row in found.values()):
        return _GONE
    if any(row.state == ProspectState.MERGED for row in found.values()):
        return Refusal(code="merged-already", message="One of them went up in another record already.")
    if found[kept_id].state == ProspectState.CONFLICTED:
        return Refusal(
            code="conflicted", message="Settle first who the record is that you want to keep; its sources disagree."
        )
    if Evidence.objects.filter(prospect_id=absorbed_id).count() > _MOST_ROWS:
        return Refusal(code="too-much", message=f"A record of more than {_MOST_ROWS:,} facts is kept, not absorbed.")
    return found[kept_id], found[absorbed_id]


def _copy_evidence(kept: Prospect, absorbed: Prospect, now: datetime) -> _Moved:
    """Copies of everything the absorbed record holds, history included: a file imported again brings nothing back."""
    mine = list(Evidence.objects.filter(prospect=kept).exclude(state=EvidenceState.ERASED).defer("snapshot"))
    known: dict[str, list[Evidence]] = {}
    for row in mine:
        known.setdefault(row.content_hash, []).append(row)
    holders = {row.slot: row for row in mine if row.slot and row.state == EvidenceState.CURRENT}
    originals = [
        row
        for row in Evidence.objects.filter(prospect=absorbed).exclude(state=EvidenceState.ERASED).order_by("pk")
        if not any(_says_it(twin, row) for twin in known.get(row.content_hash, ()))
    ]
    copies = [_copy(row, kept, now) for row in originals]
    closing: list[tuple[Evidence, Evidence]] = []
    later: list[tuple[Evidence, Evidence]] = []
    for copy in copies:
        holder = holders.get(copy.slot) if copy.slot and copy.state == EvidenceState.CURRENT else None
        if holder is not None and _seen(holder) >= _seen(copy):
            copy.state, copy.state_reason = EvidenceState.SUPERSEDED, "older than what was known"
            later.append((copy, holder))
        elif holder is not None:
            closing.append((holder, copy))
    for holder, _ in closing:
        holder.state, holder.state_reason = EvidenceState.SUPERSEDED, "newer evidence of a merged record"
    Evidence.objects.bulk_update([holder for holder, _ in closing], ["state", "state_reason"])
    Evidence.objects.bulk_create(copies, batch_size=500)
    for old, new in [*closing, *later]:
        old.superseded_by = new
    Evidence.objects.bulk_update([old for old, _ in [*closing, *later]], ["superseded_by"])
    pairs = [[copy.pk, row.pk] for copy, row in zip(copies, originals, strict=True)]
    return _Moved(copies=pairs, closed=[holder.pk for holder, _ in closing])


def _says_it(twin: Evidence, row: Evidence) -> bool:
    """Whether the kept record needs no copy: it says the same now, was told that it is wrong, or heard it later."""
    return twin.state in {EvidenceState.CURRENT, EvidenceState.RETRACTED} or _seen(twin) >= _seen(row)


def _seen(row: Evidence) -> date:
    return max(row.observed_at, row.last_seen_at) if row.last_seen_at else row.observed_at


def _copy(row: Evidence, kept: Prospect, now: datetime) -> Evidence:
    return Evidence(
        team_id=row.team_id, prospect=kept, kind=row.kind, actor=row.actor, ref=row.ref, text=row.text, fields=row.fields,
        occurred_first=row.occurred_first, occurred_last=row.occurred_last, observed_at=row.observed_at,
        language=row.language, source=row.source, source_url=row.source_url, snapshot=row.snapshot, batch_id=row.batch_id,
        added_by_id=row.added_by_id, content_hash=row.content_hash, slot=row.slot, last_seen_at=row.last_seen_at,
        state=row.state, state_reason=row.state_reason, created_at=now,
    )  # fmt: skip


def _fill(kept: Prospect, absorbed: Prospect) -> dict[str, object]:
    """Take over what the kept record lacks. Returns what its columns held before, so that it can be given back."""
    before = {column: getattr(kept, column) for column in (*_FILLED, *_FOLLOWING)}
    for column in _FILLED:
        setattr(kept, column, getattr(kept, column) or getattr(absorbed, column))
    return before


def _settle_suggestions(
    member: Member, kept: Prospect, absorbed: Prospect, state: SuggestionState, now: datetime
) -> None:
    first, second = sorted((kept.pk, absorbed.pk))
    MergeSuggestion.objects.update_or_create(
        first_id=first,
        second_id=second,
        defaults={"state": state, "decided_by": member.user, "decided_at": now},
        create_defaults={
            "team": member.team, "reason": MergeSuggestion.Reason.BY_HAND, "state": state,
            "decided_by": member.user, "decided_at": now, "created_at": now,
        },
    )  # fmt: skip


def unmerge(*, member: Member, merge_id: int, now: datetime) -> Merge | Refusal:
    """Take a merge back: two records again, as before. What came to the kept record since then stays with it, and
    keeps it out of drafting until a person has settled whose it is."""
    refused = gate(member=member, capability=Capability.WRITE)
    if refused is not None:
        return refused
    with transaction.atomic():
        lock_team(team=member.team)
        row = Merge.objects.select_for_update().filter(team=member.team, pk=merge_id).first()
        if row is None:
            return Refusal(code="not-found", message="There is no such merge in this team.")
        if row.undone_at is not None:
            return Refusal(code="undone-already", message="This merge was taken back already.")
        found = Prospect.objects.select_for_update().in_bulk([row.kept_id, row.absorbed_id])
        kept, absorbed = found[row.kept_id], found[row.absorbed_id]
        if kept.state in {ProspectState.MERGED, ProspectState.ERASED}:
            return Refusal(
                code="merged-further",
                message="The record went up in another one since then; take that merge back first.",
            )
        _take_evidence_back(row)
        IdentityKey.objects.filter(pk__in=row.keys, prospect=kept).update(prospect=absorbed)
        _take_columns_back(row, kept, absorbed)
        absorbed.state, absorbed.updated_at = row.absorbed_state, now
        absorbed.conflict = (
            "Its sources disagreed before it was merged." if row.absorbed_state == ProspectState.CONFLICTED else ""
        )
        absorbed.save(update_fields=["state", "conflict", "updated_at"])
        row.undone_by, row.undone_at = member.user, now
        row.save(update_fields=["undone_by", "undone_at"])
        for prospect in (kept, absorbed):
            refresh_card(prospect=prospect, now=now)
        _doubt_what_came_since(row, kept, absorbed)
        _settle_suggestions(member, kept, absorbed, SuggestionState.DECLINED, now)
        audit.record(
            team=member.team, actor=member.user, action="prospect.merge_undone", target=kept,
            details={"absorbed": absorbed.pk},
        )  # fmt: skip
    return row


def _take_evidence_back(row: Merge) -> None:
    """Close the copies, carry retractions over to the originals, and let what a copy superseded hold again."""
    originals = dict(map(tuple, row.copies))
    copies = Evidence.objects.filter(pk__in=list(originals))
    wrong = {copy.pk: copy.state_reason for copy in copies if copy.state == EvidenceState.RETRACTED}
    for copy_id, reason in wrong.items():
        Evidence.objects.filter(pk=originals[copy_id], state=EvidenceState.CURRENT).update(
            state=EvidenceState.RETRACTED, state_reason=reason
        )
    copies.filter(state=EvidenceState.CURRENT).update(
        state=EvidenceState.SUPERSEDED, state_reason="the merge was taken back"
    )
    for old in Evidence.objects.filter(
        pk__in=row.closed, state=EvidenceState.SUPERSEDED, superseded_by__in=list(originals)
    ):
        holders = Q(content_hash=old.content_hash) | (Q(slot=old.slot) if old.slot else Q(pk__in=[]))
        if not Evidence.objects.filter(holders, prospect_id=row.kept_id, state=EvidenceState.CURRENT).exists():
            old.state, old.state_reason, old.superseded_by = EvidenceState.CURRENT, "", None
            old.save(update_fields=["state", "state_reason", "superseded_by"])


def _doubt_what_came_since(row: Merge, kept: Prospect, absorbed: Prospect) -> None:
    """While the two were one record, what a file said of either went to the kept one."""
    last = max((copy for copy, _ in row.copies), default=0)
    since = Q(pk__gt=last) if last else Q(created_at__gt=row.made_at)  # numbers rise; clocks may differ
    came = Evidence.objects.filter(since, prospect=kept, state=EvidenceState.CURRENT).count()
    if came and kept.state == ProspectState.ACTIVE:
        kept.state = ProspectState.CONFLICTED
        kept.conflict = (
            f"While it was one record with {absorbed.full_name}, {came} fact{'' if came == 1 else 's'} came to it. Retract those that are not "
            "about this person, then settle the name."
        )
        kept.save(update_fields=["state", "conflict"])


def _take_columns_back(row: Merge, kept: Prospect, absorbed: Prospect) -> None:
    """Give back what was before, but nothing that a later file or person wrote there."""
    for column in _FILLED:
        if getattr(kept, column) == getattr(absorbed, column):
            setattr(kept, column, row.columns[column])
    for column in _FOLLOWING:
        setattr(kept, column, row.columns[column])


def decline(*, member: Member, suggestion_id: int, now: datetime) -> MergeSuggestion | Refusal:
    """Two people: the pair is not suggested again."""
    refused = gate(member=member, capability=Capability.WRITE)
    if refused is not None:
        return refused
    with transaction.atomic():
        row = MergeSuggestion.objects.select_for_update().filter(team=member.team, pk=suggestion_id).first()
        if row is None:
            return Refusal(code="not-found", message="There is no such suggestion in this team.")
        if row.state != SuggestionState.OPEN:
            return Refusal(
                code="decided-already", message=f"This was decided already: {row.get_state_display().lower()}."
            )
        row.state, row.decided_by, row.decided_at = SuggestionState.DECLINED, member.user, now
        row.save(update_fields=["state", "decided_by", "decided_at"])
        audit.record(team=member.team, actor=member.user, action="prospect.merge_declined", target=row)
    return row


def suggest(*, member: Member, first: Prospect, second: Prospect, now: datetime) -> MergeSuggestion | Refusal:
    """A person thinks that these two are one; the side by side is where it is decided."""
    refused = gate(member=member, capability=Capability.WRITE)
    if refused is not None:
        return refused
    ids = sorted((first.pk, second.pk))
    live = {ProspectState.ACTIVE, ProspectState.CONFLICTED}
    if first.pk == second.pk:
        return Refusal(code="same-record", message="That is this record itself. Name another one.")
    if {first.team_id, second.team_id} != {member.team.pk} or not {first.state, second.state} <= live:
        return _GONE
    row, created = MergeSuggestion.objects.get_or_create(
        first_id=ids[0], second_id=ids[1],
        defaults={"team": member.team, "reason": MergeSuggestion.Reason.BY_HAND, "created_at": now},
    )  # fmt: skip
    if not created and row.state != SuggestionState.OPEN:
        row.state, row.decided_by, row.decided_at = SuggestionState.OPEN, None, None
        row.save(update_fields=["state", "decided_by", "decided_at"])
    return row
