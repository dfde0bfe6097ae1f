"""How much of a language model may still be asked for: a hard stop, decided before each request.

What a request may cost at most is set aside before it is sent and settled when its cost is known, so that requests of
many workers together never pass a limit. What a killed worker set aside stays spent: nobody knows whether it was.
All values in the currency of the price list; days and months are those of UTC.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, time, timedelta
from decimal import Decimal

#: Seconds after which a draft is tried again that only waits for others to settle what they set aside.
SOON = 20.0


@dataclass(frozen=True, slots=True)
class Limits:
    """Of the team a day and a month, and of the campaign in all; None is no limit, nought stops the model."""

    daily: Decimal | None = None
    monthly: Decimal | None = None
    campaign: Decimal | None = None


@dataclass(frozen=True, slots=True)
class Spending:
    """What is spent for good, and what is set aside for requests under way."""

    spent: Decimal = Decimal(0)
    aside: Decimal = Decimal(0)


@dataclass(frozen=True, slots=True)
class Ledger:
    """The team's day and month, and all days of the campaign."""

    day: Spending = Spending()
    month: Spending = Spending()
    campaign: Spending = Spending()


@dataclass(frozen=True, slots=True)
class Stop:
    """Why nothing is asked. seconds: until it is tried again; 0: never by itself, and the composer writes."""

    reason: str
    seconds: float


def off(*, limits: Limits) -> Stop | None:
    """Whether a limit of nought has switched the model off altogether."""
    if limits.daily == 0 or limits.monthly == 0:
        return Stop("No language model is asked: its budget is nought.", 0.0)
    return None


def stop_of(*, limits: Limits, ledger: Ledger, price: Decimal, now: datetime) -> Stop | None:
    """Why a request that costs `price` at most may not be sent; None when it may."""
    found = off(limits=limits)
    if found is not None:
        return found
    checks = (
        (limits.campaign, ledger.campaign, "in all, for this campaign", "raise it, or drafts wait"),
        (limits.monthly, ledger.month, "a month", "writing goes on next month, or when it is raised"),
        (limits.daily, ledger.day, "a day", "writing goes on tomorrow (UTC)"),
    )
    soon = None
    for limit, has, span, then in checks:
        if limit is None:
            continue
        if has.spent >= limit or has.spent + price > limit:
            reason = f"The language model’s budget of {limit} {span} is used up ({has.spent:.4f} spent): {then}."
            return Stop(reason, _until_tomorrow(now))
        if has.spent + has.aside + price > limit:
            soon = Stop(f"Other drafts have set aside what is left of the budget of {limit} {span}.", SOON)
    return soon


def _until_tomorrow(now: datetime) -> float:
    midnight = datetime.combine(now.date() + timedelta(days=1), time.min, now.tzinfo)
    return (midnight - now).total_seconds()
