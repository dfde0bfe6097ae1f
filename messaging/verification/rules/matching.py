"""Which evidence a clause is about: shared words, as written or as listed synonyms, and shared figures."""

from __future__ import annotations

from collections.abc import Sequence

from messaging.verification.facts import Fact, Facts
from messaging.verification.numerals import Quantity
from messaging.verification.rules.base import Situation
from messaging.verification.statements import FactSentence
from messaging.verification.tokens import Token
from prospects.domain.evidence import OWN_WORDS

#: A fact with this share of the best one's score may be meant instead.
_CLOSE = 0.75
#: What one clause says stands in this many sentences of the evidence that follow each other ...
_REACH = 2
#: ... and one more for a clause of at least this many words, which sums up.
_SUMMARY = 6
#: ... or that gives so many figures of the text.
_FIGURES = 2
#: Words looked up in one dossier that are remembered.
_MOST_WORDS = 20_000
#: So many words must stand together before another may come from elsewhere in the text.
_FEWEST = 2
#: "You wrote that …" speaks of something the prospect wrote.
_REPORTED = 1.0


def choose_facts(situation: Situation) -> None:
    """Find what the sentence and each of its clauses is about. The other rules start from there."""
    reading = situation.reading
    situation.primary = next(iter(_ranked(reading.tokens, 0, situation)), None)
    for clause in reading.clauses:
        ranked = _ranked(clause.tokens, clause.first, situation)
        situation.best.append(ranked[0] if ranked else None)
        situation.rivals.append(tuple(ranked[1:]))


def _ranked(tokens: list[Token], first: int, situation: Situation) -> list[Fact]:
    """Facts that share most words and figures, and those close behind; words as written count more than synonyms."""
    scores = scores_of([token for token in tokens if says_something(token, situation)], situation)
    for number in situation.reading.numbers:
        if first <= number.first < first + len(tokens) and not number.weak:
            for index, fact in enumerate(situation.facts.all):
                if (number.value, number.unit) in fact.figures:
                    scores[index] = scores.get(index, 0.0) + 1.0
    reported = any("strict" in token.tags for token in tokens)
    for index in scores:
        fact = situation.facts.all[index]
        scores[index] += _REPORTED * (reported and fact.evidence.kind in OWN_WORDS)
        scores[index] += 0.6 * (fact is situation.primary) + 0.4 * (fact is situation.previous)
    top = max(scores.values(), default=0.0)
    near = sorted(
        (index for index in scores if scores[index] >= _CLOSE * top), key=lambda index: (-scores[index], index)
    )
    return [situation.facts.all[index] for index in near]


def scores_of(tokens: list[Token], situation: Situation) -> dict[int, float]:
    scores: dict[int, float] = {}
    for token in tokens:
        mask = situation_mask(token, situation)
        direct = situation_mask(token, situation, direct=True) if mask else 0
        share = 1.0 / max(1, mask.bit_count())
        while mask:
            index = (mask & -mask).bit_length() - 1
            mask &= mask - 1
            scores[index] = scores.get(index, 0.0) + (1.0 if direct >> index & 1 else 0.6) + 0.2 * share
    return scores


def situation_mask(token: Token, situation: Situation, *, direct: bool = False) -> int:
    """One bit for each fact that holds the word, an inflection or a listed synonym."""
    masks = situation.facts.masks
    known = situation.facts.word_masks.get(token.keys)
    written, any_way = _looked_up(token.keys, situation.facts) if known is None else known
    mask = written if direct else any_way
    if not mask and token.parts:
        mask = _compound_mask(token, masks)
    return mask


def _looked_up(keys: frozenset[str], facts: Facts) -> tuple[int, int]:
    """Facts that hold the word as written or inflected, and those that hold a synonym too; found once a dossier."""
    written = synonyms = 0
    for key in keys & facts.masks.keys():
        if key[:1] == "=":
            synonyms |= facts.masks[key]
        else:
            written |= facts.masks[key]
    if len(facts.word_masks) >= _MOST_WORDS:
        facts.word_masks.clear()
    found = facts.word_masks[keys] = (written, written | synonyms)
    return found


def _compound_mask(token: Token, masks: dict[str, int]) -> int:
    """A compound is covered by a fact that holds all of its parts."""
    mask = -1
    for part in token.parts:
        held = 0
        for key in part:
            held |= masks.get(key, 0)
        mask &= held
    return max(mask, 0)


def says_something(token: Token, situation: Situation) -> bool:
    """Whether the word can be about evidence at all (also names and numbers' measures)."""
    language = situation.language
    if not token.word or token.tags & {"time", "number"}:
        return False
    if "strict" not in token.tags and language.means("opinion", token.keys):
        return False
    if language.has("function", token.lower) and "joined" not in token.tags:
        return False
    return not language.means("neutral", token.keys)


def together(content: list[Token], numbers: Sequence[Quantity], fact: Fact, *, foreign: bool) -> set[int]:
    """Ids of the words that one stretch of the evidence covers; words scattered over a text say nothing together."""
    usable = [sentence for sentence in fact.sentences if foreign or not sentence.foreign]
    heads = [sentence for sentence in usable if sentence.head]
    body = [sentence for sentence in usable if not sentence.head]
    always = {id(token) for token in content if not fact.implied.isdisjoint(token.keys) or _in(token, heads)}
    best: set[int] = set()
    best_score = -1
    told = [number for number in numbers if not number.weak and _figure_in(number, body)]
    reach = _REACH + (len(content) >= _SUMMARY or len(told) >= _FIGURES)
    figures = 0
    for at in range(max(1, len(body) - reach + 1)):
        stretch = body[at : at + reach]
        found = {id(token) for token in content if _in(token, stretch)}
        held = sum(_figure_in(number, stretch) for number in numbers)
        if len(found - always) + held > best_score:
            best, best_score, figures = found, len(found - always) + held, held
    found = best | always
    found |= _stragglers(content, fact, found, figures)
    return found - {
        id(token) for token in content if "predicate" in token.tags and _stands_alone(token, content, usable)
    }


def _stands_alone(predicate: Token, content: list[Token], sentences: list[FactSentence]) -> bool:
    """Whether no sentence says this of anything that the clause speaks of: "moved" of another thing is not this move."""
    others = [token for token in content if token is not predicate]
    if not others:
        return False
    holding = [sentence for sentence in sentences if not predicate.keys.isdisjoint(sentence.keys)]
    places = [token for token in others if "proper" in token.tags]
    if holding and places and not any(all(_in(name, [sentence]) for name in places) for sentence in holding):
        return True  # "closes in Venray", where another sentence names Venray
    return bool(holding) and not any(_in(token, [sentence]) for sentence in holding for token in others)


def _figure_in(number: Quantity, sentences: list[FactSentence]) -> bool:
    return any(
        recorded.value == number.value and recorded.unit == number.unit
        for sentence in sentences
        for recorded in sentence.numbers
    )


def _stragglers(content: list[Token], fact: Fact, found: set[int], figures: int) -> set[int]:
    """One word in three may come from elsewhere in the text as it stands there: what the sentence is about."""
    if len(found) + figures < _FEWEST:
        return set()
    strict = any("strict" in token.tags for token in content)
    allowed = int(len(content) >= _SUMMARY) if strict else (len(content) + figures) // 3
    elsewhere = [
        id(token)
        for token in content
        if id(token) not in found and any(key in fact.keys for key in token.keys if key[:1] != "=")
    ]
    return set(elsewhere) if len(elsewhere) <= allowed else set()


def _in(token: Token, sentences: list[FactSentence]) -> bool:
    if any(not token.keys.isdisjoint(sentence.keys) for sentence in sentences):
        return True
    return bool(token.parts) and all(
        any(not part.isdisjoint(sentence.keys) for sentence in sentences) for part in token.parts
    )
