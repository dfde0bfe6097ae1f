"""What a message says first, and how, follows the reader's culture, the campaign's language and their own way of writing."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from messaging.writing.domain.composer_language import is_foreign
from messaging.writing.domain.composer_text import at_company, in_running_text
from messaging.writing.domain.style import FORMAL, INFORMAL, culture_of, decide_style
from messaging.writing.languages.reader import available, load
from prospects.domain.evidence import Actor, Dossier, Kind
from tests.domain.writing.material import TODAY, a_dossier, an_offer, composed, evidence

SEEDS = range(12)


def person(language, *, name, title, company, post, offer, proof):
    """The same facts in one language: a role, one post, an offer with one figure."""
    us = evidence(
        "sender", Kind.SENDER, "Ida Berg, Kilnwatch", actor=Actor.SENDER, full_name="Ida Berg", company="Kilnwatch"
    )
    return Dossier(
        dossier_id=language,
        send_by=TODAY,
        items=(
            us,
            evidence("offer", Kind.OFFER, offer, actor=Actor.SENDER, language=language),
            evidence("facts[0]", Kind.PROOF_POINT, proof, actor=Actor.SENDER, language=language),
            evidence("full_name", Kind.NAME, name, full_name=name),
            evidence("company.name", Kind.COMPANY_FACT, company, actor=Actor.COMPANY, attribute="name", value=company),
            evidence("positions[0]", Kind.POSITION, title, on="2023-05", title=title, company=company, start="2023-05"),
            evidence("post1", Kind.POST, post, on="2026-11-02", language=language),
        ),
    )


GERMAN = person(
    "de",
    name="Karl Brandt",
    title="Technischer Leiter",
    company="Ziegelwerk Nord",
    post="Wir haben im letzten Frühjahr 40 Ziegel im Ofen verloren. Die Temperatur messen wir nur an zwei Stellen.",
    offer="Ein Sensor für Öfen, der jede Minute die Temperatur meldet.",
    proof="Eine Ziegelei in Jütland verlor mit Kilnwatch 23 % weniger Ziegel.",
)
BRAZILIAN = person(
    "pt-BR",
    name="Carla Souza",
    title="VP de Marketing",
    company="Olaria Norte",
    post="Perdemos 40 clientes no último trimestre sem saber o motivo. Medimos a campanha em apenas dois lugares.",
    offer="Uma ferramenta que mostra a cada minuto o resultado de cada campanha.",
    proof="Uma loja em Recife perdeu 23% menos clientes com a Kilnwatch.",
)


def written(dossier, language, channel="email"):
    return [composed(dossier, channel, seed, language=language) for seed in SEEDS]


def place(message, block):
    return message.structure.index(block) if block in message.structure else len(message.structure)


def test_a_german_engineering_director_hears_the_reason_and_the_offer_first():
    messages = written(GERMAN, "de")
    assert all(message.structure[1] in ("contextual", "brief", "offer") for message in messages)
    assert sum(place(message, "offer") < place(message, "reference") for message in messages) > len(messages) / 2
    assert not any("hello" in message.structure for message in messages)
    assert all(re.search(r"\b(Sie|Ihnen|Ihrem|Ihrer)\b", message.body) for message in messages)
    assert all("Guten Tag Karl Brandt," in message.body for message in messages)


def test_a_brazilian_marketing_vp_hears_about_herself_first():
    messages = written(BRAZILIAN, "pt-BR")
    assert all(place(message, "reference") < place(message, "offer") for message in messages)
    assert sum("hello" in message.structure or "reaction" in message.structure for message in messages) > 6
    assert all(re.search(r"^(Oi|Olá), Carla,", message.body) for message in messages)
    assert all(re.search("[Aa]braço", message.body) for message in messages)


def test_no_structure_of_the_one_is_one_of_the_other():
    german, brazilian = (
        {tuple(block for block in message.structure if block != "decline") for message in written(dossier, language)}
        for dossier, language in ((GERMAN, "de"), (BRAZILIAN, "pt-BR"))
    )
    assert not german & brazilian


@pytest.mark.parametrize("code", available())
def test_no_phrase_says_what_the_culture_leaves_unsaid(code):
    culture = culture_of(code)
    assert culture.directness in ("high", "medium", "low")
    phrases = [phrase.casefold() for listed in load(code).phrases.values() for phrase in listed]
    assert [(phrase, word) for phrase in phrases for word in culture.not_said if word in phrase] == []


ENGLISH_OFFER = "A tool that shows the result of each campaign by the minute for the whole team."
ENGLISH_PROOF = "A shop in Recife lost 23% fewer customers with Kilnwatch in the first year."


def in_english(dossier):
    texts = {"offer": ENGLISH_OFFER, "facts[0]": ENGLISH_PROOF}
    items = (
        replace(item, text=texts[item.ref], language="en") if item.ref in texts else item for item in dossier.items
    )
    return replace(dossier, items=tuple(items))


@pytest.mark.parametrize(("dossier", "language"), [(GERMAN, "de"), (BRAZILIAN, "pt-BR")])
def test_an_offer_in_another_language_is_never_pasted(dossier, language):
    offer = an_offer(languages=("en",), call_to_action="Would a short call be worth your time?")
    for channel in ("linkedin_message", "inmail", "email"):
        for seed in range(4):
            body = composed(in_english(dossier), channel, seed, language=language, offer=offer).body
            assert not re.search("campaign by the|fewer customers|short call", body)
            assert "Kilnwatch" in body


def test_of_several_offers_the_one_in_their_language_is_said():
    both = in_english(BRAZILIAN)
    own = next(item for item in BRAZILIAN.items if item.ref == "offer")
    both = replace(both, items=(*both.items, replace(own, ref="offer[pt-BR]")))
    assert all("a cada minuto" in composed(both, "email", seed, language="pt-BR").body for seed in range(4))


FOREIGN = [
    ("A profiler for native code in production that runs without an agent.", "de", True),
    ("A profiler for native code in production that runs without an agent.", "en", False),
    ("Software, die Belege einliest und die Buchung vorschlägt.", "de", False),
    ("Kubernetes FinOps Dashboard", "fr", False),
    ("Una herramienta que lee las reseñas de los huéspedes y propone respuestas.", "pt-BR", True),
]


@pytest.mark.parametrize(("text", "language", "foreign"), FOREIGN)
def test_small_words_tell_a_foreign_text(text, language, foreign):
    assert is_foreign(text, language) is foreign


TITLES = [
    ("fr", "Directrice industrielle adjointe", "directrice industrielle adjointe"),
    ("fr", "VP Produit", "VP Produit"),
    ("es", "Gerente de planta", "gerente de planta"),
    ("es", "Gerente de Planta", "Gerente de Planta"),
    ("it", "Head of Marketing", "Head of Marketing"),
    ("de", "Technischer Leiter", "Technischer Leiter"),
    ("en", "Plant Manager", "Plant Manager"),
]


@pytest.mark.parametrize(("language", "title", "words"), TITLES)
def test_titles_are_capitalised_as_the_language_does(language, title, words):
    assert in_running_text(title, load(language).style) == words


PLACES = [
    ("fr", "Université de Lyon", "à l'Université de Lyon"),
    ("fr", "Groupe Arnaud", "au Groupe Arnaud"),
    ("fr", "Planivo", "chez Planivo"),
    ("it", "Università di Torino", "all'Università di Torino"),
    ("it", "Caseificio Valdora", "al Caseificio Valdora"),
    ("es", "Grupo Norte", "en el Grupo Norte"),
    ("pt-BR", "Banco Sol", "no Banco Sol"),
    ("nl", "Universiteit Utrecht", "aan de Universiteit Utrecht"),
    ("de", "Ziegelwerk Nord", "bei Ziegelwerk Nord"),
]


@pytest.mark.parametrize(("language", "company", "words"), PLACES)
def test_companies_take_the_article_of_their_first_word(language, company, words):
    assert at_company(company, load(language).style) == words


CASUAL = "Hey folks, that's the coolest thing we've seen all year and we're gonna try it again in spring, can't wait 🎉"


def test_somebody_who_writes_casually_is_answered_a_little_warmer():
    posts = [evidence(f"post{at}", Kind.POST, CASUAL, on="2026-11-02") for at in range(3)]
    style = decide_style(dossier=a_dossier(*posts), language="en")
    assert (style.tone, style.length) == ("warm", "short")
    assert any("casually" in reason for reason in style.reasons)


def test_short_posts_get_a_message_of_the_lower_half():
    posts = [evidence(f"post{at}", Kind.POST, CASUAL, on="2026-11-02") for at in range(3)]
    assert "short" in decide_style(dossier=a_dossier(*posts), language="en").reasons[-1]


@pytest.mark.parametrize("formality", [FORMAL, INFORMAL])
def test_one_reason_for_writing_is_enough(formality):
    for message in (composed(GERMAN, "inmail", seed, language="de", formality=formality) for seed in SEEDS):
        assert len(re.findall(r"Anlass|[Ii]ch schreibe|wende mich", message.body)) <= 1


@pytest.mark.parametrize("channel", ["inmail", "email"])
def test_french_possessives_agree_with_their_noun(channel):
    post = evidence(
        "post1",
        Kind.POST,
        "Nous avons perdu 40 briques dans le four au printemps dernier.",
        on="2026-11-02",
        language="fr",
    )
    dossier = a_dossier(evidence("full_name", Kind.NAME, "Anne Roy", full_name="Anne Roy"), post)
    for seed in SEEDS:
        message = composed(dossier, channel, seed, language="fr", formality=INFORMAL, accepts=bool)
        assert not re.search("ton (publication|liste)|ta (profil|commentaire|texte)", message.subject + message.body)


@pytest.mark.parametrize("formality", [FORMAL, INFORMAL])
def test_german_nouns_keep_their_capital_after_the_greeting(formality):
    for channel in ("linkedin_connection", "email"):
        for seed in SEEDS:
            assert not re.search(
                r"\banlass\b", composed(GERMAN, channel, seed, language="de", formality=formality).body
            )


def test_a_subject_does_not_end_on_the_comma_of_a_name():
    talk = evidence("talks[0]", Kind.TALK, "Heat", on="2026-10-04", title="Heat", event="Kiln Forum, Leeds")
    name = evidence("full_name", Kind.NAME, "Ana Roe", full_name="Ana Roe")
    subjects = [composed(a_dossier(name, talk), "email", seed).subject for seed in SEEDS]
    assert "Your talk at Kiln Forum, Leeds" in subjects
    assert not any(subject.endswith(",") for subject in subjects)
