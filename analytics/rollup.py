"""Counts by day and kind of message, kept up as outcomes come in: pages and estimators read nothing else.

Outcomes are taken by the mark in the order of their ids, with the cells locked, so that two workers count nothing twice.
An outcome whose sending is not known yet stays behind the mark until it is.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from django.db import transaction
from django.db.models import Exists, OuterRef
from django.utils import timezone

from analytics.domain.attributes import alike, odds_key
from analytics.domain.learning.delay import WINDOW
from analytics.models import DayCell, Exposure, Mark, Outcome, OutcomeKind

BATCH = 4_000
_COLUMN = {
    OutcomeKind.SENT: "sent", OutcomeKind.REPLY: "replied", OutcomeKind.POSITIVE: "positive",
    OutcomeKind.MEETING: "meetings", OutcomeKind.OPTOUT: "optouts", OutcomeKind.BOUNCE: "bounced",
    OutcomeKind.COMPLAINT: "complaints",
}  # fmt: skip
#: Counted only within the window; sendings, bounces and complaints always.
_WINDOWED = frozenset({OutcomeKind.REPLY, OutcomeKind.POSITIVE, OutcomeKind.MEETING, OutcomeKind.OPTOUT})
_KEY = (
    "team_id", "sent_on", "strategy_id", "campaign_id", "channel", "language", "persona", "fallback", "edited", "alike",
)  # fmt: skip


@dataclass
class _Change:
    exposure: Exposure
    counts: dict[str, int] = field(default_factory=lambda: defaultdict(int))
    ages: dict[int, int] = field(default_factory=lambda: defaultdict(int))


def roll_up(*, batch: int = BATCH) -> int:
    """Count the next outcomes. Returns how many were taken; 0 when all are counted."""
    with transaction.atomic():
        mark = Mark.objects.select_for_update().get_or_create(source="rollup")[0]
        gone_out = Outcome.objects.filter(exposure=OuterRef("exposure"), kind=OutcomeKind.SENT)
        waiting = Outcome.objects.filter(Exists(gone_out), counted=False).select_related("exposure").order_by("pk")
        outcomes = list(waiting[:batch])
        sendings = _sendings({outcome.exposure_id for outcome in outcomes})
        changes: dict[tuple[Any, ...], _Change] = {}
        taken: list[int] = []
        for outcome in outcomes:
            sending = sendings.get(outcome.exposure_id)
            if sending is not None:
                _add(changes, outcome, sending)
                taken.append(outcome.pk)
        _store(changes)
        Outcome.objects.filter(pk__in=taken).update(counted=True)
        mark.read_at = timezone.now()
        mark.save(update_fields=["read_at"])
    return len(taken)


def _sendings(exposures: set[int]) -> dict[int, tuple[datetime, bool]]:
    rows = Outcome.objects.filter(exposure__in=exposures, kind=OutcomeKind.SENT).values_list(
        "exposure_id", "at", "edited"
    )
    return {exposure: (at, edited) for exposure, at, edited in rows}


def _add(changes: dict[tuple[Any, ...], _Change], outcome: Outcome, sending: tuple[datetime, bool]) -> None:
    at, edited = sending
    exposure = outcome.exposure
    key = (
        exposure.team_id, at.date(), exposure.strategy_id, exposure.campaign_id, exposure.channel, exposure.language,
        exposure.persona, exposure.fallback, edited, alike(exposure.attributes, exposure.propensities),
    )  # fmt: skip
    change = changes.setdefault(key, _Change(exposure))
    age = max(0, (outcome.at - at).days)
    if outcome.kind == OutcomeKind.REPLY:
        change.ages[min(age, WINDOW)] += outcome.amount
    if outcome.kind not in _WINDOWED or age < WINDOW:
        change.counts[_COLUMN[OutcomeKind(outcome.kind)]] += outcome.amount


def _store(changes: dict[tuple[Any, ...], _Change]) -> None:
    missing = [
        DayCell(
            **dict(zip(_KEY, key, strict=True)), attributes=change.exposure.attributes,
            propensities=change.exposure.propensities,
            odds=odds_key(change.exposure.propensities), ages=[0] * (WINDOW + 1),
        )
        for key, change in changes.items()
    ]  # fmt: skip
    DayCell.objects.bulk_create(missing, ignore_conflicts=True)
    days, hashes = {key[1] for key in changes}, {key[9] for key in changes}
    cells = DayCell.objects.select_for_update().filter(sent_on__in=days, alike__in=hashes).order_by("pk")
    touched = []
    for cell in cells:
        change = changes.get(tuple(getattr(cell, name) for name in _KEY))
        if change is None:
            continue
        for column, amount in change.counts.items():
            setattr(cell, column, getattr(cell, column) + amount)
        for age, amount in change.ages.items():
            cell.ages[age] += amount
        touched.append(cell)
    DayCell.objects.bulk_update(touched, [*_COLUMN.values(), "ages"], batch_size=500)
