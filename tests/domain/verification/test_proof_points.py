"""What the sender says of themselves, word for word, is not read as told of the person."""

import json
from pathlib import Path

import pytest

from messaging.verification.contract import CheckInput, ClaimType, MessageText, Verdict
from messaging.verification.engine import verify
from prospects.domain.dossier_json import read_dossier
from prospects.domain.evidence import Dossier

from .cases import report

HOOKS = Path(__file__).parents[2] / "data" / "hooks" / "dossiers.jsonl"
REVIEWS, SIZES = "F-07", "F-10"
POINT = "Un grupo de Málaga contesta el 95 % de sus reseñas en un día."


def dossier(dossier_id: str) -> Dossier:
    lines = HOOKS.read_text(encoding="utf-8").splitlines()
    return next(read_dossier(json.loads(line)) for line in lines if f'"{dossier_id}"' in line)


def passes(body: str, *, dossier_id: str = REVIEWS, language: str = "es") -> bool:
    return verify(CheckInput(MessageText("", body, language, "email"), dossier(dossier_id))).passes


def test_a_proof_point_told_whole_is_the_senders() -> None:
    body = f"Hola, Inmaculada:\n\nUsted escribió sobre las reseñas del verano. {POINT}"
    claims = verify(CheckInput(MessageText("", body, "es", "email"), dossier(REVIEWS))).claims
    assert [(one.type, one.verdict) for one in claims if one.span == POINT[:-1] or one.span == POINT] == [
        (ClaimType.SENDER, Verdict.VERIFIED)
    ]
    assert passes(body)


@pytest.mark.parametrize(
    "sentence",
    [
        "Un grupo de Málaga contesta el 96 % de sus reseñas en un día.",
        "Un grupo de Málaga no contesta el 95 % de sus reseñas en un día.",
        "Usted contesta el 95 % de sus reseñas en un día.",
        "Hoteles Almadraba contesta el 95 % de sus reseñas en un día.",
    ],
)
def test_a_changed_one_is_read_like_any_other_sentence(sentence: str) -> None:
    assert not passes(f"Hola, Inmaculada:\n\n{sentence}")


def test_an_offer_that_sounds_like_a_title_is_an_offer() -> None:
    hello = "Buongiorno Ginevra,\n\n"
    known = {"dossier_id": SIZES, "language": "it"}
    assert passes(f"{hello}In Quillgate proponiamo un consulente di taglia per negozi online.", **known)
    assert not passes(f"{hello}Sono un consulente in Quillgate.", **known)
    assert not passes(f"{hello}Sono il direttore generale di Quillgate.", **known)


def test_french_courtesy_behind_a_title_says_nothing() -> None:
    role = "Bonjour Maëlle,\n\nVous êtes directrice industrielle {} chez Brévenne Textiles et saurez mieux que moi {}."
    useful, prize = "si cela vous concerne", "comment vous avez gagné le Prix Innovation Textile"
    assert report(role.format("adjointe", useful), dossier_id="W4-D1", language="fr").passes
    assert not report(role.format("adjointe", prize), dossier_id="W4-D1", language="fr").passes
