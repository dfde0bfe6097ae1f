"""Where somebody stands in their career, concluded from their positions. What is not known is not concluded."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from prospects.domain.card import current_position
from prospects.domain.dates import DateInterval, partial_date
from prospects.domain.derived import Derived, resting_on
from prospects.domain.evidence import Evidence, Kind
from prospects.domain.identity import normalized_company
from prospects.domain.title_levels import Level, field_of, is_founder, level_of

#: A role is new for so many months, and long from so many years on.
NEW_MONTHS, STEP_MONTHS, LONG_YEARS = 6, 18, 5


@dataclass(frozen=True, slots=True)
class Span:
    """Whole months that have passed, at least and at most: a start that is only a year leaves twelve possible."""

    least: int
    most: int

    @property
    def years(self) -> str:
        """ "3", or "2-3" where the source is not precise enough to tell."""
        low, high = self.least // 12, self.most // 12
        return str(low) if low == high else f"{low}-{high}"

    @property
    def words(self) -> str:
        if self.most < 12:
            months = str(self.least) if self.least == self.most else f"{self.least} to {self.most}"
            return f"{months} month{'' if months == '1' else 's'}"
        years = self.years.replace("-", " to ")
        return f"{years} year{'' if years == '1' else 's'}"


def _months(first: date, last: date) -> int:
    months = (last.year - first.year) * 12 + last.month - first.month
    return months - (1 if last.day < first.day else 0)


def span_since(start: DateInterval, today: date) -> Span | None:
    """None for a start that is still to come."""
    if start.first > today:
        return None
    return Span(max(_months(min(start.last, today), today), 0), _months(start.first, today))


def _started(item: Evidence) -> date:
    return item.occurred.first if item.occurred else date.max


def _ended(item: Evidence) -> date:
    """The last day it may have lasted; unknown ends count as over at an unknown time."""
    end = partial_date(item.get("end"))
    return end.last if end else date.max


def career_of(items: Sequence[Evidence], *, today: date) -> tuple[Derived, ...]:
    """Years in role, company and field, and what stage that is. Empty when no role is known to be held now."""
    role = current_position(items)
    if role is None:
        return ()
    positions = [item for item in items if item.kind is Kind.POSITION]
    earlier = sorted((item for item in positions if _is_before(item, role)), key=_started, reverse=True)
    found = [
        _years("years_in_role", "in the present role", [role], today),
        _years("years_at_company", f"at {role.get('company')}", _at_company(positions, role), today),
        _in_field(positions, role, today),
        *_stages(role, earlier, today),
    ]
    return tuple(item for item in found if item is not None)


def _is_before(item: Evidence, role: Evidence) -> bool:
    return item is not role and item.occurred is not None and (role.occurred is None or _started(item) < _started(role))


def _years(name: str, where: str, rows: Sequence[Evidence], today: date) -> Derived | None:
    dated = [item for item in rows if item.occurred is not None]
    if not dated:
        return None
    first = min(dated, key=_started)
    span = span_since(first.occurred, today) if first.occurred else None
    if span is None:
        return None
    return Derived(name, span.years, f"{span.words} {where}", resting_on([first] if len(rows) == 1 else rows))


def _at_company(positions: Sequence[Evidence], role: Evidence) -> list[Evidence]:
    """The roles at the company of the present one that follow each other without another employer in between."""
    company = normalized_company(role.get("company"))
    if not company:
        return []
    here = [role]
    for item in sorted((one for one in positions if _is_before(one, role)), key=_started, reverse=True):
        if normalized_company(item.get("company")) == company:
            here.append(item)
        elif _ended(item) != date.max and len(item.get("end")) and _ended(item) > _started(here[-1]):
            continue  # a side role beside the job interrupts nothing
        else:
            break
    return here


def _in_field(positions: Sequence[Evidence], role: Evidence, today: date) -> Derived | None:
    """From the first role of the field on, pauses included; the title has to say which field it is."""
    field = field_of(role.get("title"))
    rows = [item for item in positions if field and field_of(item.get("title")) == field]
    return _years("years_in_field", f"in {_FIELD_WORDS.get(field, field)}", rows, today) if field else None


_FIELD_WORDS = {
    "it": "IT",
    "people": "people and recruiting",
    "customer": "customer service",
    "data": "data and analytics",
}


def _stages(role: Evidence, earlier: Sequence[Evidence], today: date) -> list[Derived]:
    span = span_since(role.occurred, today) if role.occurred else None
    level = level_of(role.get("title"))
    stages = []
    if is_founder(role.get("title")):
        stages.append(_stage("founder", f"Founder of {role.get('company') or 'a company of their own'}", [role]))
    if span is not None and span.most < NEW_MONTHS:
        stages.append(_stage("new_in_role", "New in the role: less than half a year", [role]))
    if span is not None and span.least >= LONG_YEARS * 12:
        stages.append(_stage("long_in_role", f"In the same role for {span.words}", [role]))
    if span is not None and span.most < STEP_MONTHS:
        stages += _steps(role, level, earlier)
    return stages


def _steps(role: Evidence, level: Level, earlier: Sequence[Evidence]) -> list[Derived]:
    """What changed with a role that is still fresh. Ranks that a title does not name are not compared."""
    stages: list[Derived] = []
    before = earlier[0] if earlier else None
    if before is None:
        return stages
    known = [(item, level_of(item.get("title"))) for item in earlier]
    if level >= Level.MANAGER and all(Level.UNKNOWN < rank < Level.MANAGER for _, rank in known):
        stages.append(_stage("new_to_management", "New to management: no earlier role led people", [role, *earlier]))
    if level > known[0][1] > Level.UNKNOWN:
        inside = normalized_company(before.get("company")) == normalized_company(role.get("company"))
        words = "Promoted" if inside else "A step up with the change of company"
        stages.append(_stage("step_up", f"{words}: {before.get('title')} before", [role, before]))
    fields = field_of(before.get("title")), field_of(role.get("title"))
    if all(fields) and fields[0] != fields[1]:
        stages.append(_stage("new_field", f"New field: {fields[0]} before, {fields[1]} now", [role, before]))
    return stages


def _stage(value: str, words: str, rows: Sequence[Evidence]) -> Derived:
    return Derived("stage", value, words, resting_on(rows))
