"""The product's own JSON form becomes evidence with the right actor, date and name."""

import json
from datetime import date
from pathlib import Path

import pytest

from prospects.domain.dossier_json import UnreadableDossier, read_dossier, read_prospect
from prospects.domain.evidence import Actor, Kind

GOLD = Path(__file__).parents[2] / "data" / "gold" / "dossiers.jsonl"
SMALL = {
    "dossier_id": "D",
    "as_of": "2026-11-20",
    "hobby": 1,
    "prospect": {
        "full_name": "Ada Byron",
        "languages": ["English (native)"],
        "positions": [{"title": "CTO", "company": "Engine", "start": "2024", "end": None, "level": 3}],
        "posts": [
            {"id": "post1", "date": "2026-01-02", "kind": "reshare", "original_author": "Bo", "text": "Hm."},
            {"id": "post2", "date": "2026-01-03", "kind": "comment", "on": "Bo's post", "text": "No."},
        ],
    },
    "company": {"name": "Engine", "news": [{"id": "news1", "date": "soon", "title": "T", "text": "X"}]},
    "sender": {"full_name": "Cy", "company": "S", "facts": [{"id": "s1", "text": "Fact."}]},
}


def test_a_reshare_is_not_the_prospects_own_words() -> None:
    dossier = read_dossier(SMALL)
    assert [dossier.by_ref(ref).actor for ref in ("post1", "post2")] == [Actor.OTHER, Actor.PROSPECT]  # type: ignore[union-attr]


def test_a_bare_year_stays_a_whole_year() -> None:
    (position,) = read_dossier(SMALL).of(Kind.POSITION)
    assert position.occurred is not None
    assert (position.occurred.first, position.occurred.last) == (date(2024, 1, 1), date(2024, 12, 31))
    assert position.get("end") == ""


def test_unknown_keys_and_unreadable_dates_are_reported_not_dropped() -> None:
    read = read_prospect(SMALL)
    assert set(read.unknown_keys) == {"hobby", "prospect.positions[0].level"}
    assert any("news[0].date" in warning and "soon" in warning for warning in read.warnings)


def test_the_sender_is_read_only_for_a_dossier() -> None:
    assert not [item for item in read_prospect(SMALL).items if item.actor is Actor.SENDER]
    assert read_dossier(SMALL).by_ref("facts[0]").text == "Fact."  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("broken", "told"),
    [
        ({"as_of": "2026-01-01"}, "no 'prospect' part"),
        ({**SMALL, "as_of": "2026"}, "as_of"),
        ({**SMALL, "prospect": []}, "must be an object"),
        ([], "as_of"),
    ],
)
def test_what_is_no_dossier_is_refused_with_the_reason(broken: object, told: str) -> None:
    with pytest.raises(UnreadableDossier, match=told):
        read_dossier(broken)


def test_every_gold_dossier_is_read_without_a_warning_and_with_unique_refs() -> None:
    for line in GOLD.read_text(encoding="utf-8").splitlines():
        read = read_prospect(json.loads(line))
        items = read_dossier(json.loads(line)).items
        assert read.warnings == ()
        assert read.unknown_keys == ()
        assert len({item.ref for item in items}) == len(items)
