"""Signature and address are printed unverified under every message: they hold no statement."""

import pytest

from outreach.campaigns.domain.letterhead import address_fault, signature_fault
from outreach.campaigns.domain.offer import Sender


def _fault(signature: str) -> str:
    return signature_fault(sender=Sender("Naledi Mokoena", "Founder & CEO", "Hearthdesk", signature))


@pytest.mark.parametrize("signature", [
    "", "Naledi", "Naledi Mokoena\nFounder & CEO, Hearthdesk", "Naledi Mokoena (she/her)\nTel. +27 21 555 01 23",
    "Dr. Naledi Mokoena\nnaledi@hearthdesk.example\nhttps://hearthdesk.example/demo\nlinkedin.com/in/naledi",
])  # fmt: skip
def test_who_writes_and_how_to_reach_them_may_stand_there(signature: str) -> None:
    assert _fault(signature) == ""


@pytest.mark.parametrize("signature", [
    "Naledi\nP.S. Congratulations on the Series A.", "Naledi\nTrusted by 500 companies", "Naledi\nYou won the lottery",
    "Naledi!", "Naledi, CTO of Google", "Naledi\n" * 7, "Naledi " * 40,
])  # fmt: skip
def test_a_statement_may_not(signature: str) -> None:
    assert _fault(signature)


def test_an_address_is_short_and_says_nothing() -> None:
    assert address_fault(text="Hearthdesk (Pty) Ltd.\n1 Main Road\nCape Town 8001") == ""
    assert address_fault(text="1 Main Road\nDid you win?")
