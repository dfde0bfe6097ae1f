"""Industry notes: what a team has, what ships with the product, and what may be cited for a person."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from functools import lru_cache
from pathlib import Path

from django.db.models import Count, Q, QuerySet
from django.utils import timezone

from outreach.teams.models import Team
from outreach.teams.paging import Page, page_after
from prospects.domain.evidence import Evidence as Fact
from prospects.domain.industries import (
    REVIEW_DAYS,
    Industry,
    Starter,
    folded,
    industries_of,
    industry_named,
    note_evidence,
)
from prospects.models import IndustryNote, NoteState

_FILE = Path(__file__).parents[1] / "data" / "industries.toml"
#: Notes of one industry that a dossier takes up; more say the same in other words.
MOST_CITED = 12


@lru_cache(maxsize=1)
def shipped() -> tuple[Industry, ...]:
    """The industries that starters exist for."""
    read = tomllib.loads(_FILE.read_text(encoding="utf-8"))
    return tuple(
        Industry(
            key=entry["key"],
            label=entry["label"],
            names=frozenset(folded(name) for name in entry["names"]),
            starters=tuple(Starter(note["text"], note["kind"], note["rests_on"]) for note in entry["notes"]),
        )
        for entry in read["industry"]
    )


def industry_key(text: str) -> str:
    """The key under which notes about an industry of that name are kept."""
    return industry_named(text, shipped())


def label_of(key: str) -> str:
    return next((one.label for one in shipped() if one.key == key), key.capitalize())


def citable_notes(*, team: Team, about: Sequence[Fact], day: date) -> tuple[Fact, ...]:
    """Approved notes on the industry of the company that these facts are about. One query, none without an industry."""
    keys = industries_of(about, shipped())
    return _as_evidence(_approved(team=team, day=day).filter(industry__in=keys)[:MOST_CITED]) if keys else ()


def approved_notes(*, team: Team, day: date) -> tuple[Fact, ...]:
    """Everything the team may cite through that day, as evidence. One query."""
    return _as_evidence(_approved(team=team, day=day)[:2_000])


def _approved(*, team: Team, day: date) -> QuerySet[IndustryNote]:
    """Reviewed within a year of that day."""
    since = day - timedelta(days=REVIEW_DAYS)
    return IndustryNote.objects.filter(team=team, state=NoteState.APPROVED, reviewed_at__date__gte=since).order_by("id")


def _as_evidence(rows: Iterable[IndustryNote]) -> tuple[Fact, ...]:
    return tuple(
        note_evidence(
            number=row.pk, industry=row.industry, label=label_of(row.industry), text=row.text, source=row.source,
            url=row.source_url, reviewed_on=timezone.localdate(row.reviewed_at or row.created_at), language=row.language,
        )
        for row in rows
    )  # fmt: skip


@dataclass(frozen=True)
class Shelf:
    """An industry on the list: what the team has, and how many starters it has not taken over."""

    key: str
    label: str
    approved: int
    drafts: int
    starters: int


def shelves(*, team: Team) -> tuple[Shelf, ...]:
    """Every shipped industry and the team's own, by label. One query."""
    rows = IndustryNote.objects.filter(team=team).order_by().values_list("industry")
    counted = rows.annotate(
        approved=Count("id", filter=Q(state=NoteState.APPROVED)), drafts=Count("id", filter=Q(state=NoteState.DRAFT))
    )
    numbers = {key: (approved, drafts) for key, approved, drafts in counted}
    labels = {one.key: one.label for one in shipped()} | {key: label_of(key) for key in numbers}
    starters = {one.key: len(one.starters) for one in shipped()}
    found = (
        Shelf(key, label, *numbers.get(key, (0, 0)), 0 if key in numbers else starters.get(key, 0))
        for key, label in labels.items()
    )
    return tuple(sorted(found, key=lambda shelf: shelf.label.casefold()))


def note_page(*, team: Team, industry: str, after: str, retired: bool = False, size: int = 50) -> Page[IndustryNote]:
    rows = IndustryNote.objects.filter(team=team, industry=industry).select_related("author", "reviewed_by", "replaces")
    rows = rows.filter(state=NoteState.RETIRED) if retired else rows.exclude(state=NoteState.RETIRED)
    return page_after(queryset=rows, order=("-id",), after=after, size=size)


def note_of(*, team: Team, note_id: int) -> IndustryNote | None:
    return IndustryNote.objects.filter(team=team, pk=note_id).select_related("team", "replaces").first()


def due_again(note: IndustryNote, *, today: date) -> bool:
    """Whether its review is too old for it to be cited."""
    return note.reviewed_at is not None and timezone.localdate(note.reviewed_at) < today - timedelta(days=REVIEW_DAYS)
