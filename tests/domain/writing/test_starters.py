"""Shipped examples are true of their own dossier: an example that lies would teach lying."""

from __future__ import annotations

import pytest

from messaging.verification.contract import CheckInput, MessageText
from messaging.verification.engine import verify
from messaging.writing.domain.quality import check_quality
from messaging.writing.domain.strategy import CHANNELS, DEFAULT_BANDS, limits_of
from messaging.writing.domain.window import shipped_examples
from messaging.writing.languages.reader import available, starters
from prospects.domain.dossier_json import read_dossier

SHIPPED = [pytest.param(code, one, id=f"{code}-{one.channel}") for code in available() for one in starters(code)[0]]


@pytest.mark.parametrize(("code", "starter"), SHIPPED)
def test_a_starter_is_verified_and_clean(code, starter):
    dossier = read_dossier(starters(code)[1])
    text = MessageText(starter.subject, starter.body, code, starter.channel)
    assert verify(CheckInput(text, dossier)).findings == ()
    assert (
        check_quality(
            subject=starter.subject,
            body=starter.body,
            channel=starter.channel,
            language=code,
            band=DEFAULT_BANDS[starter.channel],
            limits=limits_of(channel=starter.channel),
        )
        == ()
    )


@pytest.mark.parametrize("language", ["en-GB", "de", "fr-CA", "es", "it", "nl", "pt-BR"])
@pytest.mark.parametrize("channel", CHANNELS)
def test_every_language_starts_with_an_example_for_every_channel(channel, language):
    assert shipped_examples(language=language, channel=channel)


def test_a_language_that_is_not_shipped_starts_without_one():
    assert {len(starters(code)[0]) for code in available()} == {len(CHANNELS)}
    assert shipped_examples(language="xx", channel="email") == ()
