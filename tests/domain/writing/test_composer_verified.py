"""Whatever the composer writes passes the verifier, with its own declarations and without any."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from messaging.verification.contract import CheckInput, MessageText
from messaging.verification.engine import verify
from prospects.domain.evidence import Actor, Kind
from tests.domain.writing.material import (
    CHANNELS,
    COMPANY,
    NAME,
    POSITION,
    POST,
    a_dossier,
    composed,
    dossiers_in,
    evidence,
)

SEEDS = range(20)
ENGLISH = dossiers_in("en")


def findings(dossier, message, channel, language="en"):
    text = MessageText(subject=message.subject, body=message.body, language=language, channel=channel)
    reports = [verify(CheckInput(text, dossier, declared)) for declared in (message.declared, None)]
    assert not any(report.refused for report in reports)
    return [(claim.span, claim.reason) for report in reports for claim in report.findings]


@pytest.mark.parametrize("channel", CHANNELS)
@pytest.mark.parametrize("dossier_id", ENGLISH)
def test_gold_messages_pass_verification(dossier_id, channel):
    dossier = ENGLISH[dossier_id]
    for seed in SEEDS:
        assert findings(dossier, composed(dossier, channel, seed), channel) == []


@pytest.mark.parametrize("channel", CHANNELS)
@pytest.mark.parametrize("language", ["de", "nl"])
def test_every_sentence_offered_in_other_languages_passes(language, channel):
    for dossier in dossiers_in(language).values():
        for seed, formality in product(range(3), ("formal", "informal")):
            message = composed(dossier, channel, seed, language=language, formality=formality, accepts=bool)
            assert findings(dossier, message, channel, language) == []


THIN = {
    "only a name": a_dossier(NAME),
    "a name and a company": a_dossier(NAME, COMPANY),
    "a role without a start": a_dossier(
        NAME, COMPANY, evidence("positions[0]", Kind.POSITION, "x", title="Buyer", company="Claywork")
    ),
    "an undated post": a_dossier(NAME, evidence("post1", Kind.POST, POST.text)),
    "everything": a_dossier(NAME, COMPANY, POSITION, POST),
}


@pytest.mark.parametrize("channel", CHANNELS)
@pytest.mark.parametrize("dossier", THIN.values(), ids=THIN.keys())
def test_thin_evidence_gives_a_verified_message_too(dossier, channel):
    for seed in range(3):
        assert findings(dossier, composed(dossier, channel, seed), channel) == []


anything = st.text(alphabet=st.characters(blacklist_categories=("Cs",)), max_size=120)


@settings(max_examples=40, deadline=None)
@given(name=anything, title=anything, text=anything, offer=anything, channel=st.sampled_from(CHANNELS))
def test_whatever_stands_in_the_evidence_what_is_written_passes(name, title, text, offer, channel):
    dossier = a_dossier(
        evidence("full_name", Kind.NAME, name, full_name=name),
        COMPANY,
        evidence("positions[0]", Kind.POSITION, title, on="2024-05", title=title, company="Claywork"),
        evidence("post1", Kind.POST, f"{text} We lost forty bricks in the kiln and {text} too.", on="2026-11-02"),
        evidence("facts[1]", Kind.PROOF_POINT, offer, actor=Actor.SENDER),
    )
    assert findings(dossier, composed(dossier, channel), channel) == []
