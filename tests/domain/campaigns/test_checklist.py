"""What a campaign lacks: a whole one lacks nothing, and each thing taken away is told with its place."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from typing import Any

import pytest

from outreach.campaigns.domain.checklist import Beyond, Facts, checklist, missing
from outreach.campaigns.domain.offer import CampaignOffer, ProofPoint, Sender
from outreach.campaigns.domain.sequence import Step

TODAY = date(2026, 12, 1)
POINT = ProofPoint("free", "The first year is free.", "Price list", "2026-09")
OFFER = CampaignOffer(
    slug="spring", name="Spring", purpose="Support tooling", offer="A shared inbox.", value_proposition="",
    call_to_action="Worth a look?", must_not_say=(), channel="linkedin_connection", languages=("en",),
    sender=Sender("Naledi Mokoena"), proof_points=(POINT,),
)  # fmt: skip
WHOLE = Facts(
    offer=OFFER, no_proof_needed=False, steps=(Step(1, "linkedin_connection"), Step(2, "email", 3)),
    accounts={"smtp": True, "linkedin": True}, postal_address="1 Main Road", ends_on=None, today=TODAY,
    beyond=Beyond(people=5, audience=True, strategies=4),
)  # fmt: skip


def lacks(facts: Facts) -> list[tuple[str, str]]:
    return [(point.key, point.page) for point in missing(checklist(facts=facts))]


def test_a_whole_campaign_lacks_nothing() -> None:
    assert lacks(WHOLE) == []


@pytest.mark.parametrize(
    ("changes", "lacking"),
    [
        ({"purpose": " "}, ("purpose", "offer")),
        ({"offer": ""}, ("offer", "offer")),
        ({"call_to_action": ""}, ("question", "offer")),
        ({"sender": Sender("")}, ("sender", "sending")),
        ({"proof_points": ()}, ("proof", "proof")),
        ({"proof_points": (replace(POINT, approved=False),)}, ("proof", "proof")),
        ({"proof_points": (replace(POINT, expires_on=TODAY),)}, ("proof", "proof")),
    ],
)
def test_of_the_offer(changes: dict[str, Any], lacking: tuple[str, str]) -> None:
    assert lacks(replace(WHOLE, offer=replace(OFFER, **changes))) == [lacking]


@pytest.mark.parametrize(
    ("changes", "lacking"),
    [
        ({"accounts": {"linkedin": True}}, ("account-2", "sending")),
        ({"accounts": {"smtp": True}}, ("account-1", "sending")),
        ({"accounts": {"smtp": False, "linkedin": True}}, ("account-2", "accounts")),
        ({"postal_address": ""}, ("address", "privacy")),
        ({"ends_on": date(2026, 11, 30)}, ("dates", "sending")),
        ({"beyond": Beyond(people=0, strategies=1)}, ("audience", "audience")),
        ({"beyond": Beyond(people=0, audience=True, strategies=1)}, ("audience", "audience")),
        ({"beyond": Beyond(people=1, strategies=0)}, ("strategies", "strategies")),
        ({"beyond": Beyond(people=1, strategies=1, unwritten=("pl",))}, ("languages", "offer")),
    ],
)
def test_of_what_surrounds_it(changes: dict[str, Any], lacking: tuple[str, str]) -> None:
    assert lacks(replace(WHOLE, **changes)) == [lacking]


def test_none_needed_is_an_answer_where_there_is_none() -> None:
    assert lacks(replace(WHOLE, no_proof_needed=True, offer=replace(OFFER, proof_points=()))) == []
    expired = (replace(POINT, expires_on=TODAY),)
    assert lacks(replace(WHOLE, no_proof_needed=True, offer=replace(OFFER, proof_points=expired))) == [
        ("proof", "proof")
    ]


def test_without_mail_no_postal_address_is_asked_for() -> None:
    assert lacks(replace(WHOLE, postal_address="", steps=(Step(1, "inmail"),))) == []
