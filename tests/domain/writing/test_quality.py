"""Quality: each rule finds what it is for, names it, says what to do, and leaves honest text alone."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from messaging.writing.domain.quality import check_quality, near_duplicate, requests_in, similarity
from messaging.writing.domain.strategy import DEFAULT_BANDS, ChannelLimits, LengthBand, limits_of
from messaging.writing.languages.reader import available
from tests.domain.writing.material import GOLD

WIDE = LengthBand(0, 400)
PLAIN = "Hi Ana,\n\nI work at Kilnwatch. We offer a sensor for kilns. Would you be open to a short call?\n\nIda"


def found(body, *, subject="Kilns", channel="email", language="en", **options):
    values = {"band": WIDE, "limits": limits_of(channel=channel), **options}
    return check_quality(subject=subject, body=body, channel=channel, language=language, **values)


def rules(body, **options):
    return {finding.rule for finding in found(body, **options)}


def with_sentence(sentence):
    return PLAIN.replace("I work", f"{sentence} I work")


def test_a_plain_message_has_no_findings():
    assert found(PLAIN) == ()


ENGLISH = [
    ("I noticed you posted about heat.", "posted-about"),
    ("I saw that you recently shared a post on heat.", "posted-about"),
    ("I also think heat is important.", "posted-about"),
    ("I hope this email finds you well.", "over-formal"),
    ("We endeavour to facilitate it.", "over-formal"),
    ("I was truly impressed by it.", "superlative"),
    ("Your exceptional leadership shows.", "superlative"),
    ("I'm a huge fan of it.", "flattery"),
    ("Don't miss it.", "pressure"),
    ("I've tried to reach you.", "pressure"),
    ("We leverage synergies.", "jargon"),
    ("It is a game-changer.", "jargon"),
    ("It is risk-free.", "spam-words"),
    ("Hello {{first_name}}.", "template-smell"),
    ("Dear Sir or Madam.", "template-smell"),
    ("It helps companies like yours.", "template-smell"),
    ("See www.kilnwatch.example for it.", "link"),
    ("It glows 🔥.", "emoji"),
    ("Wow! Heat! Kilns!", "exclamation"),
    ("GREAT NEWS FOR KILNS today.", "capitals"),
    (" ".join(["heat"] * 45) + ".", "long-sentence"),
    ("May I show you an example?", "several-requests"),
    ("Why heat? Why now? Why you?", "questions"),
]


@pytest.mark.parametrize(("sentence", "rule"), ENGLISH)
def test_each_rule_finds_what_it_is_for(sentence, rule):
    findings = [finding for finding in found(with_sentence(sentence)) if finding.rule == rule]
    assert findings
    assert findings[0].reason
    assert findings[0].fix


QUOTED = ["“I was truly impressed.”", "“Don't miss it! Now! Really!”", "“We leverage synergies.”"]


@pytest.mark.parametrize("quotation", QUOTED)
def test_the_readers_own_words_in_quotation_marks_are_not_judged(quotation):
    assert found(with_sentence(f"You wrote on 2 November: {quotation}")) == ()


LENGTHS = [
    ("linkedin_connection", "x" * 201, {}, "hard-limit", "block"),
    ("linkedin_message", "word " * 130, {"band": LengthBand(60, 80)}, "too-long", "block"),
    ("linkedin_message", "word " * 90, {"band": LengthBand(60, 80)}, "too-long", "warn"),
    ("linkedin_message", "word " * 20, {"band": LengthBand(60, 80)}, "too-short", "warn"),
    ("inmail", "word", {"subject": ""}, "subject-missing", "block"),
    ("inmail", "word", {"subject": "x" * 201}, "subject-limit", "block"),
    ("email", "word", {"subject": "x" * 90}, "subject-long", "warn"),
    ("linkedin_message", "word", {"subject": "Hm"}, "subject-unused", "warn"),
    ("email", "No question here.", {}, "no-request", "block"),
]


@pytest.mark.parametrize(("channel", "body", "options", "rule", "level"), LENGTHS)
def test_lengths_and_limits_are_measured_per_channel(channel, body, options, rule, level):
    options = {"subject": "" if channel.startswith("linkedin") else "Kilns", **options}
    assert (rule, level) in {(finding.rule, finding.level) for finding in found(body, channel=channel, **options)}


def test_what_the_campaign_bars_blocks_whatever_its_case_and_accents():
    assert "must-not-say" in rules(PLAIN, must_not_say=("SHORT  Cäll",))
    assert "must-not-say" not in rules(PLAIN, must_not_say=("short calls", ""))


def test_the_campaigns_own_request_counts_as_one():
    body = "Hi Ana. We offer kilns. Is heat on your list for January?"
    assert requests_in(body=body, language="en", call_to_action="Is heat on your list for January?") == (
        "Is heat on your list for January?",
    )
    assert rules(body) == set()


def test_blocking_findings_come_first():
    findings = found(with_sentence("We leverage it. Don't miss it."))
    assert [finding.level for finding in findings] == ["block", "warn"]


def test_colleagues_never_get_the_same_text():
    finding = near_duplicate(body=PLAIN, others={"Bo Lund": PLAIN.replace("Ana", "Bo")})
    assert finding.rule == "near-duplicate"
    assert "Bo Lund" in finding.reason
    assert near_duplicate(body=PLAIN, others={"Bo Lund": "Something else entirely, about bricks and lime."}) is None
    assert near_duplicate(body=PLAIN, others={}) is None


def test_faithful_gold_messages_meet_few_blocking_rules():
    lines = (GOLD.parent / "messages.jsonl").read_text(encoding="utf-8").splitlines()
    faithful = [
        entry for entry in map(json.loads, lines) if entry["label"] == "faithful" and entry["language"] in available()
    ]
    style = {"posted-about", "superlative", "pressure", "spam-words", "template-smell"}
    hit = [
        entry["case_id"]
        for entry in faithful
        if style & rules(entry["body"], subject=entry["subject"], channel=entry["channel"], language=entry["language"])
    ]
    assert len(hit) <= len(faithful) * 0.03, hit


@settings(deadline=None)
@given(body=st.text(max_size=300), subject=st.text(max_size=80), channel=st.sampled_from(sorted(DEFAULT_BANDS)))
def test_any_text_can_be_judged(body, subject, channel):
    for language in ("en", "xx"):
        found(body, subject=subject, channel=channel, language=language, limits=ChannelLimits(50, 100))


@given(one=st.text(max_size=100), other=st.text(max_size=100))
def test_similarity_is_symmetric_and_bounded(one, other):
    assert similarity(one, other) == similarity(other, one)
    assert 0 <= similarity(one, other) <= 1
