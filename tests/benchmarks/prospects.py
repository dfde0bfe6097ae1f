"""The list of prospects over a million rows: what the first page and one deep in it cost, filters and searches.

The rows are made in the database, with the indexes and triggers of the product on. The baseline of the deep page, of
each filter and of each search is the first page of the same run; that of the first page is the barest query for the
same fifty people.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from functools import partial
from statistics import median
from typing import Any

from django.db import connection
from django.test.utils import CaptureQueriesContext

from outreach.teams.models import Team
from outreach.teams.paging import page_after
from prospects.models import Prospect
from prospects.queries.listing import ProspectFilter, list_prospects

SIZE = 1_000_000
PEOPLE_PER_COMPANY = 40
ROUNDS = 40
#: Seconds after which a slow one is measured no further.
LONGEST = 5.0
_FIRST = [
    "Ana",
    "Maria",
    "Jonas",
    "Sophie",
    "Lukas",
    "Emma",
    "Noah",
    "Mia",
    "Paul",
    "Lea",
    "Felix",
    "Clara",
    "Hugo",
    "Ines",
    "Tomas",
    "Elin",
    "Pedro",
    "Giulia",
    "Sanne",
    "Daan",
]
_LAST = [
    "Weber",
    "Martin",
    "Silva",
    "Rossi",
    "Jansen",
    "Keller",
    "Moreau",
    "Costa",
    "Ricci",
    "Visser",
    "Brandt",
    "Dubois",
    "Santos",
    "Greco",
    "Bakker",
    "Vogel",
    "Petit",
    "Lima",
    "Conti",
    "Mulder",
]
_TITLES = ("Head of Engineering", "VP Sales", "Product Manager", "Chief Financial Officer", "Marketing Lead", "Buyer")
_LANGUAGES = ("en", "en", "en", "de", "de", "fr", "es", "pt-BR", "it")

_COMPANIES = """
INSERT INTO prospects_company (team_id, name, normalized_name, domain, created_at)
SELECT %s, 'Company ' || n, 'company ' || n, 'company' || n || '.example', now() FROM generate_series(1, %s) n
"""
_PEOPLE = """
INSERT INTO prospects_prospect (team_id, full_name, headline, title, company_id, location, language,
    language_confidence, language_signals, language_chosen, email, linkedin_url, first_degree, state, conflict,
    created_at, updated_at)
SELECT %(team)s, (%(first)s::text[])[1 + n %% 20] || ' ' || (%(last)s::text[])[1 + n / 20 %% 20] || chr(97 + n / 400 %% 26) || n,
    '', (%(titles)s::text[])[1 + n / 7 %% 6], %(company)s + n / %(share)s, 'Bern', CASE WHEN n %% 1000 = 0 THEN 'nl'
    ELSE (%(languages)s::text[])[1 + n %% 9] END, 0.8, '[]', false, 'p' || n || '@company' || n / %(share)s || '.example',
    'https://www.linkedin.com/in/p' || n, n %% 500 = 0, CASE WHEN n %% 5000 = 0 THEN 'conflicted' ELSE 'active' END,
    CASE WHEN n %% 5000 = 0 THEN 'Paolo or Diego?' ELSE '' END, now(), now()
FROM generate_series(0, %(size)s - 1) n
"""


def run(size: int = SIZE) -> Iterator[dict[str, Any]]:
    """Pages, filters and searches, each with the number of its queries in the name."""
    team = Team.objects.create(slug="bench-prospects", name="Bench")
    _fill(team, size)
    shown = f"{size:,} prospects"
    everybody = ProspectFilter()
    bare = _timed(lambda: list(Prospect.objects.filter(team=team).order_by("-id").values_list("pk", "full_name")[:51]))
    cursors = {
        "first page": "",
        **{f"page at {share:.0%} of the list": _cursor(team, size, share) for share in (0.5, 0.99)},
    }
    pages = {name: _queries(team, everybody, after) for name, after in cursors.items()}
    took = _in_turns(
        {name: partial(list_prospects, team=team, chosen=everybody, after=cursors[name]) for name in pages}
    )
    first = took["first page"]
    for name, queries in pages.items():
        yield _line(f"prospects, {name}", took[name], bare if name == "first page" else first, shown, queries)
    for name, chosen in _CHOSEN:
        found, queries = _page(team, chosen)
        yield _line(f"prospects, {name}", found, first, shown, queries)


_CHOSEN = (
    ("language, frequent", ProspectFilter(language="en")),
    ("language, rare", ProspectFilter(language="nl")),
    ("identity in doubt", ProspectFilter(state="conflicted")),
    ("first-degree", ProspectFilter(first_degree=True)),
    ("first-degree in a rare language", ProspectFilter(first_degree=True, language="nl")),
    ("search, one person", ProspectFilter(search="Weberc1000")),
    ("search, a frequent first name", ProspectFilter(search="maria")),
    ("search, two words", ProspectFilter(search="maria rossib")),
    ("search, a frequent title", ProspectFilter(search="head of engineering")),
    ("search, a company", ProspectFilter(search="Company 17")),
    ("search, one letter", ProspectFilter(search="m")),
    ("search, nobody", ProspectFilter(search="zzzz")),
    ("search and filter", ProspectFilter(search="maria", language="nl")),
)


def _fill(team: Team, size: int) -> None:
    """The search index is built after the rows, as every index of a restored database is."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT indexdef FROM pg_indexes WHERE indexname = 'prospect_search'")
        (definition,) = cursor.fetchone()
        cursor.execute("DROP INDEX prospect_search")
        cursor.execute(_COMPANIES, [team.pk, size // PEOPLE_PER_COMPANY + 1])
        cursor.execute("SELECT min(id) FROM prospects_company WHERE team_id = %s", [team.pk])
        (company,) = cursor.fetchone()
        cursor.execute(
            _PEOPLE,
            {
                "team": team.pk, "first": _FIRST, "last": _LAST, "titles": list(_TITLES), "languages": list(_LANGUAGES),
                "company": company, "share": PEOPLE_PER_COMPANY, "size": size,
            },
        )  # fmt: skip
        cursor.execute(definition)
        cursor.execute("ANALYZE prospects_prospect, prospects_company")
        cursor.execute("VACUUM prospects_prospect")


def _cursor(team: Team, size: int, share: float) -> str:
    """The cursor of the page after the one that lies so far down the list."""
    newest = Prospect.objects.filter(team=team).order_by("-id").values_list("pk", flat=True)[0]
    below = Prospect.objects.filter(team=team, pk__lte=newest - int(size * share) + 100)
    return page_after(queryset=below, order=("-id",), after="", size=50).next


def _page(team: Team, chosen: ProspectFilter) -> tuple[float, int]:
    """(milliseconds of the middle round, queries of one) of a first page."""
    queries = _queries(team, chosen, "")
    return _timed(lambda: list_prospects(team=team, chosen=chosen, after="")), queries


def _queries(team: Team, chosen: ProspectFilter, after: str) -> int:
    with CaptureQueriesContext(connection) as captured:
        list_prospects(team=team, chosen=chosen, after=after)
    return len(captured)


def _timed(work: Callable[[], object]) -> float:
    return _in_turns({"": work})[""]


def _in_turns(works: dict[str, Callable[[], object]]) -> dict[str, float]:
    """Milliseconds of the middle round of each. They take turns, so that a slow moment of the machine hits all alike."""
    took: dict[str, list[float]] = {name: [] for name in works}
    begun = time.perf_counter()
    while any(len(rounds) < ROUNDS for rounds in took.values()):
        for name, work in works.items():
            started = time.perf_counter()
            work()
            took[name].append(time.perf_counter() - started)
        if time.perf_counter() - begun > LONGEST * len(works):
            break
    return {name: median(rounds) * 1_000 for name, rounds in took.items()}


def _line(name: str, value: float, baseline: float, size: str, queries: int) -> dict[str, Any]:
    return {
        "name": f"{name} ({queries} {'query' if queries == 1 else 'queries'})", "value": round(value, 3), "baseline": round(baseline, 3),
        "ratio": round(value / baseline, 3), "unit": "ms", "size": size,
    }  # fmt: skip
