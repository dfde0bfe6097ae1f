"""Address and tone follow the evidence, and say why."""

from __future__ import annotations

import pytest

from messaging.writing.domain.style import FORMAL, INFORMAL, UnsupportedLanguage, decide_style
from messaging.writing.languages.reader import available, load, resolve
from prospects.domain.evidence import Kind
from tests.domain.writing.material import CHANNELS, NAME, POST, a_dossier, evidence


def test_a_language_without_a_folder_is_refused_by_name():
    with pytest.raises(UnsupportedLanguage, match="xx"):
        decide_style(dossier=a_dossier(NAME), language="xx")


def test_the_campaigns_wish_wins_and_is_named():
    style = decide_style(dossier=a_dossier(NAME), language="en", formality=FORMAL)
    assert style.formality == FORMAL
    assert "campaign" in style.reasons[0]


def test_short_sentences_are_answered_in_kind():
    terse = evidence("post1", Kind.POST, "Heat is all. It leaks. We lost bricks. I hate that. We fix it. Watch this.")
    assert decide_style(dossier=a_dossier(NAME, terse), language="en").tone == "crisp"
    assert decide_style(dossier=a_dossier(NAME, POST), language="en").tone == "plain"


def test_language_tags_find_their_folder():
    assert resolve("en-GB") == "en"
    assert resolve("EN") == "en"
    assert resolve("tlh") == ""


@pytest.mark.parametrize("code", available())
def test_every_language_has_what_the_composer_asks_for(code):
    data = load(code)
    assert data.style["formality"] in (INFORMAL, FORMAL)
    assert len(data.style["dates"]["months"]) == 12
    for kind in ("structures", "plain"):
        assert set(data.style[kind]) == set(CHANNELS)
    for formality in (INFORMAL, FORMAL):
        for key in (
            "greeting",
            "greeting_nameless",
            "cta",
            "cta_note",
            "intro",
            "sign",
            "signoff",
            "offer.noun",
            "proof",
        ):
            assert data.sentences(key, formality=formality), key
