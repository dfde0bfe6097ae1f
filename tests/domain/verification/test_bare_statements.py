"""Small, common words alone make claims too: free, new, first, only, always."""

import pytest

from messaging.verification.contract import Verdict
from tests.domain.verification.cases import report

#: (dossier, language, greeting, false sentence, harmless question)
FALSE = [
    ("W1-D2", "en", "Hi Rohan,", "Querywright is free in the first year.", "Would a call be useful?"),
    ("W1-D2", "en", "Hi Rohan,", "You were first.", "Would a call be useful?"),
    ("W1-D2", "en", "Hi Rohan,", "We are the only ones who do this.", "Would a call be useful?"),
    ("W1-D2", "en", "Hi Rohan,", "Querywright works with everything.", "Would a call be useful?"),
    (
        "W3-D2",
        "de",
        "Guten Tag Herr Radakovits,",
        "Kubik Metrics ist schnell.",
        "Wäre ein kurzes Gespräch interessant?",
    ),
    ("W3-D2", "de", "Guten Tag Herr Radakovits,", "Sie sind neu dort.", "Wäre ein kurzes Gespräch interessant?"),
    ("W4-D1", "fr", "Bonjour Maëlle,", "Planivo est rapide.", "Un appel vous serait-il utile ?"),
    ("W4-D1", "fr", "Bonjour Maëlle,", "Vous avez des enfants.", "Un appel vous serait-il utile ?"),
    ("W4-D6", "es", "Hola, Rubén:", "RutaViva es gratis el primer año.", "¿Le sería útil una llamada?"),
    ("W4-D6", "es", "Hola, Rubén:", "Usted fue el primero.", "¿Le sería útil una llamada?"),
    ("W5-D5", "it", "Buongiorno Giulia,", "Ritorna fa tutto.", "Le sarebbe utile una chiamata?"),
    ("W5-D5", "it", "Buongiorno Giulia,", "Lei è stata la prima.", "Le sarebbe utile una chiamata?"),
    ("W3-D6", "nl", "Dag Femke,", "Planwijs is het eerste jaar gratis.", "Is een kort gesprek interessant?"),
    ("W3-D6", "nl", "Dag Femke,", "Je was de eerste.", "Is een kort gesprek interessant?"),
    ("W5-D2", "pt-BR", "Olá, Caio,", "Sentinela Dados é rápida.", "Uma conversa rápida seria útil?"),
    ("W5-D2", "pt-BR", "Olá, Caio,", "Você foi o primeiro.", "Uma conversa rápida seria útil?"),
]


@pytest.mark.parametrize(("dossier_id", "language", "greeting", "false", "question"), FALSE)
def test_small_words_alone_are_a_claim(
    dossier_id: str, language: str, greeting: str, false: str, question: str
) -> None:
    assert report(f"{greeting} {question}", dossier_id=dossier_id, language=language).passes
    checked = report(f"{greeting} {false} {question}", dossier_id=dossier_id, language=language)
    assert not checked.passes
    assert any(finding.span.rstrip(".") in false for finding in checked.findings)


def test_a_proof_point_of_small_words_is_cited() -> None:
    checked = report("Hi Diego, Hearthdesk is free in the first year.", dossier_id="W1-D5")
    claim = next(claim for claim in checked.claims if "free" in claim.span)
    assert claim.verdict is Verdict.VERIFIED
    assert claim.evidence == ("facts[1]",)


@pytest.mark.parametrize(
    "body", ["Hi Rohan, I'm Marcus, and I work at Querywright.", "Hi Rohan, I wonder what surprised you most."]
)
def test_an_introduction_and_an_indirect_question_state_nothing_more(body: str) -> None:
    assert report(body, dossier_id="W1-D2").passes
