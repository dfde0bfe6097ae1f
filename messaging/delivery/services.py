"""The outbox: opened from standing approvals, claimed once, handed over outside a transaction, settled by token.

Everybody locks in one order: delivery, approval, account, draft.
"""

from __future__ import annotations

import hashlib
import uuid
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import DateTimeField, DurationField, ExpressionWrapper, F, Value
from django.db.models.functions import Coalesce

from messaging.delivery import queries, stopping
from messaging.delivery.domain.rules import CLAIM_LEASE, MAX_ATTEMPTS, Hold, Stop, backoff, decide
from messaging.delivery.ports import Accepted, Ambiguous, Outcome, Parcel, RefusedPermanent, RefusedTemporary, Transport
from messaging.models import Approval, Delivery, DeliveryEvent, DeliveryState, Draft, DraftState
from outreach.campaigns.models import Channel, SendingAccount
from outreach.teams import audit

DEFAULT_UNDO_SECONDS = 60
#: Rows looked at in one call, claimed or not: a call ends, and the next wake-up goes on.
LOOKS = 200
HELD_AT_ONCE = 5_000
DateHeader = Callable[[datetime], tuple[str, str]]


@dataclass(frozen=True, kw_only=True)
class Claimed:
    """A delivery that this worker, and no other, may hand over. The token proves it when the result is written."""

    delivery_id: int
    token: uuid.UUID
    parcel: Parcel
    approved_sha256: str


@dataclass(frozen=True, kw_only=True)
class Sweep:
    """What one pass over the outbox did."""

    opened: int = 0
    interrupted: int = 0
    retired: int = 0


def open_deliveries(*, now: datetime, limit: int = 200) -> int:
    """An outbox row for every standing approval whose undo time is over. Running it twice changes nothing."""
    undo = ExpressionWrapper(
        Coalesce(F("draft__team__policy__undo_seconds"), Value(DEFAULT_UNDO_SECONDS)) * Value(timedelta(seconds=1)),
        output_field=DurationField(),
    )
    with transaction.atomic():
        approvals = (
            Approval.objects.select_for_update(of=("self",), skip_locked=True)
            .alias(leaves_at=ExpressionWrapper(F("approved_at") + undo, output_field=DateTimeField()))
            .filter(queries.standing_without_delivery(), lapsed_at__isnull=True, leaves_at__lte=now)
            .select_related("draft__team", "payload")
            .defer("payload__content")
            .order_by("id")[:limit]
        )
        return sum(1 for approval in approvals if _open(approval=approval, now=now))


def _open(*, approval: Approval, now: datetime) -> bool:
    draft = approval.draft
    by_hand = approval.payload.channel != Channel.EMAIL
    delivery, created = Delivery.objects.get_or_create(
        approval=approval,
        defaults={
            "team": draft.team,
            "draft": draft,
            "prospect_id": draft.prospect_id,
            "payload": approval.payload,
            "channel": approval.payload.channel,
            "account_id": approval.payload.account_id,
            "idempotency_key": uuid.uuid4(),
            "due_at": now,
            "state": DeliveryState.TASK if by_hand else DeliveryState.WAITING,
        },
    )
    if created:
        note = "To be sent by hand." if by_hand else "Waiting for its turn."
        DeliveryEvent.objects.create(delivery=delivery, kind="opened", detail=note, at=now)
    return created


def claim_due(*, now: datetime, limit: int = 1, date_header: DateHeader | None = None) -> list[Claimed]:
    """Claim up to `limit` due deliveries, each in a transaction of its own that re-checks every rule."""
    claimed: list[Claimed] = []
    seen: list[int] = []
    while len(claimed) < limit and len(seen) < LOOKS:
        with transaction.atomic():
            delivery = _next_due(now=now, excluded=seen)
            if delivery is None:
                return claimed
            seen.append(delivery.pk)
            taken = _claim(delivery=delivery, now=now, date_header=date_header)
        if taken is not None:
            claimed.append(taken)
    return claimed


def _next_due(*, now: datetime, excluded: list[int]) -> Delivery | None:
    return (
        Delivery.objects.select_for_update(of=("self",), skip_locked=True)
        .filter(state=DeliveryState.WAITING, due_at__lte=now)
        .exclude(pk__in=excluded)
        .select_related(
            "team", "draft__enrolment", "draft__campaign", "prospect__company", "approval", "payload", "account"
        )
        .order_by("due_at", "id")
        .first()
    )


def _claim(*, delivery: Delivery, now: datetime, date_header: DateHeader | None) -> Claimed | None:
    """Locks approval and account, so that neither a lapse nor another worker's claim can slip between check and claim."""
    delivery.approval = Approval.objects.select_for_update(of=("self",)).get(pk=delivery.approval_id)
    delivery.account = SendingAccount.objects.select_for_update(of=("self",)).get(pk=delivery.account_id)
    ruling = decide(facts=queries.facts_for(delivery=delivery, now=now), now=now)
    if isinstance(ruling, Stop):
        stopping.cancel(delivery=delivery, reason=ruling.reason, now=now, final=ruling.final)
        return None
    if isinstance(ruling, Hold):
        _hold(delivery=delivery, hold=ruling, now=now)
        return None
    token = uuid.uuid4()
    changed = Delivery.objects.filter(pk=delivery.pk, state=DeliveryState.WAITING).update(
        state=DeliveryState.CLAIMED, claim_token=token, claimed_at=now, attempts=F("attempts") + 1, error=""
    )
    if changed != 1:
        return None
    DeliveryEvent.objects.create(delivery=delivery, kind="claimed", at=now)
    parcel = Parcel(
        sender=delivery.account.address,
        recipient=delivery.payload.recipient,
        content=bytes(delivery.payload.content),
        message_id=delivery.payload.message_id,
        headers=(date_header(now),) if date_header else (),
        account_id=delivery.account_id,
    )
    return Claimed(
        delivery_id=delivery.pk, token=token, parcel=parcel, approved_sha256=delivery.approval.payload_sha256
    )


def _hold(*, delivery: Delivery, hold: Hold, now: datetime) -> None:
    """Put it off, and with it what waits for the same reason: a full account must not be asked row by row.

    Rows that another worker holds are left to it: waiting for them here could be waiting for each other.
    """
    Delivery.objects.filter(pk=delivery.pk).update(due_at=hold.until, error=hold.reason)
    if hold.scope == "message":
        return
    same = Delivery.objects.filter(state=DeliveryState.WAITING, due_at__lte=now)
    if hold.scope == "account":
        same = same.filter(account=delivery.account_id)
    else:
        same = same.filter(draft__campaign=delivery.draft.campaign_id)
    held = (
        same.select_for_update(of=("self",), skip_locked=True)
        .order_by("id")
        .values_list("pk", flat=True)[:HELD_AT_ONCE]
    )
    Delivery.objects.filter(pk__in=list(held)).update(due_at=hold.until, error=hold.reason)


def hand_over(*, claimed: Claimed, transport: Transport, now: datetime) -> Outcome:
    """Give the approved bytes to the channel and write down what it answered. The call is outside a transaction."""
    if hashlib.sha256(claimed.parcel.content).hexdigest() != claimed.approved_sha256:
        outcome: Outcome = RefusedPermanent("The stored bytes are not the approved ones.")
    else:
        outcome = transport.hand_over(parcel=claimed.parcel)
    settle(delivery_id=claimed.delivery_id, token=claimed.token, outcome=outcome, now=now)
    return outcome


@transaction.atomic
def settle(*, delivery_id: int, token: uuid.UUID, outcome: Outcome, now: datetime) -> bool:
    """Write the outcome, guarded by the claim's token. A late answer still settles what needs confirmation."""
    delivery = (
        Delivery.objects.select_for_update(of=("self",))
        .filter(pk=delivery_id, claim_token=token, state__in=[DeliveryState.CLAIMED, DeliveryState.UNCONFIRMED])
        .select_related("team", "prospect", "payload", "draft")
        .defer("payload__content")
        .first()
    )
    if delivery is None:
        return False
    if isinstance(outcome, Accepted):
        mark_sent(delivery=delivery, state=DeliveryState.SENT, transport_id=outcome.transport_id, now=now)
        detail, kind = outcome.detail, "sent"
    elif isinstance(outcome, RefusedPermanent):
        detail, kind = outcome.reason, "failed"
        _fail(delivery=delivery, reason=outcome.reason, permanent=True, now=now)
        if outcome.address_dead:
            stopping.suppress_person(
                team=delivery.team,
                prospect=delivery.prospect,
                addresses=(delivery.payload.recipient,),
                actor=None,
                reason="The address does not exist",
                now=now,
            )
    elif isinstance(outcome, RefusedTemporary):
        detail, kind = outcome.reason, _try_later(delivery=delivery, reason=outcome.reason, now=now)
    else:
        detail, kind = _ambiguous(delivery=delivery, outcome=outcome), "unconfirmed"
    DeliveryEvent.objects.create(delivery=delivery, kind=kind, detail=detail, at=now)
    audit.record(team=delivery.team, actor=None, action=f"delivery.{kind}", target=delivery)
    return True


def mark_sent(*, delivery: Delivery, state: DeliveryState, transport_id: str, now: datetime) -> None:
    """Inside the caller's transaction: the message has left, and its draft is done."""
    Delivery.objects.filter(pk=delivery.pk).update(
        state=state, transport_id=transport_id[:300], sent_at=now, error="", error_permanent=None
    )
    Draft.objects.filter(pk=delivery.draft_id).update(state=DraftState.SENT, state_reason="")


def _fail(*, delivery: Delivery, reason: str, permanent: bool, now: datetime) -> None:
    Delivery.objects.filter(pk=delivery.pk).update(state=DeliveryState.FAILED, error=reason, error_permanent=permanent)
    if permanent:
        Approval.objects.filter(pk=delivery.approval_id, lapsed_at__isnull=True).update(
            lapsed_at=now, lapse_reason=reason[:300]
        )
        Draft.objects.filter(pk=delivery.draft_id, state=DraftState.APPROVED).update(
            state=DraftState.CANCELLED, state_reason=reason
        )


def _try_later(*, delivery: Delivery, reason: str, now: datetime) -> str:
    if delivery.attempts >= MAX_ATTEMPTS:
        _fail(delivery=delivery, reason=reason, permanent=False, now=now)
        return "failed"
    Delivery.objects.filter(pk=delivery.pk).update(
        state=DeliveryState.WAITING,
        due_at=now + backoff(attempts=delivery.attempts),
        error=reason,
        error_permanent=False,
        claim_token=None,
    )
    return "retry"


def _ambiguous(*, delivery: Delivery, outcome: Ambiguous) -> str:
    Delivery.objects.filter(pk=delivery.pk).update(state=DeliveryState.UNCONFIRMED, error=outcome.reason)
    return outcome.reason


def send_due(
    *, transport: Transport, clock: Callable[[], datetime], date_header: DateHeader, limit: int = 50
) -> list[Outcome]:
    """Claim and hand over one after the other, so that a killed worker leaves at most one in doubt."""
    outcomes: list[Outcome] = []
    while len(outcomes) < limit:
        claims = claim_due(now=clock(), limit=1, date_header=date_header)
        if not claims:
            break
        outcomes.append(hand_over(claimed=claims[0], transport=transport, now=clock()))
    return outcomes


def sweep(*, now: datetime) -> Sweep:
    """Open what is approved, give up on interrupted hand-overs, retire tasks that may not be done any more."""
    return Sweep(opened=open_deliveries(now=now), interrupted=mark_interrupted(now=now), retired=retire_tasks(now=now))


@transaction.atomic
def mark_interrupted(*, now: datetime, limit: int = 200) -> int:
    """A claim without a result after its lease: the worker died on the way. Never sent again by itself."""
    rows = list(
        Delivery.objects.select_for_update(of=("self",), skip_locked=True)
        .filter(state=DeliveryState.CLAIMED, claimed_at__lt=now - CLAIM_LEASE)
        .select_related("team")
        .order_by("id")[:limit]
    )
    reason = "The hand-over was interrupted; the server may have the message."
    for delivery in rows:
        Delivery.objects.filter(pk=delivery.pk).update(state=DeliveryState.UNCONFIRMED, error=reason)
        DeliveryEvent.objects.create(delivery=delivery, kind="unconfirmed", detail=reason, at=now)
        audit.record(team=delivery.team, actor=None, action="delivery.unconfirmed", target=delivery)
    return len(rows)


@transaction.atomic
def retire_tasks(*, now: datetime, limit: int = 100) -> int:
    """Tasks nobody may do any more. Looked at in turn: `due_at` remembers when each was last looked at."""
    rows = list(
        Delivery.objects.select_for_update(of=("self",), skip_locked=True)
        .filter(state=DeliveryState.TASK, due_at__lte=now)
        .select_related(
            "team", "draft__enrolment", "draft__campaign", "prospect__company", "approval", "payload", "account"
        )
        .order_by("due_at", "id")[:limit]
    )
    retired = 0
    for delivery in rows:
        ruling = decide(facts=queries.facts_for(delivery=delivery, now=now), now=now)
        if isinstance(ruling, Stop):
            stopping.cancel(delivery=delivery, reason=ruling.reason, now=now, final=ruling.final)
            retired += 1
        else:
            Delivery.objects.filter(pk=delivery.pk).update(due_at=now + timedelta(minutes=1))
    return retired
