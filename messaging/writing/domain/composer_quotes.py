"""Which sentence of somebody's own words to quote: whole, to the point, and not leaning on what stood before."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from messaging.hooks.domain.relevance import OfferTerms

_SENTENCE = re.compile(r"[^.!?…\n]+(?:[.!?…](?=\S)[^.!?…\n]*)*[.!?…]+(?=\s|$)")
_UNFIT = re.compile(r"https?:|www\.|[@#•|“”\"„«»‹›<>\[\]{}\\]|[\U0001F000-\U0001FAFF\u2600-\u27BF\u200b-\u200f\ufe0f]")
_NUMBER = re.compile(r"\d")
LEAST_WORDS, MOST_WORDS = 6, 26
GOOD_SHARE = 0.8


@dataclass(frozen=True, slots=True)
class Quote:
    """An exact substring of own words: one whole sentence.

    aim   it tells what they are after
    score for choosing among the sentences of one text
    """

    text: str
    question: bool
    aim: bool
    score: float


def _names(sentence: str, phrases: Iterable[str]) -> bool:
    plain = sentence.casefold().replace("’", "'")
    return any(re.search(rf"\b{re.escape(phrase)}\b", plain) for phrase in phrases)


def _score(sentence: str, terms: OfferTerms, style: Mapping[str, Any], *, aim: bool) -> float:
    words = sentence.split()
    first = words[0].strip("'’,;:-–—(").casefold()
    score = 0.3 + terms.overlap(sentence).relevance
    score += 0.15 if _NUMBER.search(sentence) else 0.0
    score += 0.15 if aim else 0.0
    opening = " ".join(words[:5])
    leans = first in style.get("leaning", ()) or _names(opening, style.get("leaning_phrases", ()))
    score -= 0.35 if leans else 0.0
    score -= 0.15 if sentence.endswith("?") else 0.0
    score -= 0.1 if len(words) < 8 else 0.0
    return score - 0.01 * max(len(words) - 16, 0)


def quotes_of(*, text: str, terms: OfferTerms, style: Mapping[str, Any], longest: int) -> tuple[Quote, ...]:
    """The sentences worth quoting, best first; only those near the best. longest in characters."""
    found = []
    for match in _SENTENCE.finditer(text):
        sentence = match.group().strip()
        if len(sentence) > longest or not LEAST_WORDS <= len(sentence.split()) <= MOST_WORDS:
            continue
        if _UNFIT.search(sentence) or not sentence[0].isalnum() or _names(sentence, style.get("passing", ())):
            continue
        aim = _names(sentence, style.get("aims", ()))
        found.append(Quote(sentence, sentence.endswith("?"), aim, _score(sentence, terms, style, aim=aim)))
    found.sort(key=lambda quote: -quote.score)
    return tuple(quote for quote in found if quote.score >= GOOD_SHARE * found[0].score)[:3]
