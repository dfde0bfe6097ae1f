"""A sentence that is a proof point of the sender's, word for word: it is theirs to say, whatever it speaks of."""

from __future__ import annotations

from collections.abc import Iterable

from messaging.verification.contract import ClaimType, Verdict
from messaging.verification.facts import Facts
from messaging.verification.rules.base import Draft
from messaging.verification.tokens import Sentence, Token
from prospects.domain.evidence import Kind

#: Shorter ones might be anybody's.
_FEWEST_WORDS = 5


def whole_proof_point(sentence: Sentence, facts: Facts) -> Draft | None:
    """The verified claim that the sentence is, when it holds a sender's statement and nothing beside it.

    Read freely, "A group in Málaga answers 95% of its reviews" would be about the reviews that the person wrote of.
    """
    said = _words(sentence.tokens)
    if sentence.question or len(said) < _FEWEST_WORDS:
        return None
    for fact in facts.of(Kind.PROOF_POINT):
        if any(_words(one.tokens) == said for one in fact.sentences):
            reason = "The sender's proof point, word for word."
            last = len(sentence.tokens)
            return Draft(0, last, ClaimType.SENDER, Verdict.VERIFIED, reason, (fact.ref,))
    return None


def _words(tokens: Iterable[Token]) -> list[str]:
    return [token.lower for token in tokens if token.kind != "sign" or token.text in "%€$£"]
