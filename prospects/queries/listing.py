"""The list of prospects: filters, search, and pages by key."""

from __future__ import annotations

from dataclasses import dataclass

from django.contrib.postgres.search import SearchQuery, SearchVector
from django.db import connection
from django.db.models import Q, QuerySet

from outreach.teams.models import Team
from outreach.teams.paging import CappedCount, Page, page_after
from prospects.domain.identity import normalized_company
from prospects.models import PROSPECT_SEARCH, Company, Prospect, ProspectState
from prospects.queries import SHOWN
from prospects.queries.identities import waiting

#: People of a search that are looked up one by one.
LOOKED_UP = 10_000
#: What PROSPECT_SEARCH looks through, in another order, so that no index fits and the list is walked down.
_UNINDEXED_SEARCH = SearchVector("email", "title", "full_name", config="simple")


class WordBeginnings(SearchQuery):
    """A tsquery taken as it is: to_tsquery would take the beginning of an address apart."""

    template = "%(expressions)s::tsquery"


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
    """Newest first, in two queries. Questions of who is who are counted for the whole list only, not for a search."""
    rows = _chosen(team=team, chosen=chosen)
    if chosen.search:
        return _searched(rows, team=team, search=chosen.search, after=after, size=size, cap=cap)
    numbers = Team.objects.filter(pk=team.pk).values_list(CappedCount(rows, cap), *waiting(team=team))
    count, doubts, pairs = numbers.get()
    return Listed(page=_page(rows, after=after, size=size), count=count, questions=doubts + pairs)


def _page(rows: QuerySet[Prospect], *, after: str, size: int) -> Page[Prospect]:
    shown = rows.select_related("company").defer("language_signals")
    return page_after(queryset=shown, order=("-id",), after=after, size=size)


def _chosen(*, team: Team, chosen: ProspectFilter) -> QuerySet[Prospect]:
    rows = Prospect.objects.filter(team=team, state__in=SHOWN)
    if chosen.company:
        rows = rows.filter(company_id=chosen.company)
    if chosen.language:
        rows = rows.filter(language=chosen.language)
    if chosen.state in ProspectState.values:
        rows = rows.filter(state=chosen.state)
    if chosen.first_degree:
        rows = rows.filter(first_degree=True)
    return rows


def _searched(rows: QuerySet[Prospect], *, team: Team, search: str, after: str, size: int, cap: int) -> Listed:
    """Words of a name, title or address, the beginnings of words too, or the beginning of a company's name.

    The planner cannot know how many people a beginning of a word fits, and a wrong guess costs seconds. So they are
    looked up by index first, up to a bound; where there are more, walking down the list finds a page soon.
    """
    words = _words(search)
    if not words:
        return Listed(page=Page(rows=(), next="", previous=""), count=0, questions=0)
    query = WordBeginnings(" & ".join(f"'{word}':*" for word in words))
    companies = Company.objects.filter(team=team, normalized_name__startswith=normalized_company(search)).values("pk")[
        :100
    ]
    by_words = rows.alias(words=PROSPECT_SEARCH).filter(words=query)
    found = _ids(by_words, rows.filter(company_id__in=companies))
    if len(found) <= LOOKED_UP:
        page = _page(rows.filter(pk__in=found), after=after, size=size)
    else:
        walked = rows.alias(words=_UNINDEXED_SEARCH).filter(Q(words=query) | Q(company_id__in=companies))
        page = _page(walked, after=after, size=size)
    return Listed(page=page, count=min(len(found), cap + 1), questions=0)


def _words(search: str) -> list[str]:
    """Words as the index holds them: lower case, cut at signs; an e-mail address is one word."""
    words: list[str] = []
    for part in search.lower().split():
        kept = "@._-+" if "@" in part.strip("@") else ""
        words += "".join(sign if sign.isalnum() or sign in kept else " " for sign in part).split()
    return words[:8]


def _ids(*parts: QuerySet[Prospect]) -> list[int]:
    """The people of all parts, each found by its index and read until the bound. One query."""
    compiled = [part.order_by().values("id").query.sql_with_params() for part in parts]
    names = [f"part{number}" for number in range(len(parts))]
    withs = ", ".join(f"{name} AS MATERIALIZED ({sql})" for name, (sql, _) in zip(names, compiled, strict=True))
    reads = " UNION ".join(f"(SELECT id FROM {name} LIMIT {LOOKED_UP + 1})" for name in names)  # noqa: S608  # own names
    with connection.cursor() as cursor:
        cursor.execute(f"WITH {withs} {reads}", [value for _, values in compiled for value in values])
        return [pk for (pk,) in cursor.fetchall()]
