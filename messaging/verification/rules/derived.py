"""Figures that arithmetic gives: a sum of two counts of one thing, a price for each times how many, what is left."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, pairwise

from messaging.verification.facts import Fact
from messaging.verification.numerals import TIME_UNITS, Quantity
from messaging.verification.reading import Clause
from messaging.verification.rules.base import Situation
from messaging.verification.rules.measures import Recorded, counted_after, measures_alike
from messaging.verification.statements import FactSentence
from messaging.verification.tokens import Token

#: Half of the last digit that "some 58,000" keeps of 57,600, as a share.
_ROUNDED = 0.015
_CHANGES = ("falls", "rises")
#: A currency is named by a code of three letters.
_CURRENCY = 3
#: The thing counted stands so near behind its number.
_REACH = 3
#: "Passos a menos": so many words behind a number may say that it is a difference.
_BESIDE = 4
#: "of the thirteen": so many words at most from a part to its whole.
_OF_THE = 3
#: So many things a text may name without counting them.
_COUNTABLE = 12
_TWO = 2


def by_arithmetic(number: Quantity, fact: Fact, situation: Situation) -> bool:
    """Whether two figures of the dossier, one of them in this fact, give the number as a sum or a product."""
    if (
        number.ordinal
        or number.weak
        or number.unit in TIME_UNITS
        or number.unit in ("%", "fraction", "points", "times")
    ):
        return False
    if len(number.unit) == _CURRENCY:
        return _total_price(number, fact)
    return not number.unit and _sum(number, fact, situation)


def _sum(number: Quantity, fact: Fact, situation: Situation) -> bool:
    """ "76 hectares": the 62 of one record and the 14 of another, said of the same thing."""
    counted = counted_after(number, situation)
    if not counted:
        return False
    mine = [one for one, noun in _counts(fact) if _names(noun, counted)]
    if not mine:
        return False
    said = {other.value for other in situation.reading.numbers if other is not number}
    others = [one for other in situation.facts.all for one, noun in _counts(other) if _names(noun, counted)]
    return any(
        abs(one + other - number.value) < 1e-9 and (one in said or other in said) for one in mine for other in others
    )


def _total_price(number: Quantity, fact: Fact) -> bool:
    """ "Some 58,000 euros": 90 euros for each of 640 homes."""
    each = [one for _, one in fact.numbers() if one.unit == number.unit]
    many = [value for value, _ in _counts(fact)]
    near = _ROUNDED if number.rounding == "about" else 0.001
    return any(abs(price.value * value - number.value) <= near * number.value for price in each for value in many)


def _counts(fact: Fact) -> Iterator[tuple[float, list[Token]]]:
    """Plain counts with the words behind them."""
    for sentence, one in fact.numbers():
        if not one.unit and not one.ordinal and not one.weak:
            yield one.value, _behind(sentence, one)


def _behind(sentence: FactSentence, one: Quantity) -> list[Token]:
    return [token for token in sentence.tokens[one.last : one.last + _REACH] if token.word]


def _names(noun: list[Token], counted: list[Token]) -> bool:
    return any(not mine.keys.isdisjoint(theirs.keys) for mine in counted for theirs in noun)


def shares_changed(clause: Clause, fact: Fact, situation: Situation) -> list[float]:
    """By how many per cent a value of the text fell or rose, where the clause has a word for that; [] otherwise."""
    language = situation.language
    said = [any(language.means(name, token.keys) for token in clause.tokens if token.word) for name in _CHANGES]
    if not any(said):
        return []
    found = []
    for sentence in fact.sentences:
        for before, after in pairwise(sentence.numbers):
            between = [token.lower for token in sentence.tokens[before.last : after.first]]
            alike = before.unit in ("", after.unit) and before.value and not before.ordinal
            if alike and len(between) <= _REACH and any(language.has("to_words", word) for word in between):
                change = (after.value - before.value) / before.value * 100
                if said[change > 0]:
                    found.append(abs(change))
    return found


def points_changed(fact: Fact, situation: Situation) -> list[float]:
    """Differences of two shares of one text; in "from 8.1 to 6.3 per cent" the first goes without its sign."""
    shares: list[float] = []
    for _, one in fact.numbers():
        if one.unit == "%":
            shares.append(one.value)
    for sentence in fact.sentences:
        for before, after in pairwise(sentence.numbers):
            between = [token.lower for token in sentence.tokens[before.last : after.first]]
            to = len(between) == 1 and situation.language.has("to_words", between[0])
            if to and not before.unit and after.unit == "%":
                shares.append(before.value)
    return [abs(one - other) for one in shares for other in shares if one != other]


def told_of_the_rest(clause: Clause, fact: Fact, situation: Situation) -> bool:
    """Whether the clause speaks of what the text says of "the rest": a share of those is what the given share leaves."""
    language = situation.language
    for sentence in fact.sentences:
        at = next((at for at, token in enumerate(sentence.tokens) if language.has("complement", token.lower)), -1)
        if at < 0 or not any(one.unit == "%" for one in sentence.numbers):
            continue
        rest = [token for token in sentence.tokens[at + 1 :] if not language.has("function", token.lower)]
        said = [
            token
            for token in situation.reading.tokens[clause.first :]
            if token.word and not language.has("function", token.lower)
        ]
        if any(not one.keys.isdisjoint(other.keys) for one in said for other in rest):
            return True
    return False


def by_difference(number: Quantity, fact: Fact, situation: Situation) -> bool:
    """ "Five thousand steps fewer": the difference of two counts that follow each other, in their direction."""
    tokens, language = situation.reading.tokens, situation.language
    around = tokens[max(0, number.first - 1) : number.first] + tokens[number.last : number.last + _BESIDE]
    fewer = any(language.has("fewer", token.lower) for token in around)
    if fewer == any(language.has("more", token.lower) for token in around):
        return False
    counts = [
        (sentence, value)
        for sentence, value in fact.numbers()
        if value.unit == number.unit and not value.weak and not value.ordinal
    ]
    return any(
        (one.value > other.value) == fewer
        and abs(abs(one.value - other.value) - number.value) < 1e-9
        and any(
            measures_alike(number, Recorded(value, at, fact), situation) for at, value in ((here, one), (there, other))
        )
        for (here, one), (there, other) in pairwise(counts)
    )


def part_and_whole(said: Quantity, fact: Fact, situation: Situation) -> bool:
    """ "Nine of the thirteen complaints" where one sentence gives both counts: "of the thirteen …, nine were …"."""
    language, tokens = situation.language, situation.reading.tokens
    whole = next((other for other in situation.reading.numbers if 0 < other.first - said.last <= _OF_THE), None)
    if whole is None or said.unit or whole.unit or not said.value < whole.value:
        return False
    between = [token.lower for token in tokens[said.last : whole.first]]
    if not language.has("partitive", between[0]) or not all(language.has("determiners", word) for word in between[1:]):
        return False
    both = {(said.value, ""), (whole.value, "")}
    return any(both <= {(number.value, number.unit) for number in sentence.numbers} for sentence in fact.sentences)


def may_follow(number: Quantity, fact: Fact) -> bool:
    """Whether it may count what the text names, or follow from two of its figures: sum, difference, share, multiple."""
    if number.value <= _COUNTABLE and number.value == int(number.value) and not number.unit:
        return True
    if number.unit in ("%", "fraction", "times") and len(fact.numbers()) >= _TWO:
        return True
    values = [recorded.value for _, recorded in fact.numbers() if recorded.unit in (number.unit, "")]
    return any(
        abs(abs(one + sign * other) - number.value) < 1e-9 for one, other in combinations(values, 2) for sign in (1, -1)
    )
