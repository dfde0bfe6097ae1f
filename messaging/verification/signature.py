"""Closing lines: who signs, with which title, is a claim about the sender and nothing else."""

from __future__ import annotations

from messaging.verification.facts import Facts, plain
from messaging.verification.language import Language
from messaging.verification.tokens import Sentence, Token


def signature_from(found: list[Sentence], facts: Facts, language: Language) -> int:
    """Index of the first sentence of the closing; len(found) when there is none."""
    at = len(found)
    while at > 0 and _signs(found[at - 1], facts, language):
        at -= 1
    return at


def _signs(sentence: Sentence, facts: Facts, language: Language) -> bool:
    """Only the sender's own name, title and company, and listed closing words."""
    words = [token for token in sentence.tokens if token.kind != "sign"]
    if not words or len(words) > 12 or any(token.kind == "number" for token in words):
        return False
    return all(_signing_word(token, facts, language) for token in words)


def _signing_word(token: Token, facts: Facts, language: Language) -> bool:
    word = plain(token.text)
    if language.has("closings", token.lower) or word in facts.sender_names or word in facts.sender_company:
        return True
    return word in facts.sender_title_words
