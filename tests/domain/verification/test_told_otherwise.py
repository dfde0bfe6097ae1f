"""One change makes a true sentence false: a length, a unit, a count said twice, a day of writing, a title's scope."""

import pytest

from tests.domain.verification.cases import report

PAIRS = [
    (
        "W3-D6",
        "nl",
        "Een fabrikant van tuinmeubelen verlaagde met Planwijs zijn voorraadwaarde in {} met 12%.",
        "een half jaar",
        "een kwartaal",
    ),
    ("W4-D3", "fr", "Vous avez enseigné les maths au secondaire pendant {} ans.", "trois", "treize"),
    ("W4-D3", "fr", "Vous avez coupé {} des neuf étapes d'ouverture de compte pour les ados.", "trois", "deux"),
    (
        "W5-D5",
        "it",
        "Con Biscotti Fiordispino il 38% degli iscritti ha fatto un secondo acquisto entro 60 {}.",
        "giorni",
        "mesi",
    ),
    (
        "W3-D3",
        "de",
        "Sie sind {} bei Helvaria Versicherungen AG.",
        "Leiter Schadenservice Nichtleben",
        "Leiter Schadenservice",
    ),
    ("W3-D6", "nl", "Je werkt bij {}.", "Veldwind Fietsen", "Hollander Keukens"),
    ("W3-D2", "de", "Sie arbeiten bei {}.", "Palettino GmbH", "Bergwind Payments GmbH"),
]


@pytest.mark.parametrize(("dossier_id", "language", "frame", "true", "false"), PAIRS)
def test_the_true_one_passes_and_the_false_one_does_not(
    dossier_id: str, language: str, frame: str, true: str, false: str
) -> None:
    def passes(said: str) -> bool:
        return report(frame.format(said), dossier_id=dossier_id, language=language).passes

    assert (passes(true), passes(false)) == (True, False)


@pytest.mark.parametrize(
    ("dossier_id", "language", "text"),
    [
        (
            "W3-D6",
            "nl",
            "Je schreef op 31 januari 2026: “Tips van mensen die deze stap ook hebben gezet, zijn welkom.”",
        ),
        ("W3-D2", "de", "Wir haben beide an der FH Teghnikum Wien studiert."),
        ("W3-D6", "nl", "We zijn allebei verbonden met Femke Aalbers."),
        ("W2-D8", "en", "I know that reporting takes up too much of your time."),
    ],
)
def test_what_a_phrase_leaves_unread_is_still_checked(dossier_id: str, language: str, text: str) -> None:
    assert report(text, dossier_id=dossier_id, language=language).findings
