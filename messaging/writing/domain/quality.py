"""What makes a message odd, long, pushy or mechanical: findings with a reason and a fix.

Quality never decides about truth, and a clean finding list verifies nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

from messaging.hooks.domain.relevance import folded
from messaging.writing.domain.strategy import ChannelLimits, LengthBand
from messaging.writing.languages.reader import load, resolve

BLOCK, WARN = "block", "warn"
NOTE = "linkedin_connection"
MOST_QUESTIONS = 2
LONGEST_SENTENCE_WORDS = 38
LONGEST_SUBJECT = 70
SHINGLE_WORDS = 4
#: Shared shingles (Jaccard) from which two messages read as the same one.
NEAR_DUPLICATE = 0.45
#: How far past the band a text may be before the finding blocks.
TOLERATED_EXCESS = 1.5

_QUOTED = re.compile(r"[“„«][^“”„«»]{0,600}[”“»]|\"[^\"\n]{0,600}\"")
_SENTENCE = re.compile(r"[^.!?…\n]+(?:[.!?…](?=\w)[^.!?…\n]*)*[.!?…]*")
_LINK = re.compile(r"https?://|www\.|\b[\w-]+\.(?:com|io|net|org|ai|co|eu|de|fr)\b(?!@)", re.IGNORECASE)
_EMOJI = re.compile(r"[\U0001F000-\U0001FAFF\u2600-\u27BF\ufe0f]")
_SHOUTED = re.compile(r"\b[A-ZÀ-Þ]{5,}\b(?:\s+[A-ZÀ-Þ]{2,}\b)*|\b[A-ZÀ-Þ]{2,}(?:\s+[A-ZÀ-Þ]{2,}\b){2,}")
_WORD = re.compile(r"\w+")


@dataclass(frozen=True, slots=True)
class QualityFinding:
    """rule    id of the rule
    level   "block" or "warn"
    reason  one sentence: what a reader would mind, with the words found
    fix     what to do
    """

    rule: str
    level: str
    reason: str
    fix: str


@dataclass(frozen=True, slots=True)
class _Text:
    """The message as the rules look at it."""

    subject: str
    body: str
    unquoted: str
    sentences: tuple[str, ...]
    rules: Mapping[str, Any]


def _read(subject: str, body: str, language: str) -> _Text:
    code = resolve(language)
    unquoted = _QUOTED.sub(" … ", body)
    sentences = tuple(match.group().strip() for match in _SENTENCE.finditer(unquoted) if match.group().strip())
    return _Text(subject, body, unquoted, sentences, load(code).quality if code else {})


@lru_cache(maxsize=2_000)
def _pattern(source: str) -> re.Pattern[str]:
    return re.compile(source, re.IGNORECASE)


def _length(text: _Text, band: LengthBand, limits: ChannelLimits) -> Iterable[QualityFinding]:
    if limits.body and len(text.body) > limits.body:
        yield QualityFinding(
            "hard-limit",
            BLOCK,
            f"{len(text.body):,} characters; the channel takes {limits.body:,}.",
            f"Cut {len(text.body) - limits.body:,} characters.",
        )
    if limits.subject and len(text.subject) > limits.subject:
        yield QualityFinding(
            "subject-limit",
            BLOCK,
            f"The subject has {len(text.subject)} characters; the channel takes {limits.subject}.",
            "Shorten the subject.",
        )
    elif len(text.subject) > LONGEST_SUBJECT:
        yield QualityFinding(
            "subject-long",
            WARN,
            f"The subject has {len(text.subject)} characters; most inboxes cut it at about 60.",
            "Say it in five words.",
        )
    if limits.subject and not text.subject.strip():
        yield QualityFinding("subject-missing", BLOCK, "This channel needs a subject.", "Add one of a few words.")
    if not limits.subject and text.subject.strip():
        yield QualityFinding("subject-unused", WARN, "This channel shows no subject.", "Leave the subject empty.")
    size = band.measure(text.body)
    if size > band.most:
        level = BLOCK if size > band.most * TOLERATED_EXCESS else WARN
        yield QualityFinding(
            "too-long",
            level,
            f"{size} {band.unit}; the strategy asks for {band.least} to {band.most}.",
            "Keep the one reference that matters and the request.",
        )
    elif size < band.least:
        yield QualityFinding(
            "too-short",
            WARN,
            f"{size} {band.unit}; the strategy asks for {band.least} to {band.most}.",
            "Add a specific reference or a proof point, if there is one.",
        )


def _is_request(sentence: str, patterns: Sequence[str]) -> bool:
    return any(_pattern(pattern).search(sentence) for pattern in patterns)


def requests_in(*, body: str, language: str, call_to_action: str = "") -> tuple[str, ...]:
    """The sentences that ask for something. Without a listed form, the last question counts as the request."""
    text = _read("", body, language)
    wanted = folded(call_to_action).strip()
    patterns = text.rules.get("requests", ())
    found = tuple(
        sentence
        for sentence in text.sentences
        if _is_request(sentence, patterns) or (wanted and folded(sentence).strip() in wanted)
    )
    questions = [sentence for sentence in text.sentences if sentence.endswith("?")]
    return found or tuple(questions[-1:])


def _requests(text: _Text, language: str, call_to_action: str) -> Iterable[QualityFinding]:
    found = requests_in(body=text.body, language=language, call_to_action=call_to_action)
    if not found:
        yield QualityFinding(
            "no-request", BLOCK, "The message asks for nothing.", "End with one clear request or question."
        )
    elif len(found) > 1:
        yield QualityFinding(
            "several-requests", BLOCK, f"It asks for {len(found)} things: " + " / ".join(found), "Keep one of them."
        )
    questions = sum(sentence.endswith("?") for sentence in text.sentences)
    if questions > MOST_QUESTIONS:
        yield QualityFinding(
            "questions", WARN, f"{questions} questions in one message.", f"Keep at most {MOST_QUESTIONS}."
        )


def _marks(text: _Text, most_emoji: int) -> Iterable[QualityFinding]:
    whole = f"{text.subject}\n{text.unquoted}"
    if _LINK.search(whole):
        yield QualityFinding(
            "link", WARN, "A link in a first message costs trust and deliverability.", "Offer to send it instead."
        )
    emoji = len(_EMOJI.findall(whole))
    if emoji > most_emoji:
        yield QualityFinding("emoji", WARN, f"{emoji} emoji.", "Leave them out unless the reader uses them.")
    marks = whole.count("!")
    if marks > 1:
        yield QualityFinding(
            "exclamation", BLOCK if marks > 3 else WARN, f"{marks} exclamation marks.", "Use full stops."
        )
    shouted = _SHOUTED.search(text.unquoted if text.unquoted != text.unquoted.upper() else "")
    if shouted and len(shouted.group()) > 12:
        yield QualityFinding("capitals", WARN, f"Words in capitals: {shouted.group()}.", "Use small letters.")
    longest = max(text.sentences, key=lambda sentence: len(sentence.split()), default="")
    if len(longest.split()) > LONGEST_SENTENCE_WORDS:
        yield QualityFinding(
            "long-sentence", WARN, f"A sentence of {len(longest.split())} words.", "Make two sentences of it."
        )


def _listed(text: _Text) -> Iterable[QualityFinding]:
    """The language's own rules; quotations are the reader's words and are not judged."""
    whole = f"{text.subject}\n{text.unquoted}"
    for rule in text.rules.get("rules", ()):
        for source in rule["patterns"]:
            match = _pattern(source).search(whole)
            if match:
                yield QualityFinding(
                    rule["id"], rule["level"], f"{rule['reason']} Found: “{match.group()}”.", rule["fix"]
                )
                break


def _must_not_say(text: _Text, phrases: Iterable[str]) -> Iterable[QualityFinding]:
    whole = " ".join(folded(f"{text.subject} {text.body}").split())
    for phrase in phrases:
        plain = " ".join(folded(phrase).split())
        if plain and re.search(rf"(?<!\w){re.escape(plain)}(?!\w)", whole):
            yield QualityFinding("must-not-say", BLOCK, f"The campaign bars “{phrase.strip()}”.", "Say it otherwise.")


def check_quality(
    *,
    subject: str,
    body: str,
    channel: str,
    language: str,
    band: LengthBand,
    limits: ChannelLimits,
    must_not_say: Iterable[str] = (),
    call_to_action: str = "",
    most_emoji: int = 0,
) -> tuple[QualityFinding, ...]:
    """Every finding, blocking ones first. A language without rules is checked for everything but its words.

    channel         a connection note is not asked for a subject, whatever the limits say
    call_to_action  the campaign's own request, so that it is known as one
    most_emoji      0 unless the reader uses emoji themselves
    """
    text = _read(subject, body, language)
    findings = [
        *_length(text, band, limits if channel != NOTE else replace(limits, subject=0)),
        *_requests(text, language, call_to_action),
        *_marks(text, most_emoji),
        *_listed(text),
        *_must_not_say(text, must_not_say),
    ]
    return tuple(sorted(findings, key=lambda finding: finding.level != BLOCK))


def shingles(text: str) -> frozenset[tuple[str, ...]]:
    """Runs of four folded words; of a shorter text the whole."""
    words = _WORD.findall(folded(text))
    runs = {tuple(words[at : at + SHINGLE_WORDS]) for at in range(len(words) - SHINGLE_WORDS + 1)}
    return frozenset(runs or ({tuple(words)} if words else set()))


def similarity(one: str, other: str) -> float:
    """Share of common shingles, 0 to 1."""
    a, b = shingles(one), shingles(other)
    return len(a & b) / len(a | b) if a and b else 0.0


def near_duplicate(*, body: str, others: Mapping[str, str], threshold: float = NEAR_DUPLICATE) -> QualityFinding | None:
    """The finding that another text of the batch says nearly the same; others: text by the name people know it by."""
    nearest = max(others, key=lambda name: similarity(body, others[name]), default=None)
    if nearest is None or similarity(body, others[nearest]) < threshold:
        return None
    share = similarity(body, others[nearest])
    return QualityFinding(
        "near-duplicate",
        BLOCK,
        f"{share:.0%} the same as the message to {nearest}.",
        "Write it from something only this person has.",
    )
