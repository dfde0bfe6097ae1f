"""What a number counts: the noun beside it must be the one beside the same number of the evidence."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from messaging.verification.facts import Fact
from messaging.verification.language import Language
from messaging.verification.numerals import TIME_UNITS, Quantity
from messaging.verification.rules.base import Situation
from messaging.verification.statements import FactSentence
from messaging.verification.tokens import Token

_BEHIND = 6


@dataclass(frozen=True, slots=True)
class Recorded:
    """A number of the evidence and where it stands."""

    number: Quantity
    sentence: FactSentence
    fact: Fact


def measures_alike(said: Quantity, recorded: Recorded, situation: Situation) -> bool:
    """Whether both numbers count the same thing, as far as the words beside them tell."""
    return (
        _whole_alike(said, recorded, situation)
        and _same_side(said, recorded, situation)
        and (_same_label(said, recorded, situation) or _same_noun(said, recorded, situation))
    )


def _whole_alike(said: Quantity, recorded: Recorded, situation: Situation) -> bool:
    """ "All thirty slides": where a language lists `wholes`, the evidence must have such a word with its number too."""
    language, tokens = situation.language, situation.reading.tokens
    if not said.first or not language.has("wholes", tokens[said.first - 1].lower):
        return True
    return any(language.has("wholes", lower) for lower in recorded.sentence.lowers)


def _same_noun(said: Quantity, recorded: Recorded, situation: Situation) -> bool:
    counted = counted_after(said, situation)
    if not counted:
        return _shares_topic(said, recorded, situation)
    if recorded.number.unit == "times" and not said.unit:
        return _done_so_often(counted, recorded.sentence)
    phrase = _phrase(recorded, situation)
    written = recorded.sentence.written or situation.language
    if phrase and situation.language.has("to_words", phrase[0].lower):
        return _within(counted, _near(recorded))  # "from nine to four": the noun stands before
    if any(token.word and not written.has("function", token.lower) for token in phrase):
        by_unit = _counted_by_unit(recorded.number, situation.language) and _within(counted, [recorded.sentence])
        return by_unit or any(_match(token, other) for token in counted for other in _heads(phrase, situation))
    unit = recorded.number.unit
    loose = unit in ("%", "times") or unit in TIME_UNITS or not phrase
    understood = bool(phrase) and situation.language.has("current", phrase[0].lower) and _noun_before(counted, recorded)
    if not loose and not understood and not _leaves_out(phrase[0], written):
        return False
    return _within(counted, _near(recorded))


def _done_so_often(counted: Sequence[Token], sentence: FactSentence) -> bool:
    """ "22 rides" are 22 times that somebody rode: a noun of the verb, so written otherwise."""
    return any(
        token.lower != other.lower and any(key in other.keys for key in token.keys if key[:1] not in "=#")
        for token in counted[:1]
        for other in sentence.tokens
    )


def _counted_by_unit(number: Quantity, language: Language) -> bool:
    """Per cent of anything; and where verbs come last, a time that may be followed by what took so long."""
    return number.unit in ("%", "times") or (
        number.unit in TIME_UNITS and bool(language.settings.get("verb_second", False))
    )


def _same_side(said: Quantity, recorded: Recorded, situation: Situation) -> bool:
    """A former value ("from 6", "three hours before") is told as one, and a present value is not."""
    tokens = situation.reading.tokens
    was = _former(recorded.number, recorded.sentence.tokens, situation)
    told = _former(said, tokens, situation)
    if was:
        return told or any(situation.language.has("former_value", token.lower) for token in tokens)
    if _of_more(recorded.number, recorded.sentence.tokens, recorded.sentence.numbers, situation):
        return _of_more(said, tokens, situation.reading.numbers, situation) or _tells_part(said, recorded, situation)
    if _of_all(said, tokens, situation) and not _of_all(recorded.number, recorded.sentence.tokens, situation):
        return not any(number is not recorded.number for number in recorded.sentence.numbers)
    other = any(_former(number, recorded.sentence.tokens, situation) for number in recorded.sentence.numbers)
    return not (told and other)


def _former(number: Quantity, tokens: list[Token], situation: Situation) -> bool:
    before = tokens[number.first - 1].lower if number.first else ""
    after = [token.lower for token in tokens[number.last : number.last + 2]]
    language = situation.language
    listed = language.has("former_before", before) or any(language.has("former_after", word) for word in after)
    return listed or from_to(number, tokens, language)


def _of_all(number: Quantity, tokens: list[Token], situation: Situation) -> bool:
    """ "All thirteen" where the text tells of nine out of thirteen: what is said of all is said of more."""
    return bool(number.first) and situation.language.has("wholes", tokens[number.first - 1].lower)


def from_to(number: Quantity, tokens: list[Token], language: Language) -> bool:
    """ "Passé de 11 à 22": the first of two numbers, where the word before it has other uses too."""
    bare = not number.first or not tokens[number.first - 1].word  # "Nine to four", as a heading
    if not bare and not language.has("from_words", tokens[number.first - 1].lower):
        return False
    for at in range(number.last, min(number.last + _BEHIND, len(tokens) - 1)):
        if language.has("to_words", tokens[at].lower):
            return tokens[at + 1].kind == "number" or tokens[at + 1].lower in language.numbers.get("words", {})
    return False


def _of_more(number: Quantity, tokens: list[Token], numbers: Sequence[Quantity], situation: Situation) -> bool:
    """ "One of our three clusters": what is said is said of a part, not of the three."""
    language = situation.language
    at = number.first - 1
    while at > 0 and language.has("determiners", tokens[at].lower):
        at -= 1
    if at < 1 or not language.has("partitive", tokens[at].lower):
        return False
    part = tokens[at - 1]
    return language.has("portions", part.lower) or any(other.first < at <= other.last for other in numbers)


def _tells_part(said: Quantity, recorded: Recorded, situation: Situation) -> bool:
    """ "Eleven surprises, and seven of them already listed": the sentence says of which part it is so."""
    language, tokens = situation.language, situation.reading.tokens
    parts = {number.value for number in recorded.sentence.numbers if number is not recorded.number}
    return any(
        number.value in parts
        and number.last + 1 < len(tokens)
        and language.has("partitive", tokens[number.last].lower)
        and language.has("anaphora", tokens[number.last + 1].lower)
        for number in situation.reading.numbers
        if number is not said
    )


def first_of_pair(said: Quantity, situation: Situation) -> Quantity | None:
    """The number before it in "from 9.5% to 5.2%", where the language lists the two words; else None."""
    language, tokens = situation.language, situation.reading.tokens
    before = next((number for number in reversed(situation.reading.numbers) if number.last <= said.first), None)
    if before is None or not before.first or not said.first or before.unit != said.unit:
        return None
    opened = language.has("from_words", tokens[before.first - 1].lower)
    between = [token.lower for token in tokens[before.last : said.first]]
    return before if opened and len(between) == 1 and language.has("to_words", between[0]) else None


def counted_after(number: Quantity, situation: Situation) -> list[Token]:
    """The nouns behind the number; a verb there ("a team of five has …") counts nothing."""
    tokens = situation.reading.tokens
    clause = situation.reading.clause_at(number.first)
    language = situation.language
    at = number.last
    while at < clause.last and (tokens[at].text == "-" or _may_stand_between(tokens[at], situation)):
        at += 1
    paired = _second_of_pair(number, situation)
    if paired is not None:
        at = paired.last
    whole = next((other for other in situation.reading.numbers if other.first == at > number.last), None)
    if whole is not None and not whole.unit and not number.unit:
        return counted_after(whole, situation)  # "40 of the 57 variables": variables are counted
    found: list[Token] = []
    for token in tokens[at : min(clause.last, at + _BEHIND)]:
        idle = not token.word or token.tags & {"number", "time"} or language.has("function", token.lower)
        if idle or language.has("post_nouns", token.lower) or len(found) == 2:
            break
        if not language.means("opinion", token.keys):
            found.append(token)
    return found[:-1] if found and number.unit and _closing_verb(found[-1], clause.tokens, language) else found


def _second_of_pair(number: Quantity, situation: Situation) -> Quantity | None:
    """ "From 62 to 76 hectares": what the first one counts stands behind the second."""
    following = next((other for other in situation.reading.numbers if other.first >= number.last), None)
    first = first_of_pair(following, situation) if following is not None else None
    return following if first is number else None


def _closing_verb(last: Token, tokens: list[Token], language: Language) -> bool:
    """Where verbs come last, the last word after "eight months" is what it took, not what is counted."""
    words = [token for token in tokens if token.word]
    return bool(language.settings.get("verb_second", False)) and last is words[-1]


def _may_stand_between(token: Token, situation: Situation) -> bool:
    language = situation.language
    listed = any(language.has(name, token.lower) for name in ("name_linkers", "determiners"))
    return listed or bool(token.tags & {"your", "possessive_self"})


def shares_figure_topic(said: Quantity, fact: Fact, situation: Situation) -> bool:
    """Whether the fact gives some plain count of what the clause speaks of, so that a multiple may be of that."""
    return any(
        _shares_topic(said, Recorded(recorded, sentence, fact), situation)
        for sentence, recorded in fact.numbers()
        if not recorded.unit and not recorded.ordinal
    )


def _shares_topic(said: Quantity, recorded: Recorded, situation: Situation) -> bool:
    """Without a noun behind the number the nouns before it decide; without any, the value alone."""
    language = situation.language
    clause = situation.reading.clause_at(said.first)
    before = [
        token
        for token in situation.reading.tokens[clause.first : said.first]
        if token.word
        and not token.tags & {"number", "time", "prospect", "company", "idiom"}
        and not any(language.has(name, token.lower) for name in ("function", "post_nouns"))
        and not language.means("opinion", token.keys)
    ][-3:]
    if not before and recorded.number.unit in TIME_UNITS:
        # "You have been at Pipewren for five years": not the five years at another company.
        named = [token for token in clause.tokens if "company" in token.tags]
        return not named or _within(named, [recorded.sentence])
    where = [recorded.sentence] if recorded.number.unit == "%" else _near(recorded)
    return not before or _within(before, where)


def _same_label(said: Quantity, recorded: Recorded, situation: Situation) -> bool:
    """ "Page 58": the word right before both numbers is the same."""
    if not said.first or not recorded.number.first:
        return False
    mine = situation.reading.tokens[said.first - 1]
    theirs = recorded.sentence.tokens[recorded.number.first - 1]
    return mine.word and not situation.language.has("function", mine.lower) and _match(mine, theirs)


def _phrase(recorded: Recorded, situation: Situation) -> list[Token]:
    """The words behind the evidence's number, up to the next sign or "and"."""
    first = recorded.number.last
    behind = recorded.sentence.tokens[first].lower if first < len(recorded.sentence.tokens) else ""
    if recorded.number.per and behind in situation.language.numbers.get("per_words", []):
        first += 2  # "60 a day": alerts, say
    tokens = recorded.sentence.tokens[first : first + _BEHIND]
    for at, token in enumerate(tokens):
        if (token.kind == "sign" and token.text != "-") or situation.language.has("coordinators", token.lower):
            return tokens[:at]
    return tokens


def _heads(phrase: list[Token], situation: Situation) -> list[Token]:
    """ "Three query clusters" counts clusters: a noun before one that the sentence does not name is left out."""
    language = situation.language
    if not language.settings.get("head_last", False) or len(phrase) < 2:
        return phrase
    said = {key for token in situation.reading.tokens for key in token.keys}
    first, second = phrase[0], phrase[1]
    bare = second.word and not language.has("function", second.lower) and said.isdisjoint(second.keys)
    same_form = any(token.lower == first.lower for token in situation.reading.tokens)
    return phrase[1:] if bare and first.word and not same_form else phrase


def _leaves_out(following: Token, written: Language) -> bool:
    """ "Seven of those", "three and": the noun is understood."""
    return any(written.has(name, following.lower) for name in ("name_linkers", "coordinators"))


def _noun_before(counted: Sequence[Token], recorded: Recorded) -> bool:
    """ "Under three seconds. It takes nine today": a number without a noun counts what the one before counted."""
    at = recorded.fact.sentences.index(recorded.sentence)
    for sentence in reversed(recorded.fact.sentences[max(0, at - 1) : at + 1]):
        for number in reversed(sentence.numbers):
            if sentence is not recorded.sentence or number.last <= recorded.number.first:
                return any(
                    _match(token, other)
                    for token in counted
                    for other in sentence.tokens[number.last : number.last + 2]
                )
    return False


def _near(recorded: Recorded) -> list[FactSentence]:
    at = recorded.fact.sentences.index(recorded.sentence)
    heads = [other for other in recorded.fact.sentences if other.head]
    return heads + list(recorded.fact.sentences[max(0, at - 1) : at + 2])


def _within(tokens: list[Token], sentences: list[FactSentence]) -> bool:
    return any(not token.keys.isdisjoint(sentence.keys) for token in tokens for sentence in sentences)


def _match(one: Token, other: Token) -> bool:
    return not one.keys.isdisjoint(other.keys)
