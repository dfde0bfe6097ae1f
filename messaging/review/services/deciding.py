"""The other decisions about a draft: reject, ask for changes, skip, comment."""

from __future__ import annotations

from datetime import datetime

from django.db import transaction

from messaging.models import Comment, Decision, DecisionKind, Draft, DraftState, RejectionReason
from messaging.review.queries.queue import OPEN
from messaging.review.services.locking import at_work, decided, kept_out, locked, released
from outreach.teams import audit
from outreach.teams.access import Member, gate
from outreach.teams.domain.capabilities import Capability
from outreach.teams.domain.refusal import Refusal
from outreach.teams.models import Team

#: What a team starts with; it may change its list. The numbers are the keys on the review screen.
REASONS = (
    "Wrong person or wrong time",
    "Claim is true but should not be used",
    "Hook does not fit the offer",
    "Tone",
    "Too long or too dense",
    "Sounds like a machine",
    "Other, with a note",
)
MOST_COMMENT = 2000
_CLOSED = Refusal("state", "It is decided already. Reload the page.")


def reasons_of(*, team: Team) -> tuple[RejectionReason, ...]:
    """The team's reasons in their order; the usual ones are stored when it has none."""
    rows = tuple(RejectionReason.objects.filter(team=team, active=True).order_by("position")[:20])
    if rows:
        return rows
    usual = [RejectionReason(team=team, position=place, label=label) for place, label in enumerate(REASONS, start=1)]
    RejectionReason.objects.bulk_create(usual, ignore_conflicts=True)
    return tuple(RejectionReason.objects.filter(team=team, active=True).order_by("position")[:20])


@transaction.atomic
def reject(
    *, member: Member, draft_id: int, revision_id: int, reason_position: int, note: str = "", now: datetime
) -> Decision | Refusal:
    """Turn the message down with one of the team's reasons. It can be brought back by editing or regenerating."""
    refused = gate(member=member, capability=Capability.REVIEW)
    if refused:
        return refused
    reason = next((row for row in reasons_of(team=member.team) if row.position == reason_position), None)
    if reason is None:
        return Refusal("reason", "Choose one of the reasons.")
    if reason.label.startswith("Other") and not note.strip():
        return Refusal("note", "Say in a note why you reject it.")
    return _closed(
        member=member,
        draft_id=draft_id,
        revision_id=revision_id,
        state=DraftState.REJECTED,
        kind=DecisionKind.REJECTED,
        reason=reason,
        note=note,
        now=now,
    )


@transaction.atomic
def request_changes(*, member: Member, draft_id: int, revision_id: int, note: str, now: datetime) -> Decision | Refusal:
    """Send the message back to a writer with what to change."""
    if not note.strip():
        return Refusal("note", "Say what should change.")
    return _closed(
        member=member,
        draft_id=draft_id,
        revision_id=revision_id,
        state=DraftState.CHANGES,
        kind=DecisionKind.CHANGES,
        reason=None,
        note=note,
        now=now,
    )


def _closed(
    *,
    member: Member,
    draft_id: int,
    revision_id: int,
    state: DraftState,
    kind: DecisionKind,
    reason: RejectionReason | None,
    note: str,
    now: datetime,
) -> Decision | Refusal:
    draft = at_work(member=member, draft_id=draft_id, capability=Capability.REVIEW, now=now)
    if isinstance(draft, Refusal):
        return draft
    if draft.state not in OPEN:
        return _CLOSED
    if draft.current_id != revision_id:
        return Refusal("stale", "The text has changed since you opened it. Read the new one first.")
    text = note.strip()[:MOST_COMMENT]
    draft.state, draft.state_reason = state, ": ".join(part for part in (reason.label if reason else "", text) if part)
    draft.save(update_fields=["state", "state_reason"])
    released(draft=draft)
    return decided(
        draft=draft,
        member=member,
        kind=kind,
        reason=reason,
        note=text,
        now=now,
        details={"reason": reason.position} if reason else None,
    )


@transaction.atomic
def skip(*, member: Member, draft_id: int, now: datetime) -> Draft | Refusal:
    """Leave the draft to somebody else: one's own lease ends, nothing else changes."""
    draft = locked(member=member, draft_id=draft_id, capability=Capability.REVIEW)
    if isinstance(draft, Refusal) or kept_out(draft=draft, member=member, now=now):
        return draft
    released(draft=draft)
    decided(draft=draft, member=member, kind=DecisionKind.SKIPPED, now=now)
    return draft


@transaction.atomic
def comment(*, member: Member, draft_id: int, text: str, now: datetime) -> Comment | Refusal:
    """A remark for the team. It never reaches the prospect."""
    words = text.strip()
    if not words:
        return Refusal("empty", "Write something first.")
    if len(words) > MOST_COMMENT:
        return Refusal("long", f"A comment has at most {MOST_COMMENT} characters; this one has {len(words)}.")
    draft = locked(member=member, draft_id=draft_id, capability=Capability.WRITE)
    if isinstance(draft, Refusal):
        return draft
    row = Comment.objects.create(draft=draft, user=member.user, text=words, created_at=now)
    audit.record(
        team=draft.team,
        actor=member.user,
        action="draft.commented",
        target=draft,
        details={"comment": row.pk},
        content=words,
    )
    return row
