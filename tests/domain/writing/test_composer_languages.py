"""Every language: right words, right form of address, within limits and quality, and a structure of its own."""

from __future__ import annotations

import re

import pytest
from lingua import Language, LanguageDetectorBuilder

from messaging.writing.domain.composer_dates import DateWords
from messaging.writing.domain.quality import check_quality
from messaging.writing.domain.strategy import DEFAULT_BANDS, limits_of
from messaging.writing.domain.style import FORMAL, INFORMAL
from messaging.writing.languages.reader import available, load
from prospects.domain.dates import partial_date
from prospects.domain.evidence import Kind
from tests.domain.writing.material import (
    CHANNELS,
    COMPANY,
    NAME,
    POSITION,
    TODAY,
    a_dossier,
    composed,
    evidence,
    gold_dossiers,
)

CODES = {
    "en": "ENGLISH",
    "de": "GERMAN",
    "fr": "FRENCH",
    "es": "SPANISH",
    "pt-BR": "PORTUGUESE",
    "it": "ITALIAN",
    "nl": "DUTCH",
}
DOSSIERS = [pytest.param(dossier, language, id=key) for key, (dossier, language) in gold_dossiers().items()]


def anything(text):
    """Stands in for the verifier: these tests look at form, and not every language has a lexicon yet."""
    return bool(text)


@pytest.fixture(scope="module")
def detector():
    return LanguageDetectorBuilder.from_languages(*(getattr(Language, name) for name in CODES.values())).build()


def test_all_seven_languages_are_shipped():
    assert set(available()) == set(CODES)


@pytest.mark.parametrize("formality", [FORMAL, INFORMAL])
@pytest.mark.parametrize(("dossier", "language"), DOSSIERS)
def test_message_is_clean_in_every_channel_and_form_of_address(dossier, language, formality):
    for channel in CHANNELS:
        for seed in range(2):
            message = composed(dossier, channel, seed, language=language, formality=formality, accepts=anything)
            assert not re.search(r"\.\.|  |[{}]| ,|None", message.body)
            assert (
                check_quality(
                    subject=message.subject,
                    body=message.body,
                    channel=channel,
                    language=language,
                    band=DEFAULT_BANDS[channel],
                    limits=limits_of(channel=channel),
                )
                == ()
            )


@pytest.mark.parametrize(("dossier", "language"), DOSSIERS)
def test_a_detector_hears_the_language_meant(dossier, language, detector):
    message = composed(dossier, "email", 1, language=language, accepts=anything)
    assert detector.detect_language_of(message.body).name == CODES[language]


def test_a_german_director_and_a_brazilian_head_get_different_structures():
    german, brazilian = load("de").style["structures"]["email"], load("pt-BR").style["structures"]["email"]
    assert any(line.split("|")[1].split()[0] == "contextual?" and "offer" in line.split("|")[1] for line in german)
    assert not any("offer" in line.split("|")[1] for line in brazilian)
    assert all("reaction?" in line for line in brazilian)


ADDRESS = [
    ("de", FORMAL, r"\b(Ihr|Ihrem|Sie|Ihnen)\b", r"\b(du|dein|deinem|dir)\b"),
    ("de", INFORMAL, r"\b(du|dein|deinem|dir|dich)\b", r"\b(Ihr|Ihrem|Ihnen)\b"),
    ("fr", FORMAL, r"\b(vous|votre)\b", r"\b(tu|ton|te)\b"),
    ("fr", INFORMAL, r"\b(tu|ton|te)\b", r"\b(vous|votre)\b"),
    ("es", FORMAL, r"\b([Ss]u|usted|[Ll]e)\b", r"\b(tu|tus|te)\b"),
    ("it", FORMAL, r"\b(Suo|Sua|Lei)\b", r"\b(tuo|tua|ti)\b"),
    ("it", INFORMAL, r"\b(tuo|tua|te)\b", r"\b(Suo|Sua|Lei)\b"),
    ("nl", FORMAL, r"\b(u|uw)\b", r"\b(je|jouw)\b"),
    ("pt-BR", INFORMAL, r"\b([Vv]ocê|sua|Sua|seu|Seu)\b", r"\btua\b"),
]


@pytest.mark.parametrize(("language", "formality", "used", "unused"), ADDRESS)
def test_form_of_address_is_kept_throughout(language, formality, used, unused):
    for dossier in (dossier for dossier, spoken in gold_dossiers().values() if spoken == language):
        for seed in range(4):
            body = composed(dossier, "email", seed, language=language, formality=formality, accepts=anything).body
            own = re.sub("[„“«][^“”»]*[“”»]", "", body)
            assert re.search(used, own)
            assert not re.search(unused, own)


DATES = [
    ("de", "2026-09-24", "am 24. September", "vom 24. September"),
    ("de", "2025-03", "im März 2025", "aus dem März 2025"),
    ("fr", "2026-10-01", "le 1er octobre", "du 1er octobre"),
    ("fr", "2025-10", "en octobre 2025", "d’octobre 2025"),
    ("es", "2026-10-21", "el 21 de octubre", "del 21 de octubre"),
    ("pt-BR", "2026-11-01", "em 1º de novembro", "de 1º de novembro"),
    ("it", "2026-10-08", "l’8 ottobre", "dell’8 ottobre"),
    ("it", "2026-10-19", "il 19 ottobre", "del 19 ottobre"),
    ("nl", "2024", "in 2024", "uit 2024"),
]


@pytest.mark.parametrize(("language", "on", "when", "of"), DATES)
def test_dates_are_declined_as_the_language_wants(language, on, when, of):
    words = DateWords.of_style(style=load(language).style, location="", send_by=TODAY)
    assert (words.on(partial_date(on)), words.of(partial_date(on))) == (when, of)


COMPANIES = [("Grupo Norte", "no Grupo Norte"), ("Mandacaru Pagamentos", "na Mandacaru Pagamentos")]


@pytest.mark.parametrize(("company", "words"), COMPANIES)
def test_portuguese_companies_take_their_article(company, words):
    position = evidence(
        "positions[0]", Kind.POSITION, "x", on="2024-05", title="Head", company=company, language="pt-BR"
    )
    bodies = [
        composed(a_dossier(NAME, position), "email", seed, language="pt-BR", accepts=anything).body for seed in range(6)
    ]
    assert any(words in body for body in bodies)


@pytest.mark.parametrize("language", sorted(CODES))
def test_every_phrase_can_be_filled_or_is_left_out(language):
    for formality in (FORMAL, INFORMAL):
        for seed in range(6):
            message = composed(
                a_dossier(NAME, COMPANY, POSITION),
                "inmail",
                seed,
                language=language,
                formality=formality,
                accepts=anything,
            )
            assert message.body
            assert "{" not in message.body + message.subject
