"""Reading of JSON records: values that may be missing, of another kind than promised, or nulls written as words."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from datetime import date
from html import unescape
from itertools import islice

from prospects.domain import facts
from prospects.domain.building import PersonBuilder
from prospects.domain.imported import Format, ImportedPerson, Outcome, Skipped, Stream, streaming
from prospects.domain.reading import Unreadable
from prospects.domain.upload import Upload
from prospects.domain.wild_dates import Period, period_of, read_date

_TAG = re.compile(r"<!--.*?-->|<[^>]{0,200}>", re.DOTALL)
_BREAK = re.compile(r"\s*<br\s*/?>\s*", re.IGNORECASE)


class Json:
    """A JSON object, read forgivingly: whatever is not there is blank."""

    def __init__(self, value: object) -> None:
        self.value: Mapping[str, object] = value if isinstance(value, Mapping) else {}

    def __contains__(self, name: str) -> bool:
        return name in self.value

    def __bool__(self) -> bool:
        return bool(self.value)

    def text(self, *names: str) -> str:
        """The first of these fields that says something."""
        return next((word for name in names if (word := as_text(self.value.get(name)))), "")

    def child(self, *names: str) -> Json:
        return next((child for name in names if (child := Json(self.value.get(name)))), Json({}))

    def children(self, *names: str) -> list[Json]:
        """The objects of the first of these lists that has any."""
        for name in names:
            value = self.value.get(name)
            found = [Json(entry) for entry in value] if isinstance(value, list) else []
            if any(found):
                return [entry for entry in found if entry]
        return []

    def words(self, name: str) -> list[str]:
        """A list of words, or of objects with a name."""
        value = self.value.get(name)
        entries = value if isinstance(value, list) else []
        words = [
            Json(entry).text("name", "title") if isinstance(entry, Mapping) else as_text(entry) for entry in entries
        ]
        return [word for word in words if word]


def as_text(value: object) -> str:
    if value is None or isinstance(value, (bool, Mapping, list)):
        return ""
    return facts.clean(str(value))


def plain(text: str) -> str:
    """HTML as words: breaks are line breaks, other tags go, entities are read."""
    return unescape(_TAG.sub("", _BREAK.sub("\n", text))).strip() if "<" in text or "&" in text else text.strip()


def partial(year: str, month: str = "", day: str = "") -> str:
    """A partial date from its parts; a missing month leaves the year."""
    if not year.isdigit():
        return ""
    if not month.isdigit():
        return year
    return f"{year}-{int(month):02}-{int(day):02}" if day.isdigit() else f"{year}-{int(month):02}"


def span(start: str, end: str, *, current: bool | None = None) -> Period:
    """A period from two partial dates. `current` None: a missing end means still open."""
    period = period_of(start, end, open_when_blank=current is not False)
    if current is False and period.end is None:
        return Period(start=period.start, current=None, problem=period.problem)
    return period


def day_of(text: str) -> date | None:
    found = read_date(text).interval
    return found.first if found is not None and found.precision == "day" else None


def unwrapped(record: Json) -> Json:
    """What an answer holds in its `data`, or the record itself."""
    return record.child("data") or record


#: Fills the builder from one record; a sentence says why the record is not used.
Filler = Callable[[PersonBuilder, Json], str | None]


def json_format(
    name: str,
    label: str,
    *,
    knows: Callable[[Json], bool],
    fill: Filler,
    unwrap: Callable[[Json], Json] = lambda record: record,
    observed: Callable[[Json], str] = lambda record: "",
) -> Format:
    """A format with a person in each JSON record. `knows` looks at one record; `observed` gives the day it was seen."""

    def recognises(upload: Upload) -> bool:
        return any(knows(unwrap(Json(value))) for _, value in _head(upload))

    def stream(upload: Upload, today: date) -> Stream | Unreadable:
        values = upload.json_values
        if isinstance(values, Unreadable):
            return values

        def outcomes(start: int) -> Iterator[Outcome]:
            for row, value in islice(values, start, None):
                place = f"{upload.file_name} record {row}"
                record = unwrap(Json(value))
                found = _person(
                    record, value, name=name, row=row, place=place, today=today, fill=fill, observed=observed
                )
                yield Skipped(row=row, reason=found, place=place) if isinstance(found, str) else found

        return Stream(format=name, rows=len(values), outcomes=outcomes)

    return streaming(name, label, recognises=recognises, stream=stream)


def _head(upload: Upload) -> Iterator[tuple[int, object]]:
    if upload.is_zip or not upload.looks_like_json:
        return iter(())
    values = upload.json_values
    return iter(()) if isinstance(values, Unreadable) else iter(values[:20])


def _person(
    record: Json,
    value: object,
    *,
    name: str,
    row: int,
    place: str,
    today: date,
    fill: Filler,
    observed: Callable[[Json], str],
) -> ImportedPerson | str:
    if isinstance(value, Unreadable):
        return value.message
    if not record:
        return "it is not a JSON object"
    seen = day_of(observed(record)) or today
    builder = PersonBuilder(format_name=name, row=row, place=place, observed_at=min(seen, today))
    builder.fingerprint = json.dumps(value, ensure_ascii=False, sort_keys=True, default=str)
    return fill(builder, record) or builder.build()
