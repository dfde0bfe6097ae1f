"""Whose post and whose deed: "I write to you as …" is the sender's post; "van" in the news names nobody."""

import pytest

from messaging.verification.contract import Verdict

from .cases import report


@pytest.mark.parametrize(
    ("language", "dossier_id", "sentence"),
    [
        ("de", "W3-D2", "Ich schreibe Ihnen als Head of Platform Engineering bei Palettino."),
        ("nl", "W3-D6", "Ik schrijf je als Supply Chain Director."),
        ("fr", "W4-D1", "Je vous écris en tant que Directrice industrielle adjointe."),
        ("es", "W4-D6", "Le escribo como Gerente de Planta."),
        ("it", "W5-D5", "Le scrivo come Head of Marketing."),
        ("pt-BR", "W5-D2", "Escrevo como Head de Dados."),
    ],
)
def test_who_writes_as_something_claims_that_post(language: str, dossier_id: str, sentence: str) -> None:
    faults = [
        one
        for one in report(sentence, dossier_id=dossier_id, language=language).claims
        if one.verdict is not Verdict.VERIFIED
    ]
    assert [one.reason.partition(" “")[0] for one in faults] == ["This reads as if the sender were"]


def test_the_senders_own_post_may_be_said() -> None:
    assert report("Ich schreibe Ihnen als Account Executive.", dossier_id="W3-D2", language="de").passes


@pytest.mark.parametrize(
    "sentence",
    ["Je won de prijs voor E-bike van het Jaar.", "Je hebt de prijs voor E-bike van het Jaar gewonnen."],
)
def test_a_particle_of_a_name_in_the_news_gives_nobody_a_part_in_it(sentence: str) -> None:
    verdicts = {one.type.value: one.verdict for one in report(sentence, dossier_id="W3-D6", language="nl").claims}
    assert verdicts["achievement"] is Verdict.CONTRADICTED
