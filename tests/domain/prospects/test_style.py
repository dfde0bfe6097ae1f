"""How somebody writes, as tables of cases."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from prospects.domain.evidence import Actor, Evidence, Kind
from prospects.domain.style import style_of


def text(words: str, *, language: str = "", kind: Kind = Kind.POST, ref: str = "p0") -> Evidence:
    actor = Actor.OTHER if kind is Kind.RESHARE else Actor.PROSPECT
    return Evidence(ref=ref, kind=kind, actor=actor, text=words, language=language)


def concluded(*items: Evidence, language: str = "en") -> dict[str, str]:
    return {item.name: item.value for item in style_of(items, language=language)}


@pytest.mark.parametrize(
    ("words", "language", "name", "value"),
    [
        ("We shipped it.", "en", "length", "short"),
        ("word " * 60, "en", "length", "medium"),
        ("word " * 160, "en", "length", "long"),
        ("We shipped it.", "en", "emoji", "none"),
        ("We shipped it 🚀", "en", "emoji", "some"),
        ("🚀🔥 shipped 🎉", "en", "emoji", "many"),
        ("Hey folks, it's done, can't believe it!", "en", "register", "casual"),
        ("Furthermore, we have therefore decided to proceed.", "en", "register", "formal"),
        ("We have decided to proceed.", "en", "register", "neutral"),
        ("Gern zeige ich Ihnen, wie Sie das messen.", "de", "address", "formal"),
        ("Sie hat das gemessen. Ihre Kollegin auch.", "de", "address", None),  # she and her, at the start of sentences
        ("Wenn du das misst, hast du gewonnen.", "de", "address", "familiar"),
        ("Kommt vorbei, ich freue mich auf euch. Oder darf ich Ihnen schreiben?", "de", "address", "mixed"),
        ("Je vous invite à notre atelier.", "fr", "address", "formal"),
        ("Tu vas adorer.", "fr", "address", "familiar"),
        ("Le agradezco que ustedes participen.", "es", "address", "formal"),
        ("Se lo vedi, te lo dico.", "it", "address", "familiar"),
        ("Graag nodig ik u uit.", "nl", "address", "formal"),
        ("You should come.", "en", "address", None),  # English has one word for both
        ("Gern zeige ich Ihnen das. Was meinen Sie?", "de", "register", "formal"),
    ],
)
def test_what_is_concluded(words: str, language: str, name: str, value: str | None) -> None:
    assert concluded(text(words, language=language)).get(name) == value


def test_only_their_own_words_count() -> None:
    assert concluded(text("🚀🚀🚀 Hey folks!", kind=Kind.RESHARE)) == {}
    assert concluded(text("Hi", kind=Kind.ABOUT)) == {}
    assert concluded() == {}
    assert "length" not in concluded(text("Nice one.", kind=Kind.COMMENT))


def test_each_conclusion_names_the_texts_it_rests_on() -> None:
    plain, rocket = text("We shipped it today.", ref="a"), text("We shipped it 🚀", ref="b")
    rests = {item.name: item.evidence for item in style_of([plain, rocket])}
    assert rests["length"] == ("a", "b")
    assert rests["emoji"] == ("b",)


def test_links_hashtags_and_linked_names_are_not_their_words() -> None:
    assert concluded(text("#hey #folks @yeah https://example.com/lol Done today."))["register"] == "neutral"


@given(
    st.lists(st.text(max_size=200), max_size=5),
    st.sampled_from(["en", "de", "fr", "es", "pt-BR", "it", "nl", "xx", ""]),
)
def test_any_text_is_read_without_error_and_rests_on_something(texts: list[str], language: str) -> None:
    items = [text(words, language=language, ref=f"p{number}") for number, words in enumerate(texts)]
    assert all(item.evidence for item in style_of(items))
