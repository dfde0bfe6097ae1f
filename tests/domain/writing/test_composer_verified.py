"""Whatever the composer writes passes the verifier, with its own declarations and without any."""

from __future__ import annotations

import pytest

from messaging.verification.contract import CheckInput, MessageText
from messaging.verification.engine import verify
from prospects.domain.evidence import Kind
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
