"""Ending what was going to be sent: after an answer, an opt-out, a bounce, or a rule that says never."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from django.db import transaction

from messaging.models import (
    Approval,
    Delivery,
    DeliveryEvent,
    DeliveryState,
    Draft,
    DraftState,
    Enrolment,
    EnrolmentState,
    OptOutToken,
)
from outreach.teams import audit
from outreach.teams.domain.refusal import Refusal
from outreach.teams.models import Team, User
from prospects import suppression
from prospects.models import Prospect, Suppression

#: Drafts that nobody needs to write or review any more once the conversation has ended. One that is being
#: written keeps its lease; its delivery is stopped by the claim.
OPEN_DRAFTS = (DraftState.WAITING, DraftState.READY, DraftState.BLOCKED, DraftState.CHANGES, DraftState.APPROVED)


@dataclass(frozen=True)
class Stopped:
    """What was ended."""

    deliveries: int
    drafts: int


@dataclass(frozen=True)
class OptedOut:
    """The wish not to hear from the team was honoured, now or earlier."""

    team_name: str
    already: bool


def cancel(*, delivery: Delivery, reason: str, now: datetime, final: bool) -> None:
    """End one delivery inside the caller's transaction. final: its draft ends too, and its approval lapses."""
    Delivery.objects.filter(pk=delivery.pk).update(state=DeliveryState.CANCELLED, error=reason)
    DeliveryEvent.objects.create(delivery=delivery, kind="cancelled", detail=reason, at=now)
    if final:
        Approval.objects.filter(pk=delivery.approval_id, lapsed_at__isnull=True).update(
            lapsed_at=now, lapse_reason=reason[:300]
        )
        Draft.objects.filter(pk=delivery.draft_id, state=DraftState.APPROVED).update(
            state=DraftState.CANCELLED, state_reason=reason
        )
    audit.record(team=delivery.team, actor=None, action="delivery.cancelled", target=delivery)


def stop_messages(*, team: Team, prospect: Prospect, reason: str, now: datetime) -> Stopped:
    """Nothing that is open goes to this person any more, in any campaign. Call inside a transaction."""
    waiting = Delivery.objects.select_for_update(of=("self",)).filter(
        team=team, prospect=prospect, state__in=[DeliveryState.WAITING, DeliveryState.TASK]
    )
    rows = list(waiting.select_related("team"))
    for delivery in rows:
        cancel(delivery=delivery, reason=reason, now=now, final=True)
    drafts = Draft.objects.filter(team=team, prospect=prospect, state__in=OPEN_DRAFTS).exclude(
        deliveries__state__in=[DeliveryState.CLAIMED, DeliveryState.UNCONFIRMED]
    )
    ids = list(drafts.values_list("pk", flat=True))
    Approval.objects.filter(draft_id__in=ids, lapsed_at__isnull=True).update(lapsed_at=now, lapse_reason=reason[:300])
    ended = Draft.objects.filter(pk__in=ids).update(state=DraftState.CANCELLED, state_reason=reason)
    return Stopped(deliveries=len(rows), drafts=ended)


def end_enrolments(*, team: Team, prospect: Prospect, state: EnrolmentState, reason: str) -> int:
    """Call inside a transaction."""
    return Enrolment.objects.filter(
        team=team, prospect=prospect, state__in=[EnrolmentState.ACTIVE, EnrolmentState.PAUSED]
    ).update(state=state, state_reason=reason[:300], paused_until=None)


def suppress_person(
    *, team: Team, prospect: Prospect | None, addresses: tuple[str, ...], actor: User | None, reason: str, now: datetime
) -> None:
    """Never write again: every known address and the profile. Open messages end. Call inside a transaction."""
    known = {address.strip().lower() for address in addresses if address.strip()}
    if prospect is not None and prospect.email:
        known.add(prospect.email.strip().lower())
    for address in sorted(known):
        suppression.suppress(team=team, actor=actor, kind=Suppression.Kind.EMAIL, value=address, reason=reason, now=now)
    if prospect is None:
        return
    suppression.suppress_prospect(prospect=prospect, actor=actor, reason=reason, now=now)
    if prospect.linkedin_url:
        suppression.suppress(
            team=team, actor=actor, kind=Suppression.Kind.PROFILE, value=prospect.linkedin_url, reason=reason, now=now
        )
    end_enrolments(team=team, prospect=prospect, state=EnrolmentState.REMOVED, reason=reason)
    stop_messages(team=team, prospect=prospect, reason=reason, now=now)


@transaction.atomic
def opt_out(*, token: str, now: datetime) -> OptedOut | Refusal:
    """One click, no login (RFC 8058): effective at once, in every campaign and on every channel of the team."""
    row = (
        OptOutToken.objects.select_for_update(of=("self",))
        .select_related("team", "prospect", "draft")
        .filter(token=token)
        .first()
    )
    if row is None:
        return Refusal("unknown-token", "This unsubscribe link is not known here. Answer the message instead.")
    already = row.used_at is not None
    # Also when the link was used before: the team may have taken the suppression away, and this is a new objection.
    suppress_person(
        team=row.team,
        prospect=row.prospect,
        addresses=_addresses(row),
        actor=None,
        reason="Unsubscribed by link",
        now=now,
    )
    if not already:
        row.used_at = now
        row.save(update_fields=["used_at"])
        audit.record(team=row.team, actor=None, action="prospect.unsubscribed", target=row)
    return OptedOut(team_name=row.team.name, already=already)


def _addresses(row: OptOutToken) -> tuple[str, ...]:
    """The addresses that messages of this draft were made for: the record may name another by now."""
    if row.draft is None:
        return ()
    return tuple(row.draft.payloads.filter(channel="email").values_list("recipient", flat=True)[:20])
