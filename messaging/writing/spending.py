"""The ledger of what language models cost: set aside before a request, settled after it, one row a campaign and day."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal

from django.db import connection, transaction
from django.db.models import F, Q, Sum
from django.db.models.functions import Coalesce

from messaging.models import ModelSpend
from messaging.writing.domain.spending import Ledger, Limits, Spending, Stop, off, stop_of
from outreach.campaigns.domain.offer import Policy
from outreach.campaigns.models import Campaign
from outreach.campaigns.queries import budget_of

#: Advisory locks of the ledger; the second key is the team.
_LOCK = 0x5BE9D


def limits_for(*, campaign: Campaign, policy: Policy) -> Limits:
    """What may be spent: the team's settings, and the campaign's own budget."""
    budget = budget_of(policy=policy)
    return Limits(daily=budget.daily, monthly=budget.monthly, campaign=campaign.budget)


@dataclass(slots=True)
class Purse:
    """What one draft may spend, one request after the other."""

    team_id: int
    campaign_id: int
    limits: Limits
    clock: Callable[[], datetime]
    #: on which something was set aside: a request that ends after midnight is settled where it was begun
    begun: date | None = None

    def set_aside(self, price: Decimal) -> Stop | None:
        """Reserve what the next request costs at most; why not, when a limit stands in the way."""
        if not price:
            return off(limits=self.limits)
        now = self.clock()
        with transaction.atomic():
            with connection.cursor() as cursor:
                cursor.execute("SELECT pg_advisory_xact_lock(%s, %s)", [_LOCK, self.team_id])
            ledger = _ledger(team_id=self.team_id, campaign_id=self.campaign_id, day=_day(now))
            stop = stop_of(limits=self.limits, ledger=ledger, price=price, now=now)
            if stop is None:
                self._add(day=_day(now), aside=price)
                self.begun = _day(now)
        return stop

    def settle(self, *, price: Decimal, cost: Decimal) -> None:
        """What was set aside became a cost; a request that failed cost nothing."""
        day = self.begun or _day(self.clock())
        self.begun = None
        if price or cost:
            self._add(day=day, spent=cost, aside=-price)

    def _add(self, *, day: date, spent: Decimal = Decimal(0), aside: Decimal = Decimal(0)) -> None:
        ModelSpend.objects.bulk_create(
            [ModelSpend(team_id=self.team_id, campaign_id=self.campaign_id, day=day)], ignore_conflicts=True
        )
        row = ModelSpend.objects.filter(campaign_id=self.campaign_id, day=day)
        row.update(spent=F("spent") + spent, aside=F("aside") + aside)


def _day(now: datetime) -> date:
    return now.date()


def _ledger(*, team_id: int, campaign_id: int, day: date) -> Ledger:
    """One query over the team's month and the campaign's days."""
    today, month, campaign = Q(day=day), Q(day__gte=day.replace(day=1)), Q(campaign_id=campaign_id)

    def total(name: str, rows: Q) -> Coalesce:
        return Coalesce(Sum(name, filter=rows), Decimal(0))

    sums = ModelSpend.objects.filter(Q(team_id=team_id) & (month | campaign)).aggregate(
        of_day=total("spent", today), of_day_aside=total("aside", today),
        of_month=total("spent", month), of_month_aside=total("aside", month),
        of_campaign=total("spent", campaign), of_campaign_aside=total("aside", campaign),
    )  # fmt: skip
    return Ledger(*(Spending(sums[name], sums[f"{name}_aside"]) for name in ("of_day", "of_month", "of_campaign")))
