"""What words of time promise about a day, seen from the day of sending: true, false, or a matter of taste (None)."""

from collections.abc import Callable, Mapping
from datetime import date, timedelta


def _weeks(day: date, sending: date) -> int:
    """Calendar weeks between the two; weeks begin on Monday."""
    monday = day - timedelta(days=day.weekday())
    return ((sending - timedelta(days=sending.weekday())) - monday).days // 7


def _months(day: date, sending: date) -> int:
    return (sending.year - day.year) * 12 + sending.month - day.month


def _yesterday(day: date, sending: date) -> bool | None:
    return (sending - day).days == 1


def _this_week(day: date, sending: date) -> bool | None:
    if _weeks(day, sending) == 0:
        return True
    return False if (sending - day).days > 7 else None


def _last_week(day: date, sending: date) -> bool | None:
    if _weeks(day, sending) == 1:
        return True
    return False if (sending - day).days > 14 else None


def _this_month(day: date, sending: date) -> bool | None:
    return _months(day, sending) == 0


def _last_month(day: date, sending: date) -> bool | None:
    if _months(day, sending) == 0:
        return None
    return _months(day, sending) == 1


def _this_year(day: date, sending: date) -> bool | None:
    return day.year == sending.year


def _last_year(day: date, sending: date) -> bool | None:
    return day.year == sending.year - 1


def _recently(day: date, sending: date) -> bool | None:
    age = (sending - day).days
    if age <= 21:
        return True
    return False if age > 365 else None


PHRASES: Mapping[str, Callable[[date, date], bool | None]] = {
    "yesterday": _yesterday,
    "this_week": _this_week,
    "last_week": _last_week,
    "this_month": _this_month,
    "last_month": _last_month,
    "this_year": _this_year,
    "last_year": _last_year,
    "recently": _recently,
}

_AGES = {
    "yesterday": (1, 2, 6),
    "this_week": (1, 2, 8, 20),
    "last_week": (5, 7, 15, 22, 60),
    "this_month": (2, 9, 32, 45),
    "last_month": (20, 31, 62, 93, 400),
    "this_year": (12, 40, 366, 500),
    "last_year": (340, 365, 12, 731, 900),
    "recently": (6, 15, 366, 420, 900),
}


def days_to_try(name: str, day: date) -> list[date]:
    """Days of sending around the edges of that phrase."""
    sendings = [day + timedelta(days=age) for age in _AGES[name]]
    if name in {"this_month", "this_year"}:
        first = (day.replace(day=1) + timedelta(days=32)).replace(day=1)
        sendings.append(first if name == "this_month" else date(day.year + 1, 1, 1))
    return sendings
