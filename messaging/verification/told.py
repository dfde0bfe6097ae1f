"""What a sentence of evidence tells beyond its words: the dates it means, and whether its figures rise or fall."""

from __future__ import annotations

from datetime import date
from itertools import pairwise

from messaging.verification.language import Language
from messaging.verification.numerals import Quantity
from messaging.verification.times import time_words, windows
from messaging.verification.tokens import Token
from prospects.domain.dates import DateInterval


def dates_told(tokens: list[Token], language: Language, day: date) -> tuple[DateInterval, ...]:
    """The dates a text gives: the last one of that name before it was written, unless the sentence speaks of a plan."""
    ahead = any(language.has("planned", token.lower) for token in tokens)
    found = []
    for words in time_words(tokens, language):
        meant = windows(words.rule, day)
        onward = words.first > 0 and language.has("onward", tokens[words.first - 1].lower)
        past = () if ahead or onward else tuple(window for window in meant if window.first <= day)
        if meant:
            found.append(min(past or meant, key=lambda window: abs((window.first - day).days)))
    return tuple(found)


def direction(tokens: list[Token], numbers: tuple[Quantity, ...], language: Language) -> frozenset[str]:
    """ "From 70 to 25" licenses words for a fall, "from 11 to 22" words for a rise."""
    found: set[str] = set()
    for before, after in pairwise(numbers):
        between = [token.lower for token in tokens[before.last : after.first]]
        start = tokens[before.first - 1].lower if before.first else ""
        if before.unit and after.unit and before.unit != after.unit:
            continue
        if between and language.has("from_words", start) and any(language.has("to_words", word) for word in between):
            name = "falls" if after.value < before.value else "rises"
            found |= language.word_keys.get(name, frozenset()) if after.value != before.value else set()
    return frozenset(found)
