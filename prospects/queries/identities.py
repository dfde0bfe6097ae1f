"""Who is who: open questions, pairs that may be one person, and what was merged."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django.db.models import Count, Q, QuerySet

from outreach.teams.models import Team
from outreach.teams.paging import CappedCount, Page, page_after
from prospects.domain.identity import Key, KeyKind
from prospects.domain.likeness import Line, Record, compare
from prospects.models import Doubt, DoubtState, Evidence, IdentityKey, Merge, MergeSuggestion, Prospect, SuggestionState
from prospects.queries import SHOWN


def with_absorbed(*, prospect_ids: Iterable[int]) -> dict[int, int]:
    """These records and those that were merged into them, each with the record that now stands for it. One query."""
    record_of = {pk: pk for pk in prospect_ids}
    rows = Merge.objects.filter(kept__in=record_of, undone_at__isnull=True).values_list("absorbed_id", "kept_id")
    return {**record_of, **dict(rows)}


def kept_record(*, team: Team, absorbed_id: int) -> int | None:
    """The record that one went up in, followed to the end; None where it was not merged."""
    seen: set[int] = set()
    at = absorbed_id
    while at not in seen:
        seen.add(at)
        kept = (
            Merge.objects.filter(team=team, absorbed=at, undone_at__isnull=True)
            .values_list("kept_id", flat=True)
            .first()
        )
        if kept is None:
            break
        at = kept
    return at if at != absorbed_id else None


def merges_into(*, prospect: Prospect, limit: int = 20) -> list[Merge]:
    rows = Merge.objects.filter(kept=prospect, undone_at__isnull=True).select_related("absorbed", "made_by")
    return list(rows.order_by("-id")[:limit])


def doubts_about(*, prospect: Prospect, limit: int = 20) -> list[Doubt]:
    """Names that are still to be decided."""
    return list(Doubt.objects.filter(prospect=prospect, state=DoubtState.OPEN).order_by("id")[:limit])


def suggestions_about(*, prospect: Prospect, limit: int = 5) -> list[MergeSuggestion]:
    rows = _open_suggestions(team=prospect.team).filter(Q(first=prospect) | Q(second=prospect))
    return list(rows.order_by("id")[:limit])


def _open_suggestions(*, team: Team) -> QuerySet[MergeSuggestion]:
    return MergeSuggestion.objects.filter(
        team=team, state=SuggestionState.OPEN, first__state__in=SHOWN, second__state__in=SHOWN
    ).select_related("first__company", "second__company")


def suggestion_page(*, team: Team, after: str, size: int = 50) -> Page[MergeSuggestion]:
    return page_after(queryset=_open_suggestions(team=team), order=("-id",), after=after, size=size)


def doubt_page(*, team: Team, after: str, size: int = 50) -> Page[Doubt]:
    rows = Doubt.objects.filter(team=team, state=DoubtState.OPEN).select_related("prospect__company")
    return page_after(queryset=rows, order=("-id",), after=after, size=size)


def waiting(*, team: Team, cap: int = 100) -> tuple[CappedCount, CappedCount]:
    """How many names and how many pairs wait for a person, as parts of another query."""
    return (
        CappedCount(Doubt.objects.filter(team=team, state=DoubtState.OPEN), cap),
        CappedCount(_open_suggestions(team=team), cap),
    )


@dataclass(frozen=True)
class Side:
    """One of two records, with how much is known under it."""

    prospect: Prospect
    keys: tuple[IdentityKey, ...]
    rows: tuple[Evidence, ...]
    facts: int


@dataclass(frozen=True)
class Pair:
    suggestion: MergeSuggestion
    first: Side
    second: Side
    lines: tuple[Line, ...]
    next_id: int | None

    @property
    def sides(self) -> tuple[Side, Side]:
        return self.first, self.second


def pair_of(*, team: Team, suggestion_id: int) -> Pair | None:
    """Both records of a suggestion, compared. None where there is none of that id to be decided. Five queries."""
    row = _open_suggestions(team=team).filter(pk=suggestion_id).first()
    if row is None:
        return None
    ids = (row.first_id, row.second_id)
    keys = list(IdentityKey.objects.filter(prospect__in=ids).order_by("kind", "value")[:200])
    counts = dict(
        Evidence.objects.filter(prospect__in=ids, state="current")
        .order_by()
        .values_list("prospect_id")
        .annotate(number=Count("id"))
    )
    first, second = (
        _side(prospect, keys=keys, facts=counts.get(prospect.pk, 0)) for prospect in (row.first, row.second)
    )
    return Pair(
        suggestion=row,
        first=first,
        second=second,
        lines=compare(_record(first), _record(second)),
        next_id=_open_suggestions(team=team).filter(pk__lt=row.pk).order_by("-pk").values_list("pk", flat=True).first(),
    )


def _side(prospect: Prospect, *, keys: Sequence[IdentityKey], facts: int) -> Side:
    rows = Evidence.objects.filter(prospect=prospect, state="current").exclude(kind__in=["name", "skill"])
    return Side(
        prospect=prospect,
        keys=tuple(key for key in keys if key.prospect_id == prospect.pk),
        rows=tuple(rows.defer("snapshot").order_by("-id")[:8]),
        facts=facts,
    )


def _record(side: Side) -> Record:
    prospect = side.prospect
    return Record(
        full_name=prospect.full_name,
        title=prospect.title,
        company=prospect.company.name if prospect.company else "",
        location=prospect.location,
        keys=tuple(Key(KeyKind(key.kind), key.value) for key in side.keys),
    )
