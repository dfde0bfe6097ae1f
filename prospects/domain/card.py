"""What lists and searches show of a person, taken from the current evidence. Nothing is blanked by what is missing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from prospects.domain.evidence import Evidence, Kind
from prospects.domain.language import LanguageDecision, decide_language
from prospects.domain.title_levels import is_side_role


@dataclass(frozen=True, slots=True)
class Card:
    """ "" where no evidence says anything."""

    full_name: str
    headline: str
    title: str
    company: str
    location: str
    language: LanguageDecision


def current_position(items: Sequence[Evidence]) -> Evidence | None:
    """The newest open role: the latest observation first, then a job before a side role (`is_side_role`), then the
    latest start, then the source's own order."""
    open_roles = [item for item in items if item.kind is Kind.POSITION and not item.get("end")]

    def newness(item: Evidence) -> tuple[date, bool, date]:
        started = item.occurred.first if item.occurred else date.min
        return (item.observed_at or date.min, not is_side_role(item.get("title")), started)

    return max(open_roles, key=newness) if len(open_roles) > 1 else next(iter(open_roles), None)


def _latest(items: Sequence[Evidence], kind: Kind) -> str:
    found = [item for item in items if item.kind is kind]
    return max(found, key=lambda item: item.observed_at or date.min).text if found else ""


def card_of(items: Sequence[Evidence]) -> Card:
    role = current_position(items)
    return Card(
        full_name=_latest(items, Kind.NAME)[:300],
        headline=_latest(items, Kind.HEADLINE),
        title=role.get("title")[:300] if role else "",
        company=role.get("company")[:300] if role else "",
        location=_latest(items, Kind.LOCATION)[:300],
        language=decide_language(items),
    )
