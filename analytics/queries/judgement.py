"""What the rollup says: shares as they are, the judgement of every strategy, the effects of attributes, plain tables."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import date, timedelta
from typing import Any

import numpy as np
from django.db.models import Max, QuerySet, Sum
from django.db.models.functions import TruncWeek

from analytics.domain.arms import Day, Judgement, Record, judge
from analytics.domain.attributes import EFFECTS, flags
from analytics.domain.learning.allocation import Policy
from analytics.domain.learning.delay import WINDOW
from analytics.domain.learning.effects import Cells, Effect, fit
from analytics.domain.told import Matured
from analytics.models import AppliedWeights, DayCell, FrozenArm
from messaging.models import Strategy, StrategyWeight
from outreach.teams.models import Team

#: How far back outcomes are used, in days.
MEMORY = 365
#: Ages of replies are read of so many days: older messages have all theirs. The weekly rate is that of the same days.
_AGES = 2 * WINDOW


def present_shares(*, team: Team) -> dict[str, float]:
    """Shares of new drafts as they are, by strategy id: the mean over the team's campaigns."""
    rows = (
        StrategyWeight.objects.filter(campaign__team=team, strategy__retired_at=None)
        .exclude(campaign__status="finished")
        .values("strategy_id").annotate(weight=Sum("weight")).order_by("strategy_id")
    )  # fmt: skip
    weights = {str(row["strategy_id"]): float(row["weight"]) for row in rows}
    whole = sum(weights.values())
    return {key: weight / whole for key, weight in weights.items()} if whole else {}


def incumbent_of(*, team: Team, shares: Mapping[str, float], until: int | None = None) -> str:
    """The strategy that others are compared with: the last one promoted, or the one with the largest share.

    until: as it was when this set of weights came into force.
    """
    promoted = AppliedWeights.objects.filter(team=team, incumbent__isnull=False)
    if until is not None:
        promoted = promoted.filter(number__lte=until)
    last = promoted.order_by("-number").first()
    if last is not None and str(last.incumbent_id) in shares:
        return str(last.incumbent_id)
    return max(shares, key=lambda key: (shares[key], -int(key)), default="")


def judgement_of(*, team: Team, today: date) -> Judgement | None:
    """What the rollup says of the team's strategies; None when there are none."""
    shares = present_shares(team=team)
    if not shares:
        return None
    incumbent = incumbent_of(team=team, shares=shares)
    records = _records(team=team, keys=shares, incumbent=incumbent, today=today)
    recent = 0
    for key, day in _days(team=team, strategies=[int(key) for key in records], today=today):
        recent += day.sent if day.age < _AGES else 0
        records[key].days.append(day)
    return judge(
        records=list(records.values()), incumbent=incumbent, weekly=recent / _AGES * 7,
        policy=Policy(), seed=today.toordinal(),
    )  # fmt: skip


def _records(*, team: Team, keys: Mapping[str, float], incumbent: str, today: date) -> dict[str, Record]:
    strategies = Strategy.objects.filter(team=team, pk__in=keys).order_by("pk")
    stops = FrozenArm.objects.filter(team=team)
    frozen = set(stops.filter(lifted_at=None).values_list("strategy_id", flat=True))
    lifted = dict(
        stops.filter(lifted_at__isnull=False).values_list("strategy_id").annotate(last=Max("lifted_at")).order_by()
    )
    former = set(
        AppliedWeights.objects.filter(team=team, incumbent__isnull=False).values_list("incumbent_id", flat=True)
    )
    return {
        str(row.pk): Record(
            str(row.pk), f"{row.name} v{row.version}", frozen=row.pk in frozen,
            former=row.pk in former and str(row.pk) != incumbent,
            lifted=(today - lifted[row.pk].date()).days if row.pk in lifted else None,
        )
        for row in strategies
    }  # fmt: skip


def _days(*, team: Team, strategies: list[int], today: date) -> Iterator[tuple[str, Day]]:
    """What was sent by day, strategy and odds. Sums of the database; no message is read."""
    cells = DayCell.objects.filter(team=team, strategy__in=strategies, fallback=False)
    recent = cells.filter(sent_on__gt=today - timedelta(days=MEMORY))
    vectors = dict(recent.values_list("odds", "propensities").distinct())
    ages = _ages(cells=cells, today=today)
    rows = (
        recent.values("sent_on", "strategy_id", "odds")
        .annotate(
            n=Sum("sent"), y=Sum("replied"), p=Sum("positive"), m=Sum("meetings"), o=Sum("optouts"),
            c=Sum("complaints"),
        )
        .order_by("sent_on", "strategy_id", "odds")
    )  # fmt: skip
    for row in rows:
        young = (today - row["sent_on"]).days < _AGES
        yield (
            str(row["strategy_id"]),
            Day(
                age=(today - row["sent_on"]).days, sent=row["n"], replied=row["y"], positive=row["p"],
                meetings=row["m"], optouts=row["o"], complaints=row["c"], vector=row["odds"],
                propensities=vectors[row["odds"]],
                ages=ages.get((row["sent_on"], row["strategy_id"], row["odds"]), [0] * (WINDOW + 1) if young else ()),
            ),
        )  # fmt: skip


def _ages(*, cells: QuerySet[DayCell], today: date) -> dict[tuple[date, int, str], list[int]]:
    summed: dict[tuple[date, int, str], list[int]] = {}
    young = cells.filter(sent_on__gt=today - timedelta(days=_AGES), replied__gt=0)
    rows = young.values_list("sent_on", "strategy_id", "odds", "ages").order_by()
    for sent_on, strategy, odds, counted in rows.iterator(chunk_size=2_000):
        total = summed.setdefault((sent_on, strategy, odds), [0] * (WINDOW + 1))
        for at, count in enumerate(counted):
            if count:
                total[at] += count
    return summed


def matured_of(*, team: Team, today: date) -> tuple[Matured, ...]:
    """Messages of the year whose window is over, as assigned; those the embedded composer wrote are left out."""
    rows = (
        DayCell.objects.filter(
            team=team,
            sent_on__gt=today - timedelta(days=MEMORY),
            sent_on__lte=today - timedelta(days=WINDOW),
            fallback=False,
        )
        .values_list("strategy_id", "language", "channel", "persona", "attributes")
        .annotate(Sum("sent"), Sum("replied"), Sum("positive"), Sum("meetings"), Sum("optouts"))
        .order_by()
    )
    return tuple(Matured(*row) for row in rows)


def effects_of(*, matured: tuple[Matured, ...]) -> tuple[tuple[Effect, ...], int]:
    """Effects of attributes on replies, as assigned, and how many messages they rest on."""
    table: dict[tuple[str, int, tuple[bool, ...]], list[float]] = {}
    for row in matured:
        marked = flags(row.attributes)
        key = (
            f"{row.language}/{row.channel}/{row.persona}", row.strategy, tuple(marked[name] for name, _ in EFFECTS),
        )  # fmt: skip
        cell = table.setdefault(key, [0.0, 0.0])
        cell[0] += row.sent
        cell[1] += min(row.replied, row.sent)
    return _fitted(table)


def _fitted(table: Mapping[tuple[str, int, tuple[bool, ...]], list[float]]) -> tuple[tuple[Effect, ...], int]:
    if not table:
        return (), 0
    values = np.asarray([key[2] for key in table], dtype=float)
    varied = [at for at in range(values.shape[1]) if values[:, at].min() < values[:, at].max()]
    segments = {name: at for at, name in enumerate(sorted({key[0] for key in table}))}
    strategies = {key: at for at, key in enumerate(sorted({key[1] for key in table}))}
    trials = np.asarray([cell[0] for cell in table.values()])
    if not varied:
        return (), int(trials.sum())
    cells = Cells(
        np.asarray([segments[key[0]] for key in table]), np.asarray([strategies[key[1]] for key in table]),
        values[:, varied], trials, np.asarray([cell[1] for cell in table.values()]),
    )  # fmt: skip
    return fit(cells, [EFFECTS[at][0] for at in varied]).effects, int(trials.sum())


def weeks_of(*, team: Team, today: date, weeks: int) -> list[dict[str, Any]]:
    """Messages sent in each of the last whole weeks, by strategy id, the oldest first."""
    first = today - timedelta(days=7 * weeks + today.weekday())
    rows = (
        DayCell.objects.filter(team=team, sent_on__gte=first, sent_on__lt=first + timedelta(days=7 * weeks))
        .annotate(week=TruncWeek("sent_on"))
        .values_list("week", "strategy_id")
        .annotate(Sum("sent"))
        .order_by("week")
    )
    found: dict[str, dict[str, int]] = {}
    for week, strategy, sent in rows:
        found.setdefault(week.isoformat()[:10], {})[str(strategy)] = sent
    return [{"week": week, "sent": sent} for week, sent in found.items()]
