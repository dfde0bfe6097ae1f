"""What makes a message odd, long, pushy or mechanical: findings with a reason, a fix and the place.

Quality never decides about truth, and a clean finding list verifies nothing. Every rule is linear in the length of
the text: patterns are bounded (a test reads them), and a sentence is looked at from its end only so far.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from messaging.hooks.domain.relevance import folded
from messaging.writing.domain.quality_alike import Other, shingles, similarity, too_alike
from messaging.writing.domain.quality_catalogue import BLOCK, BY_ID, SOFT_RULES, WARN, level_of
from messaging.writing.domain.quality_readability import readability
from messaging.writing.domain.quality_text import ReadText, Sentence, Span, read_text
from messaging.writing.domain.strategy import ChannelLimits, LengthBand

__all__ = [
    "BLOCK",
    "LONGEST_SUBJECT",
    "SOFT_RULES",
    "WARN",
    "Other",
    "QualityFinding",
    "check_quality",
    "for_team",
    "near_duplicate",
    "requests_in",
    "shingles",
    "similarity",
]

NOTE = "linkedin_connection"
MOST_QUESTIONS = 2
LONGEST_SENTENCE_WORDS = 38
LONGEST_SUBJECT = 70
#: How far past the band a text may be before the finding blocks.
TOLERATED_EXCESS = 1.5

_LINK = re.compile(r"https?://|www\.|\b[\w-]{1,63}\.(?:com|io|net|org|ai|co|eu|de|fr)\b(?!@)", re.IGNORECASE)
_EMOJI = re.compile(r"[\U0001F000-\U0001FAFF\u2600-\u27BF\ufe0f]")
_SHOUTED = re.compile(
    r"\b[A-ZÀ-Þ]{5,40}\b(?:\s{1,9}[A-ZÀ-Þ]{2,40}\b){0,20}|\b[A-ZÀ-Þ]{2,40}(?:\s{1,9}[A-ZÀ-Þ]{2,40}\b){2,20}"
)
_THREAD = re.compile(r"^\s{0,9}(?:re|fwd?|aw|wg|antw|tr|rv|res|enc|rif|i|doorst)\s{0,3}:", re.IGNORECASE)
_PLACEHOLDER = re.compile(
    r"\{\{[^{}\n]{0,60}\}\}|\{%[^{}\n]{0,60}%\}|<%[^<>\n]{0,60}%>|%%?[A-Z_]{3,40}%%?|\$\{[^{}\n]{0,60}\}"
    r"|[\[{<][A-ZÀ-Þ][\w’' -]{1,40}[\]}>]|[\[{<][a-z]{2,20}_[a-z_]{2,30}[\]}>]|\{\{|\}\}"
)


@dataclass(frozen=True, slots=True)
class QualityFinding:
    """rule    id of the rule
    level   "block" or "warn", as it counts for the team
    reason  one sentence: what a reader would mind, with the words found
    fix     what to do
    spans   where it is, as far as it is somewhere
    usual   the level before the team's settings
    """

    rule: str
    level: str
    reason: str
    fix: str
    spans: tuple[Span, ...] = ()
    usual: str = ""


def _found(rule: str, reason: str, fix: str, spans: Iterable[Span] = (), level: str = "") -> QualityFinding:
    usual = level or BY_ID[rule].level
    return QualityFinding(rule, usual, reason, fix, tuple(spans), usual)


@lru_cache(maxsize=2_000)
def _pattern(source: str) -> re.Pattern[str]:
    return re.compile(source, re.IGNORECASE)


def _subject(text: ReadText, limits: ChannelLimits) -> Iterable[QualityFinding]:
    size, whole = len(text.subject), [Span("subject", 0, len(text.subject))]
    if limits.subject and size > limits.subject:
        reason = f"The subject has {size} characters; the channel takes {limits.subject}."
        yield _found("subject-limit", reason, "Shorten the subject.", whole)
    elif size > LONGEST_SUBJECT:
        reason = f"The subject has {size} characters; most inboxes cut it at about 60."
        yield _found("subject-long", reason, "Say it in five words.", whole)
    if limits.subject and not text.subject.strip():
        yield _found("subject-missing", "This channel needs a subject.", "Add one of a few words.")
    if not limits.subject and text.subject.strip():
        yield _found("subject-unused", "This channel shows no subject.", "Leave the subject empty.", whole)
    thread = _THREAD.match(text.subject)
    if thread:
        reason = f"The subject begins with “{thread.group().strip()}” as if they had written before."
        yield _found("subject-thread", reason, "Name the subject itself.", [Span("subject", 0, thread.end())])


def _length(text: ReadText, band: LengthBand, limits: ChannelLimits) -> Iterable[QualityFinding]:
    size = len(text.body)
    if limits.body and size > limits.body:
        yield _found(
            "hard-limit",
            f"{size:,} characters; the channel takes {limits.body:,}.",
            f"Cut {size - limits.body:,} characters.",
            [Span("body", limits.body, size)],
        )
    size = band.measure(text.body)
    told = f"{size} {band.unit}; the strategy asks for {band.least} to {band.most}."
    if size > band.most:
        level = BLOCK if size > band.most * TOLERATED_EXCESS else WARN
        yield _found("too-long", told, "Keep the one reference that matters and the request.", level=level)
    elif size < band.least:
        yield _found("too-short", told, "Add a specific reference or a proof point, if there is one.")


def _is_request(sentence: str, patterns: Sequence[str]) -> bool:
    return any(_pattern(pattern).search(sentence) for pattern in patterns)


def requests_in(*, body: str, language: str, call_to_action: str = "") -> tuple[str, ...]:
    """The sentences that ask for something. Without a listed form, the last question counts as the request."""
    return tuple(one.words for one in _asking(read_text(subject="", body=body, language=language), call_to_action))


def _asking(text: ReadText, call_to_action: str) -> tuple[Sentence, ...]:
    wanted = folded(call_to_action).strip()
    patterns = text.rules.get("requests", ())
    found = tuple(
        sentence
        for sentence in text.sentences
        if _is_request(sentence.tail, patterns) or (wanted and folded(sentence.tail).strip() in wanted)
    )
    questions = [sentence for sentence in text.sentences if sentence.words.endswith("?")]
    return found or tuple(questions[-1:])


def _requests(text: ReadText, call_to_action: str, channel: str) -> Iterable[QualityFinding]:
    found = _asking(text, call_to_action)
    # A connection note comes with the button that asks: the invitation itself is the request.
    if not found and channel != NOTE:
        yield _found("no-request", "The message asks for nothing.", "End with one clear request or question.")
    elif len(found) > 1:
        named = " / ".join(one.tail for one in found[:4])
        yield _found(
            "several-requests", f"It asks for {len(found)} things: {named}", "Keep one of them.",
            [one.span for one in found[:8]],
        )  # fmt: skip
    asked = [sentence for sentence in text.sentences if sentence.words.endswith("?")]
    if len(asked) > MOST_QUESTIONS:
        yield _found(
            "questions", f"{len(asked)} questions in one message.", f"Keep at most {MOST_QUESTIONS}.",
            [one.span for one in asked[:8]],
        )  # fmt: skip


def _marks(text: ReadText, most_emoji: int) -> Iterable[QualityFinding]:
    whole = text.whole
    links = text.spans(_LINK.finditer(whole))
    if links:
        reason = "A link in a first message costs trust and deliverability."
        yield _found("link", reason, "Offer to send it instead.", links)
    emoji = len(_EMOJI.findall(whole))
    if emoji > most_emoji:
        spans = text.spans(_EMOJI.finditer(whole))
        yield _found("emoji", f"{emoji} emoji.", "Leave them out unless the reader uses them.", spans)
    marks = whole.count("!")
    if marks > 1:
        spans, level = text.spans(re.finditer("!", whole)), BLOCK if marks > 3 else WARN
        yield _found("exclamation", f"{marks} exclamation marks.", "Use full stops.", spans, level)
    shouted = [match for match in _SHOUTED.finditer(whole) if len(match.group()) > 12]
    if shouted and (text.unquoted != text.unquoted.upper() or text.subject in shouted[0].group()):
        reason = f"Words in capitals: {shouted[0].group()}."
        yield _found("capitals", reason, "Use small letters.", text.spans(shouted))


def _reading(text: ReadText) -> Iterable[QualityFinding]:
    sizes = [len(sentence.words.split()) for sentence in text.sentences]
    longest = max(sizes, default=0)
    if longest > LONGEST_SENTENCE_WORDS:
        where = [one.span for one, size in zip(text.sentences, sizes, strict=True) if size > LONGEST_SENTENCE_WORDS]
        yield _found("long-sentence", f"A sentence of {longest} words.", "Make two sentences of it.", where[:8])
    score = readability(sentences=[one.words for one in text.sentences], language=text.code)
    least = text.rules.get("readability")
    if score is not None and least is not None and score < least:
        reason = f"Hard to read: {score:.0f}, where this language should have at least {least:.0f}."
        yield _found("readability", reason, "Shorter sentences and shorter words.")


def _listed(text: ReadText) -> Iterable[QualityFinding]:
    """The language's own rules; quotations are the reader's words and are not judged."""
    whole = text.whole
    for rule in text.rules.get("rules", ()):
        matches = [match for source in rule["patterns"] for match in _pattern(source).finditer(whole)]
        if matches:
            reason = f"{rule['reason']} Found: “{matches[0].group()}”."
            yield _found(rule["id"], reason, rule["fix"], text.spans(matches), rule["level"])
    unfilled = list(_PLACEHOLDER.finditer(whole))
    if unfilled:
        reason = f"A field was left unfilled: “{unfilled[0].group()}”."
        yield _found("placeholder", reason, "Fill it, or write the sentence for this person.", text.spans(unfilled))


def _must_not_say(text: ReadText, phrases: Iterable[str]) -> Iterable[QualityFinding]:
    whole = " ".join(folded(f"{text.subject} {text.body}").split())
    for phrase in phrases:
        plain = " ".join(folded(phrase).split())
        if plain and re.search(rf"(?<!\w){re.escape(plain)}(?!\w)", whole):
            spans = text.spans(re.finditer(re.escape(phrase.strip()), f"{text.subject}\n{text.body}", re.IGNORECASE))
            yield _found("must-not-say", f"The campaign bars “{phrase.strip()}”.", "Say it otherwise.", spans)


def _depth(references: int | None, depth: int | None) -> Iterable[QualityFinding]:
    if references is not None and depth is not None and references > max(depth, 1):
        reason = f"{references} specific references; the strategy asks for {depth}. One or two do better than more."
        yield _found("depth", reason, "Keep the one that matters most.")


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
    references: int | None = None,
    depth: int | None = None,
) -> tuple[QualityFinding, ...]:
    """Every finding, blocking ones first. A language without rules is checked for everything but its words.

    channel         a connection note is not asked for a subject, whatever the limits say
    call_to_action  the campaign's own request, so that it is known as one
    most_emoji      0 unless the reader uses emoji themselves
    references      specific references of the text, against the strategy's depth; None: not known
    """
    text = read_text(subject=subject, body=body, language=language)
    hard = limits if channel != NOTE else replace(limits, subject=0)
    findings = [
        *_length(text, band, hard),
        *_subject(text, hard),
        *_requests(text, call_to_action, channel),
        *_depth(references, depth),
        *_marks(text, most_emoji),
        *_reading(text),
        *_listed(text),
        *_must_not_say(text, must_not_say),
    ]
    return graver_first(findings)


def graver_first(findings: Iterable[QualityFinding]) -> tuple[QualityFinding, ...]:
    """What blocks, then what warns, each in the order given."""
    return tuple(sorted(findings, key=lambda finding: finding.level != BLOCK))


def for_team(
    findings: Iterable[QualityFinding], *, levels: Mapping[str, str], soften: bool
) -> tuple[QualityFinding, ...]:
    """The same findings with the levels of a team. levels: rule id to "block" or "warn", where it differs."""
    return graver_first(
        replace(one, level=level_of(rule_id=one.rule, usual=one.usual or one.level, levels=levels, soften=soften))
        for one in findings
    )


def near_duplicate(*, body: str, name: str, others: Sequence[Other]) -> QualityFinding | None:
    """The finding that another text of the campaign says nearly the same; that to a colleague blocks.

    name: of this text's own reader
    """
    alike = too_alike(body=body, name=name, others=others)
    if alike is None:
        return None
    whom = f"{alike.other.name}, a colleague" if alike.other.colleague else alike.other.name
    return _found(
        "near-duplicate",
        f"{alike.share:.0%} the same as the message to {whom}.",
        "Write it from something only this person has.",
        level=BLOCK if alike.other.colleague else WARN,
    )
