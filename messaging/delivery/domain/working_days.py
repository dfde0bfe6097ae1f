"""On which days nobody is written to: weekends and public holidays where they live, and the team's own closed days."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from functools import lru_cache
from types import MappingProxyType
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import holidays
from babel import Locale
from babel.core import get_global

#: When a working day begins for mail that had to wait: not at midnight.
MORNING = time(8)
#: No country has longer holidays; beyond it something else is wrong, and the send-by date ends the wait.
FARTHEST = 60
_WEEKEND = frozenset({5, 6})
#: Where most people of a country with several time zones live and work.
_MAIN_ZONE: Mapping[str, str] = MappingProxyType(
    {
        "AR": "America/Argentina/Buenos_Aires", "AU": "Australia/Sydney", "BR": "America/Sao_Paulo", "CA": "America/Toronto",
        "CL": "America/Santiago", "CN": "Asia/Shanghai", "DE": "Europe/Berlin", "EC": "America/Guayaquil", "ES": "Europe/Madrid",
        "ID": "Asia/Jakarta", "KZ": "Asia/Almaty", "MX": "America/Mexico_City", "MY": "Asia/Kuala_Lumpur",
        "NZ": "Pacific/Auckland", "PT": "Europe/Lisbon", "RU": "Europe/Moscow", "UA": "Europe/Kyiv", "US": "America/New_York",
    }
)  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class Calendar:
    """When a team writes to somebody. country, home: ISO codes of the prospect's and the team's country, "" unknown.

    closed: the team's own days. weekends, holidays: whether those are written on all the same.
    """

    country: str = ""
    home: str = ""
    closed: frozenset[date] = frozenset()
    weekends: bool = False
    holidays: bool = False


@dataclass(frozen=True)
class Wait:
    """Nothing leaves before `until`; the reason names the day."""

    until: datetime
    reason: str


def wait_of(*, calendar: Calendar, now: datetime) -> Wait | None:
    """Whether this moment lies in a day on which nobody is written to, where the prospect lives; None when it does not."""
    zone = zone_of(calendar.country or calendar.home)
    today = now.astimezone(zone).date()
    reason = closed_because(calendar=calendar, day=today)
    if not reason:
        return None
    days = (today + timedelta(days=number) for number in range(1, FARTHEST))
    free = next(
        (day for day in days if not closed_because(calendar=calendar, day=day)), today + timedelta(days=FARTHEST)
    )
    return Wait(datetime.combine(free, MORNING, zone).astimezone(UTC), f"{reason}; it waits until {free.isoformat()}.")


def closed_because(*, calendar: Calendar, day: date) -> str:
    """Why nobody is written to on that day, "" when they are."""
    if day in calendar.closed:
        return f"{day.isoformat()} is a closed day of the team"
    place = calendar.country or calendar.home
    if not calendar.weekends and day.weekday() in weekend_of(place):
        return f"{day.isoformat()} is weekend" + (f" in {country_name(place)}" if place else "")
    for country in () if calendar.holidays else dict.fromkeys((place, calendar.home)):
        name = holidays_of(country, day.year).get(day)
        if name:
            return f"{day.isoformat()} is a public holiday in {country_name(country)} ({name})"
    return ""


def zone_of(country: str) -> ZoneInfo:
    """The time zone of most people there; UTC where the country is not known."""
    zones = [_MAIN_ZONE[country]] if country in _MAIN_ZONE else list(get_global("territory_zones").get(country, ()))
    try:
        return ZoneInfo(zones[0] if zones else "UTC")
    except (ZoneInfoNotFoundError, ValueError):
        return ZoneInfo("UTC")


@lru_cache(maxsize=512)
def weekend_of(country: str) -> frozenset[int]:
    """The days of rest as `date.weekday` counts; Saturday and Sunday where the country is not known."""
    try:
        return frozenset(holidays.country_holidays(country).weekend) if country else _WEEKEND
    except NotImplementedError:
        return _WEEKEND


@lru_cache(maxsize=512)
def holidays_of(country: str, year: int) -> Mapping[date, str]:
    """The country-wide public holidays of a year with their English names; none where the country is not known."""
    if not country:
        return {}
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return dict(holidays.country_holidays(country, years=year, language="en_US").items())
    except NotImplementedError:
        return {}


def country_name(country: str) -> str:
    return str(Locale("en").territories.get(country, country))


@lru_cache(maxsize=1)
def countries() -> tuple[tuple[str, str], ...]:
    """Code and English name of every country whose holidays are known, by name."""
    codes = [code for code in holidays.list_supported_countries(include_aliases=False) if len(code) == 2]
    return tuple(sorted(((code, country_name(code)) for code in codes), key=lambda pair: pair[1]))
