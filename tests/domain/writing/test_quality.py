"""Quality: each rule finds what it is for, names it, says what to do, and leaves honest text alone."""

from __future__ import annotations

import json
import re
from collections import Counter
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from messaging.writing.domain.quality import Other, check_quality, for_team, near_duplicate, requests_in, similarity
from messaging.writing.domain.quality_catalogue import BY_ID, RULES, settled_levels
from messaging.writing.domain.quality_readability import readability
from messaging.writing.domain.quality_text import read_text
from messaging.writing.domain.strategy import DEFAULT_BANDS, ChannelLimits, LengthBand, limits_of
from messaging.writing.languages.reader import available, load
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
    same = Other("Bo Lund", PLAIN.replace("Ana", "Bo"), colleague=True)
    finding = near_duplicate(body=PLAIN, name="Ana Roe", others=[same])
    assert (finding.rule, finding.level) == ("near-duplicate", "block")
    assert "100%" in finding.reason
    assert "Bo Lund" in finding.reason
    elsewhere = Other("Bo Lund", "Something else entirely, about bricks and lime.", colleague=True)
    assert near_duplicate(body=PLAIN, name="Ana Roe", others=[elsewhere]) is None
    assert near_duplicate(body=PLAIN, name="Ana Roe", others=[]) is None


def test_strangers_are_warned_of_the_same_text_only_and_a_colleague_counts_first():
    half = Other(
        "Cy Dahl", PLAIN + "\n\nP.S. The kilns of Aalborg have been ours to look after since March.", colleague=True
    )
    stranger = Other("Bo Lund", PLAIN.replace("Ana", "Bo"))
    assert near_duplicate(body=PLAIN, name="Ana Roe", others=[stranger]).level == "warn"
    assert near_duplicate(body=PLAIN, name="Ana Roe", others=[replace(half, colleague=False)]) is None
    assert near_duplicate(body=PLAIN, name="Ana Roe", others=[stranger, half]).level == "block"


FAITHFUL = [
    entry
    for entry in map(json.loads, (GOLD.parent / "messages.jsonl").read_text(encoding="utf-8").splitlines())
    if entry["label"] == "faithful"
]
#: Share of honest messages that a rule may speak on. Length is left out: the messages have bands of their own.
MOST_FALSE_ALARMS = {"several-requests": 0.03, "no-request": 0.10, "long-sentence": 0.05}
LENGTHS_OF_THEIR_OWN = {"too-long", "too-short", "hard-limit"}


def test_honest_messages_meet_few_rules():
    met = Counter(
        rule
        for entry in FAITHFUL
        for rule in rules(
            entry["body"], subject=entry["subject"], channel=entry["channel"], language=entry["language"],
            limits=ChannelLimits(200 if entry["subject"] else 0, 20_000),
        )
    )  # fmt: skip
    shares = {rule: count / len(FAITHFUL) for rule, count in met.items() if rule not in LENGTHS_OF_THEIR_OWN}
    assert {rule: share for rule, share in shares.items() if share > MOST_FALSE_ALARMS.get(rule, 0.0)} == {}


def test_every_pattern_of_every_language_is_bounded():
    """So that no text, however hostile, takes more than its length times a constant."""
    for code in available():
        data = load(code).quality
        for source in [*data["requests"], *(pattern for rule in data["rules"] for pattern in rule["patterns"])]:
            assert not re.search(r"(?<!\\)[*+]|\{\d+,\}", source), (code, source)


def test_every_language_has_every_rule_of_words_with_the_level_of_the_catalogue():
    words = {rule.id for rule in RULES if rule.group == "Words"}
    for code in available():
        assert {rule["id"] for rule in load(code).quality["rules"]} == words
        assert {rule["id"]: rule["level"] for rule in load(code).quality["rules"]} == {
            key: BY_ID[key].level for key in words
        }


HOSTILE = [
    "call " * 20_000 + "?",
    "“" * 100_000,
    "{{" * 50_000,
    "AAAAA " * 16_000,
    "who " * 25_000,
    "!" * 100_000,
    "a. " * 33_000,
]


@pytest.mark.parametrize("text", HOSTILE, ids=[text[:6] for text in HOSTILE])
@pytest.mark.parametrize("language", available())
def test_hostile_text_of_a_hundred_kilobytes_marks_few_places(text, language):
    findings = found(text, language=language, must_not_say=("who who",))
    assert all(len(finding.spans) <= 8 for finding in findings)
    assert all(len(finding.reason) < 2_000 for finding in findings)


SUBJECTS = [("Re: kilns", "subject-thread"), ("FW: kilns", "subject-thread"), ("AW: Öfen", "subject-thread"), ("Rif: forni", "subject-thread"),
            ("Kilns", None), ("Reading heat", None), ("Retrofit: kilns", None), ("Res: kilns", "subject-thread")]  # fmt: skip


@pytest.mark.parametrize(("subject", "rule"), SUBJECTS)
def test_a_subject_does_not_pretend_to_be_an_answer(subject, rule):
    assert ({"subject-thread"} & rules(PLAIN, subject=subject)) == ({rule} if rule else set())


PLACEHOLDERS = [
    "{{first_name}}",
    "[Name]",
    "[Company Name]",
    "<Firma>",
    "%FIRST_NAME%",
    "${name}",
    "{first_name}",
    "{{",
    "<% name %>",
]


@pytest.mark.parametrize("field", PLACEHOLDERS)
def test_an_unfilled_field_always_blocks(field):
    finding = next(one for one in found(with_sentence(f"It is for {field}.")) if one.rule == "placeholder")
    assert (finding.level, BY_ID["placeholder"].fixed) == ("block", True)
    assert with_sentence(f"It is for {field}.")[finding.spans[0].start :].startswith(field[:2])


@pytest.mark.parametrize("text", ["up by 18% in May, 20% in June", "[sic]", "5 < 7 and 9 > 3", "a {small} set"])
def test_brackets_and_percentages_are_no_fields(text):
    assert "placeholder" not in rules(with_sentence(f"It is {text}."))


def test_findings_say_where():
    body = with_sentence("You wrote “we leverage heat”. We leverage kilns!! Really!")
    findings = {finding.rule: finding for finding in found(body, subject="RE: leverage")}
    places = [
        (span.field_name, ("RE: leverage" if span.field_name == "subject" else body)[span.start : span.end])
        for span in findings["jargon"].spans
    ]
    assert places == [("subject", "leverage"), ("body", "leverage")]
    assert [body[span.start : span.end] for span in findings["exclamation"].spans] == ["!", "!", "!"]


def test_references_are_held_against_the_strategys_depth():
    assert "depth" in rules(PLAIN, references=3, depth=2)
    assert "depth" not in rules(PLAIN, references=2, depth=2)
    assert "depth" not in rules(PLAIN, references=None, depth=2)
    assert "depth" not in rules(PLAIN, references=1, depth=0)


LEVELS = [
    ({"jargon": "block"}, False, "jargon", "block"),
    ({"superlative": "warn"}, False, "superlative", "warn"),
    ({}, True, "several-requests", "warn"),
    ({"several-requests": "block"}, True, "several-requests", "block"),
    ({}, False, "several-requests", "block"),
    ({"placeholder": "warn"}, True, "placeholder", "block"),
]


@pytest.mark.parametrize(("levels", "soften", "rule", "level"), LEVELS)
def test_a_team_sets_levels_but_not_those_of_fixed_rules(levels, soften, rule, level):
    body = with_sentence("I was truly impressed. We leverage it {{now}}. May I show you an example?")
    findings = for_team(found(body), levels=levels, soften=soften)
    assert {one.rule: one.level for one in findings}[rule] == level
    assert [one.level for one in findings] == sorted((one.level for one in findings), key=["block", "warn"].index)


def test_levels_are_read_strictly():
    assert settled_levels({"jargon": "block", "superlative": "block"}) == {"jargon": "block"}
    assert "no quality rule" in settled_levels({"nonsense": "block"})
    assert "always blocks" in settled_levels({"hard-limit": "warn"})
    assert "block or warn" in settled_levels({"jargon": "off"})


def test_hard_words_are_hard_to_read_in_every_language():
    easy = " ".join(["The cat sat on the mat and ate a red plum."] * 6)
    hard = " ".join(
        ["Institutionalised organisational transformation methodologies necessitate comprehensive considerations."] * 6
    )
    for code in available():
        plain, heavy = (
            readability(
                sentences=[one.words for one in read_text(subject="", body=text, language=code).sentences],
                language=code,
            )
            for text in (easy, hard)
        )
        assert heavy < load(code).quality["readability"] < plain, code
    assert readability(sentences=["too short"], language="en") is None
    assert readability(sentences=["word"] * 100, language="xx") is None


@settings(deadline=None)
@given(body=st.text(max_size=300), subject=st.text(max_size=80), channel=st.sampled_from(sorted(DEFAULT_BANDS)))
def test_any_text_can_be_judged(body, subject, channel):
    for language in ("en", "xx"):
        found(body, subject=subject, channel=channel, language=language, limits=ChannelLimits(50, 100))


@given(one=st.text(max_size=100), other=st.text(max_size=100))
def test_similarity_is_symmetric_and_bounded(one, other):
    assert similarity(one, other) == similarity(other, one)
    assert 0 <= similarity(one, other) <= 1
