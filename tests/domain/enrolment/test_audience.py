"""Audiences as values: read from an address or a file, written back, and never trusted."""

from dataclasses import fields

import pytest
from hypothesis import given
from hypothesis import strategies as st

from messaging.enrolment.domain.audience import (
    CONNECTED,
    CURRENT_DAYS,
    EVERYBODY,
    FUNCTIONS,
    LAYERS,
    SENIORITIES,
    SIZES,
    Audience,
    level_key,
    read_audience,
    size_band,
    stored_audience,
)
from messaging.hooks.domain.kinds import PRIORS, Layer
from prospects.domain.title_levels import Level


def _some(choices: object) -> st.SearchStrategy[tuple[str, ...]]:
    return st.sets(st.sampled_from(sorted(choices))).map(lambda found: tuple(sorted(found)))  # type: ignore[call-overload]


_WORD = st.text(st.characters(categories=["L"]), min_size=1, max_size=12)
AUDIENCES = st.builds(
    Audience,
    title=st.lists(_WORD, max_size=3).map(" ".join), seniority=_some(SENIORITIES), functions=_some(FUNCTIONS),
    industry=_WORD | st.just(""), sizes=_some(SIZES), countries=_some(["DE", "US", "PT"]),
    languages=_some(["en", "pt-BR", "unknown"]), seen_days=st.integers(0, 3650), layers=_some(LAYERS),
    connected=st.sampled_from(["", *CONNECTED]), owner=st.integers(0, 2**40), quiet_days=st.integers(0, 3650),
    batch=st.integers(0, 2**40), rest_days=st.integers(0, 3650), fresh_only=st.booleans(), sure_language=st.booleans(),
    per_company=st.integers(0, 1000),
)  # fmt: skip


@given(AUDIENCES)
def test_an_audience_survives_the_address_and_the_file(audience: Audience) -> None:
    said: dict[str, list[str]] = {}
    for name, text in audience.as_pairs():
        said.setdefault(name, []).append(text)
    assert read_audience(said) == (audience, ())
    assert stored_audience(audience.as_json()) == (audience, ())


def test_everybody_is_said_by_saying_nothing() -> None:
    assert EVERYBODY.as_json() == {}
    assert EVERYBODY.as_pairs() == ()
    assert not EVERYBODY.narrows
    assert not Audience(rest_days=0, per_company=0).narrows
    assert Audience(title="head").narrows


@pytest.mark.parametrize(
    ("part", "text", "words"),
    [
        ("seniority", "boss", "choose one of chief"),
        ("sizes", "big", "choose one of 1-10"),
        ("layers", "secret", "choose one of contextual"),
        ("connected", "maybe", "choose one of first"),
        ("countries", "Germany", "two letters"),
        ("seen_days", "ten", "no whole number"),
        ("seen_days", "99999", "at most 3,650"),
        ("owner", "-1", "no whole number"),
        ("batch", "9" * 25, "no whole number"),
    ],
)
def test_what_cannot_be_used_is_dropped_and_told(part: str, text: str, words: str) -> None:
    audience, wrong = read_audience({part: [text]})
    assert audience == EVERYBODY
    assert [one.part for one in wrong] == [part]
    assert words in wrong[0].message


@given(st.dictionaries(st.sampled_from([field.name for field in fields(Audience)]), st.lists(st.text(max_size=40), max_size=4)))
def test_no_address_breaks_the_reading(said: dict[str, list[str]]) -> None:
    audience, _wrong = read_audience(said)
    assert stored_audience(audience.as_json()) == (audience, ())


def test_a_box_that_is_not_ticked_in_a_form_means_no() -> None:
    assert read_audience({"limits": ["1"]})[0].fresh_only is False
    assert read_audience({"limits": ["1"], "fresh_only": ["on"]})[0].fresh_only is True
    assert read_audience({})[0].fresh_only is True


def test_a_stored_filter_that_no_longer_exists_is_told() -> None:
    audience, wrong = stored_audience({"star_sign": "leo", "title": "head"})
    assert audience == Audience(title="head")
    assert [one.part for one in wrong] == ["star_sign"]


@pytest.mark.parametrize(
    ("text", "band"),
    [
        ("51-200 employees", "51-200"), ("1,001-5,000", "1001-5000"), ("1.200", "1001-5000"), ("7", "1-10"), ("5k+", "1001-5000"),
        ("10001+", "10001+"), ("about 300 people", "201-500"), ("many", ""), ("", ""), ("0", ""), ("1 000", "501-1000"),
        ("self-employed", ""), ("99999999999999999999", "10001+"),
    ],
)  # fmt: skip
def test_a_size_belongs_to_the_band_of_its_lower_end(text: str, band: str) -> None:
    assert size_band(text) == band


def test_every_level_of_titles_can_be_asked_for() -> None:
    assert {level_key(level) for level in Level} == set(SENIORITIES)


def test_what_is_happening_now_is_what_hooks_say_it_is() -> None:
    assert dict(CURRENT_DAYS) == {kind: prior.current_days for kind, prior in PRIORS.items() if prior.current_days}
    assert {str(layer) for layer in Layer} == set(LAYERS)
