"""What follows from a reply: stop, suppress, pause. Each is done once and written down on the reply."""

from __future__ import annotations

from datetime import datetime, timedelta

from messaging.delivery import stopping
from messaging.delivery.services import mark_sent
from messaging.models import Delivery, DeliveryEvent, DeliveryState, Enrolment, EnrolmentState, Reply, ReplyState
from messaging.replies.domain.intents import Intent
from messaging.replies.domain.reading import Kind
from outreach.teams.models import User

#: How long an absence without a date of return holds the sequence.
UNKNOWN_ABSENCE = timedelta(days=7)


def act(*, reply: Reply, actor: User | None, now: datetime) -> list[str]:
    """Everything that follows from the reading as it stands. Call inside a transaction. Returns what was new."""
    done: list[str] = []
    if reply.delivery is not None:
        done += _proves_arrival(reply, now)
    if reply.kind in (Kind.UNSUBSCRIBE, Kind.COMPLAINT) or reply.intent == Intent.UNSUBSCRIBE:
        done += _suppress(reply, actor, now)
    elif reply.kind == Kind.BOUNCE:
        done += _bounced(reply, now)
    elif reply.kind == Kind.AUTO_REPLY:
        done += _absent(reply, now)
    elif reply.prospect is not None:
        done += _stop(reply, now)
    new = [action for action in done if action not in reply.actions]
    reply.actions = [*reply.actions, *new]
    if reply.kind in (Kind.BOUNCE, Kind.AUTO_REPLY) and reply.state == ReplyState.NEW:
        reply.state = ReplyState.CLOSED
    reply.save(update_fields=["actions", "state"])
    return new


def _proves_arrival(reply: Reply, now: datetime) -> list[str]:
    """An answer, and even a bounce, shows that the message left: it settles what needed confirmation."""
    found = Delivery.objects.select_for_update(of=("self",)).select_related("payload")
    delivery = found.filter(pk=reply.delivery_id).first() if reply.delivery_id else None
    if delivery is None or delivery.state != DeliveryState.UNCONFIRMED:
        return []
    mark_sent(
        delivery=delivery,
        state=DeliveryState.SENT,
        transport_id=delivery.payload.message_id,
        now=delivery.claimed_at or now,
    )
    DeliveryEvent.objects.create(delivery=delivery, kind="sent", detail="A reply shows that it left.", at=now)
    return ["confirmed_sent"]


def _suppress(reply: Reply, actor: User | None, now: datetime) -> list[str]:
    if "suppressed" in reply.actions:
        return []
    recipient = reply.delivery.payload.recipient if reply.delivery and reply.delivery.channel == "email" else ""
    # A provider's complaint comes from the provider: its address is not the person's.
    addresses = (recipient,) if reply.kind == Kind.COMPLAINT else (reply.sender_address, recipient)
    reason = "A complaint at the mailbox provider" if reply.kind == Kind.COMPLAINT else "Asked for it in a reply"
    stopping.suppress_person(
        team=reply.team, prospect=reply.prospect, addresses=addresses, actor=actor, reason=reason, now=now
    )
    return ["suppressed", "stopped"]


def _bounced(reply: Reply, now: datetime) -> list[str]:
    bounce = reply.bounce or {}
    if reply.delivery is not None and "bounce_recorded" not in reply.actions:
        DeliveryEvent.objects.create(
            delivery=reply.delivery, kind="bounced", detail=str(bounce.get("reason", ""))[:500], at=now
        )
    done = ["bounce_recorded"] if reply.delivery is not None else []
    if not bounce.get("address_dead") or "suppressed" in reply.actions:
        return done
    known = reply.delivery.payload.recipient if reply.delivery is not None else ""
    stopping.suppress_person(
        team=reply.team,
        prospect=reply.prospect,
        addresses=(str(bounce.get("recipient", "")), known),
        actor=None,
        reason="The address does not exist",
        now=now,
    )
    return [*done, "suppressed", "stopped"]


def _absent(reply: Reply, now: datetime) -> list[str]:
    if reply.prospect is None or reply.bounce:
        return []
    if reply.intent == Intent.WRONG_PERSON:
        reason = "An automatic answer says that they have left"
        stopping.end_enrolments(team=reply.team, prospect=reply.prospect, state=EnrolmentState.REMOVED, reason=reason)
        stopping.stop_messages(team=reply.team, prospect=reply.prospect, reason=reason, now=now)
        return ["stopped"]
    until = reply.return_date or (reply.received_at + UNKNOWN_ABSENCE).date()
    if until <= now.date():
        return []
    Enrolment.objects.filter(
        team=reply.team, prospect=reply.prospect, state__in=[EnrolmentState.ACTIVE, EnrolmentState.PAUSED]
    ).update(state=EnrolmentState.PAUSED, paused_until=until, state_reason="Away, says an automatic answer")
    return [f"paused_until:{until.isoformat()}"]


def _stop(reply: Reply, now: datetime) -> list[str]:
    if reply.prospect is None:
        return []
    stopping.end_enrolments(
        team=reply.team, prospect=reply.prospect, state=EnrolmentState.REPLIED, reason="They have replied"
    )
    stopping.stop_messages(team=reply.team, prospect=reply.prospect, reason="They have replied", now=now)
    return ["stopped"]
