"""The pages of the loop and a retune over two million messages of one team in a year.

The messages are spread as teams send them: six campaigns of one channel and mostly one language each, seniorities,
openings and layers unevenly, other odds each week; they are counted in the database as the rollup counts them. The
baseline of every figure is what it may cost.
"""

from __future__ import annotations

import resource
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from django.db import connection
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from analytics import services
from analytics.models import DayCell
from messaging.models import Strategy, StrategyWeight
from messaging.writing.strategies import ensure_weights
from outreach.teams.models import Membership, Team, User
from tests.factories import a_campaign

SIZE = 2_000_000
QUERIES, MILLISECONDS, SECONDS, MEGABYTES = 10, 50.0, 30.0, 500.0
_ROUNDS = 7
_PAGES = ("strategies", "effects", "plan", "strategies_csv", "allocation_csv", "effects_csv", "counts_csv")
_CAMPAIGNS = 6
_AGES = ", ".join(f"count(*) FILTER (WHERE replied AND age = {age})" for age in range(28))
_FILL = """
INSERT INTO analytics_daycell (team_id, sent_on, strategy_id, campaign_id, channel, language, persona, fallback, edited,
    alike, odds, attributes, propensities, sent, replied, positive, meetings, optouts, bounced, complaints, ages)
WITH drawn AS MATERIALIZED (
    SELECT n %% 365 AS day, floor(%(campaigns)s * random() ^ 1.5)::int AS campaign, floor(5 * random())::int AS strategy,
        random() < .7 AS usual, floor(4 * random())::int AS other, floor(6 * random() ^ 2)::int AS persona,
        floor(5 * random() ^ 1.5)::int AS hook, floor(3 * random())::int AS layers, random() AS luck,
        random() AS later, floor(28 * random() ^ 3)::int AS age
    FROM generate_series(1, %(size)s) n
), told AS (
    SELECT *, CASE WHEN usual THEN campaign ELSE other END AS language, luck < .04 + .004 * strategy + CASE WHEN hook = 0 THEN .01 ELSE 0 END AND (day >= age) AS replied,
        md5('week ' || day / 7) AS odds,
        jsonb_build_object('hook', (ARRAY['milestone','own_words','company_news','profile','in_common'])[1 + hook],
            'depth', 1 + strategy %% 3, 'tone', (ARRAY['plain','warm','crisp'])[1 + strategy %% 3],
            'short', strategy %% 2 = 0, 'length', CASE WHEN strategy %% 2 = 0 THEN '70-110' ELSE '80-140' END,
            'layers', (ARRAY['["contextual"]','["contextual","situational"]',
                '["contextual","situational","motivational"]'])[1 + layers]::jsonb) AS attributes
    FROM drawn
)
SELECT %(team)s, %(today)s::date - day, (%(strategies)s::int[])[1 + strategy], (%(ids)s::int[])[1 + campaign],
    (ARRAY['email','email','inmail','linkedin_message','email','linkedin_connection'])[1 + campaign],
    (ARRAY['en','de','fr','es','it','nl'])[1 + language],
    (ARRAY['manager','head','director','vice_president','chief','staff'])[1 + persona], false, false,
    md5(attributes::text || odds), odds, attributes, %(odds)s::jsonb, count(*), count(*) FILTER (WHERE replied),
    count(*) FILTER (WHERE replied AND later < .5), count(*) FILTER (WHERE replied AND later < .15),
    count(*) FILTER (WHERE luck > .996), 0, 0, ARRAY[ALL_AGES, 0]
FROM told GROUP BY day, strategy, campaign, language, persona, attributes, odds
""".replace("ALL_AGES", _AGES)


def run(size: int = SIZE) -> Iterator[dict[str, Any]]:
    team = Team.objects.create(slug="bench-insights", name="Bench")
    _fill(team, size)
    cells = DayCell.objects.filter(team=team).count()
    shown = f"{size:,} messages in {cells:,} cells"
    before = _peak()
    begun = time.perf_counter()
    services.retune(team=team, now=timezone.now())
    yield _line("a full retune", time.perf_counter() - begun, SECONDS, "s", shown)
    yield _line(f"peak memory of a process that retunes ({before:.0f} before)", _peak(), MEGABYTES, "MB", shown)
    user = User.objects.create_user("bench@people.example", None, full_name="Bench")
    Membership.objects.create(team=team, user=user, role="manager")
    client = Client()
    client.force_login(user, backend="django.contrib.auth.backends.ModelBackend")
    for name in _PAGES:
        took = [_page(client, reverse(f"analytics:{name}", kwargs={"team": team.slug})) for _ in range(_ROUNDS)]
        yield _line(f"{name}, queries", max(len(one) for one in took), QUERIES, "queries", shown)
        middle = sorted(sum(one) for one in took)[_ROUNDS // 2]
        yield _line(f"{name}, all its SQL", 1_000 * middle, MILLISECONDS, "ms", shown)


def _fill(team: Team, size: int) -> None:
    campaigns = [a_campaign(team=team) for _ in range(_CAMPAIGNS)]
    for campaign in campaigns:
        ensure_weights(campaign=campaign)
    strategies = list(Strategy.objects.filter(team=team).order_by("pk").values_list("pk", flat=True))
    odds = "{" + ", ".join(f'"{key}": {1 / len(strategies)}' for key in strategies) + "}"
    StrategyWeight.objects.filter(campaign__in=campaigns, strategy=strategies[0]).update(weight=1.5)
    with connection.cursor() as cursor:
        cursor.execute(
            _FILL,
            {
                "team": team.pk, "today": timezone.now().date(), "size": size, "campaigns": _CAMPAIGNS, "odds": odds,
                "strategies": strategies, "ids": [campaign.pk for campaign in campaigns],
            },
        )  # fmt: skip
        cursor.execute("ANALYZE analytics_daycell")


def _page(client: Client, address: str) -> list[float]:
    """Seconds of each query of one page."""
    with _heard() as took:
        answer = client.get(address)
    assert answer.status_code == 200, f"{address} answered {answer.status_code}"
    return took


@contextmanager
def _heard() -> Iterator[list[float]]:
    took: list[float] = []

    def hear(execute: Callable[..., Any], *arguments: Any) -> Any:
        begun = time.perf_counter()
        try:
            return execute(*arguments)
        finally:
            took.append(time.perf_counter() - begun)

    with connection.execute_wrapper(hear):
        yield took


def _peak() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def _line(name: str, value: float, limit: float, unit: str, size: str) -> dict[str, Any]:
    return {
        "name": f"insights, {name}", "value": round(value, 3), "baseline": limit, "ratio": round(value / limit, 3),
        "unit": unit, "size": size,
    }  # fmt: skip
