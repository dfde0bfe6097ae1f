"""Folding makes look-alikes equal and never loses the way back."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from messaging.verification.contract import Verdict
from messaging.verification.folding import fold

from .cases import report


@given(st.text(max_size=200), st.data())
def test_every_folded_span_maps_into_the_original(text: str, data: st.DataObject) -> None:
    folded = fold(text)
    start = data.draw(st.integers(0, len(folded.text)))
    end = data.draw(st.integers(start, len(folded.text)))
    first, last = folded.span(start, end)
    assert 0 <= first <= last <= len(text)


@given(st.text(max_size=200))
def test_the_whole_folded_text_maps_to_the_text_without_what_is_invisible_around_it(text: str) -> None:
    folded = fold(text)
    first, last = folded.span(0, len(folded.text))
    assert fold(text[first:last]).text == folded.text


@pytest.mark.parametrize(
    ("given_text", "read_as"),
    [
        ("Sian\u200b", "Sian"),
        ("\u0421\u0422\u041e", "CTO"),  # Cyrillic letters
        ("cafe\u0301", "café"),
        ("\u201cyes\u201d \u2019s", '"yes" \'s'),
        ("co\u2011founder", "co-founder"),
        ("ﬁve\u00a0per\u202fcent", "five per cent"),
        ("Директор", "Директор"),
    ],
)
def test_look_alikes_become_one(given_text: str, read_as: str) -> None:
    assert fold(given_text).text == read_as


def test_a_title_in_look_alike_letters_is_read_as_that_title() -> None:
    claims = report("Hi Sian, as Оperations\u200b Director of Hartwell you decide.").findings
    assert [claim.span for claim in claims if claim.type == "title"] == ["Оperations\u200b Director"]


@pytest.mark.parametrize("letter", ["\u202e", "\u202b", "\u2067"])
def test_what_shows_the_text_in_another_order_is_a_finding_up_to_the_end_of_its_line(letter: str) -> None:
    plain = "Hi Sian,\n\nWould a call be useful?"
    assert report(plain).passes
    turned = report(plain.replace("useful", f"{letter}useful"))
    assert not turned.passes
    (finding,) = [claim for claim in turned.claims if claim.verdict is not Verdict.VERIFIED]
    assert (finding.span, "hidden character" in finding.reason) == (f"{letter}useful?", True)


def test_what_joins_letters_or_colours_an_emoji_is_no_fault() -> None:
    assert report("Hi Sian,\n\nWould a call be use\u00adful? \U0001f469\u200d\U0001f4bb").passes
