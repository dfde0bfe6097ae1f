"""Stage 2: what a good salesperson opens with comes first, in seven languages, with its reasons."""

from __future__ import annotations

import json
import sys
from dataclasses import replace
from datetime import date, timedelta
from itertools import product
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from messaging.hooks.domain.ranking import Layer, rank
from prospects.domain.dates import DateInterval
from prospects.domain.dossier_json import read_dossier
from prospects.domain.evidence import Actor, Dossier, Evidence, Kind, fields_of

GOLD = Path(__file__).parents[2] / "data" / "gold"
TODAY = date(2026, 11, 20)
OFFER = "Sensors that watch curing chambers for concrete."


def gold_dossiers():
    lines = (GOLD / "dossiers.jsonl").read_text(encoding="utf-8").splitlines()
    return {entry["dossier_id"]: read_dossier(entry) for entry in map(json.loads, lines)}


def item(ref, kind, text, *, days_ago=None, actor=Actor.PROSPECT, **fields):
    day = TODAY - timedelta(days=days_ago) if days_ago is not None else None
    occurred = DateInterval(day, day) if day else None
    return Evidence(ref=ref, kind=kind, actor=actor, text=text, fields=fields_of(fields.items()), occurred=occurred)


def ranked(*items, **arguments):
    dossier = Dossier(dossier_id="d", send_by=TODAY, items=items)
    return rank(dossier=dossier, value_proposition=OFFER, **arguments)


def test_gold_pairs_agree_at_least_nine_times_in_ten(capsys):
    dossiers, right, total = gold_dossiers(), 0, 0
    for line in (GOLD / "hooks.jsonl").read_text(encoding="utf-8").splitlines():
        entry = json.loads(line)
        score = {hook.ref: hook.score for hook in rank(dossier=dossiers[entry["dossier_id"]], value_proposition="")}
        for good, poor in product(entry["good"], entry["poor"]):
            total += 1
            right += score[good] > score[poor]
    with capsys.disabled():
        sys.stdout.write(f"\nhook pairs in agreement: {right} of {total} ({right / total:.1%})\n")
    assert right / total >= 0.9


FRESH = item("fresh", Kind.POST, "We closed the doors of our curing chamber and scrap fell by 4 per cent.", days_ago=10)
BETTER_AND_WORSE = {
    "fresh before stale": (
        FRESH,
        replace(FRESH, ref="stale", occurred=DateInterval(date(2024, 1, 9), date(2024, 1, 9))),
    ),
    "own before reshared": (FRESH, replace(FRESH, ref="reshare", kind=Kind.RESHARE, actor=Actor.OTHER)),
    "own before the company's press": (
        FRESH,
        replace(FRESH, ref="news", kind=Kind.COMPANY_NEWS, actor=Actor.COMPANY),
    ),
    "on the offer before off it": (
        FRESH,
        item("off", Kind.POST, "Our canteen has a new cook, and 9 cakes.", days_ago=10),
    ),
    "specific before generic": (FRESH, item("bare", Kind.POST, "Curing chamber doors and scrap.", days_ago=10)),
    "talk before certificate": (
        item("talk", Kind.TALK, "What our curing chambers taught us", days_ago=60),
        item("cert", Kind.CERTIFICATION, "Curing chambers, basic course", days_ago=60),
    ),
}


@pytest.mark.parametrize(("better", "worse"), BETTER_AND_WORSE.values(), ids=BETTER_AND_WORSE.keys())
def test_the_better_hook_comes_first(better, worse):
    assert [hook.ref for hook in ranked(worse, better)] == [better.ref, worse.ref]


def test_used_hook_drops_behind_a_fresh_one_and_says_so():
    second = item("second", Kind.POST, "The curing chamber in Wrexham has 2 doors.", days_ago=30)
    first, last = ranked(FRESH, second, used={FRESH.content_hash: "on Bo Lund at the same company"})
    assert (first.ref, last.ref) == ("second", "fresh")
    assert "already used on Bo Lund at the same company" in last.reason


def test_what_everybody_has_is_worth_less_than_what_only_they_have():
    twin = replace(FRESH, ref="twin")
    assert [hook.ref for hook in ranked(FRESH, twin, rarity={"fresh": 0.1})] == ["twin", "fresh"]


LAYERS = [
    (FRESH, Layer.SITUATIONAL),
    (item("old", Kind.POST, "Chambers matter.", days_ago=500), Layer.MOTIVATIONAL),
    (item("about", Kind.ABOUT, "I care about chambers."), Layer.MOTIVATIONAL),
    (item("headline", Kind.HEADLINE, "Plant manager"), Layer.CONTEXTUAL),
    (item("new job", Kind.POSITION, "Plant manager", days_ago=40, title="Plant manager"), Layer.SITUATIONAL),
    (item("job", Kind.POSITION, "Plant manager", days_ago=900, title="Plant manager"), Layer.CONTEXTUAL),
    (item("news", Kind.COMPANY_NEWS, "Line opened", days_ago=20, actor=Actor.COMPANY), Layer.SITUATIONAL),
    (item("edu", Kind.EDUCATION, "BEng", days_ago=4000), Layer.CONTEXTUAL),
]


@pytest.mark.parametrize(("evidence", "layer"), LAYERS, ids=[case[0].ref for case in LAYERS])
def test_each_kind_stands_on_its_layer(evidence, layer):
    assert [hook.layer for hook in ranked(evidence)] == [layer]


def test_reason_names_the_shared_words_and_the_age():
    (hook,) = ranked(FRESH)
    assert "10 days old" in hook.reason
    assert "curing" in hook.reason


def test_news_that_names_the_prospect_beats_news_about_a_colleague():
    name = item("full_name", Kind.NAME, "Ana Roe", full_name="Ana Roe")
    colleague = item("people[0]", Kind.COLLEAGUE, "Bo Lund, CTO", actor=Actor.COLLEAGUE, full_name="Bo Lund")
    theirs = item("theirs", Kind.COMPANY_NEWS, "Ana Roe opens the line.", days_ago=9, actor=Actor.COMPANY)
    others = item("others", Kind.COMPANY_NEWS, "Bo Lund opens the line.", days_ago=9, actor=Actor.COMPANY)
    assert [hook.ref for hook in ranked(name, colleague, others, theirs)] == ["theirs", "others"]


def test_a_former_position_opens_nothing():
    assert ranked(item("positions[1]", Kind.POSITION, "Clerk", days_ago=900, title="Clerk", end="2025-01")) == ()


def test_similarity_may_lift_a_paraphrase():
    far = item("far", Kind.POST, "Heat leaks at night.", days_ago=10)
    plain, lifted = ranked(far)[0], ranked(far, similarity=lambda offer, text: 1.0)[0]
    assert lifted.relevance > plain.relevance


@given(
    text=st.text(max_size=200),
    kind=st.sampled_from(list(Kind)),
    actor=st.sampled_from(list(Actor)),
    days=st.none() | st.integers(-400, 9000),
    offer=st.text(max_size=80),
)
def test_any_evidence_ranks_within_bounds(text, kind, actor, days, offer):
    dossier = Dossier(dossier_id="d", send_by=TODAY, items=(item("x", kind, text, days_ago=days, actor=actor),))
    for hook in rank(dossier=dossier, value_proposition=offer):
        assert all(0 <= value <= 1 for value in (hook.score, hook.recency, hook.relevance, hook.uniqueness))
