"""Words with their place, and the split of a text into sentences and clauses."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from messaging.verification.folding import SEPARATING_DASH
from messaging.verification.language import Language

#: Numbers with separators, words with inner apostrophes, hyphens or dots (B.V., e.g.), or one sign.
_TOKEN = re.compile(
    r"(?P<number>\d{1,15}(?:[.,'\u202f ]\d{3}(?!\d)){0,5}(?:[.,:]\d{1,6})?)"
    r"|(?P<word>[^\W\d_](?:[^\W_]|'(?=[^\W\d_])){0,60})"
    r"|(?P<sign>[^\w\s]|_)"
)
_LINE = re.compile(r"[\r\n]+")
_ENDS = frozenset(".!?…")
_SPLITTING = frozenset(",;:()[]" + SEPARATING_DASH)
#: Nobody writes longer ones; it bounds the work that hostile text can cause.
_LONGEST_SENTENCE = 250
_FEW_SIGNS = 3
#: So many words may stand between a verb and its separated particle.
_LONGEST_BRACE = 25
_SHORTEST_VERB = 3
_CLOSERS = frozenset("\"')]")


@dataclass(slots=True, eq=False)
class Token:
    """One word, number or sign. start and end count in the folded text."""

    start: int
    end: int
    text: str
    kind: str  # "word", "number", "sign"
    lower: str
    keys: frozenset[str] = frozenset()
    parts: tuple[frozenset[str], ...] = ()  # keys of the parts of a compound
    tags: set[str] = field(default_factory=set)
    capital: bool = field(init=False)
    word: bool = field(init=False)

    def __post_init__(self) -> None:
        self.capital = self.text[:1].isupper()
        self.word = self.kind == "word"


@dataclass(slots=True)
class Sentence:
    """Tokens of one sentence or line. first_line and last_line tell where it stands in the text."""

    tokens: list[Token]
    line: int
    question: bool = False


def tokenise(text: str, language: Language) -> list[Token]:
    """All tokens of a folded text, with the keys of each word."""
    tokens: list[Token] = []
    for match in _TOKEN.finditer(text):
        kind = match.lastgroup or "sign"
        raw = match.group()
        token = Token(match.start(), match.end(), raw, kind, raw.lower())
        tokens.extend(_split_contraction(token, language) if kind == "word" else [token])
    _pair(tokens, language)
    for token in tokens:
        if token.word:
            token.keys = language.keys(token.lower)
            if not token.capital or language.settings.get("nouns_capitalised", False):
                token.parts = language.parts(token.lower)
    if language.words.get("particles"):
        _join_particles(tokens, language)
    return tokens


def _pair(tokens: list[Token], language: Language) -> None:
    """Words that mean something else with a partner near them: "ne … plus" is no "plus"."""
    paired = language.settings.get("paired", {})
    if not paired:
        return
    for at, token in enumerate(tokens):
        partners = paired.get(token.lower, "").split()
        if not partners:
            continue
        around = tokens[max(0, at - 4) : at] + tokens[at + 1 : at + 3]
        if any(other.lower in partners for other in around):
            token.lower = f"{partners[0]}_{token.lower}"


def _join_particles(tokens: list[Token], language: Language) -> None:
    """ "Sie hörten damit auf": a particle at the end of a clause belongs to a verb before it."""
    for at, token in enumerate(tokens):
        if not language.has("particles", token.lower):
            continue
        places = _infinitive(tokens, at, language)
        if not places and _closes_clause(tokens, at, language):
            places = _before(tokens, at)
        verb = next((tokens[place] for place in places if _takes(token, tokens[place], language)), None)
        if verb is not None:
            verb.keys = language.keys(token.lower + verb.lower) | language.keys(
                token.lower + language.lemma(verb.lower)
            )
            verb.tags.add("joined")
            token.tags.add("particle")


def _infinitive(tokens: list[Token], at: int, language: Language) -> Sequence[int]:
    """ "om niets *om te gooien*": the verb stands behind the particle and a marker."""
    marked = at + 2 < len(tokens) and language.has("infinitive_markers", tokens[at + 1].lower)
    return (at + 2,) if marked else ()


def _closes_clause(tokens: list[Token], at: int, language: Language) -> bool:
    following = tokens[at + 1] if at + 1 < len(tokens) else None
    if following is None or following.kind == "sign":
        return True
    return language.has("coordinators", following.lower) or language.has("after_particles", following.lower)


def _before(tokens: list[Token], at: int) -> Sequence[int]:
    """Places of the words before in the clause, the first one of the clause first."""
    first = at
    while first > 0 and at - first < _LONGEST_BRACE and tokens[first - 1].text not in _SPLITTING | _ENDS:
        first -= 1
    return range(first, at)


def _takes(particle: Token, verb: Token, language: Language) -> bool:
    if not verb.word or len(verb.lower) < _SHORTEST_VERB or language.has("auxiliaries", verb.lower):
        return False
    endings = tuple(str(language.settings.get("infinitive_endings", "")).split())
    return any(
        language.known(joined) and language.lemma(joined).endswith(endings)
        for joined in (particle.lower + verb.lower, particle.lower + language.lemma(verb.lower))
    )


def _split_contraction(token: Token, language: Language) -> Iterable[Token]:
    """ "we're" is "we" and "'re"; "l'avis" is "l'" and "avis"."""
    cut = token.lower.find("'")
    if cut < 0:
        return [token]
    if token.lower[: cut + 1] in language.elisions:
        return [_part(token, 0, cut + 1), _part(token, cut + 1, len(token.text))]
    for ending in language.clitics:
        if token.lower.endswith(ending) and len(ending) < len(token.lower):
            at = len(token.text) - len(ending)
            return [_part(token, 0, at), _part(token, at, len(token.text))]
    return [token]


def _part(token: Token, start: int, end: int) -> Token:
    text = token.text[start:end]
    return Token(token.start + start, token.start + end, text, "word", text.lower())


def sentences(text: str, language: Language) -> list[Sentence]:
    """Sentences in reading order. A line break always ends one."""
    tokens = tokenise(text, language)
    breaks = [match.start() for match in _LINE.finditer(text)]
    found: list[Sentence] = []
    current: list[Token] = []
    quoted = False
    line = 0
    for index, token in enumerate(tokens):
        while line < len(breaks) and breaks[line] < token.start:
            line += 1
            _finish(found, current, line - 1)
            current = []
            quoted = False
        current.append(token)
        quoted = quoted != (token.text == '"')
        if _ends_sentence(tokens, index, language, quoted=quoted) or len(current) >= _LONGEST_SENTENCE:
            _finish(found, current, line)
            current = []
    _finish(found, current, line)
    return found


def _finish(found: list[Sentence], current: list[Token], line: int) -> None:
    if not current:
        return
    if all(token.kind == "sign" for token in current):
        if found and found[-1].line == line and len(found[-1].tokens) < _LONGEST_SENTENCE:
            found[-1].tokens.extend(current[:_FEW_SIGNS])
        return
    question = any(token.text == "?" for token in current[-3:])
    found.append(Sentence(current, line, question))


def _ends_sentence(tokens: list[Token], index: int, language: Language, *, quoted: bool = False) -> bool:
    token = tokens[index]
    following = tokens[index + 1] if index + 1 < len(tokens) else None
    if token.text not in _ENDS:
        return _closes_quotation(tokens, index, following)
    if following is None or following.text in _ENDS or following.text in _CLOSERS:
        # a quotation mark after a blank begins the next sentence, unless it closes one
        return following is None or (following.text == '"' and following.start > token.end and not quoted)
    if following.start == token.end:
        return False  # a dot inside B.V. or an address
    if token.text != ".":
        return True
    before = tokens[index - 1] if index else None
    if before is None or not before.word:
        return not (before is not None and language.ordinal_dot and _ordinal(tokens, index, language))
    short = before.lower in language.abbreviations or (len(before.text) == 1 and before.capital)
    return not short


def _closes_quotation(tokens: list[Token], index: int, following: Token | None) -> bool:
    """ "… of today." Then: a mark right behind a full stop ends the sentence, when a capital follows it."""
    if tokens[index].text not in _CLOSERS or not index or following is None:
        return False
    behind = tokens[index - 1].text in _ENDS and tokens[index - 1].end == tokens[index].start
    return behind and following.start > tokens[index].end and following.capital


def _ordinal(tokens: list[Token], dot: int, language: Language) -> bool:
    """ "3. Mai", "der 3. Platz": the dot belongs to the number."""
    number, following = tokens[dot - 1], tokens[dot + 1]
    if number.kind != "number" or not number.text.isdigit() or len(number.text) > 3:
        return False
    months = language.times.get("months", {})
    opener = tokens[dot - 2].lower if dot > 1 else ""
    return _lower(following) or following.lower in months or language.has("ordinal_openers", opener)


def _lower(token: Token) -> bool:
    return token.word and (not token.capital)


def clauses(sentence: Sentence, language: Language) -> list[list[Token]]:
    """The sentence cut at signs that separate and before words that open a clause."""
    found: list[list[Token]] = [[]]
    for index, token in enumerate(sentence.tokens):
        if token.text in _SPLITTING and not _inside_number(sentence.tokens, index):
            found.append([])
            continue
        if any(part.word for part in found[-1]) and _opens_clause(sentence.tokens, index, language):
            found.append([])
        found[-1].append(token)
    commas = {token.start for token in sentence.tokens if token.text == ","}
    return _with_short_ones([clause for clause in found if any(token.kind != "sign" for token in clause)], commas)


def _with_short_ones(found: list[list[Token]], commas: set[int]) -> list[list[Token]]:
    """ "On average," belongs to what follows it; "No magic:" and "I know that" do not."""
    if len(found) > 1 and not any(found[0][-1].end <= at < found[1][0].start for at in commas):
        return found
    if len(found) > 1 and sum(token.kind != "sign" for token in found[0]) <= 2:
        return [found[0] + found[1], *found[2:]]
    return found


def _opens_clause(tokens: list[Token], index: int, language: Language) -> bool:
    """A subordinating word does; "and" only before a new subject."""
    token = tokens[index]
    if token.lower in language.clause_openers:
        return not _pronoun(tokens, index, language)
    if not language.has("coordinators", token.lower) or index + 1 >= len(tokens):
        return False
    following = tokens[index + 1]
    openers = ("you", "your", "self", "subjects", "polite", "second_verbs")
    return any(language.says(name, following) for name in openers)


def _pronoun(tokens: list[Token], index: int, language: Language) -> bool:
    """ "I'll use that in every talk": before a preposition or an adverb the word opens nothing."""
    following = tokens[index + 1].lower if index + 1 < len(tokens) else ""
    return language.has("pronoun_openers", tokens[index].lower) and language.has("behind_pronoun", following)


def _inside_number(tokens: list[Token], index: int) -> bool:
    return (
        0 < index < len(tokens) - 1
        and tokens[index - 1].kind == "number"
        and tokens[index + 1].kind == "number"
        and tokens[index + 1].start == tokens[index].end
    )
