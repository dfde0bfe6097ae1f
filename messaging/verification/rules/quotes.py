"""Quotes: words in quotation marks are an exact substring of something the prospect wrote."""

from __future__ import annotations

import re
from collections.abc import Sequence

from messaging.verification.contract import ClaimType, Verdict
from messaging.verification.facts import Fact
from messaging.verification.folding import fold
from messaging.verification.rules.base import Draft, Situation, refs
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
_BLANKS = re.compile(r"[^\w%$€£]+")


def check(situation: Situation) -> list[Draft]:
    """One draft for each quotation; marks its tokens so that no other rule reads them."""
    return [draft for first, last in _quotations(situation) if (draft := _check(first, last, situation))]


def _quotations(situation: Situation) -> list[tuple[int, int]]:
    marks = [index for index, token in enumerate(situation.reading.tokens) if token.text == '"']
    return [(first + 1, last) for first, last in zip(marks[::2], marks[1::2], strict=False) if last > first + 1]


def _check(first: int, last: int, situation: Situation) -> Draft | None:
    tokens = situation.reading.tokens[first:last]
    said = normal(_as_written(tokens))
    own = [fact for fact in situation.facts.all if fact.evidence.kind in OWN_WORDS]
    found = _holding(said, own)
    if found:
        return Draft(first, last, ClaimType.QUOTE, Verdict.VERIFIED, f"Exact words of {found.ref}.", refs([found]))
    named = _holding(said, [fact for fact in situation.facts.all if fact.evidence.kind in _NAMED_THINGS])
    if named:
        return Draft(first, last, ClaimType.QUOTE, Verdict.VERIFIED, f"As named in {named.ref}.", refs([named]))
    others = _holding(said, list(situation.facts.of(Kind.RESHARE)))
    if others:
        author = others.evidence.get("original_author") or "someone else"
        if any(token.tags & {"person"} for token in situation.reading.tokens):
            return Draft(
                first,
                last,
                ClaimType.QUOTE,
                Verdict.VERIFIED,
                f"Exact words of {author} in {others.ref}.",
                refs([others]),
            )
        return Draft(
            first - 1,
            last + 1,
            ClaimType.QUOTE,
            Verdict.CONTRADICTED,
            f"These are words of {author}, not of the prospect.",
            refs([others]),
        )
    if _own_phrase(first, last, situation):
        return None
    near = situation.near(situation.reading.clause_at(first))
    reason = "These words are in nothing that the prospect wrote."
    return Draft(first - 1, last + 1, ClaimType.QUOTE, Verdict.CONTRADICTED, reason, refs(near[:1]))


def _as_written(tokens: Sequence[Token]) -> str:
    """The tokens with blanks only where the text has them: "38%" and "don't" are several tokens each."""
    parts, end = [], tokens[0].start
    for token in tokens:
        parts += [" "] if token.start > end else []
        parts.append(token.text)
        end = token.end
    return "".join(parts)


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
