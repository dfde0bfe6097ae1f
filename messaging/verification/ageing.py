"""Evidence that tells of today ages: until when it may be told so, by the day on which it was seen."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, timedelta

from messaging.verification.facts import Fact, Facts
from messaging.verification.naming import named, opening, told
from prospects.domain.evidence import Actor, Kind


@dataclass(frozen=True, slots=True)
class Seen:
    """When an item of evidence that tells of today was seen, and the last day it may be told so; None: nobody knows."""

    fact: Fact
    limit: int
    last_day: date | None
    earliest: date

    @property
    def stale(self) -> bool:
        return self.last_day is None or self.last_day < self.earliest

    @property
    def reason(self) -> str:
        """Why it supports nothing of today any more."""
        seen = self.fact.evidence.observed_at
        if seen is None:
            rule = f"what is said of today needs to have been seen within {self.limit} days."
            return f"Nobody recorded when {named(self.fact)} was seen; {rule}"
        days = (self.earliest - seen).days
        rule = f"what is said of today may be {self.limit} days old."
        return f"{opening(self.fact)} was last seen on {told(seen)}, {days} days before the day of sending; {rule}"


def seen_of(facts: Facts, max_days: Mapping[str, int], earliest: date) -> dict[str, Seen]:
    """By ref, all that tells of today and ages. Periods that have ended do not.

    max_days by kind of evidence; earliest: the first day on which the text may be sent
    """
    found = {}
    for fact in facts.all if max_days else ():
        item = fact.evidence
        limit = max_days.get(item.kind.value)
        ended = item.kind is Kind.POSITION and item.get("end")
        if limit is None or ended or item.actor is Actor.SENDER:
            continue
        last = item.observed_at + timedelta(days=limit) if item.observed_at else None
        found[item.ref] = Seen(fact, limit, last, earliest)
    return found
