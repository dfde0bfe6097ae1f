"""Text from another prospect's record never appears: their names are looked for in every sentence."""

from __future__ import annotations

from dataclasses import replace

import pytest

from messaging.verification.contract import CheckedClaim, CheckInput, MessageText, OtherPeople, Verdict
from messaging.verification.engine import verify

from .cases import dossier


def strangers(body: str, *names: str, subject: str = "") -> list[CheckedClaim]:
    others = OtherPeople(frozenset(names))
    report = verify(CheckInput(MessageText(subject, body, "en", "email"), dossier(), others=others))
    return [claim for claim in report.claims if "another prospect's record" in claim.reason]


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("Marta Villalobos", "I wrote the same to Marta Villalobos."),
        ("Marta Villalobos", "Marta Villalobos is a Quality Manager."),
        ("Zoë d'Angelo-Smith", "You know Zoe\u0308 D’Angelo\u2010Smith, I think."),
        ("J. R. Okafor", "I have asked J.R. Okafor too."),
        ("Ines de la Cruz", "I asked Ines de la Cruz."),
    ],
)
def test_another_prospects_name_blocks(name: str, sentence: str) -> None:
    found = strangers(f"Hi Sian,\n\n{sentence}", name, "Bo Lund")
    assert [claim.verdict for claim in found] == [Verdict.CONTRADICTED]
    assert found[0].span.split()[-1].strip(".,") in sentence


def test_a_name_in_the_subject_blocks_too() -> None:
    assert strangers("Hi Sian,", "Marta Villalobos", subject="For Marta Villalobos")[0].field_name == "subject"


@pytest.mark.parametrize("name", ["Will", "May", "Mark Down", "", " ", "-"])
def test_words_that_are_no_full_name_block_nothing(name: str) -> None:
    assert strangers("Hi Sian,\n\nWill you mark down a day in May?", name) == []


def test_whoever_the_dossier_itself_names_is_no_stranger() -> None:
    known = dossier().items[0].get("full_name")
    assert known
    assert strangers(f"Hi {known},\n\nI wrote to {known}.", known) == []
    named = replace(dossier(), items=tuple(
        replace(item, text=f"{item.text} Thanks to Marta Villalobos.") if item.ref == "post1" else item
        for item in dossier().items
    ))  # fmt: skip
    message = MessageText("", "Hi Sian,\n\nYou thanked Marta Villalobos.", "en", "email")
    report = verify(CheckInput(message, named, others=OtherPeople(frozenset({"Marta Villalobos"}))))
    assert not any("another prospect's record" in claim.reason for claim in report.claims)
