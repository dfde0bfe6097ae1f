"""What many people have is worth less as an opening than what one has."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from messaging.hooks.domain.rarity import LEAST, key_of, rarities, rarity_of
from prospects.domain.evidence import Actor, Dossier, Evidence, Kind, fields_of


def item(ref, kind, text="", actor=Actor.PROSPECT, **fields):
    return Evidence(ref=ref, kind=kind, actor=actor, text=text, fields=fields_of(fields.items()))


KEYS = [
    (item("a", Kind.SKILL, "Python (5)", name="  Python\n 3 "), "skill:python 3"),
    (item("b", Kind.TALK, "What scrap says, at Foundry Day", event="Foundry Day"), "talk:foundry day"),
    (item("c", Kind.HEADLINE, "Head of Sales"), "headline:head of sales"),
    (item("d", Kind.SKILL, "nameless"), ""),
    (item("e", Kind.POST, "my own words"), ""),
]


@pytest.mark.parametrize(("evidence", "key"), KEYS, ids=[key or one.ref for one, key in KEYS])
def test_a_thing_is_counted_under_its_name(evidence, key):
    assert key_of(evidence) == key


def test_the_rare_the_common_and_what_the_whole_company_does():
    items = (
        item("rare", Kind.SKILL, name="Lace"),
        item("common", Kind.SKILL, name="Excel"),
        item("news", Kind.COMPANY_NEWS, "A plant opened.", Actor.COMPANY),
    )
    dossier = Dossier(dossier_id="d", send_by=date(2026, 11, 20), items=items)
    found = rarities(dossier=dossier, holders={"skill:excel": 400}, people=1_000, colleagues=4)
    assert set(found) == {"common", "news"}
    assert found["common"] == LEAST < found["news"] < 1


@given(st.integers(0, 10**6), st.integers(0, 10**6))
def test_more_holders_are_never_rarer(one, other):
    fewer, more = sorted((one, other))
    assert LEAST <= rarity_of(holders=more, people=10**6) <= rarity_of(holders=fewer, people=10**6) <= 1
