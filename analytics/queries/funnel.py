"""The funnel's true numbers, counted in the database; one query for all strategies."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import Count, Exists, F, OuterRef, Q

from messaging.delivery.queries import GONE_OUT
from messaging.models import (
    Approval,
    Check,
    Delivery,
    DeliveryEvent,
    Draft,
    Reply,
)
from outreach.campaigns.models import Campaign
from outreach.teams.models import Team

#: At most so many strategies are listed; a team has a handful.
STRATEGIES_SHOWN = 50
CAMPAIGNS_SHOWN = 200
POSITIVE = ("interested", "meeting_booked", "referral")
PEOPLE = ("human", "unsubscribe", "complaint")


@dataclass(frozen=True)
class StrategyRow:
    """What became of one strategy's drafts."""

    name: str
    counts: dict[str, int]


def funnel_rows(*, team: Team, since: datetime, campaign: Campaign | None) -> tuple[StrategyRow, ...]:
    """Drafts written since a moment, by strategy: how many reached each stage and all before it."""
    deliveries = Delivery.objects.filter(draft=OuterRef("pk"), state__in=GONE_OUT)
    bounced = DeliveryEvent.objects.filter(delivery__draft=OuterRef("pk"), kind="bounced")
    replies = Reply.objects.filter(delivery__draft=OuterRef("pk"), kind__in=PEOPLE)
    drafts = Draft.objects.filter(team=team, created_at__gte=since, current__isnull=False)
    if campaign is not None:
        drafts = drafts.filter(campaign=campaign)
    verified = Q(is_verified=True)
    approved = verified & Q(is_approved=True)
    delivered = approved & Q(is_delivered=True, is_bounced=False)
    replied = delivered & Q(is_replied=True)
    positive = replied & Q(is_positive=True)
    rows = (
        drafts.annotate(
            is_verified=Exists(Check.objects.filter(revision__draft=OuterRef("pk"), passes=True)),
            is_approved=Exists(Approval.objects.filter(draft=OuterRef("pk"))),
            is_delivered=Exists(deliveries),
            is_bounced=Exists(bounced),
            is_replied=Exists(replies),
            is_positive=Exists(replies.filter(kind="human", intent__in=POSITIVE)),
            is_meeting=Exists(replies.filter(kind="human", intent="meeting_booked")),
        )
        .values(key=F("strategy__key"), version=F("strategy__version"))
        .annotate(
            drafted=Count("pk"),
            verified=Count("pk", filter=verified),
            approved=Count("pk", filter=approved),
            delivered=Count("pk", filter=delivered),
            replied=Count("pk", filter=replied),
            positive=Count("pk", filter=positive),
            meeting=Count("pk", filter=positive & Q(is_meeting=True)),
        )
        .order_by("-drafted", "key", "version")[:STRATEGIES_SHOWN]
    )
    read: list[dict[str, Any]] = [dict(row) for row in rows]
    return tuple(
        StrategyRow(_name(row), {key: row[key] for key in row if key not in ("key", "version")}) for row in read
    )


def _name(row: dict[str, Any]) -> str:
    return (
        f"{str(row['key']).replace('-', ' ').capitalize()}, version {row['version']}" if row["key"] else "No strategy"
    )


def campaigns_of(*, team: Team) -> tuple[Campaign, ...]:
    return tuple(Campaign.objects.filter(team=team).order_by("-id")[:CAMPAIGNS_SHOWN])
