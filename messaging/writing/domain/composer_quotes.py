"""Which sentence of somebody's own words to quote: whole, to the point, and not leaning on what stood before.

A conjunction that only joins a sentence to the one before ("And we found …") is left out: what remains is still an
exact piece of the text.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from messaging.hooks.domain.relevance import OfferTerms

_SENTENCE = re.compile(r"[^.!?…\n]+(?:[.!?…](?=\S)[^.!?…\n]*)*[.!?…]+(?=\s|$)")
_UNFIT = re.compile(r"https?:|www\.|[@#•|“”\"„«»‹›<>\[\]{}\\]|[\U0001F000-\U0001FAFF\u2600-\u27BF\u200b-\u200f\ufe0f]")
_NUMBER = re.compile(r"\d")
LEAST_WORDS, MOST_WORDS = 6, 30
#: A sentence of so few words says little alone.
SHORT_WORDS = 8
#: Behind the first, so many words may not point back.
POINTING_WORDS = 3
GOOD_SHARE = 0.85
#: Share of capitals among the letters above which a sentence is shouted.
LOUD_SHARE = 0.5
_EDGES = "'’,;:-–—(\""


@dataclass(frozen=True, slots=True)
class Quote:
    """An exact substring of own words.

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


def _leans(sentence: str, style: Mapping[str, Any]) -> bool:
    """Whether the sentence points back: by its first word, or by a pronoun among its first few."""
    words = [word.strip(_EDGES).casefold() for word in sentence.split()]
    opening = " ".join(words[:5])
    pointing = set(style.get("pointing", ()))
    return (
        words[0] in style.get("leaning", ())
        or _names(opening, style.get("leaning_phrases", ()))
        or not pointing.isdisjoint(words[: POINTING_WORDS + 1])
    )


def _score(sentence: str, terms: OfferTerms, style: Mapping[str, Any], *, aim: bool) -> float:
    words = sentence.split()
    score = 0.3 + terms.overlap(sentence).relevance
    score += 0.15 if _NUMBER.search(sentence) else 0.0
    score += 0.25 if aim else 0.0
    score -= 0.1 if words[0].endswith(",") else 0.0
    score -= 0.35 if _leans(sentence, style) else 0.0
    score -= 0.15 if sentence.endswith(("?", "!")) else 0.0
    score -= 0.2 if len(words) < SHORT_WORDS else 0.0
    return score - 0.01 * max(len(words) - 18, 0)


def _unquotable(style: Mapping[str, Any]) -> tuple[str, ...]:
    """What was true on its day only, and what is private."""
    return (*style.get("passing", ()), *style.get("private", ()))


def _shouts(text: str) -> bool:
    """Most of it in capitals, or with more than one mark at its end: repeated by somebody else it reads like mockery."""
    letters = [letter for letter in text if letter.isalpha()]
    loud = sum(letter.isupper() for letter in letters)
    return text.endswith(("!!", "??", "?!", "!?")) or loud > LOUD_SHARE * len(letters)


def _fits(text: str, longest: int, style: Mapping[str, Any]) -> bool:
    sound = not _UNFIT.search(text) and text[0].isalnum() and not _shouts(text) and not _names(text, _unquotable(style))
    return sound and len(text) <= longest and LEAST_WORDS <= len(text.split()) <= MOST_WORDS


def _unjoined(sentence: str, style: Mapping[str, Any]) -> str:
    """The sentence without a conjunction at its front."""
    first, _, rest = sentence.partition(" ")
    return rest if first.casefold() in style.get("joining", ()) and rest and rest[0].isalnum() else sentence


def _pieces(text: str, style: Mapping[str, Any]) -> Iterator[str]:
    for match in _SENTENCE.finditer(text):
        yield _unjoined(match.group().strip(), style)


def quotes_of(*, text: str, terms: OfferTerms, style: Mapping[str, Any], longest: int) -> tuple[Quote, ...]:
    """The sentences worth quoting, best first; only those near the best. longest in characters."""
    found: list[Quote] = []
    if _names(text, style.get("grave", ())):
        return ()
    for piece in dict.fromkeys(_pieces(text, style)):
        if not _fits(piece, longest, style):
            continue
        aim = _names(piece, style.get("aims", ()))
        found.append(Quote(piece, piece.endswith("?"), aim, _score(piece, terms, style, aim=aim)))
    found.sort(key=lambda quote: -quote.score)
    return tuple(quote for quote in found if quote.score >= GOOD_SHARE * found[0].score)[:3]
