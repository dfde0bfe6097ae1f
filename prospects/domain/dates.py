"""Calendar intervals with the precision the source gave: a day is never invented."""

from __future__ import annotations

import calendar
import re
from dataclasses import dataclass
from datetime import date

_PARTIAL = re.compile(r"(\d{4})(?:-(\d{1,2})(?:-(\d{1,2}))?)?\Z")


@dataclass(frozen=True, slots=True, order=True)
class DateInterval:
    """Every day, first to last inclusive, on which something may have happened.

    "2024" is the whole year, "2024-03" the whole month, "2024-03-05" one day.
    """

    first: date
    last: date

    def __post_init__(self) -> None:
        if self.first > self.last:
            raise ValueError(f"interval ends before it begins: {self.first} > {self.last}")

    @property
    def precision(self) -> str:
        """ "day", "month", "year" or "range"."""
        if self.first == self.last:
            return "day"
        month_end = calendar.monthrange(self.first.year, self.first.month)[1]
        if self.first.day == 1 and self.last == self.first.replace(day=month_end):
            return "month"
        if self.first == date(self.first.year, 1, 1) and self.last == date(self.first.year, 12, 31):
            return "year"
        return "range"


def partial_date(text: str) -> DateInterval | None:
    """Read "YYYY", "YYYY-MM" or "YYYY-MM-DD"; anything else (also an impossible day) is None."""
    match = _PARTIAL.match(text.strip())
    if not match:
        return None
    year, month, day = (int(part) if part else None for part in match.groups())
    try:
        if year is None or year < 1:
            return None
        if month is None:
            return DateInterval(date(year, 1, 1), date(year, 12, 31))
        if day is None:
            last = calendar.monthrange(year, month)[1]
            return DateInterval(date(year, month, 1), date(year, month, last))
        return DateInterval(date(year, month, day), date(year, month, day))
    except (ValueError, calendar.IllegalMonthError):
        return None
