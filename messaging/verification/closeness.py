"""Which words stand together in the evidence: in one clause, or side by side in one sentence."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import NamedTuple, Protocol

from messaging.verification.language import Language
from messaging.verification.numerals import Quantity
from messaging.verification.tokens import Token

#: Two words in neighbouring clauses go together with so many words of content from one to the other:
#: where only a sign parts the clauses (an insertion), where a word opens the second one, and after "and".
_PAST_SIGN = 3
_PAST_OPENER = 2
_PAST_AND = 1
#: "It … it": so many sentences that each point back to the one before.
_CHAIN = 2
#: A sentence of so few words says nothing alone.
_FRAGMENT = 4
#: "To double" is a number that does something.
_MULTIPLE = "times"
#: So many words of a clause hold its subject.
_SUBJECT = 7
#: In so many sentences of an item a word is its topic.
_TOPIC = 3
#: Fields of a place that its sentence alone tells.
_TOLD_BY_SENTENCE = 9


class Place(NamedTuple):
    """Where a key stands.

    sentence  numbered through the dossier, as is the item that it belongs to
    rank      words of content before it in the sentence
    clause    number of the clause; `opened` counts those that a word opened, `joined` those after "and",
              `anew` those of them that do not point back ("and those …")
    bare      a number without a noun of its own ("seven of those")
    ahead     governed by a word of planning or supposing, or dated in the future
    head      in a headline, whose short form tells no tense
    """

    key: str
    rank: int
    clause: int
    opened: int
    joined: int
    anew: int
    bare: bool = False
    ahead: bool = False
    head: bool = False
    sentence: int = 0
    item: int = 0


class Bond(Enum):
    """How two words stand together: not at all, only in what is planned or supposed, or in fact."""

    NONE = "none"
    AHEAD = "ahead"
    FACT = "fact"


@dataclass(frozen=True, slots=True)
class Together:
    """The bond, and numbers of the items that say so; None when any may."""

    bond: Bond
    items: frozenset[int] | None = None


class Placed(Protocol):
    """What is looked at in a sentence of evidence."""

    places: tuple[Place, ...]
    refers: bool


@dataclass(slots=True)
class Closeness:
    """The places of every key of a dossier. `refers` holds sentences that point back to the one before."""

    places: dict[str, list[Place]] = field(default_factory=dict)
    refers: set[int] = field(default_factory=set)
    items: list[range] = field(default_factory=list)  # the sentences of each item
    topics: list[frozenset[str]] = field(default_factory=list)  # what each item is about

    def knows(self, keys: Collection[str]) -> bool:
        return any(key in self.places for key in keys)

    def together(self, one: Collection[str], other: Collection[str], *, carried: bool, item: int = -1) -> Together:
        """How closely some sentence says both in one breath; where that item does, its word decides.

        carried: a sentence that points back may take one of them from the sentence before.
        item: number of the item that the words are about, -1 when it is not known.
        """
        others = [place for key in other for place in self.places.get(key, ())]
        pairs = [
            (here, there)
            for key in one
            for here in self.places.get(key, ())
            for there in others
            if self._near(here, there, carried=carried)
        ]
        own = [pair for pair in pairs if item >= 0 and pair[0].sentence in self.items[item]]
        if not pairs:
            topical = item >= 0 and (carried or self._bare(one, item)) and self._on_topic(one, other, item)
            return Together(Bond.FACT if topical else Bond.NONE)
        plainest = max(_plainness(*pair) for pair in own or pairs)
        told = [pair for pair in own or pairs if _plainness(*pair) == plainest]
        bond = Bond.AHEAD if all(here.ahead or there.ahead for here, there in told) else Bond.FACT
        return Together(bond, frozenset(here.item for here, _ in pairs))

    def _on_topic(self, one: Collection[str], other: Collection[str], item: int) -> bool:
        topics = self.topics[item]
        return (not topics.isdisjoint(one) and self._in(other, item)) or (
            not topics.isdisjoint(other) and self._in(one, item)
        )

    def _bare(self, keys: Collection[str], item: int) -> bool:
        return any(place.bare and place.item == item for key in keys for place in self.places.get(key, ()))

    def _in(self, keys: Collection[str], item: int) -> bool:
        return any(place.sentence in self.items[item] for key in keys for place in self.places.get(key, ()))

    def _near(self, here: Place, there: Place, *, carried: bool) -> bool:
        if here.sentence == there.sentence:
            return _in_reach(here, there)
        first, last = sorted((here, there), key=lambda place: place.sentence)
        between = range(first.sentence + 1, last.sentence + 1)
        if len(between) > _CHAIN or not (carried or last.bare):
            return False
        return all(number in self.refers for number in between) or (last.bare and len(between) == 1)


def _plainness(here: Place, there: Place) -> tuple[bool, bool, bool]:
    """What decides first: one sentence over two, the text over its headline, the words themselves over near ones."""
    return here.sentence == there.sentence, not (here.head or there.head), "=" not in (here.key[0], there.key[0])


def _in_reach(here: Place, there: Place) -> bool:
    if here.clause == there.clause:
        return True
    apart = abs(here.rank - there.rank)
    if here.joined != there.joined:
        figures = [place for place in (here, there) if place.key[:2] == "##"]
        if figures:
            return apart <= _PAST_AND and figures[0].bare
        if here.anew != there.anew:
            return apart <= _PAST_AND
    return apart <= (_PAST_SIGN if here.opened == there.opened else _PAST_OPENER)


def number_key(number: Quantity) -> str:
    """A number with its unit as a key beside those of words."""
    return f"##{number.value:g}{number.unit}"


def word_key(token: Token) -> str:
    """The word as it is written, for words whose form decides."""
    return "'" + token.lower


def places_of(
    tokens: Sequence[Token],
    clauses: Sequence[Sequence[Token]],
    numbers: Sequence[Quantity],
    language: Language,
    *,
    implied: Collection[str] = (),
    ahead: Collection[int] = (),
    head: bool = False,
) -> tuple[Place, ...]:
    """Every word of content, word of order and number of a sentence.

    implied: keys that its numbers stand for together, as "from 70 to 25" does for a fall.
    ahead: indexes of tokens that lie in the future. head: it is a headline.
    """
    starts = {id(clause[0]): at for at, clause in enumerate(clauses)}
    heads = {number.first: number for number in numbers}
    inside = {at for number in numbers for at in range(number.first + 1, number.last)}
    governed = _governed(tokens, language) - {number.first for number in numbers if number.unit != _MULTIPLE}
    found: list[Place] = []
    rank = clause = opened = joined = anew = 0
    for at, token in enumerate(tokens):
        if id(token) in starts:
            clause = starts[id(token)]
            opened += at > 0 and tokens[at - 1].kind != "sign"
            joins = _joins(tokens, at, language)
            joined += joins
            anew += joins and not _points_back(tokens[at : at + _SUBJECT], language)
        pending = at in ahead or at in governed
        keys = set(token.keys)
        number = heads.get(at)
        if number is not None:
            bare = _bare(tokens, number, language)
            found.append(Place(number_key(number), rank, clause, opened, joined, anew, bare, pending, head))
            keys.update(implied)
        ordering = language.has("order", token.lower)
        if ordering:
            keys.add(word_key(token))
        found += [Place(key, rank, clause, opened, joined, anew, ahead=pending, head=head) for key in keys]
        rank += at not in inside and _steps(tokens, at, number, language)
    return tuple(found)


def _steps(tokens: Sequence[Token], at: int, number: Quantity | None, language: Language) -> bool:
    """Whether the token takes one further on: grammar does not, nor a number alone, nor the rest of a name."""
    if number is not None:
        return bool(number.unit) or not _bare(tokens, number, language)
    if at and tokens[at].capital and tokens[at - 1].capital:
        return False
    return not _grammar(tokens[at], language)


def _joins(tokens: Sequence[Token], at: int, language: Language) -> bool:
    """Whether a new statement begins: at "and", or behind it ("and that …")."""
    return any(language.has("coordinators", token.lower) for token in tokens[max(0, at - 1) : at + 1])


def _points_back(tokens: Sequence[Token], language: Language) -> bool:
    """ "…, and thirty-eight of those": what follows goes on about the same thing."""
    return any(language.has("anaphora", token.lower) for token in tokens)


def _grammar(token: Token, language: Language) -> bool:
    return token.kind == "sign" or (language.has("function", token.lower) and not language.has("order", token.lower))


def _governed(tokens: Sequence[Token], language: Language) -> set[int]:
    """Indexes of what is not done: the word behind "will", "would"; all that is asked for or wished."""
    found: set[int] = set()
    for at, token in enumerate(tokens):
        following = range(at + 1, len(tokens))
        if language.has("wished", token.lower):
            found.update(following)
        elif language.has("pending", token.lower) and at and language.has("copula", tokens[at - 1].lower):
            found.update(range(_start_of_statement(tokens, at, language), at))
        elif language.has("unreal", token.lower) or _intends(tokens, at, language):
            found.update(next(([place] for place in following if not _grammar(tokens[place], language)), []))
    return found


def _start_of_statement(tokens: Sequence[Token], at: int, language: Language) -> int:
    """Where the statement that ends at the token begins: behind the last "and" or "but"."""
    return next((place + 1 for place in range(at, -1, -1) if language.has("coordinators", tokens[place].lower)), 0)


def _intends(tokens: Sequence[Token], at: int, language: Language) -> bool:
    """ "Plan to double": a word of intention with the sign of what is intended."""
    following = tokens[at + 1].lower if at + 1 < len(tokens) else ""
    return language.has("intends", tokens[at].lower) and language.has("infinitive", following)


def _bare(tokens: Sequence[Token], number: Quantity, language: Language) -> bool:
    """ "Seven of those"; and a fragment like "Sixty-four pages." goes with what was said before."""
    following = tokens[number.last] if number.last < len(tokens) else None
    if following is not None and not number.unit and number.first == 0 and language.has("past_forms", following.lower):
        return True  # "Thirteen survived the merchants."
    fragment = sum(token.word for token in tokens) <= _FRAGMENT
    if fragment or number.unit:
        return fragment or number.unit in ("%", "fraction")
    return following is None or not following.word or language.has("function", following.lower)


def _topics(sentences: Sequence[Placed]) -> frozenset[str]:
    """What the item is about: words of so many of its sentences that they go with any of them."""
    counted = Counter(key for sentence in sentences for key in {p.key for p in sentence.places if not p.head})
    return frozenset(key for key, count in counted.items() if count >= _TOPIC and key[0] not in "='#")


def closeness_of(items: Iterable[Sequence[Placed]]) -> Closeness:
    """The index over all sentences of all items; no sentence points back into another item."""
    closeness = Closeness()
    number = 0
    for sentences in items:
        number += _CHAIN + 1
        closeness.topics.append(_topics(sentences))
        closeness.items.append(range(number, number + len(sentences)))
        for at, sentence in enumerate(sentences):
            if at and sentence.refers:
                closeness.refers.add(number)
            item = len(closeness.items) - 1
            for place in sentence.places:
                # All but the last two: where the sentence stands is known only here. Thousands a dossier.
                placed = Place._make((*place[:_TOLD_BY_SENTENCE], number, item))
                closeness.places.setdefault(place.key, []).append(placed)
            number += 1
    return closeness
