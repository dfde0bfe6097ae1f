"""What stands side by side in the message stands together in the evidence: words of one text are not shuffled anew."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from messaging.verification.closeness import Bond, Together, number_key, word_key
from messaging.verification.facts import Fact
from messaging.verification.language import Language
from messaging.verification.numerals import Quantity
from messaging.verification.reading import Clause
from messaging.verification.rules.base import Situation
from messaging.verification.rules.measures import counted_after
from messaging.verification.times import lies_ahead
from messaging.verification.tokens import Token

#: "Of last quarter's 312": so many words may stand between.
_PART_REACH = 5
_GRAMMAR = ("function", "post_nouns", "name_linkers")
_ASIDE = frozenset({"time", "title", "handled", "quoted", "prospect", "sender", "company"})


@dataclass(frozen=True, slots=True)
class Item:
    """A word or number that must keep its company: what it is decides how far that may stand off."""

    at: int
    text: str
    keys: frozenset[str]
    number: bool = False
    part: bool = False  # of the number something is told of a part ("38 of the 312")
    order: bool = False
    amount: bool = False
    person: bool = False
    named: bool = False


@dataclass(frozen=True, slots=True)
class Loose:
    """Two neighbours, tokens first to last of the sentence, that no evidence says together."""

    first: int
    last: int
    reason: str


def loose_pair(clause: Clause, tokens: Sequence[Token], fact: Fact | None, situation: Situation) -> Loose | None:
    """The first neighbours among the tokens that nothing in the dossier says together; None when all are bound."""
    if not situation.language.words.get("anaphora"):
        return None  # a language whose folder does not say how sentences point back is read by words alone
    open_ended = _open_ended(clause, situation)
    before: tuple[Item, Together] | None = None
    for one, other in _neighbours(_items(clause, tokens, situation)):
        found = _together(one, other, fact, situation)
        said = f"“{one.text} … {other.text}”"
        if found.bond is Bond.NONE:
            return Loose(one.at, other.at + 1, f"No sentence of the evidence says {said} together.")
        if found.bond is Bond.AHEAD and not open_ended:
            reason = f"The evidence speaks of {said} as planned or supposed, not as done."
            return Loose(one.at, other.at + 1, reason)
        if before and before[0] is one and _parted(before[1], found, one):
            return Loose(one.at, other.at + 1, f"The evidence says {said} of something else.")
        before = (other, found)
    return None


def _parted(left: Together, right: Together, middle: Item) -> bool:
    """Whether a word goes with its neighbours on both sides in different items only."""
    if middle.named or middle.number or left.items is None or right.items is None:
        return False
    return left.items.isdisjoint(right.items)


def _neighbours(items: Sequence[Item | None]) -> Iterator[tuple[Item, Item]]:
    """Each item with the next one; a name also with the one after that."""
    for at, one in enumerate(items):
        if one is None:
            continue
        for step, other in enumerate(items[at + 1 : at + 3]):
            if other is None:
                break
            further = (one.number and not one.part) or _names(one, other)
            if not step or further:
                yield one, other


def _names(one: Item, other: Item) -> bool:
    """Whether one of them is the name of a thing or place, which goes with more than its neighbour."""
    if one.number or other.number:
        return False
    return (one.named and not one.person) or (other.named and not other.person)


def _open_ended(clause: Clause, situation: Situation) -> bool:
    """Whether the clause itself plans or supposes, or speaks of a day to come."""
    language = situation.language
    if "hedged" in clause.moods or any(
        language.has(name, token.lower)
        for token in clause.tokens
        for name in ("unreal", "wished", "future", "supposed")
    ):
        return True
    return any(
        lies_ahead(words.rule, situation.today, situation.today)
        for words in situation.reading.times
        if clause.first <= words.first < clause.last
    )


def _items(clause: Clause, tokens: Sequence[Token], situation: Situation) -> list[Item | None]:
    """What must keep its company, in order; None where a coordinating word begins another thought."""
    stated = {id(token) for token in tokens}
    numbers = {number.first: number for number in situation.reading.numbers if not number.ordinal}
    found: list[Item | None] = []
    for at, token in enumerate(clause.tokens, clause.first):
        if id(token) not in stated or situation.language.has("coordinators", token.lower):
            found.append(None)
        elif not token.tags & _ASIDE:
            item = _number(at, numbers[at], situation) if at in numbers else _word(at, token, clause, situation)
            found += [item] if item else []
    return [item for at, item in enumerate(found) if not (item and item.amount) or _beside_figure(found, at)]


def _beside_figure(items: Sequence[Item | None], at: int) -> bool:
    """ "Took nine months": a verb of time or money counts where its figure follows."""
    return at + 1 < len(items) and (following := items[at + 1]) is not None and following.number


def _number(at: int, number: Quantity, situation: Situation) -> Item | None:
    """Only what the evidence gives as it is; derived and rounded figures have a rule of their own."""
    key = frozenset({number_key(number)})
    if (
        number.weak
        or number.rounding
        or not (number.unit or counted_after(number, situation))
        or not situation.facts.closeness.knows(key)
    ):
        return None
    said = " ".join(token.text for token in situation.reading.tokens[number.first : number.last])
    before = situation.reading.tokens[max(0, at - _PART_REACH) : at]
    part = any(situation.language.has("partitive", token.lower) for token in before)
    return Item(at, said, key, number=True, part=part)


def _word(at: int, token: Token, clause: Clause, situation: Situation) -> Item | None:
    language = situation.language
    if not token.word:
        return None
    if language.has("order", token.lower):
        return _order(at, token, situation)
    if language.has("amounts", token.lower) and _measured(token, situation):
        return Item(at, token.text, token.keys, amount=True)
    if _idle(token, clause, language):
        return None
    return Item(at, token.text, token.keys, person="person" in token.tags, named="capital" in token.tags)


def _order(at: int, token: Token, situation: Situation) -> Item | None:
    """ "The last of them" orders nothing but what was named before."""
    following = situation.reading.tokens[at + 1 : at + 2]
    if any(situation.language.has("partitive", part.lower) for part in following):
        return None
    if situation.language.has("few_words", token.lower) and any("number" in part.tags for part in following):
        return None  # "only eleven": that is few to the sender
    return Item(at, token.text, frozenset({word_key(token)}), order=True)


def _idle(token: Token, clause: Clause, language: Language) -> bool:
    """Grammar, talk about texts, taste, and what the sender does with their own product."""
    if clause.of_sender or (clause.subject == "self" and "strict" not in clause.moods):
        return True
    if "number" in token.tags or any(language.has(name, token.lower) for name in _GRAMMAR):
        return True
    return language.means("neutral", token.keys) or _taste(token, clause, language)


def _measured(token: Token, situation: Situation) -> bool:
    """Whether what the sentence is about has that verb too, so that its figure may be another one's."""
    return any(not token.keys.isdisjoint(fact.keys) for fact in (situation.primary, *situation.best) if fact)


def _taste(token: Token, clause: Clause, language: Language) -> bool:
    """The sender's own opinion; not what somebody else is said to feel."""
    if "strict" in token.tags or not language.means("opinion", token.keys):
        return False
    if clause.subject == "self" or not language.means("feelings", token.keys):
        return True
    return not clause.subject and clause.tokens[0] is token  # "Sorry about the contract": nobody else feels it


def _together(one: Item, other: Item, fact: Fact | None, situation: Situation) -> Together:
    if other.order or (one.number and other.number) or (one.person and other.person):
        return Together(Bond.FACT)
    carried = not any(item.number or item.order or item.person for item in (one, other))
    item = situation.facts.number_of(fact)
    found = situation.facts.closeness.together(one.keys, other.keys, carried=carried, item=item)
    near = [other_fact for other_fact in (fact, *situation.cited) if other_fact]
    implied = frozenset(key for said in near for key in said.implied)
    if found.bond is not Bond.NONE and not implied.isdisjoint(one.keys | other.keys):
        return Together(found.bond)
    if found.bond is Bond.NONE and any(_free(one, other, said) or _free(other, one, said) for said in near):
        return Together(Bond.FACT)
    return found


def _free(one: Item, other: Item, fact: Fact) -> bool:
    """What the kind of the record stands for, and the names in its head, go with every word of it."""
    if other.keys.isdisjoint(fact.keys) and not (other.number and _in_figures(other, fact)):
        return False
    if not fact.implied.isdisjoint(one.keys):
        return True
    return one.named and any(not one.keys.isdisjoint(s.keys) for s in fact.sentences if s.head)


def _in_figures(item: Item, fact: Fact) -> bool:
    return any(number_key(number) in item.keys for _, number in fact.numbers())
