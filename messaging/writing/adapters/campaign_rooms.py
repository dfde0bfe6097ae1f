"""What messaging tells the campaigns room, which knows nothing of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django.db.models import OuterRef, QuerySet

from messaging.models import (
    CampaignAudience,
    Delivery,
    DeliveryState,
    Draft,
    DraftState,
    Enrolment,
    EnrolmentState,
    StrategyWeight,
)
from messaging.verification.language import resolve
from messaging.writing.domain.strategy import SHIPPED
from outreach.campaigns.domain.checklist import Beyond
from outreach.campaigns.domain.health import Numbers
from outreach.campaigns.models import Campaign
from outreach.teams.paging import CappedCount


class Messaging:
    """Implements outreach.campaigns.ports.Rooms."""

    def beyond(self, *, campaign: Campaign) -> Beyond:
        """Three queries."""
        people = Enrolment.objects.filter(campaign=campaign).exclude(state=EnrolmentState.REMOVED)
        weights = list(StrategyWeight.objects.filter(campaign=campaign).values_list("weight", flat=True))
        return Beyond(
            audience=CampaignAudience.objects.filter(campaign=campaign).exists(),
            people=people.order_by()[:1_001].count(),
            strategies=sum(weight > 0 for weight in weights) if weights else len(SHIPPED),
            unwritten=tuple(code for code in campaign.languages if not resolve(code)),
        )

    def numbers(self, *, campaign_ids: Sequence[int]) -> Mapping[int, Numbers]:
        """One query; every count ends at its cap."""
        names = list(_counts())
        rows = Campaign.objects.filter(pk__in=campaign_ids).annotate(**_counts()).values_list("pk", *names)
        return {pk: Numbers(**dict(zip(names, counts, strict=True))) for pk, *counts in rows}

    def copy(self, *, source: Campaign, target: Campaign) -> None:
        chosen = CampaignAudience.objects.filter(campaign=source).first()
        if chosen is not None:
            CampaignAudience.objects.create(campaign=target, filters=chosen.filters, saved_by_id=chosen.saved_by_id)
        StrategyWeight.objects.bulk_create(
            StrategyWeight(campaign=target, strategy_id=strategy, weight=weight)
            for strategy, weight in source.strategy_weights.values_list("strategy_id", "weight")
        )


def _counts() -> dict[str, CappedCount]:
    drafts, people = Draft.objects.filter(campaign=OuterRef("pk")), Enrolment.objects.filter(campaign=OuterRef("pk"))
    deliveries = Delivery.objects.filter(draft__campaign=OuterRef("pk"))

    def those(rows: QuerySet[Any], *states: str) -> CappedCount:
        return CappedCount(rows.filter(state__in=states))

    return {
        "enrolled": CappedCount(people),
        "active": those(people, EnrolmentState.ACTIVE),
        "replied": those(people, EnrolmentState.REPLIED),
        "waiting": those(drafts, DraftState.WAITING, DraftState.WRITING),
        "ready": those(drafts, DraftState.READY),
        "blocked": those(drafts, DraftState.BLOCKED),
        "approved": those(drafts, DraftState.APPROVED),
        "sent": those(drafts, DraftState.SENT),
        "failed": those(deliveries, DeliveryState.FAILED),
        "unconfirmed": those(deliveries, DeliveryState.UNCONFIRMED),
    }
