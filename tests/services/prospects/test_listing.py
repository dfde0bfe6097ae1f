"""The list of prospects: filters and searches give exactly who fits, page by page, in few queries."""

from __future__ import annotations

import pytest

from outreach.teams.models import Team
from prospects.models import Company, Prospect
from prospects.queries.listing import LOOKED_UP, ProspectFilter, list_prospects
from tests.people import a_team


def made(team: Team, *names: str, **columns: object) -> list[Prospect]:
    return Prospect.objects.bulk_create([Prospect(team=team, full_name=name, **columns) for name in names])


def all_of(team: Team, chosen: ProspectFilter, *, pages: int = 20) -> list[str]:
    names: list[str] = []
    after = ""
    for _ in range(pages):
        listed = list_prospects(team=team, chosen=chosen, after=after, size=20)
        names += [row.full_name for row in listed.page.rows]
        after = listed.page.next
        if not after:
            break
    return names


@pytest.fixture
def people(team: Team) -> Team:
    firm = Company.objects.create(team=team, name="Tarnhelm GmbH", normalized_name="tarnhelm")
    made(team, "Maren Oduya", title="VP Sales", company=firm, language="de")
    made(team, "Ada Ek", title="CEO", language="nl", first_degree=True, email="ada@north.example")
    made(team, "Paolo Conti", state="conflicted", conflict="Diego?", language="it")
    made(team, "Gone Person", state="erased")
    made(team, "Twin Person", state="merged")
    made(a_team(), "Maren Elsewhere", title="VP Sales")
    return team


@pytest.mark.parametrize(
    ("chosen", "names"),
    [
        (ProspectFilter(), ["Paolo Conti", "Ada Ek", "Maren Oduya"]),
        (ProspectFilter(search="mar"), ["Maren Oduya"]),
        (ProspectFilter(search="vp sal"), ["Maren Oduya"]),
        (ProspectFilter(search="tarnhelm"), ["Maren Oduya"]),
        (ProspectFilter(search="arnhelm"), []),
        (ProspectFilter(search="ada@north.example"), ["Ada Ek"]),
        (ProspectFilter(search="Ada@nor"), ["Ada Ek"]),
        (ProspectFilter(search="@"), []),
        (ProspectFilter(search="' | maren:* \\"), ["Maren Oduya"]),
        (ProspectFilter(search="person"), []),
        (ProspectFilter(search="mar", language="nl"), []),
        (ProspectFilter(language="nl"), ["Ada Ek"]),
        (ProspectFilter(first_degree=True), ["Ada Ek"]),
        (ProspectFilter(state="conflicted"), ["Paolo Conti"]),
        (ProspectFilter(search="!!!"), []),
    ],
)
def test_who_fits_is_shown_and_nobody_else(people: Team, chosen: ProspectFilter, names: list[str]) -> None:
    assert all_of(people, chosen) == names


def test_pages_of_a_search_hold_everybody_once(team: Team) -> None:
    made(team, *(f"Maria Number{number}" for number in range(130)))
    made(team, *(f"Paul Number{number}" for number in range(130)))
    names = all_of(team, ProspectFilter(search="maria"))
    assert len(names) == len(set(names)) == 130
    assert all(name.startswith("Maria") for name in names)


def test_a_search_that_fits_more_than_are_looked_up_walks_the_list(team: Team, django_assert_max_num_queries) -> None:
    made(team, *(f"Maria Number{number}" for number in range(LOOKED_UP + 20)))
    made(team, "Paul Last")
    chosen = ProspectFilter(search="maria")
    with django_assert_max_num_queries(3):
        listed = list_prospects(team=team, chosen=chosen, after="")
    assert listed.count == 1_001
    assert listed.page.rows[0].full_name == f"Maria Number{LOOKED_UP + 19}"
    names = all_of(team, chosen, pages=3)
    assert len(set(names)) == 60


@pytest.mark.parametrize("chosen", [ProspectFilter(), ProspectFilter(search="maren"), ProspectFilter(language="de")])
def test_a_page_costs_at_most_three_queries(
    people: Team, chosen: ProspectFilter, django_assert_max_num_queries
) -> None:
    with django_assert_max_num_queries(3):
        list_prospects(team=people, chosen=chosen, after="")
