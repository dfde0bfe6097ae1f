"""Days that people name: "back on 12 April", "bis einschließlich 06.01.", "martedì 30", "in maart 2027"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, timedelta
from functools import cache

from messaging.replies.domain.folding import fold
from messaging.replies.domain.phrases.every import LANGUAGES, expression

_FAR = 400
_UNCLEAR = ("may", "mai", "mars", "marco", "mei")
#: How far behind its marker a day may stand, in characters.
_REACH = 70


@dataclass(frozen=True)
class Mention:
    """A day in the text. `precision`: "day" or "month" (then the first of it)."""

    start: int
    end: int
    day: date
    precision: str = "day"


@cache
def _month_names() -> tuple[str, dict[str, int]]:
    patterns: list[str] = []
    numbers: dict[str, int] = {}
    for language in LANGUAGES:
        for number, pattern in enumerate(language.months, start=1):
            for part in pattern.split("|"):
                patterns.append(part)
                numbers[part] = number
    return "|".join(sorted(set(patterns), key=len, reverse=True)), numbers


#: Month names that are everyday words too count only after one of these.
_PREPOSITION = r"(?:in|im|en|em|a|anfang|mitte|ende|ab|debut|fin|mi|inizio|fine|early|late|begin|eind|inicio|final|de|until|bis|for|till|tot|ate)"


@cache
def _full_names() -> str:
    """Month names in full: an abbreviation alone is too often another word ("mag", "set", "out")."""
    full = {re.sub(r"\(\?:([^)]*)\)\??|([a-z])\?|\\\\?\.\?", r"\1\2", part) for part in _month_names()[1]}
    return "|".join(sorted((name for name in full if len(name) > 3 and name not in _UNCLEAR), key=len, reverse=True))


def _month_number(word: str) -> int:
    _, numbers = _month_names()
    return next((number for pattern, number in numbers.items() if re.fullmatch(pattern, word)), 0)


@cache
def _patterns() -> tuple[tuple[str, re.Pattern[str]], ...]:
    month = f"(?P<month>{_month_names()[0]})"
    year = r"(?:[ ,]*(?:de |d[eo]l? )?(?P<year>20\d\d))?"
    weekday = "|".join(part for language in LANGUAGES for part in language.weekdays)
    return (
        ("week", re.compile(r"\b(?:kw|kalenderwoche|week) ?(?P<day>\d{1,2})\b")),
        ("iso", re.compile(r"\b(?P<year>20\d\d)-(?P<mon>\d\d)-(?P<day>\d\d)\b")),
        (
            "numeric",
            re.compile(
                r"(?<![\d.,/-])(?P<day>\d{1,2})(?P<sep>[./-])(?P<mon>\d{1,2})(?:(?P=sep)(?P<year>20\d\d|\d\d)?)?(?![\d%])"
            ),
        ),
        ("named", re.compile(rf"\b(?P<day>\d{{1,2}})(?:\.|er|st|nd|rd|th|º|°)?(?: of| de| d')? ?{month}\b\.?{year}")),
        ("named_us", re.compile(rf"\b{month}\.? (?P<day>\d{{1,2}})(?:st|nd|rd|th)?\b(?![:.]\d\d){year}")),
        (
            "weekday",
            re.compile(
                rf"\b(?:{weekday})\.?,? (?:the |den |dem |de |le |el |il |dia |d\. )?(?P<day>\d{{1,2}})(?:\.|e|º|st|nd|rd|th)?\b(?! ?(?:h|uhr|uur|am|pm|:|ore)\b)(?![.:h/]\d)"
            ),
        ),
        (
            "month",
            re.compile(rf"\b(?:(?P<month>{_full_names()})|{_PREPOSITION} (?P<unclear>may|mai|mars|marco|mei)){year}\b"),
        ),
    )


def mentions(*, text: str, received: date) -> list[Mention]:
    """Every day in the text, in order; a day without a year is the next such day."""
    folded = fold(text)
    found: list[Mention] = []
    for kind, pattern in _patterns():
        for match in pattern.finditer(folded):
            if any(match.start() < other.end and other.start < match.end() for other in found):
                continue
            day = _day_of(kind, match, received)
            if day is not None:
                found.append(Mention(match.start(), match.end(), day, "month" if kind == "month" else "day"))
    return sorted(found, key=lambda mention: mention.start)


def _day_of(kind: str, match: re.Match[str], received: date) -> date | None:
    groups = match.groupdict()
    year = int(groups["year"]) if groups.get("year") else None
    if year is not None and year < 100:
        year += 2000
    if kind in ("weekday", "week"):
        number = int(groups["day"])
        return _next_day_number(number, received) if kind == "weekday" else _monday_of_week(number, received)
    month = (
        int(groups["mon"]) if groups.get("mon") else _month_number(groups.get("month") or groups.get("unclear") or "")
    )
    day = int(groups["day"]) if groups.get("day") else 1
    if kind == "numeric" and month > 12 >= day:
        day, month = month, day
    return _in_year(year, month, day, received)


def _in_year(year: int | None, month: int, day: int, received: date) -> date | None:
    years = (year,) if year is not None else (received.year, received.year + 1)
    for candidate in years:
        try:
            found = date(candidate, month, day)
        except ValueError:
            continue
        if year is not None or found >= received:
            return found
    return None


def _next_day_number(number: int, received: date) -> date | None:
    for ahead in range(62):
        day = received + timedelta(days=ahead)
        if day.day == number:
            return day
    return None


def _monday_of_week(number: int, received: date) -> date | None:
    """The Monday of a calendar week (ISO 8601), this year's or next year's; today when that week is running."""
    for year in (received.isocalendar().year, received.isocalendar().year + 1):
        try:
            monday = date.fromisocalendar(year, number, 1)
        except ValueError:
            continue
        if monday + timedelta(days=7) > received:
            return max(monday, received)
    return None


def return_date(*, text: str, received: date) -> date | None:
    """The first day on which they are back. "Until and including" means the day after."""
    if not expression("absent").search(fold(text)):
        return None
    folded, days = fold(text), mentions(text=text, received=received)
    for group, shift in (("returns", 0), ("until_inclusive", 1), ("until", 0)):
        for mention in _after_markers(group, folded, days):
            day = mention.day + timedelta(days=shift)
            if received <= day <= received + timedelta(days=_FAR):
                return day
    return None


def _after_markers(group: str, folded: str, days: list[Mention]) -> Iterator[Mention]:
    for marker in expression(group).finditer(folded):
        for mention in days:
            if marker.start() <= mention.start <= marker.end() + _REACH and not _crosses_sentence(
                folded, marker, mention
            ):
                yield mention
                break


def _crosses_sentence(folded: str, marker: re.Match[str], mention: Mention) -> bool:
    return bool(re.search(r"[.!?;]\s+(?!\d)|\n\n", folded[marker.end() : mention.start]))


def follow_up_date(*, text: str, received: date) -> date | None:
    """The day from which they want to hear again: the last day or month named, else a season."""
    folded = fold(text)
    season = _season(folded, received)
    if season is not None:
        return season
    ahead = [mention for mention in mentions(text=text, received=received) if mention.day > received]
    near = list(_near_contact(folded, ahead))
    return (near or ahead)[-1].day if ahead else None


@cache
def _seasons() -> tuple[re.Pattern[str], dict[str, tuple[int, int]]]:
    days = {phrase: day for language in LANGUAGES for phrase, day in language.seasons.items()}
    words = "|".join(re.escape(phrase) for phrase in sorted(days, key=len, reverse=True))
    return re.compile(rf"\b(?P<season>{words})\b(?:\D{{0,5}}(?P<year>20\d\d))?"), days


def season_in(folded: str) -> str:
    """The season or part of a year that a folded text names; empty when none."""
    found = _seasons()[0].search(folded)
    return found.group("season") if found else ""


def _season(folded: str, received: date) -> date | None:
    pattern, days = _seasons()
    found = pattern.search(folded)
    if found is None:
        return None
    month, day = days[found.group("season")]
    year = int(found.group("year")) if found.group("year") else None
    return _in_year(year, month, day, received + timedelta(days=1))


def _near_contact(folded: str, ahead: list[Mention]) -> Iterator[Mention]:
    """Days within a sentence that also asks to be contacted."""
    for mention in ahead:
        start = max(folded.rfind(mark, 0, mention.start) for mark in (". ", "! ", "? ", "\n"))
        stops = [position for mark in (". ", "! ", "? ", "\n") if (position := folded.find(mark, mention.end)) >= 0]
        if expression("contact_me").search(folded[start + 1 : min(stops, default=len(folded))]):
            yield mention
