"""What time words promise: windows and durations, measured to the day of sending."""

from __future__ import annotations

import calendar
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from messaging.verification.language import Language
from messaging.verification.numerals import TIME_UNITS, Quantity
from messaging.verification.patterns import PatternBook
from messaging.verification.tokens import Token
from prospects.domain.dates import DateInterval


@dataclass(frozen=True, slots=True)
class TimeWords:
    """Tokens first to last name a time.

    rule  "month:6" (June), "month:6:2025", "day:6:27", "year:2025", "season:3" (3 = first month),
          "shift:month:-1" (last month), "within:92" (at most that many days ago), "since_year", "coming"
    """

    first: int
    last: int
    rule: str


def book(language: Language) -> PatternBook:
    """The language's time patterns, compiled once."""
    found = language.compiled.get("times")
    if not isinstance(found, PatternBook):
        found = PatternBook.compile(language.times.get("windows", {}), language.stems)
        language.compiled["times"] = found
    return found


def time_words(tokens: Sequence[Token], language: Language) -> list[TimeWords]:
    """Months, years, seasons and listed relative words, longest first, without overlaps."""
    found = [TimeWords(match.first, match.last, match.name) for match in book(language).find(tokens)]
    named = _named(language)
    for at, token in enumerate(tokens):
        absolute = _absolute(tokens, at, language) if token.kind == "number" or token.lower in named else None
        if absolute:
            found.append(_with_part(tokens, absolute, language))
    found.sort(key=lambda words: (words.first, -words.last))
    kept: list[TimeWords] = []
    for words in found:
        if not kept or words.first >= kept[-1].last:
            kept = _of_year(kept, words)
    return kept


def _named(language: Language) -> frozenset[str]:
    """Words that may name a time by themselves: few of a text do."""
    found = language.compiled.get("named_times")
    if not isinstance(found, frozenset):
        found = frozenset[str]().union(*(language.times.get(name, {}) for name in ("months", "seasons", "decades")))
        language.compiled["named_times"] = found
    return found


def _of_year(kept: list[TimeWords], words: TimeWords) -> list[TimeWords]:
    """ "In May last year": the month of that year; at most one word stands between."""
    before = kept[-1] if kept else None
    name, *rest = words.rule.split(":")
    if before is None or name != "shift" or rest[0] != "year" or words.first - before.last > 1:
        return [*kept, words]
    if before.rule.count(":") != (2 if before.rule.startswith("day") else 1) or before.rule[:3] not in (
        "mon",
        "day",
        "sea",
    ):
        return [*kept, words]
    return [*kept[:-1], TimeWords(before.first, words.last, f"of:{rest[1]}:{before.rule}")]


def _with_part(tokens: Sequence[Token], words: TimeWords, language: Language) -> TimeWords:
    """ "Early 2024", "the end of June": the part of it that is meant."""
    for phrase, (first, last) in language.times.get("parts", {}).items():
        parts = phrase.split()
        at = words.first - len(parts)
        if at >= 0 and [token.lower for token in tokens[at : words.first]] == parts:
            return TimeWords(at, words.last, f"part:{first}:{last}:{words.rule}")
    return words


def _absolute(tokens: Sequence[Token], at: int, language: Language) -> TimeWords | None:
    token = tokens[at]
    if token.kind == "number":
        if _is_year(token) and _plausible_year(tokens, at, language):
            return TimeWords(at, at + 1, f"year:{token.text}")
        return _day_first(tokens, at, language)
    month = _month(tokens, at, language)
    if month:
        return _month_first(tokens, at, month, language)
    season = language.times.get("seasons", {}).get(token.lower)
    if season:
        year = _year_after(tokens, at + 1, language)
        before = language.times.get("season_prepositions")
        if before and not year and not (at and tokens[at - 1].lower in before):
            return None  # part of a name: "fiera di primavera"
        return (
            TimeWords(at, year[1], f"season:{season}:{year[0]}") if year else TimeWords(at, at + 1, f"season:{season}")
        )
    decade = language.times.get("decades", {}).get(token.lower)
    return TimeWords(at, at + 1, f"years:{decade}:{int(decade) + 9}") if decade else None


def _is_year(token: Token) -> bool:
    return len(token.text) == 4 and token.text.isdigit() and 1900 <= int(token.text) <= 2100


def _plausible_year(tokens: Sequence[Token], at: int, language: Language) -> bool:
    following = tokens[at + 1] if at + 1 < len(tokens) else None
    if following is None or not following.word:
        return True
    return (
        following.lower in language.words.get("function", frozenset())
        or not following.lower.isalpha()
        or (
            at > 0
            and (
                tokens[at - 1].lower in language.times.get("year_prepositions", [])
                or bool(_month(tokens, at - 1, language))
            )
        )
    )


def _month(tokens: Sequence[Token], at: int, language: Language) -> int:
    token = tokens[at]
    number = language.times.get("months", {}).get(token.lower, 0)
    if not number:
        return 0
    if token.lower in language.times.get("ambiguous_months", []):
        before = tokens[at - 1] if at else None
        after = tokens[at + 1] if at + 1 < len(tokens) else None
        if not token.capital:
            return 0
        near = (
            before is not None
            and (before.lower in language.times.get("month_prepositions", []) or before.kind == "number")
        ) or (after is not None and after.kind == "number")
        return int(number) if near else 0
    return int(number)


def _year_after(tokens: Sequence[Token], at: int, language: Language) -> tuple[str, int] | None:
    for skip in (0, 1):
        if at + skip < len(tokens) and tokens[at + skip].kind == "number" and _is_year(tokens[at + skip]):
            between = tokens[at : at + skip]
            if all(token.text == "," or token.lower in language.times.get("date_joiners", []) for token in between):
                return tokens[at + skip].text, at + skip + 1
    return None


def _month_first(tokens: Sequence[Token], at: int, month: int, language: Language) -> TimeWords:
    end = at + 1
    day = ""
    if (
        language.times.get("month_before_day", True)
        and end < len(tokens)
        and tokens[end].kind == "number"
        and tokens[end].text.isdigit()
        and int(tokens[end].text) <= 31
    ):
        day = tokens[end].text
        end += 1
        if end < len(tokens) and tokens[end].lower in language.numbers.get("ordinal_suffixes", []):
            end += 1
    year = _year_after(tokens, end, language)
    rule = f"day:{month}:{day}" if day else f"month:{month}"
    return TimeWords(at, year[1], f"{rule}:{year[0]}") if year else TimeWords(at, end, rule)


def _day_first(tokens: Sequence[Token], at: int, language: Language) -> TimeWords | None:
    if not tokens[at].text.isdigit() or not 1 <= int(tokens[at].text) <= 31:
        return None
    end = at + 1
    skips = language.times.get("date_joiners", []) + language.numbers.get("ordinal_suffixes", []) + ["."]
    while end < len(tokens) and tokens[end].lower in skips and end - at < 3:
        end += 1
    month = _month(tokens, end, language) if end < len(tokens) else 0
    if not month:
        return None
    year = _year_after(tokens, end + 1, language)
    rule = f"day:{month}:{tokens[at].text}"
    return TimeWords(at, year[1], f"{rule}:{year[0]}") if year else TimeWords(at, end + 1, rule)


def windows(rule: str, today: date) -> tuple[DateInterval, ...]:
    """The intervals the words may mean, seen from that day; () when the rule needs none."""
    name, *rest = rule.split(":")
    reader = _READERS.get(name)
    return reader(rest, today) if reader else ()


def _next_season(month: int, today: date) -> DateInterval:
    """The next one that has not begun."""
    year = today.year if month > today.month else today.year + 1
    return _season_windows(month, year, today)[0]


def lies_ahead(rule: str, day: date, today: date) -> bool:
    """Whether words written on the day mean a time after today; a season without a year may be either."""
    if rule.startswith("season") and rule.count(":") == 1:
        return False
    meant = windows(rule, day)
    if not meant:
        return False
    nearest = min(meant, key=lambda window: abs((window.first - day).days))
    return nearest.first > today or (rule.startswith("coming") and nearest.last > today)


def _years(rest: list[str]) -> tuple[DateInterval, ...]:
    return (DateInterval(date(int(rest[0]), 1, 1), date(int(rest[-1]), 12, 31)),)


def _within(rest: list[str], today: date) -> tuple[DateInterval, ...]:
    return (DateInterval(today - timedelta(days=int(rest[0])), today),)


def _ago(rest: list[str], today: date) -> tuple[DateInterval, ...]:
    return (DateInterval(today - timedelta(days=int(rest[1])), today - timedelta(days=int(rest[0]))),)


def _part(rest: list[str], today: date) -> tuple[DateInterval, ...]:
    """A share of each window, in per cent of its days."""
    found = []
    for window in windows(":".join(rest[2:]), today):
        days = (window.last - window.first).days
        first, last = (window.first + timedelta(days=days * int(share) // 100) for share in rest[:2])
        found.append(DateInterval(first, last))
    return tuple(found)


def _of(rest: list[str], today: date) -> tuple[DateInterval, ...]:
    return windows(f"{':'.join(rest[1:])}:{today.year + int(rest[0])}", today)


def _coming(rest: list[str], today: date) -> tuple[DateInterval, ...]:
    return (DateInterval(today + timedelta(days=1), today + timedelta(days=int(rest[0]))),)


def _month_interval(year: int, month: int) -> DateInterval:
    return DateInterval(date(year, month, 1), date(year, month, calendar.monthrange(year, month)[1]))


def _month_windows(month: int, year: int, today: date) -> tuple[DateInterval, ...]:
    if year:
        return (_month_interval(year, month),)
    past = today.year if month <= today.month else today.year - 1
    return (_month_interval(past, month), _month_interval(past + 1, month))


def _day_windows(parts: list[int], today: date) -> tuple[DateInterval, ...]:
    month, day, *given = parts
    years = given or [today.year - 1, today.year, today.year + 1]
    return tuple(
        DateInterval(date(year, month, day), date(year, month, day))
        for year in years
        if 1 <= day <= calendar.monthrange(year, month)[1]
    )


def _season_windows(month: int, year: int, today: date) -> tuple[DateInterval, ...]:
    """Three months from the first one on; without a year the latest that has begun, and the next."""
    first = year or (today.year if month <= today.month else today.year - 1)
    found = []
    for start in (first,) if year else (first, first + 1):
        end_month, end_year = (month + 2, start) if month <= 10 else (month - 10, start + 1)
        found.append(DateInterval(date(start, month, 1), _month_interval(end_year, end_month).last))
    return tuple(found)


def _shift(unit: str, amount: int, today: date) -> DateInterval:
    if unit == "day":
        day = today + timedelta(days=amount)
        return DateInterval(day, day)
    if unit == "week":
        monday = today - timedelta(days=today.weekday()) + timedelta(weeks=amount)
        return DateInterval(monday, monday + timedelta(days=6))
    if unit == "year":
        return DateInterval(date(today.year + amount, 1, 1), date(today.year + amount, 12, 31))
    months = today.year * 12 + today.month - 1
    if unit == "quarter":
        first = (months // 3 + amount) * 3
        return DateInterval(_month_interval(*_split(first)).first, _month_interval(*_split(first + 2)).last)
    return _month_interval(*_split(months + amount))


def _split(months: int) -> tuple[int, int]:
    return months // 12, months % 12 + 1


_READERS: dict[str, Callable[[list[str], date], tuple[DateInterval, ...]]] = {
    "month": lambda rest, today: _month_windows(int(rest[0]), int(rest[1]) if len(rest) > 1 else 0, today),
    "day": lambda rest, today: _day_windows([int(part) for part in rest], today),
    "year": lambda rest, today: _years(rest),
    "years": lambda rest, today: _years(rest),
    "season": lambda rest, today: _season_windows(int(rest[0]), int(rest[1]) if len(rest) > 1 else 0, today),
    "shift": lambda rest, today: (_shift(rest[0], int(rest[1]), today),),
    "within": _within,
    "ago": _ago,
    "coming": _coming,
    "next": lambda rest, today: (_next_season(int(rest[0]), today),),
    "part": _part,
    "of": _of,
}


def inside(interval: DateInterval, window: DateInterval) -> bool:
    """The claim must hold for every day on which the event may have happened."""
    return window.first <= interval.first and interval.last <= window.last


def holds_duration(quantity: Quantity, first: date, last: date, until_first: date, until_last: date) -> bool:
    """Whether "two years", "nearly four years" hold for every possible length of the period."""
    unit = TIME_UNITS.get(quantity.unit, 0.0)
    if not unit:
        return False
    shortest, longest = (until_first - last).days / unit, (until_last - first).days / unit
    return _fits(quantity.value, shortest, quantity.rounding) and _fits(quantity.value, longest, quantity.rounding)


def holds_exactly(quantity: Quantity, years: int) -> bool:
    """Whole years between two records that give years alone."""
    return (
        abs(quantity.value - years) < 1e-9 if not quantity.rounding else _fits(quantity.value, years, quantity.rounding)
    )


def _fits(said: float, true: float, rounding: str) -> bool:
    near = max(0.12 * said, 0.5 if said >= 3 else 0.17)
    if rounding == "over":
        return said - 0.02 <= true < said + max(1.0, 0.5 * said)
    if rounding == "under":
        return said - max(0.12 * said, 0.34) <= true <= said + 0.02
    if rounding == "about":
        return abs(true - said) <= max(0.15 * said, 0.3)
    return -0.08 * max(said, 1.0) <= true - said < max(near, 0.45)
