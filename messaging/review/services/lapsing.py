"""Approvals that end by themselves, and verdicts that a newer verifier gives."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from django.db import transaction
from django.db.models import F

from messaging.models import Approval, Check, DecisionKind, Delivery, Draft, DraftState
from messaging.review.queries.facts import lost_statements
from messaging.review.queries.grounds import lost_ground
from messaging.review.queries.lapsing import Due, checked_before, due_to_lapse, open_changes, outdated_checks
from messaging.review.services.approving import lapse
from messaging.review.services.locking import decided
from messaging.verification.engine import VERIFIER_VERSION
from messaging.writing.revisions import recheck
from outreach.campaigns.models import OfferChange


@dataclass(frozen=True)
class Swept:
    lapsed: int = 0
    rechecked: int = 0


def lapse_due(*, now: datetime, limit: int = 200) -> Swept:
    """Return drafts to the queue whose approval no longer holds: too late, or its evidence is gone.

    One short transaction each; an approval whose delivery was begun is left alone.
    """
    return Swept(lapsed=sum(_lapsed(due=due, now=now) for due in due_to_lapse(today=now.date(), limit=limit)))


def recheck_queue(*, now: datetime, limit: int = 200) -> Swept:
    """Run the current verifier over texts that an older one checked; approvals lapse only where a verdict changed."""
    lapsed = rechecked = 0
    for draft_id in outdated_checks(version=VERIFIER_VERSION, limit=limit):
        done = _rechecked(draft_id=draft_id, now=now)
        lapsed += done.lapsed
        rechecked += done.rechecked
    return Swept(lapsed=lapsed, rechecked=rechecked)


def recheck_changed_offers(*, now: datetime, limit: int = 200) -> Swept:
    """Verify again what waits in campaigns that say something else than before; a change is settled when nothing is left.

    Approvals lapse only where a verdict changed. One short transaction a text, so a worker that dies loses nothing.
    """
    lapsed = rechecked = 0
    for change in open_changes(limit=limit):
        found = checked_before(change=change, limit=limit - rechecked)
        for draft_id in found:
            done = _rechecked(draft_id=draft_id, now=now, change=change)
            lapsed += done.lapsed
            rechecked += done.rechecked
        if rechecked >= limit:
            break
        if not checked_before(change=change, limit=1):
            OfferChange.objects.filter(pk=change.pk, settled_at__isnull=True).update(settled_at=now)
    return Swept(lapsed=lapsed, rechecked=rechecked)


@transaction.atomic
def _lapsed(*, due: Due, now: datetime) -> int:
    held = _standing(draft_id=due.draft_id)
    if held is None or held[0].pk != due.approval_id:
        return 0
    approval, draft = held
    _ended(approval=approval, draft=draft, state=DraftState.READY, reason=due.reason, now=now)
    if draft.current is not None:
        recheck(revision=draft.current, now=now)
    ground = lost_ground(approval=approval)
    if ground:
        Draft.objects.filter(pk=draft.pk).update(state=DraftState.BLOCKED, state_reason=ground)
    return 1


@transaction.atomic
def _rechecked(*, draft_id: int, now: datetime, change: OfferChange | None = None) -> Swept:
    held = _standing(draft_id=draft_id)
    draft = held[1] if held else Draft.objects.select_for_update().get(pk=draft_id)
    if draft.current is None or (draft.state == DraftState.APPROVED and held is None):
        return Swept()
    checked = recheck(revision=draft.current, now=now, send_by=held[0].send_by if held else None)
    reason = "" if checked.passes else "A newer verifier no longer confirms every claim."
    if change is not None:
        reason = _withdrawn(draft=draft, checked=checked, change=change)
        lost = bool(held and reason)
        OfferChange.objects.filter(pk=change.pk).update(checked=F("checked") + 1, lapsed=F("lapsed") + int(lost))
    if held is None:
        if change is not None and reason:
            Draft.objects.filter(pk=draft.pk, state=DraftState.READY).update(
                state=DraftState.BLOCKED, state_reason=reason
            )
        return Swept(rechecked=1)
    if not reason:
        return Swept(rechecked=1)
    _ended(approval=held[0], draft=draft, state=DraftState.BLOCKED, reason=reason, now=now)
    return Swept(lapsed=1, rechecked=1)


def _withdrawn(*, draft: Draft, checked: Check, change: OfferChange) -> str:
    """Why the text no longer stands after the change, "" while it does: a claim fell, or it repeats what nobody says now."""
    lost = draft.current and lost_statements(
        revision=draft.current, claims=checked.claims.order_by("id"), campaign=draft.campaign, day=checked.send_by
    )
    if checked.passes and not lost:
        return ""
    return f"What the campaign says changed on {change.at:%d %b %Y}, and this text no longer stands on it."


def _standing(*, draft_id: int) -> tuple[Approval, Draft] | None:
    """The standing approval and its draft, locked in the outbox's order; None when its delivery was begun."""
    deliveries = list(Delivery.objects.select_for_update().filter(draft_id=draft_id).order_by("id"))
    approval = (
        Approval.objects.select_for_update(of=("self",)).filter(draft_id=draft_id, lapsed_at__isnull=True).first()
    )
    if approval is None:
        return None
    begun = [row for row in deliveries if row.approval_id == approval.pk and row.state not in _NOT_BEGUN]
    draft = Draft.objects.select_for_update(of=("self",)).select_related("team", "current").get(pk=draft_id)
    return None if begun or draft.state != DraftState.APPROVED else (approval, draft)


#: A delivery that the outbox cancelled because of its date or evidence was never begun.
_NOT_BEGUN = ("waiting", "task", "cancelled")


def _ended(*, approval: Approval, draft: Draft, state: DraftState, reason: str, now: datetime) -> None:
    lapse(approval=approval, draft=draft, state=state, reason=reason, now=now)
    decided(draft=draft, member=None, kind=DecisionKind.LAPSED, note=reason, now=now, details={"approval": approval.pk})
