"""The list of prospects: filters, search, and pages by key."""

from __future__ import annotations

from dataclasses import dataclass

from django.contrib.postgres.search import SearchQuery
from django.db.models import Q, QuerySet

from outreach.teams.models import Team
from outreach.teams.paging import CappedCount, Page, page_after
from prospects.domain.identity import normalized_company
from prospects.models import PROSPECT_SEARCH, Company, Prospect, ProspectState
from prospects.queries import SHOWN
from prospects.queries.identities import waiting


@dataclass(frozen=True)
class ProspectFilter:
    """What the list is narrowed to; every part comes from the address of the page."""

    search: str = ""
    company: int = 0
    language: str = ""
    state: str = ""
    first_degree: bool = False


@dataclass(frozen=True)
class Listed:
    """One page of the list, how many there are, counted up to one more than the cap, and open questions of who is who."""

    page: Page[Prospect]
    count: int
    questions: int


def list_prospects(*, team: Team, chosen: ProspectFilter, after: str, size: int = 50, cap: int = 1_000) -> Listed:
    """Newest first. Two queries, and one for the companies that a search may mean."""
    rows = _chosen(team=team, chosen=chosen)
    page = page_after(
        queryset=rows.select_related("company").defer("language_signals"), order=("-id",), after=after, size=size
    )
    numbers = Team.objects.filter(pk=team.pk).values_list(CappedCount(rows, cap), *waiting(team=team))
    count, doubts, pairs = numbers.get()
    return Listed(page=page, count=count or 0, questions=doubts + pairs)


def _chosen(*, team: Team, chosen: ProspectFilter) -> QuerySet[Prospect]:
    rows = Prospect.objects.filter(team=team, state__in=SHOWN)
    if chosen.search:
        rows = _searched(rows, team=team, search=chosen.search)
    if chosen.company:
        rows = rows.filter(company_id=chosen.company)
    if chosen.language:
        rows = rows.filter(language=chosen.language)
    if chosen.state in ProspectState.values:
        rows = rows.filter(state=chosen.state)
    if chosen.first_degree:
        rows = rows.filter(first_degree=True)
    return rows


def _searched(rows: QuerySet[Prospect], *, team: Team, search: str) -> QuerySet[Prospect]:
    """Words of a name, title or address, the beginnings of words too, or the beginning of a company's name."""
    words = "".join(sign if sign.isalnum() else " " for sign in search).split()[:8]
    if not words:
        return rows.none()
    query = SearchQuery(" & ".join(f"{word}:*" for word in words), search_type="raw", config="simple")
    companies = Company.objects.filter(team=team, normalized_name__startswith=normalized_company(search))
    company_ids = list(companies.values_list("pk", flat=True)[:100])
    return rows.alias(words=PROSPECT_SEARCH).filter(Q(words=query) | Q(company_id__in=company_ids))
