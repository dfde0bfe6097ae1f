"""Quotes: words in quotation marks are an exact substring of something the prospect wrote."""

from __future__ import annotations

import re
from collections.abc import Sequence

from messaging.verification.contract import ClaimType, Verdict
from messaging.verification.facts import Fact
from messaging.verification.folding import fold
from messaging.verification.naming import named, opening
from messaging.verification.rules.base import Draft, Situation, refs
from messaging.verification.rules.meant import meant
from messaging.verification.statements import FactSentence
from messaging.verification.tokens import Token
from prospects.domain.evidence import OWN_WORDS, Kind

_NAMED_THINGS = frozenset(
    {
        Kind.TALK,
        Kind.AWARD,
        Kind.PUBLICATION,
        Kind.PROJECT,
        Kind.CERTIFICATION,
        Kind.COMPANY_NEWS,
        Kind.PROOF_POINT,
        Kind.OFFER,
    }
)
#: So many words around a quotation say whose it is.
_BESIDE = 7
_NOT_THEIRS = frozenset({Kind.COMPANY_NEWS, Kind.PROOF_POINT, Kind.OFFER})
_BLANKS = re.compile(r"[^\w%$€£]+")


def check(situation: Situation) -> list[Draft]:
    """One draft for each quotation; marks its tokens so that no other rule reads them."""
    drafts = [draft for first, last in _quotations(situation) if (draft := _check(first, last, situation))]
    quoted = {ref for draft in drafts if draft.verdict is Verdict.VERIFIED for ref in draft.evidence}
    situation.cited += [fact for fact in situation.facts.all if fact.ref in quoted]
    return drafts


def _quotations(situation: Situation) -> list[tuple[int, int]]:
    marks = [index for index, token in enumerate(situation.reading.tokens) if token.text == '"']
    return [(first + 1, last) for first, last in zip(marks[::2], marks[1::2], strict=False) if last > first + 1]


def _check(first: int, last: int, situation: Situation) -> Draft | None:
    tokens = situation.reading.tokens[first:last]
    said = normal(_as_written(tokens))
    own = [fact for fact in situation.facts.all if fact.evidence.kind in OWN_WORDS]
    found = _holding(said, own)
    if found and _cut_from_denial(tokens, found, situation):
        reason = f"{opening(found)} denies or only supposes what these words say alone."
        return Draft(first - 1, last + 1, ClaimType.QUOTE, Verdict.UNSUPPORTED, reason, refs([found]))
    if found:
        return Draft(first, last, ClaimType.QUOTE, Verdict.VERIFIED, f"Exact words of {named(found)}.", refs([found]))
    elsewhere = _elsewhere(first, last, said, situation)
    if elsewhere:
        return elsewhere
    if _own_phrase(first, last, situation):
        return None
    clause = situation.reading.clause_at(first)
    reason = "These words are in nothing that the prospect wrote."
    if _attributed(first, last, situation) or situation.reading.named("quotes_you") or "strict" in clause.moods:
        near = situation.near(clause)
        return Draft(first - 1, last + 1, ClaimType.QUOTE, Verdict.CONTRADICTED, reason, refs(near[:1]))
    return Draft(first - 1, last + 1, ClaimType.QUOTE, Verdict.UNSUPPORTED, reason, refs(meant(clause, situation)[:1]))


def _as_written(tokens: Sequence[Token]) -> str:
    """The tokens with blanks only where the text has them: "38%" and "don't" are several tokens each."""
    parts, end = [], tokens[0].start
    for token in tokens:
        parts += [" "] if token.start > end else []
        parts.append(token.text)
        end = token.end
    return "".join(parts)


def _elsewhere(first: int, last: int, said: str, situation: Situation) -> Draft | None:
    """The name of a talk or an item of news; or the words of a shared text, which are its author's."""
    titled = _holding(said, [fact for fact in situation.facts.all if fact.evidence.kind in _NAMED_THINGS])
    attributed = _attributed(first, last, situation) or situation.reading.named("quotes_you")
    if titled and titled.evidence.kind in _NOT_THEIRS and attributed:
        reason = f"These are words of {named(titled)}, not of the prospect."
        return Draft(first - 1, last + 1, ClaimType.QUOTE, Verdict.CONTRADICTED, reason, refs([titled]))
    if titled:
        return Draft(first, last, ClaimType.QUOTE, Verdict.VERIFIED, f"As named in {named(titled)}.", refs([titled]))
    others = _holding(said, list(situation.facts.of(Kind.RESHARE)))
    if others is None:
        return None
    author = others.evidence.get("original_author") or "someone else"
    if situation.author_named(others):
        reason = f"Exact words of {author} in {named(others)}."
        return Draft(first, last, ClaimType.QUOTE, Verdict.VERIFIED, reason, refs([others]))
    reason = f"These are words of {author}, not of the prospect."
    return Draft(first - 1, last + 1, ClaimType.QUOTE, Verdict.CONTRADICTED, reason, refs([others]))


def _attributed(first: int, last: int, situation: Situation) -> bool:
    """Whether the words beside the quotation say that the prospect wrote or said it."""
    tokens = situation.reading.tokens
    beside = tokens[max(0, first - _BESIDE) : first] + tokens[last : last + _BESIDE]
    return any(token.tags & {"you", "your"} for token in beside)


def _cut_from_denial(tokens: list[Token], fact: Fact, situation: Situation) -> bool:
    """ "I'm not saying that X is bad", "people ask me if …" do not license the quotation "X is bad"."""
    words = [token.lower for token in tokens if token.word]
    turned = ("negation", "supposed")
    if len(words) < 2 or any(situation.language.has(name, word) for name in turned for word in words):
        return False
    holding = [sentence for sentence in fact.sentences if all(word in sentence.lowers for word in words)]
    return bool(holding) and all(_denies(sentence, set(words)) for sentence in holding)


def _denies(sentence: FactSentence, words: set[str]) -> bool:
    return any((segment.negated or segment.supposed) and words <= segment.lowers for segment in sentence.segments)


def normal(text: str) -> str:
    """Case, signs and blanks dropped: a quotation may end inside a sentence."""
    return " " + _BLANKS.sub(" ", fold(text).text).strip().casefold() + " "


def _holding(said: str, facts: list[Fact]) -> Fact | None:
    for fact in facts:
        texts = (fact.evidence.text, fact.evidence.get("title"), fact.evidence.get("name"))
        if any(said in normal(text) for text in texts if text):
            return fact
    return None


def _own_phrase(first: int, last: int, situation: Situation) -> bool:
    """An expression of the sender's own: in an act or about themselves, without a word of evidence."""
    clause = situation.reading.clause_at(first)
    tokens = situation.reading.tokens[first:last]
    listed = all(
        not token.word
        or situation.language.has("function", token.lower)
        or situation.language.means("neutral", token.keys)
        or situation.language.means("acts", token.keys)
        for token in tokens
    )
    return listed and (clause.open or clause.subject != "you" or last - first <= 3)
