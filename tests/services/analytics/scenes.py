"""Whole markets of outcomes, made in one line."""

from __future__ import annotations

from datetime import date, timedelta

from analytics.domain.attributes import odds_key
from analytics.models import DayCell
from messaging.models import Strategy, StrategyWeight
from messaging.writing.strategies import ensure_weights
from outreach.teams.models import Team
from tests.factories import a_campaign

TODAY = date(2026, 11, 20)


def a_market(
    *,
    team: Team,
    rates: dict[str, float],
    weekly: int = 600,
    weeks: int = 30,
    optouts: dict[str, float] | None = None,
    today: date = TODAY,
) -> list[Strategy]:
    """Whole months of outcomes at exact rates, under equal odds."""
    campaign = a_campaign(team=team)
    ensure_weights(campaign=campaign)
    strategies = [Strategy.objects.get(team=team, key=key) for key in rates]
    StrategyWeight.objects.filter(campaign=campaign).exclude(strategy__in=strategies).delete()
    odds = {str(one.pk): 1 / len(strategies) for one in strategies}
    for one in strategies:
        for week in range(weeks):
            sent = weekly // len(strategies)
            replied = round(sent * rates[one.key])
            ages = [replied // 2, replied - replied // 2, *[0] * 27]
            DayCell.objects.create(
                team=team,
                sent_on=today - timedelta(days=30 + 7 * week),
                strategy=one,
                campaign=campaign,
                channel="email",
                language="en",
                persona="manager",
                fallback=False,
                edited=False,
                alike=f"{one.pk}",
                odds=odds_key(odds),
                propensities=odds,
                attributes={"hook": "milestone" if one == strategies[0] else "profile", "depth": 2, "layers": []},
                sent=sent,
                replied=replied,
                positive=replied // 2,
                meetings=replied // 6,
                optouts=round(sent * (optouts or {}).get(one.key, 0.0)),
                ages=ages,
            )
    return strategies
