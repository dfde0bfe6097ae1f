"""One sentence of evidence, ready for comparison: its words, figures, days and clauses."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from messaging.verification.closeness import Place, places_of
from messaging.verification.language import Language
from messaging.verification.numerals import Quantity, quantities
from messaging.verification.times import lies_ahead, time_words
from messaging.verification.tokens import Sentence, Token, clauses
from messaging.verification.told import dates_told, direction
from prospects.domain.dates import DateInterval

_SHORT = 5
_PERSONAL = frozenset({"self", "possessive_self"})


@dataclass(frozen=True, slots=True)
class Segment:
    """A clause of evidence: its keys, and whether it denies or is only planned, supposed or asked."""

    keys: frozenset[str]
    lowers: frozenset[str]
    negated: bool
    softly: bool
    future: bool
    supposed: bool
    contrast: bool = False  # a few words that begin with the denial: "not out of principle"
    elsewhere: bool = False  # about somebody else, and not about the author
    denied: frozenset[str] = frozenset()  # keys of the first word of content behind the denial


@dataclass(slots=True, eq=False)
class FactSentence:
    """One sentence of evidence, ready for comparison."""

    tokens: list[Token]
    keys: frozenset[str]
    numbers: tuple[Quantity, ...]
    segments: tuple[Segment, ...]
    lowers: frozenset[str]
    dates: tuple[DateInterval, ...] = ()
    places: tuple[Place, ...] = ()
    refers: bool = False  # it points back: what the sentence before is about, it is about too
    written: Language | None = None  # the language of the text, where it is not the message's
    head: bool = False  # a title or name: it belongs to every sentence of the item
    foreign: bool = False  # somebody else's words that a comment is about


@dataclass(frozen=True, slots=True)
class Source:
    """What an item of evidence tells of each of its sentences.

    written  the language of its text: numbers, times and denials are read in that one
    day      when it was said; relative times are counted from it
    today    the day of sending
    record   a list of fields rather than prose: its commas part nothing
    """

    written: Language
    day: date
    today: date
    record: bool = False


def read_statement(
    sentence: Sentence, language: Language, source: Source, *, head: bool = False, foreign: bool = False
) -> FactSentence:
    """Words with their keys, figures, days and places of one sentence of evidence."""
    written = source.written
    tokens = sentence.tokens
    mark_phrases(tokens, language)
    for token in tokens:
        if token.word:
            token.keys = language.recorded_keys(token.keys.union(*token.parts))
    numbers = tuple(quantities(tokens, written))
    falls_or_rises = direction(tokens, numbers, language)
    parts = clauses(sentence, written)
    cut = [tokens] if source.record else parts
    ahead = _told_ahead(tokens, cut, source)
    return FactSentence(
        tokens=tokens,
        keys=falls_or_rises.union(*(token.keys for token in tokens)),
        numbers=numbers,
        segments=_segments(parts, written),
        lowers=frozenset(token.lower for token in tokens),
        dates=dates_told(tokens, written, source.day),
        places=places_of(tokens, cut, numbers, written, implied=falls_or_rises, ahead=ahead, head=head),
        refers=not written.words.get("anaphora") or _says(tokens, "anaphora", written),
        written=written if written is not language else None,
        head=head,
        foreign=foreign,
    )


def _told_ahead(tokens: list[Token], parts: list[list[Token]], source: Source) -> frozenset[int]:
    """Indexes of the tokens whose clause dates what it says, and only in days to come ("from January", "next year")."""
    dated: dict[int, list[bool]] = {}
    for words in time_words(tokens, source.written):
        part = next((at for at, clause in enumerate(parts) if tokens[words.first] in clause), -1)
        dated.setdefault(part, []).append(lies_ahead(words.rule, source.day, source.today))
    ahead = {id(token) for at, found in dated.items() if at >= 0 and all(found) for token in parts[at]}
    return frozenset(at for at, token in enumerate(tokens) if id(token) in ahead)


def _segments(parts: list[list[Token]], language: Language) -> tuple[Segment, ...]:
    """Clauses of evidence; "not because …" denies the clause that follows."""
    found: list[Segment] = []
    carried = softly = False
    before: list[Token] = []
    carrying = "carried_negation" if "carried_negation" in language.words else "negation"
    for clause in parts:
        classes = language.classes(token.lower for token in clause)
        carried = carried and (clause[0].start <= before[-1].end + 1 or clause[0].lower in language.clause_openers)
        denied = carried or (bool(found) and carries_denial(before, clause, language))
        found.append(
            Segment(
                keys=frozenset[str]().union(*(token.keys for token in clause)),
                lowers=frozenset(token.lower for token in clause),
                negated=denied or "negation" in classes,
                softly=softly or "soft_negation" in classes,
                future="planned" in classes,
                supposed="supposed" in classes,
                contrast=len(clause) <= _SHORT and language.has("negation", clause[0].lower),
                elsewhere="others" in classes and classes.isdisjoint(_PERSONAL),
                denied=_denied(clause, language, carried=denied),
            )
        )
        carried = language.has(carrying, clause[-1].lower)
        softly = language.has("soft_negation", clause[-1].lower)
        before = clause
    return tuple(found)


def _denied(clause: Sequence[Token], language: Language, *, carried: bool) -> frozenset[str]:
    """ "Nobody had *told* them that …": what is said not to be; empty when only grammar follows.

    carried: the denial stands in the clause before ("not because …").
    """
    none = -1 if carried else len(clause)
    at = next((at for at, token in enumerate(clause) if language.has("negation", token.lower)), none)
    following = (token for token in clause[at + 1 :] if token.word and not language.has("function", token.lower))
    return next((token.keys for token in following), frozenset())


def carries_denial(before: Sequence[Token], clause: Sequence[Token], language: Language) -> bool:
    """ "No digo que los bonos sobren": what is not said or thought is denied, where `reported_openers` lists "que"."""
    if not before or not language.has("reported_openers", clause[0].lower) or clause[0].start > before[-1].end + 1:
        return False
    denies = any(language.has("negation", token.lower) for token in before[-3:])
    return denies and language.means("neutral", before[-1].keys)


def _says(clause: list[Token], name: str, language: Language) -> bool:
    return any(language.has(name, token.lower) for token in clause)


def mark_phrases(tokens: list[Token], language: Language) -> None:
    """Words of a listed phrase get the key of its synonym group."""
    if not language.phrases:
        return
    for at, token in enumerate(tokens):
        if token.keys.isdisjoint(language.phrases):
            continue
        for key in token.keys & language.phrases.keys():
            for stems, group in language.phrases[key]:
                span = tokens[at : at + len(stems)]
                if len(span) == len(stems) and all(
                    stem in part.keys or stem == part.text for stem, part in zip(stems, span, strict=True)
                ):
                    for part in span:
                        part.keys = part.keys | {group}
                        part.tags.add("phrase")
