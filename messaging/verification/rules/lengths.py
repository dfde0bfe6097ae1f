"""Figures the text gives otherwise (another length of time, one count said of two things), and words for no figure."""

from __future__ import annotations

from messaging.verification.facts import Fact
from messaging.verification.numerals import TIME_UNITS, Quantity
from messaging.verification.reading import Clause
from messaging.verification.rules.base import Situation
from messaging.verification.rules.matching import says_something
from messaging.verification.rules.polarity import fullest
from messaging.verification.rules.tenure import tenure_holds
from prospects.domain.evidence import PROSE

#: Smaller figures may be said of anything more than once.
_FEW = 2
_LAST_DAY = 31
#: So close to another figure it is a part of that one.
_PAIR = 2
_NAMES = frozenset({"company", "prospect", "sender"})


def said_again(number: Quantity, fact: Fact, situation: Situation) -> bool:
    """Whether the sentence said this figure before, and the text has it once, beside other figures."""
    before = [other for other in situation.reading.numbers if other.last <= number.first]
    if number.value <= _FEW or not any(_alike(number, other) for other in before):
        return False
    recorded = [one for sentence in fact.sentences if len(sentence.numbers) > 1 for one in sentence.numbers]
    return sum(_alike(number, one) for one in recorded) == 1


def _alike(one: Quantity, other: Quantity) -> bool:
    return one.value == other.value and one.unit == other.unit and not other.weak


def lasts_otherwise(number: Quantity, clause: Clause, situation: Situation) -> Fact | None:
    """ "In a month", where the sentence that says most of the clause says "in a quarter": the text, else None."""
    fact = situation.best[situation.reading.clauses.index(clause)]
    if fact is None or fact.evidence.kind not in PROSE or number.unit not in TIME_UNITS or number.rounding:
        return None
    if clause.open or "hedged" in clause.moods or situation.reading.titles:
        return None
    lengths = sum(one.unit in TIME_UNITS for one in situation.reading.numbers)
    if number.weak and (lengths > 1 or tenure_holds(number, clause, situation)):
        return None  # "an hour for twelve minutes", "after a year": as long as some record says
    content = [token for token in clause.tokens if says_something(token, situation) and not token.tags & _NAMES]
    told = [one for sentence in fullest(content, fact) for one in sentence.numbers if one.unit in TIME_UNITS]
    return fact if told and not any(one.days == number.days for one in told) else None


def is_pronoun(number: Quantity, situation: Situation) -> bool:
    """ "The two of you", "the two become one": in words, up to two, and no part of a further figure ("two of the nine")."""
    if number.value > _FEW or number.unit or number.rounding or not stands_alone(number, situation):
        return False
    in_digits = number.first > 0 and situation.reading.tokens[number.first].kind == "number"
    part = any(number.last < other.first <= number.last + _PAIR for other in situation.reading.numbers)
    return not in_digits and not part


def is_day(number: Quantity, situation: Situation) -> bool:
    """ "On the 14th", "no dia 11/01": the day of a proposed talk, where the language lists what stands before it."""
    tokens = situation.reading.tokens
    before = tokens[number.first - 1] if number.first else None
    if before is not None and before.text == "/" and number.first > 1:
        before = tokens[number.first - 3] if number.first > 2 else None  # the month behind it
    listed = before is not None and situation.language.has("day_words", before.lower)
    return listed and not number.unit and 1 <= number.value <= _LAST_DAY and stands_alone(number, situation)


def stands_alone(number: Quantity, situation: Situation) -> bool:
    """ "The two of you", "the two become one": nothing is counted behind it."""
    tokens = situation.reading.tokens
    following = tokens[number.last] if number.last < len(tokens) else None
    return following is None or not following.word or situation.language.has("function", following.lower)
