"""Figures that follow from the record, owners that are not the reader, and words that only look like claims."""

import pytest

from messaging.verification.contract import CheckInput, MessageText, Report
from messaging.verification.engine import verify
from prospects.domain.dossier_json import read_dossier
from prospects.domain.evidence import Dossier


def _dossier(language: str, posts: list[str], in_common: list[dict[str, str]], facts: list[str]) -> Dossier:
    return read_dossier(
        {
            "dossier_id": "T1",
            "as_of": "2026-12-10",
            "prospect": {
                "full_name": "Alba Ruiz Mora",
                "headline": "Operaciones",
                "profile_language": language,
                "positions": [
                    {
                        "title": "Directora de Operaciones",
                        "company": "Puerto Sur",
                        "start": "2019-03",
                        "end": None,
                        "description": "Mercados: Chile y Corea del Sur.",
                    }
                ],
                "posts": [
                    {"id": f"post{at}", "date": "2026-11-12", "kind": "post", "language": language, "text": text}
                    for at, text in enumerate(posts, 1)
                ],
            },
            "company": {
                "name": "Puerto Sur",
                "news": [
                    {
                        "id": "news1",
                        "date": "2026-10-01",
                        "title": "Puerto Sur entra en Corea del Sur",
                        "text": "Puerto Sur firmó su primer contrato en Corea del Sur.",
                    }
                ],
            },
            "in_common": in_common,
            "sender": {
                "full_name": "Iván Soler",
                "title": "Consultor",
                "company": "Grúa Viva",
                "offer": "sensores para grúas" if language == "es" else "sensores para guindastes",
                "facts": [{"id": f"s{at}", "text": text, "date": "2026-06"} for at, text in enumerate(facts, 1)],
            },
        }
    )


SPANISH = _dossier(
    "es",
    [
        "Una grúa cuesta 60.000 euros; la pantalla, 180. Apagamos 40 de las 57 variables del tablero.",
        "Si un embarque se retrasa más de 48 horas, el cliente lo sabe. Es una regla: un mercado que pesa tanto es tu jefe.",
    ],
    [{"kind": "school", "name": "Universidad de Cuyo", "sender_years": "2010-2015", "prospect_years": "2008-2013"}],
    ["Una cadena de cafeterías redujo de 22 % a 13 % las ausencias de fin de semana."],
)
PORTUGUESE = _dossier(
    "pt-BR",
    ["Uma técnica dava 17 mil passos por plantão. Mudamos o carrinho de lugar. Caiu para 12 mil."],
    [{"kind": "school", "name": "Unioeste", "sender_years": "2012-2016", "prospect_years": "2005-2009"}],
    ["A Grúa Viva processa 1,1 milhão de devoluções por ano."],
)


def _report(text: str, language: str) -> Report:
    dossier = SPANISH if language == "es" else PORTUGUESE
    hello = "Hola, Alba:" if language == "es" else "Oi, Alba,"
    return verify(CheckInput(MessageText("", f"{hello}\n\n{text}", language, "email"), dossier))


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("es", "180 euros de pantalla frente a 60.000 de grúa."),
        ("es", "Apagaron 40 de 57 variables."),
        ("es", "Su regla de las 48 horas me gustó."),
        ("es", "Una cadena de cafeterías bajó de 22 % a 13 % sus ausencias de fin de semana."),
        ("es", "Usted escribió: «un mercado que pesa tanto es tu jefe»."),
        ("es", "Felicidades por Corea del Sur."),
        ("es", "Los dos pasamos por la Universidad de Cuyo y coincidimos en años."),
        ("es", "¿Le viene bien el 14?"),
        ("es", "Si no es para usted, prometo no insistir."),
        ("pt-BR", "Cinco mil passos a menos por plantão."),
        ("pt-BR", "Somos da Unioeste, só que eu entrei três anos depois de você se formar."),
        ("pt-BR", "Na Grúa Viva são 1,1 milhão por ano."),
        ("pt-BR", "Podemos conversar no dia 11/01?"),
    ],
)
def test_what_follows_from_the_record_passes(language: str, text: str) -> None:
    assert _report(text, language).findings == ()


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("es", "280 euros de pantalla frente a 60.000 de grúa."),
        ("es", "Apagaron 30 de 57 variables."),
        ("es", "Su regla de las 24 horas me gustó."),
        ("es", "Una cadena de cafeterías bajó de 22 % a 15 % sus ausencias de fin de semana."),
        ("es", "Usted bajó de 22 % a 13 % sus ausencias de fin de semana."),
        ("es", "Usted escribió: «un mercado que pesa mucho es tu jefe»."),
        ("es", "Felicidades por Chile."),
        ("es", "Asumió hace poco la dirección de Operaciones."),
        ("pt-BR", "Quatro mil passos a menos por plantão."),
        ("pt-BR", "Cinco mil passos a mais por plantão."),
        ("pt-BR", "Somos da Unioeste, só que eu entrei dois anos depois de você se formar."),
        ("pt-BR", "Somos da Unioeste, só que eu entrei três anos antes de você se formar."),
        ("pt-BR", "Na Grúa Viva são 1,4 milhão por ano."),
    ],
)
def test_what_does_not_follow_is_found(language: str, text: str) -> None:
    assert not _report(text, language).passes
