"""The decision that binds: these bytes, verified now, by somebody who wrote none of them."""

from __future__ import annotations

from datetime import date, datetime, timedelta
from typing import cast

from django.db import transaction

from messaging.models import (
    Approval,
    Check,
    DecisionKind,
    Delivery,
    DeliveryEvent,
    DeliveryState,
    Draft,
    DraftState,
    Payload,
)
from messaging.review.domain.approval import may_undo, refusal_of
from messaging.review.queries.facts import Standing, cited_ids, standing_of
from messaging.review.queries.outgoing import Outgoing, outgoing_of
from messaging.review.services.locking import NOT_FOUND, STALE, decided, locked, released
from messaging.review.services.opening import opt_out_token
from messaging.writing.revisions import recheck
from outreach.campaigns.queries import policy_of
from outreach.teams.access import Member, gate
from outreach.teams.domain.capabilities import Capability
from outreach.teams.domain.refusal import Refusal

_CHANGED = Refusal(
    "payload", "What would be sent has changed since you saw it (address, sender or footer). Look at the payload again."
)
_NOT_STARTED = (DeliveryState.WAITING, DeliveryState.TASK)


@transaction.atomic
def approve(
    *, member: Member, draft_id: int, revision_id: int, payload_sha256: str, now: datetime
) -> Approval | Refusal:
    """Freeze and approve the bytes the reviewer has seen.

    The draft's row is locked, the text verified once more by the current verifier, and the payload built
    anew; anything that differs from what was seen refuses. A refusal after the check keeps the new verdicts.
    """
    draft = locked(member=member, draft_id=draft_id, capability=Capability.REVIEW)
    if isinstance(draft, Refusal):
        return draft
    standing = _verified_now(draft=draft, member=member, revision_id=revision_id, now=now)
    if isinstance(standing, Refusal):
        return standing
    outgoing = outgoing_of(
        draft=draft,
        revision=standing.revision,
        policy=standing.policy,
        thread=standing.thread,
        token=opt_out_token(draft=draft),
    )
    if isinstance(outgoing, Refusal):
        return outgoing
    if outgoing.sha256 != payload_sha256:
        return _CHANGED
    return _approved(standing=standing, outgoing=outgoing, member=member, now=now)


def _verified_now(*, draft: Draft, member: Member, revision_id: int, now: datetime) -> Standing | Refusal:
    """What is known already first; only then the verifier, and everything again with its answer."""
    if draft.current is None:
        return STALE
    before = standing_of(draft=draft, revision=draft.current, seen_revision=revision_id, member=member, now=now)
    refusal = refusal_of(before.facts)
    if refusal:
        return refusal
    recheck(revision=draft.current, now=now)
    draft.refresh_from_db(fields=["state", "state_reason", "open_findings", "verdicts"])
    after = standing_of(draft=draft, revision=draft.current, seen_revision=revision_id, member=member, now=now)
    return refusal_of(after.facts) or after


def _approved(*, standing: Standing, outgoing: Outgoing, member: Member, now: datetime) -> Approval:
    draft, facts = standing.draft, standing.facts
    # A standing that nothing refuses was checked and has a day until which it may be sent.
    checked, send_by = cast("Check", standing.checked), cast("date", facts.send_by)
    payload = Payload.objects.create(
        draft=draft,
        revision=standing.revision,
        channel=draft.channel,
        account=draft.campaign.sending_account(draft.channel),
        recipient=outgoing.recipient,
        message_id=outgoing.message_id,
        content=outgoing.content,
        sha256=outgoing.sha256,
        created_at=now,
    )
    approval = Approval.objects.create(
        draft=draft,
        revision=standing.revision,
        payload=payload,
        payload_sha256=payload.sha256,
        checked=checked,
        approved_by=member.user,
        self_approved=facts.is_author,
        send_by=send_by,
        evidence_ids=list(cited_ids(claims=standing.claims)),
        approved_at=now,
    )
    Draft.objects.filter(pk=draft.pk).update(state=DraftState.APPROVED, state_reason="")
    draft.state = DraftState.APPROVED
    released(draft=draft)
    decided(
        draft=draft,
        member=member,
        kind=DecisionKind.APPROVED,
        now=now,
        details={
            "approval": approval.pk,
            "payload_sha256": payload.sha256,
            "send_by": approval.send_by.isoformat(),
            "check": approval.checked_id,
            "self_approved": approval.self_approved,
        },
    )
    return approval


@transaction.atomic
def undo(*, member: Member, draft_id: int, now: datetime) -> Draft | Refusal:
    """Take an approval back within the grace period, before its delivery was claimed.

    Locks in the order of the outbox (delivery, approval, draft), so that of undo and claim one wins.
    """
    refused = gate(member=member, capability=Capability.REVIEW)
    if refused:
        return refused
    mine = Delivery.objects.filter(draft_id=draft_id, team=member.team).order_by("id")
    list(mine.select_for_update().values_list("pk", flat=True))
    approval = (
        Approval.objects.select_for_update(of=("self",))
        .filter(draft_id=draft_id, draft__team=member.team, lapsed_at__isnull=True)
        .first()
    )
    if approval is None:
        return Refusal("state", "There is no approval to undo.") if _exists(member, draft_id) else NOT_FOUND
    started = mine.filter(approval=approval).exclude(state__in=_NOT_STARTED).exists()
    refusal = may_undo(
        approved_at=approval.approved_at,
        grace=timedelta(seconds=policy_of(team=member.team).undo_seconds),
        claimed=started,
        now=now,
    )
    if refusal:
        return refusal
    draft = locked(member=member, draft_id=draft_id, capability=Capability.REVIEW)
    if isinstance(draft, Refusal):
        return draft
    lapse(approval=approval, draft=draft, state=DraftState.READY, reason=f"Undone by {member.user}.", now=now)
    decided(draft=draft, member=member, kind=DecisionKind.UNDONE, now=now, details={"approval": approval.pk})
    return draft


def _exists(member: Member, draft_id: int) -> bool:
    return Draft.objects.filter(pk=draft_id, team=member.team).exists()


def lapse(*, approval: Approval, draft: Draft, state: DraftState, reason: str, now: datetime) -> None:
    """End an approval inside the caller's transaction; a delivery that was not begun ends with it."""
    approval.lapsed_at, approval.lapse_reason = now, reason[:300]
    approval.save(update_fields=["lapsed_at", "lapse_reason"])
    for delivery in Delivery.objects.filter(approval=approval, state__in=_NOT_STARTED):
        delivery.state, delivery.error = DeliveryState.CANCELLED, reason
        delivery.save(update_fields=["state", "error"])
        DeliveryEvent.objects.create(delivery=delivery, kind="cancelled", detail=reason, at=now)
    draft.state, draft.state_reason = state, reason
    draft.save(update_fields=["state", "state_reason"])
