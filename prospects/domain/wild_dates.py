"""Dates and periods as people and exports write them, with the precision they have. A day is never invented."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from datetime import date
from functools import lru_cache

from prospects.domain.date_words import MONTHS, PRESENT, UNKNOWN_END
from prospects.domain.dates import DateInterval, partial_date

_MONTH_NAMES = "|".join(sorted((re.escape(name) for name in MONTHS), key=len, reverse=True))
_CLOCK = r"(?:,?[\sT]+\d{1,2}:\d{2}(?::\d{2}(?:\.\d+)?)?\s*(?P<half>[ap]\.?m\.?)?\s*(?:z|utc|gmt|[+-]\d{2}:?\d{2})?)?"
_PATTERNS = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        r"(?P<y>\d{4})[-/.](?P<m>\d{1,2})[-/.](?P<d>\d{1,2})(?!\d)" + _CLOCK,
        rf"(?:[a-z]{{3}},?\s+)?(?P<name>{_MONTH_NAMES})\.?\s+(?P<d>\d{{1,2}})\s+\d{{1,2}}:\d{{2}}:\d{{2}}\s+(?:utc|gmt)?\s*(?P<y>\d{{4}})",
        rf"(?P<d>\d{{1,2}})(?:\.|st|nd|rd|th|er|º)?[\s-]+(?:de\s+)?(?P<name>{_MONTH_NAMES})\.?,?[\s-]+(?:de\s+|del\s+)?(?P<y>\d{{4}})(?!\d)"
        + _CLOCK,
        rf"(?P<name>{_MONTH_NAMES})\.?\s+(?P<d>\d{{1,2}})(?:st|nd|rd|th)?,\s*(?P<y>\d{{4}})(?!\d)" + _CLOCK,
        rf"(?P<name>{_MONTH_NAMES})\.?,?[\s/-]*(?:de\s+|del\s+)?(?P<y>\d{{4}})(?!\d)",
        r"(?P<y>\d{4})\s*年\s*(?P<m>\d{1,2})\s*月(?:\s*(?P<d>\d{1,2})\s*日)?",
        r"(?P<y>\d{4})\s*년\s*(?P<m>\d{1,2})\s*월(?:\s*(?P<d>\d{1,2})\s*일)?",
        r"(?P<a>\d{1,2})(?P<sep>[/.-])(?P<b>\d{1,2})(?P=sep)(?P<y>\d{4}|\d{2})(?!\d)" + _CLOCK,
        r"(?P<y>(?:19|20)\d{2})[-/.](?P<m>\d{1,2})(?![\d/.-])",
        r"(?P<m>\d{1,2})[-/.](?P<y>(?:19|20)\d{2})(?!\d)",
        r"(?<!\d)(?P<y>(?:19|20)\d{2})(?P<m>0[1-9]|1[0-2])(?P<d>0[1-9]|[12]\d|3[01])(?!\d)",
        r"(?<!\d)(?P<y>(?:19|20)\d{2})(?P<m>0[1-9]|1[0-2])(?!\d)",
        r"(?<!\d)(?P<y>(?:19|20)\d{2})\s*年?(?!\d)",
    )
)
_NUMBERS = re.compile(r"[٠-٩۰-۹]")
_PRESENT = re.compile(
    "(?<![^\\W\\d_])(?:"
    + "|".join(sorted((re.escape(word) for word in PRESENT), key=len, reverse=True))
    + ")(?![^\\W\\d_])"
)
_UNKNOWN_END = re.compile(r"[-\u2013\u2014]\s*(?:" + "|".join(UNKNOWN_END) + r")\b")
_CENTURY = 2000
#: How much of a whole date a precision shows.
_SIGNS = {"day": 10, "month": 7, "year": 4}


@dataclass(frozen=True, slots=True)
class WildDate:
    """What one cell says. `problem` is "" or one sentence; an ambiguous date has no interval, never a guess."""

    interval: DateInterval | None = None
    problem: str = ""

    @property
    def iso(self) -> str:
        return iso_of(self.interval)


@dataclass(frozen=True, slots=True)
class Period:
    """A start, an end, and whether it is still open: True, False, or None where the source does not say."""

    start: DateInterval | None = None
    end: DateInterval | None = None
    current: bool | None = None
    problem: str = ""

    @property
    def end_text(self) -> str:
        """For evidence: the partial date, "" while open, "unknown" when nobody knows whether it has ended."""
        return iso_of(self.end) or ("" if self.current else "unknown")


def iso_of(interval: DateInterval | None) -> str:
    """The partial ISO date of an interval: "2024", "2024-03" or "2024-03-05"."""
    if interval is None:
        return ""
    return interval.first.isoformat()[: _SIGNS.get(interval.precision, 4)]


def _digits(text: str) -> str:
    return _NUMBERS.sub(lambda match: str(unicodedata.digit(match.group(0))), text)


def _day_and_month(match: re.Match[str]) -> tuple[int, int] | None:
    """(month, day) of a/b/year; None when both readings are possible."""
    a, b = match.group("a"), match.group("b")
    if int(a) > 12:
        return int(b), int(a)
    american = int(b) > 12 or bool(match.groupdict().get("half")) or a == b
    if match.group("sep") == ".":
        return int(b), int(a)
    unpadded = match.group("sep") == "/" and 1 in {len(a), len(b)} and len(match.group("y")) == 4
    if american or unpadded:
        return int(a), int(b)
    return None


def _interval(match: re.Match[str]) -> WildDate:
    parts = match.groupdict()
    year = int(parts["y"])
    year += _CENTURY if len(parts["y"]) == 2 else 0
    if parts.get("a"):
        pair = _day_and_month(match)
        if pair is None:
            return WildDate(problem=f"{match.group(0)!r} can be read as day/month or month/day")
        month, day = pair
        return _checked(match, f"{year:04}-{month:02}-{day:02}")
    name = parts.get("name")
    month_number = MONTHS[name.lower()] if name else int(parts.get("m") or 0)
    text = f"{year:04}" + (f"-{month_number:02}" if month_number else "")
    if parts.get("d"):
        text += f"-{int(parts['d']):02}"
    return _checked(match, text)


def _checked(match: re.Match[str], iso: str) -> WildDate:
    interval = partial_date(iso)
    return WildDate(interval) if interval else WildDate(problem=f"{match.group(0)!r} is no day of the calendar")


def _scan(text: str) -> list[WildDate]:
    """The dates in a text from left to right; at each place the most precise form wins."""
    found: list[WildDate] = []
    place = 0
    while place < len(text) and len(found) < 4:
        matches = [match for pattern in _PATTERNS if (match := pattern.search(text, place))]
        if not matches:
            break
        best = min(matches, key=lambda match: (match.start(), -match.end()))
        found.append(_interval(best))
        place = best.end()
    return found


def _fold(text: str) -> str:
    folded = unicodedata.normalize("NFKC", _digits(text)).casefold().replace("\u2019", "'")
    return re.split(r"\s[\u00b7\u2022]\s", folded, maxsplit=1)[0].strip()


@lru_cache(maxsize=4_096)
def read_date(text: str) -> WildDate:
    """One date; blank and words for nothing give no interval and no problem."""
    folded = _fold(text)[:200]
    if not folded or folded in {"null", "none", "n/a", "-", "false", "nan", "#n/a", "undefined"}:
        return WildDate()
    found = _scan(folded)
    return found[0] if found else WildDate(problem=f"{text.strip()[:60]!r} is not a date")


@lru_cache(maxsize=4_096)
def read_period(text: str) -> Period:
    """A period such as "Mar 2016 – Nov 2019", "2023 - Present" or "mai 2021 - aujourd'hui · 4 ans"."""
    folded = _fold(text)[:200]
    found = _scan(folded)
    problem = next((entry.problem for entry in found if entry.problem), "")
    present = bool(_PRESENT.search(folded))
    if not found:
        return Period(current=True if present else None)
    start = found[0].interval
    end = found[1].interval if len(found) > 1 else None
    if start and end and end.last < start.first:
        return Period(start=start, problem=f"{text.strip()[:60]!r} ends before it begins")
    if present and end is None:
        return Period(start=start, current=True, problem=problem)
    current = False if end else None
    if _UNKNOWN_END.search(folded):
        problem = problem or f"{text.strip()[:60]!r} does not say when it ended"
    return Period(start=start, end=end, current=current, problem=problem)


@lru_cache(maxsize=4_096)
def period_of(start: str, end: str, *, open_when_blank: bool = True) -> Period:
    """A period from two cells. A blank end means still open, where the source says so by a blank."""
    began, ended = read_date(start), read_date(end)
    folded = _fold(end)
    blank = not folded or folded in {"null", "none", "n/a", "-", "nan", "false"}
    present = open_when_blank if blank else bool(_PRESENT.search(folded))
    problem = began.problem or ("" if present else ended.problem)
    if began.interval and ended.interval and ended.interval.last < began.interval.first:
        return Period(start=began.interval, problem=f"it ends ({end.strip()}) before it begins ({start.strip()})")
    if ended.interval:
        return Period(start=began.interval, end=ended.interval, current=False, problem=problem)
    return Period(start=began.interval, current=True if present else None, problem=problem)


def day(value: date) -> DateInterval:
    return DateInterval(value, value)
