"""From a text to clauses that know who speaks of whom, and in what mood."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import pairwise

from messaging.verification.facts import Facts
from messaging.verification.language import Language
from messaging.verification.numerals import Quantity, quantities, words_before
from messaging.verification.patterns import Match
from messaging.verification.statements import mark_phrases
from messaging.verification.tagging import tag, tag_addressed, tag_numbers
from messaging.verification.times import TimeWords, time_words
from messaging.verification.titles import TitleMention, title_mentions
from messaging.verification.tokens import Sentence, Token, clauses

#: Names of patterns that make what they introduce an act, not a statement.
_OPENING = frozenset({"request", "offer", "wish", "thanks", "conditional", "instruction"})


@dataclass(slots=True, eq=False)
class Clause:
    """Part of a sentence.

    moods     "open" (question, request, offer, wish, condition), "hedged", "presupposed"
    subject   "you", "self", "company", "person", "" (none named)
    of_sender the sender's company, or "we" without a word about the prospect, is the subject
    act_from  index of the word that makes it an act or a guess; what stands before is stated (-1: none)
    first, last   index of its first token and one past its last in the sentence
    """

    tokens: list[Token]
    first: int = 0
    last: int = 0
    moods: set[str] = field(default_factory=set)
    subject: str = ""
    act_from: int = -1
    of_sender: bool = False

    @property
    def open(self) -> bool:
        return "open" in self.moods and "presupposed" not in self.moods


@dataclass(slots=True, eq=False)
class Reading:
    """A sentence with all that was found in it. Positions are indexes into `tokens`."""

    sentence: Sentence
    tokens: list[Token]
    matches: list[Match]
    numbers: list[Quantity]
    times: list[TimeWords]
    titles: list[TitleMention]
    clauses: list[Clause]
    subject_line: bool = False

    def named(self, *names: str) -> list[Match]:
        return [match for match in self.matches if match.name in names]

    def clause_at(self, index: int) -> Clause:
        """The clause that holds that token (the nearest one for a sign between two)."""
        return next((clause for clause in self.clauses if clause.last > index), self.clauses[-1])


def read_sentence(
    sentence: Sentence, facts: Facts, language: Language, *, subject_line: bool = False
) -> Reading | None:
    """Tag the tokens, find patterns, numbers, times and titles, and give each clause its mood and subject."""
    tokens = sentence.tokens
    mark_phrases(tokens, language)
    tag(tokens, facts, language)
    places = {token.start: index for index, token in enumerate(tokens)}
    parts = [
        Clause(clause, places[clause[0].start], places[clause[-1].start] + 1) for clause in clauses(sentence, language)
    ]
    if not parts:
        return None
    numbers = quantities(tokens, language)
    times = time_words(tokens, language)
    numbers = [number for number in numbers if not _overlaps(number, times)]
    times = [words for words in times if not any(_rounds(words, number, tokens, language) for number in numbers)]
    tag_numbers(tokens, numbers, times, language)
    tag_addressed(tokens, language)
    titles = title_mentions(tokens, language)
    for mention in titles:
        for token in tokens[mention.first : mention.last]:
            token.tags.add("titled")
    reading = Reading(
        sentence=sentence,
        tokens=tokens,
        matches=language.patterns.find(tokens),
        numbers=numbers,
        times=times,
        titles=titles,
        clauses=parts,
        subject_line=subject_line,
    )
    _moods(reading, language)
    _subjects(reading, language)
    return reading


def _rounds(words: TimeWords, number: Quantity, tokens: list[Token], language: Language) -> bool:
    """ "Hace poco más de un año": "poco más de" rounds the year, and "hace poco" is no time by itself."""
    start = number.first - words_before(tokens, number, language)
    return start < words.last and words.first < number.first


def _overlaps(number: Quantity, times: list[TimeWords]) -> bool:
    return any(words.first < number.last and number.first < words.last for words in times)


def _moods(reading: Reading, language: Language) -> None:
    names = _OPENING | {"question_start"} if reading.sentence.question else _OPENING
    openers = [match for match in reading.matches if match.name in names and not _of_another(match, reading, language)]
    if reading.sentence.question and not openers:
        _open_question(reading)
    for match in openers:
        _act(reading.clause_at(match.first), "open", match.first)
    for clause in reading.clauses:
        if reading.sentence.question and _asks(clause, language):
            _act(clause, "open", clause.first)
    _carry_on(reading, language)
    for match in reading.named("presupposes"):
        reading.clause_at(match.last - 1).moods.add("presupposed")
    for match in reading.named("hedge"):
        _act(reading.clause_at(match.first), "hedged", match.first)
        _act(reading.clause_at(match.last - 1), "hedged", match.first)  # "j'imagine que …": the clause it opens


def _of_another(match: Match, reading: Reading, language: Language) -> bool:
    """ "Your team was happy to …" tells something; only the sender's own gladness offers."""
    if not any(language.means("feelings", token.keys) for token in reading.tokens[match.first : match.last]):
        return False
    before = reading.tokens[reading.clause_at(match.first).first : match.first]
    tags = {tag for token in before for tag in token.tags}
    return bool(tags & {"you", "your", "company", "person"}) and not tags & {"self", "possessive_self"}


def _carry_on(reading: Reading, language: Language) -> None:
    opened = False
    for clause in reading.clauses:
        wished = _hoped(clause, reading)
        if (opened or wished) and "open" not in clause.moods and (wished or _continues_act(clause, reading, language)):
            _act(clause, "open", clause.first)
        opened = opened or "open" in clause.moods


def _hoped(clause: Clause, reading: Reading) -> bool:
    """ "I hope | that Damien does not read this": the clause right behind is what is hoped; `hopes_for` reads it."""
    return any(clause.first < match.last <= clause.first + 2 for match in reading.named("hopes_for"))


def _asks(clause: Clause, language: Language) -> bool:
    first = next((token for token in clause.tokens if token.word), None)
    return first is not None and language.has("question_openers", first.lower)


def _act(clause: Clause, mood: str, at: int) -> None:
    clause.moods.add(mood)
    clause.act_from = at if clause.act_from < 0 else min(at, clause.act_from)


def _open_question(reading: Reading) -> None:
    """A question without a listed opening: its last clause asks, and all of it when it speaks to nobody."""
    _act(reading.clauses[-1], "open", reading.clauses[-1].first)
    if len(reading.clauses) == 1 or not any("you" in token.tags for token in reading.clauses[0].tokens):
        for clause in reading.clauses:
            _act(clause, "open", clause.first)


def _continues_act(clause: Clause, reading: Reading, language: Language) -> bool:
    """After a request the rest of a question, or a clause that names no new subject of its own, belongs to it."""
    first = next((token for token in clause.tokens if token.word), None)
    if first is None:
        return False
    if language.has("statement_openers", first.lower):
        return False
    if reading.sentence.question or language.has("alternatives", first.lower):
        return True
    if language.has("question_words", first.lower):
        return True  # "I would like to know, how you …", where a comma stands before it
    if language.has("reporting_openers", first.lower):
        return False
    return not any(tag in token.tags for token in clause.tokens[:3] for tag in ("you", "your", "company", "person"))


def _subjects(reading: Reading, language: Language) -> None:
    """The first one named in the clause; a clause that names nobody goes on with the one before."""
    before = ""
    offered = False
    for clause in reading.clauses:
        if offered and _goes_on_about_offer(clause, language):
            clause.subject = before = "self"
            continue
        named = _named_first(clause, language) or _noted(clause, language) or _subject(clause, language)
        clause.subject = named or _carried(before, clause, language)
        if clause.subject == "self" and _only_knows(clause, language):
            clause.subject = ""
        clause.of_sender = clause.subject == "self" and _speaks_for_sender(clause)
        before = clause.subject
        offered = clause.of_sender or (offered and before == "self")


def _goes_on_about_offer(clause: Clause, language: Language) -> bool:
    """ "Our offer: software *that watches your suppliers*": a relative clause behind the sender's own product."""
    if not language.has("relatives", clause.tokens[0].lower):
        return False
    return not any("you" in token.tags or token.tags & {"person", "company"} for token in clause.tokens)


def _carried(before: str, clause: Clause, language: Language) -> str:
    """ "Sé que los informes quitan tiempo": where verbs carry the person, what the sender knows is not about them."""
    known = before == "self" and bool(language.words.get("polite"))
    return "" if known and language.has("reported_openers", clause.tokens[0].lower) else before


def _only_knows(clause: Clause, language: Language) -> bool:
    """ "Sé que …", "vi que …" with nothing about the sender behind it, in one short clause with what is known."""
    if not language.words.get("polite"):
        return False
    for at, token in enumerate(clause.tokens[:3]):
        if language.has("reported_openers", token.lower):
            return not any(other.tags & {"self", "possessive_self", "sender"} for other in clause.tokens[at:])
    return False


def _named_first(clause: Clause, language: Language) -> str:
    """Where the verb comes second, a pronoun in its subject form decides ("Bei Havenlink leiten Sie …")."""
    for token in clause.tokens:
        if "quoted" not in token.tags and language.says("subject_forms", token):
            return "you" if "you" in token.tags else "self" if "self" in token.tags else ""
    return ""


def _noted(clause: Clause, language: Language) -> str:
    """ "I see you …", "I read Havenlink …": whom the note is about, "" when the sender speaks of something else."""
    noting = False
    for token in clause.tokens:
        if token.tags & {"self", "possessive_self"}:
            noting = True
        elif not noting:
            return ""
        elif "you" in token.tags:
            return "you"
        elif token.tags & {"person", "company"}:
            return "person" if "person" in token.tags else "company"
        elif not language.means("neutral", token.keys):
            return ""
    return ""


def _speaks_for_sender(clause: Clause) -> bool:
    tags = {tag for token in clause.tokens for tag in token.tags}
    if tags & {"you", "your", "person", "company", "quoted"}:
        return False
    first = next((token for token in clause.tokens if token.tags & {"self", "possessive_self", "sender"}), None)
    return first is not None and ("sender" in first.tags or "plural_self" in first.tags)


def is_oblique(tokens: list[Token], at: int, language: Language) -> bool:
    """ "With you", "for you": behind a preposition a pronoun is not who does something."""
    return at > 0 and language.has("obliques", tokens[at - 1].lower)


def _names_somebody(clause: Clause, language: Language) -> bool:
    """A person of the dossier, or two words with a capital side by side that are no words of the dictionary."""
    if any("person" in token.tags for token in clause.tokens):
        return True
    return any(
        one.capital and other.capital and not other.tags & {"company", "sender"} and not language.known(other.lower)
        for one, other in pairwise(clause.tokens)
    )


def _subject(clause: Clause, language: Language) -> str:
    for at, token in enumerate(clause.tokens):
        if "quoted" in token.tags:
            continue
        if "you" in token.tags and is_oblique(clause.tokens, at, language) and _names_somebody(clause, language):
            continue  # "Kirsten Oswald takes over *with you*"
        if token.tags & {"you", "your"}:
            return "you"
        if token.tags & {"self", "possessive_self", "sender"} and not (at and "object" in token.tags):
            return "self"
        if "person" in token.tags:
            return "person"
        if "company" in token.tags:
            return "company"
    return ""
