"""The rules of words in all seven languages: each finds what it is for, and leaves honest sentences alone."""

from __future__ import annotations

import pytest

from messaging.writing.domain.quality import check_quality
from messaging.writing.domain.strategy import LengthBand, limits_of
from messaging.writing.languages.reader import available
from tests.domain.writing.quality_cases import CASES

HITS = [(code, rule, text) for code, rules in CASES.items() for rule, (hits, _) in rules.items() for text in hits]
HONEST = [(code, rule, text) for code, rules in CASES.items() for rule, (_, honest) in rules.items() for text in honest]


def met(text, language):
    findings = check_quality(
        subject="Kilns", body=text, channel="email", language=language, band=LengthBand(0, 400), limits=limits_of(channel="email")
    )  # fmt: skip
    return {finding.rule: finding for finding in findings}


@pytest.mark.parametrize(("language", "rule", "text"), HITS)
def test_the_rule_finds_what_it_is_for_and_says_where(language, rule, text):
    finding = met(text, language)[rule]
    assert finding.reason
    assert finding.fix
    assert all(span.field_name == "body" and 0 <= span.start < span.end <= len(text) for span in finding.spans)
    assert finding.spans


@pytest.mark.parametrize(("language", "rule", "text"), HONEST)
def test_the_rule_leaves_honest_sentences_alone(language, rule, text):
    assert rule not in met(text, language)


def test_every_language_has_every_rule_in_the_table():
    assert set(CASES) == set(available())
    assert len({frozenset(rules) for rules in CASES.values()}) == 1
