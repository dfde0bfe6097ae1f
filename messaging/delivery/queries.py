"""What the outbox holds, and the facts that a sending decision depends on."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

from django.db.models import Count, Exists, Min, OuterRef, Q, QuerySet
from django.db.models.expressions import Combinable

from messaging.delivery.domain.rules import CAP_WINDOW, Facts, NoteUse
from messaging.delivery.domain.working_days import Calendar
from messaging.models import Delivery, DeliveryEvent, DeliveryState, OptOutToken, Reply
from messaging.review.queries.grounds import lost_ground
from outreach.campaigns.models import Channel, SendingAccount
from outreach.campaigns.queries import closed_days_of, policy_of
from outreach.teams.models import Team
from outreach.teams.paging import CappedCount
from prospects import suppression
from prospects.domain.places import territory_of

#: What the pages call a tab, and the states it shows.
TABS: dict[str, tuple[DeliveryState, ...]] = {
    "scheduled": (DeliveryState.WAITING, DeliveryState.CLAIMED),
    "by-hand": (DeliveryState.TASK,),
    "confirm": (DeliveryState.UNCONFIRMED,),
    "sent": (DeliveryState.SENT, DeliveryState.ATTESTED, DeliveryState.HANDED_OVER),
    "failed": (DeliveryState.FAILED, DeliveryState.CANCELLED),
}
#: Counts on tabs stop here.
COUNT_CAP = 1000
#: States that have reached, or may have reached, the person.
GONE_OUT = (DeliveryState.SENT, DeliveryState.ATTESTED, DeliveryState.HANDED_OVER)
#: What may have been answered: everything that may have arrived.
ANSWERABLE = (*GONE_OUT, DeliveryState.UNCONFIRMED, DeliveryState.CLAIMED)


def facts_for(*, delivery: Delivery, now: datetime) -> Facts:
    """Read inside the transaction that holds the rows. `delivery` has its relations selected."""
    used, oldest = _use(account_id=delivery.account_id, now=now)
    enrolment = delivery.draft.enrolment
    found = suppressed_reason(delivery=delivery)
    return Facts(
        approval_lapsed=None if delivery.approval.lapsed_at is None else delivery.approval.lapse_reason,
        lost_ground=lost_ground(approval=delivery.approval),
        other_address=_other_address(delivery=delivery),
        send_by=delivery.approval.send_by,
        suppressed=found,
        enrolment_state=enrolment.state,
        paused_until=enrolment.paused_until,
        replied=has_replied(delivery=delivery),
        prospect_state=delivery.prospect.state,
        campaign_status=delivery.draft.campaign.status,
        account_active=delivery.account.active,
        cap=delivery.account.daily_cap,
        used=used,
        oldest_use=oldest,
        note_to_connection=delivery.channel == Channel.LINKEDIN_CONNECTION and delivery.prospect.first_degree,
        calendar=_calendar(delivery=delivery, now=now) if delivery.channel == Channel.EMAIL else None,
        notes=_notes(account=delivery.account, now=now) if delivery.channel == Channel.LINKEDIN_CONNECTION else (),
    )


def _calendar(*, delivery: Delivery, now: datetime) -> Calendar | None:
    """When the team writes to this person; None where it writes on every day. What people send by hand they send when they do."""
    policy = policy_of(team=delivery.team)
    closed = frozenset(
        closed_days_of(team=delivery.team, since=now.date() - timedelta(days=1)).values_list("day", flat=True)[:400]
    )
    if policy.send_on_weekends and policy.send_on_holidays and not closed:
        return None
    return Calendar(
        country=territory_of(delivery.prospect.location),
        home=policy.home_country,
        closed=closed,
        weekends=policy.send_on_weekends,
        holidays=policy.send_on_holidays,
    )


def _notes(*, account: SendingAccount, now: datetime) -> tuple[NoteUse, ...]:
    """The platform's own caps on connection notes, by week and by month."""
    windows = ((7, account.weekly_invitations), (30, account.monthly_notes))
    rows = Delivery.objects.filter(account=account, channel=Channel.LINKEDIN_CONNECTION, state__in=GONE_OUT)
    found = []
    for days, cap in windows:
        use = rows.filter(sent_at__gt=now - timedelta(days=days)).aggregate(n=Count("pk"), oldest=Min("sent_at"))
        if cap:
            found.append(NoteUse(days=days, cap=cap, used=use["n"], oldest=use["oldest"]))
    return tuple(found)


def _other_address(*, delivery: Delivery) -> bool:
    """Whether the record was given another address since. The approved bytes stay: they never leave for the new one."""
    now_at = delivery.prospect.email if delivery.channel == Channel.EMAIL else delivery.prospect.linkedin_url
    return bool(now_at) and now_at.casefold() != delivery.payload.recipient.casefold()


def _use(*, account_id: int, now: datetime) -> tuple[int, datetime | None]:
    """Messages that left by an account in the rolling window, and when the oldest of them left.

    Counted are messages, not attempts: a wake-up that sends nothing uses nothing. What is being handed over or
    needs confirmation may have left, so it counts.
    """
    since = now - CAP_WINDOW
    rows = Delivery.objects.filter(account_id=account_id).filter(
        Q(state__in=GONE_OUT, sent_at__gt=since)
        | Q(state__in=[DeliveryState.CLAIMED, DeliveryState.UNCONFIRMED], claimed_at__gt=since)
    )
    found = rows.aggregate(n=Count("pk"), sent=Min("sent_at"), claimed=Min("claimed_at"))
    oldest = min((moment for moment in (found["sent"], found["claimed"]) if moment is not None), default=None)
    return found["n"], oldest


def suppressed_reason(*, delivery: Delivery) -> str | None:
    """Why nothing may go to this person: by the payload's address, and by all that the record knows of them."""
    prospect = delivery.prospect
    written_to = delivery.payload.recipient if delivery.channel == Channel.EMAIL else ""
    found = suppression.find(team=delivery.team, email=written_to) if written_to else None
    found = found or suppression.of_prospects(team=delivery.team, prospect_ids=[prospect.pk]).get(prospect.pk)
    if found is None:
        company = prospect.company.name if prospect.company else ""
        found = suppression.find(
            team=delivery.team, email=prospect.email, profile=prospect.linkedin_url, company=company
        )
    return None if found is None else str(found.reason)


def has_replied(*, delivery: Delivery) -> bool:
    """A person's answer to any message of this enrolment. Absences and bounces are no answer."""
    return Reply.objects.filter(
        delivery__draft__enrolment_id=delivery.draft.enrolment_id, kind__in=["human", "unsubscribe", "complaint"]
    ).exists()


def outbox(*, team: Team, tab: str) -> QuerySet[Delivery]:
    """Rows of one tab, for paging by id."""
    return (
        Delivery.objects.filter(team=team, state__in=TABS[tab])
        .select_related(
            "prospect__company", "account", "draft__campaign", "draft__current", "approval__approved_by", "payload"
        )
        .defer("payload__content")
    )


def counts(*, team: Team) -> dict[str, int]:
    """How many stand in each tab, capped. One query."""
    rows = Delivery.objects.filter(team=OuterRef("pk"))
    counted = {f"n{number}": CappedCount(rows.filter(state__in=states)) for number, states in enumerate(TABS.values())}
    row: dict[str, Any] = dict(Team.objects.filter(pk=team.pk).values(**counted).get())
    return {tab: row[f"n{number}"] for number, tab in enumerate(TABS)}


def delivery_of(*, team: Team, delivery_id: int) -> Delivery | None:
    return (
        Delivery.objects.select_related(
            "team",
            "prospect__company",
            "account",
            "draft__campaign",
            "draft__enrolment",
            "draft__current",
            "approval__approved_by",
            "payload",
            "approval__revision",
        )
        .filter(team=team, pk=delivery_id)
        .first()
    )


def events_of(*, delivery: Delivery) -> list[DeliveryEvent]:
    return list(delivery.events.order_by("id")[:100])


def token_of(*, token: str) -> OptOutToken | None:
    return OptOutToken.objects.select_related("team", "prospect", "draft").filter(token=token).first()


def opted_out(*, row: OptOutToken) -> bool:
    """Whether the link was used and still holds: a suppression that was taken away can be asked for again."""
    if row.used_at is None or row.prospect is None:
        return row.used_at is not None
    prospect = row.prospect
    return suppression.find(team=row.team, email=prospect.email, profile=prospect.linkedin_url) is not None


def standing_without_delivery() -> Combinable:
    return ~Exists(Delivery.objects.filter(approval_id=OuterRef("pk")))
