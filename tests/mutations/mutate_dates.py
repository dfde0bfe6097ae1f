"""Dates, tenure and words of time, moved over the edges within which they hold."""

from collections.abc import Iterator
from datetime import date, timedelta

from prospects.domain.dates import DateInterval, partial_date

from .cases import Kind, Sentence, false, true
from .known import Json, Known, start_of
from .windows import PHRASES, days_to_try
from .wording import Wording


def dates(known: Known, words: Wording) -> Iterator[Sentence]:
    """When positions began, talks were given and posts were written."""
    yield from _since(known, words)
    yield from _joined(known, words)
    yield from _dated(known, words, "talk_on", known.part("talks"))
    yield from _dated(known, words, "post_on", known.posts, apart=known.part("posts"))


def tenure(known: Known, words: Wording) -> Iterator[Sentence]:
    """Durations, exactly at the edge and beyond it."""
    start, today = start_of(known.current), known.day
    longest = max((n for n in range(1, 21) if later(start.last, years=n) < today), default=0)
    impossible = next(n for n in range(1, 40) if later(start.first, years=n) >= today)
    values = {"title": known.current["title"], "company": known.current["company"]}
    for frame in words.frames("more_than_years"):
        for years in range(max(longest - 1, 2), longest + 1):
            yield true(frame.format(n=words.number(years), **values), Kind.TENURE)
        yield from _tenures(words, frame, values, {impossible, impossible + 1, impossible + 3})
    for frame in words.frames("less_than_years"):
        if impossible > 1:
            yield true(frame.format(n=words.number(impossible), **values), Kind.TENURE)
        yield from _tenures(words, frame, values, {longest})
    for frame in words.frames("for_years"):
        yield from _tenures(words, frame, values, {impossible + 2, longest - 2})


def _tenures(words: Wording, frame: str, values: dict[str, str], wrong: set[int]) -> Iterator[Sentence]:
    """The wrong ones in words; a single year would need another form of the noun."""
    for years in sorted(wrong):
        if years > 1:
            text = frame.format(n=words.number(years), **values)
            yield false(text, Kind.TENURE_SHIFTED, part=words.number(years))


def later(day: date, *, years: int = 0, months: int = 0) -> date:
    """The same day of another month or year, or the last one that month has."""
    index = day.year * 12 + day.month - 1 + years * 12 + months
    for last in (day.day, 30, 29, 28):
        try:
            return date(index // 12, index % 12 + 1, last)
        except ValueError:
            continue
    raise AssertionError(day)


def _month(day: date) -> DateInterval:
    interval = partial_date(f"{day.year}-{day.month:02}")
    assert interval is not None
    return interval


def _since(known: Known, words: Wording) -> Iterator[Sentence]:
    start = start_of(known.current)
    values = {"title": known.current["title"], "company": known.current["company"]}
    for frame in words.frames("since"):
        yield true(frame.format(since=words.since(start), **values), Kind.DATE_FORM)
        yield true(frame.format(since=words.date("since_year", start.first), **values), Kind.DATE_FORM)
        for wrong in _wrong_starts(start, words, known.day):
            yield false(frame.format(since=wrong, **values), Kind.DATE_SHIFTED, part=wrong)


def _wrong_starts(start: DateInterval, words: Wording, today: date) -> Iterator[str]:
    for years in (-3, -1, 1):
        moved = later(start.first, years=years)
        if moved <= today:
            yield words.date("since_year", moved)
    if start.precision == "year":  # a bare year licenses no month
        yield words.date("since_month", start.first.replace(month=9))
        return
    for months in (-7, -1, 1, 5):
        moved = later(start.first, months=months)
        if moved <= today:
            yield words.date("since_month", moved)


def _joined(known: Known, words: Wording) -> Iterator[Sentence]:
    """A step inside the company is no joining of it."""
    company = known.current["company"]
    starts = [start_of(position) for position in known.part("positions") if position["company"] == company]
    first = min(starts, key=lambda interval: interval.first)
    for frame in words.frames("joined"):
        form = "in_month" if first.precision == "month" else "in_year"
        yield true(frame.format(company=company, when=words.date(form, first.first)), Kind.DATE_FORM)
        for start in starts:
            if start.precision == "month" and start.first.year != first.first.year:
                wrong = words.date("in_month", start.first)
                yield false(frame.format(company=company, when=wrong), Kind.DATE_SHIFTED, part=wrong)


def _dated(
    known: Known, words: Wording, frames: str, items: list[Json], *, apart: list[Json] | None = None
) -> Iterator[Sentence]:
    taken = [item["date"] for item in apart or items]
    for item in items:
        day = date.fromisoformat(item["date"])
        for frame in words.frames(frames):
            values = {"event": item.get("event", "")}
            for form in ("on_day", "in_month"):
                yield true(begun(frame.format(when=words.date(form, day), **values)), Kind.DATE_FORM)
            if known.day - timedelta(days=300) < day:
                yield true(begun(frame.format(when=words.date("in_month_bare", day), **values)), Kind.DATE_FORM)
            for wrong in _wrong_dates(day, known.day, taken, words):
                text = begun(frame.format(when=wrong, **values))
                yield false(text, Kind.DATE_SHIFTED, part=wrong if wrong in text else begun(wrong))


def begun(text: str) -> str:
    """With a capital at its beginning."""
    return text[:1].upper() + text[1:]


def _wrong_dates(day: date, today: date, taken: list[str], words: Wording) -> Iterator[str]:
    for days in (-9, -1, 1, 8):
        moved = day + timedelta(days=days)
        if moved <= today and moved.isoformat() not in taken:
            yield words.date("on_day", moved)
    months = {other[:7] for other in taken}
    for shift in (-12, -2, -1, 1, 3):
        moved = later(day.replace(day=1), months=shift)
        if moved <= today and moved.isoformat()[:7] not in months:
            yield words.date("in_month", moved)
            if shift != -12 and today - timedelta(days=300) < moved:
                yield words.date("in_month_bare", moved)


def recency(known: Known, words: Wording) -> Iterator[Sentence]:
    """Words of time: the text stays, the day of sending moves over the edge."""
    yield from _new_role(known, words)
    for frames, items in (("talk_when", known.part("talks")), ("post_when", known.posts)):
        for item in items:
            yield from _phrases(words, frames, item, items)


def _new_role(known: Known, words: Wording) -> Iterator[Sentence]:
    start = start_of(known.current)
    values = {"title": known.current["title"], "company": known.current["company"]}
    if start.precision != "month":
        return
    for frame in words.frames("new_role"):
        text = frame.format(**values)
        yield true(text, Kind.DATE_FORM, day=start.last + timedelta(days=9))
        for days in (400, 700, 1500):
            yield false(text, Kind.OLD_AS_RECENT, day=start.last + timedelta(days=days))


def _phrases(words: Wording, frames: str, item: Json, alike: list[Json]) -> Iterator[Sentence]:
    day = date.fromisoformat(item["date"])
    others = [date.fromisoformat(other["date"]) for other in alike if other is not item]
    for name, holds in PHRASES.items():
        said = str(words.data["when"][name])
        for frame in words.frames(frames):
            text = begun(frame.format(when=said, event=item.get("event", "")))
            for sending in days_to_try(name, day):
                truth = holds(day, sending)
                if truth is True:
                    yield true(text, Kind.DATE_FORM, day=sending)
                elif truth is False and all(holds(other, sending) is False for other in others if other <= sending):
                    yield false(text, Kind.OLD_AS_RECENT, part=said, day=sending)
