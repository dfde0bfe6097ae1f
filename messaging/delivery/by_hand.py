"""What people do in the outbox: send by hand, say it was not possible, settle what needs confirmation."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from django.db import transaction

from messaging.delivery import queries, stopping
from messaging.delivery.channels.linkedin.assisted import REASONS, NotPossible
from messaging.delivery.domain.rules import Go, Hold, Stop, decide
from messaging.delivery.services import mark_sent
from messaging.models import Approval, Delivery, DeliveryEvent, DeliveryState, Draft, DraftState
from outreach.teams import audit
from outreach.teams.access import Member, gate
from outreach.teams.domain.capabilities import Capability
from outreach.teams.domain.refusal import Refusal


class Settled(StrEnum):
    """What a person found out about a message that needed confirmation."""

    SENT = "sent"
    SEND_AGAIN = "send_again"
    GIVE_UP = "give_up"


@dataclass(frozen=True)
class Done:
    """It was written down; `message` is for the person."""

    message: str


def _locked(*, member: Member, delivery_id: int, states: tuple[DeliveryState, ...]) -> Delivery | Refusal:
    refused = gate(member=member, capability=Capability.SEND)
    if refused is not None:
        return refused
    delivery = (
        Delivery.objects.select_for_update(of=("self",))
        .select_related(
            "team", "draft__enrolment", "draft__campaign", "prospect__company", "approval", "payload", "account"
        )
        .filter(team=member.team, pk=delivery_id)
        .first()
    )
    if delivery is None:
        return Refusal("not-found", "There is no such message in this team's outbox.")
    if delivery.state not in states:
        return Refusal("settled", f"This message is already: {delivery.get_state_display()}. Reload the page.")
    return delivery


@transaction.atomic
def mark_sent_by_hand(*, member: Member, delivery_id: int, now: datetime) -> Done | Refusal:
    """The person says that exactly the shown text was sent: attested, once."""
    delivery = _locked(member=member, delivery_id=delivery_id, states=(DeliveryState.TASK,))
    if isinstance(delivery, Refusal):
        return delivery
    Approval.objects.select_for_update().get(pk=delivery.approval_id)
    ruling = decide(facts=queries.facts_for(delivery=delivery, now=now), now=now)
    if isinstance(ruling, Stop):
        stopping.cancel(delivery=delivery, reason=ruling.reason, now=now, final=ruling.final)
        return Refusal("stopped", f"{ruling.reason} The task was cancelled: do not send this text.")
    if isinstance(ruling, Hold):
        return Refusal("held", f"{ruling.reason} Send it after that.")
    mark_sent(delivery=delivery, state=DeliveryState.ATTESTED, transport_id="", now=now)
    _write_down(delivery=delivery, member=member, kind="attested", detail=f"Sent by hand by {member.user}.", now=now)
    return Done(f"Marked as sent to {delivery.prospect.full_name}.")


@transaction.atomic
def mark_not_possible(
    *, member: Member, delivery_id: int, reason: NotPossible, note: str = "", now: datetime
) -> Done | Refusal:
    """The person could not send it. The task ends with the reason; the draft ends with it."""
    delivery = _locked(member=member, delivery_id=delivery_id, states=(DeliveryState.TASK,))
    if isinstance(delivery, Refusal):
        return delivery
    if reason is NotPossible.OTHER and not note.strip():
        return Refusal("note-missing", "Say what kept you from sending it.")
    text = REASONS[reason] + (f": {note.strip()[:500]}" if note.strip() else "")
    Delivery.objects.filter(pk=delivery.pk).update(state=DeliveryState.FAILED, error=text, error_permanent=True)
    _end_draft(delivery=delivery, reason=text, now=now)
    _write_down(delivery=delivery, member=member, kind="not_possible", detail=text, now=now)
    return Done(f"Noted: {text}.")


@transaction.atomic
def confirm(*, member: Member, delivery_id: int, settled: Settled, now: datetime) -> Done | Refusal:
    """Settle a message of which it is not known whether it left. Only a person may have it sent again."""
    delivery = _locked(member=member, delivery_id=delivery_id, states=(DeliveryState.UNCONFIRMED,))
    if isinstance(delivery, Refusal):
        return delivery
    if settled is Settled.SENT:
        mark_sent(
            delivery=delivery,
            state=DeliveryState.SENT,
            transport_id=delivery.payload.message_id,
            now=delivery.claimed_at or now,
        )
        _write_down(delivery=delivery, member=member, kind="sent", detail=f"Confirmed by {member.user}.", now=now)
        return Done("Confirmed as sent.")
    if settled is Settled.GIVE_UP:
        reason = "Not sent, and given up."
        Delivery.objects.filter(pk=delivery.pk).update(
            state=DeliveryState.FAILED, error=reason, error_permanent=True, claim_token=None
        )
        _end_draft(delivery=delivery, reason=reason, now=now)
        _write_down(delivery=delivery, member=member, kind="failed", detail=reason, now=now)
        return Done("Given up: it will not be sent.")
    return _again(delivery=delivery, member=member, now=now)


@transaction.atomic
def try_again(*, member: Member, delivery_id: int, now: datetime) -> Done | Refusal:
    """Put a message back that failed for reasons which were certainly before acceptance and may have passed."""
    delivery = _locked(member=member, delivery_id=delivery_id, states=(DeliveryState.FAILED,))
    if isinstance(delivery, Refusal):
        return delivery
    if delivery.error_permanent is not False:
        return Refusal("permanent", "The server would refuse this again. Correct the address and write a new message.")
    return _again(delivery=delivery, member=member, now=now)


def _again(*, delivery: Delivery, member: Member, now: datetime) -> Done | Refusal:
    ruling = decide(facts=queries.facts_for(delivery=delivery, now=now), now=now)
    if isinstance(ruling, Stop):
        return Refusal("stopped", f"{ruling.reason} It cannot be sent again.")
    Delivery.objects.filter(pk=delivery.pk).update(
        state=DeliveryState.WAITING, due_at=now, claim_token=None, attempts=0, error="", error_permanent=None
    )
    _write_down(delivery=delivery, member=member, kind="again", detail=f"Put back by {member.user}.", now=now)
    return Done("Back in the outbox.")


def _end_draft(*, delivery: Delivery, reason: str, now: datetime) -> None:
    Approval.objects.filter(pk=delivery.approval_id, lapsed_at__isnull=True).update(
        lapsed_at=now, lapse_reason=reason[:300]
    )
    Draft.objects.filter(pk=delivery.draft_id).update(state=DraftState.CANCELLED, state_reason=reason)


def _write_down(*, delivery: Delivery, member: Member, kind: str, detail: str, now: datetime) -> None:
    DeliveryEvent.objects.create(delivery=delivery, kind=kind, detail=detail, at=now)
    audit.record(team=member.team, actor=member.user, action=f"delivery.{kind}", target=delivery)


def may_send_now(*, delivery: Delivery, now: datetime) -> Go | Hold | Stop:
    """What the page says before it shows the text to copy."""
    return decide(facts=queries.facts_for(delivery=delivery, now=now), now=now)
