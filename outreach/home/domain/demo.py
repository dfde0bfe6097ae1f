"""Dates of the demonstration: written as distances, so that posts stay recent whenever it is loaded."""

from __future__ import annotations

import re
from datetime import date, timedelta

#: "@-12d" is a day, "@-8m" a month, "@-3y" a year.
_DISTANCE = re.compile(r"@-(\d+)([dmy])")


def dated(*, text: str, today: date) -> str:
    """The text with every distance replaced by the date that lies so far before today."""
    return _DISTANCE.sub(lambda match: _date(int(match.group(1)), match.group(2), today), text)


def _date(distance: int, unit: str, today: date) -> str:
    if unit == "d":
        return (today - timedelta(days=distance)).isoformat()
    if unit == "y":
        return str(today.year - distance)
    months = today.year * 12 + today.month - 1 - distance
    return f"{months // 12:04d}-{months % 12 + 1:02d}"
