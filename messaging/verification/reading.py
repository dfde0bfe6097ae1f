"""From a text to clauses that know who speaks of whom, and in what mood."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import pairwise

from messaging.verification.facts import Facts, plain
from messaging.verification.language import Language
from messaging.verification.numerals import Quantity, quantities, rounding_words, words_before
from messaging.verification.patterns import Match
from messaging.verification.statements import mark_phrases
from messaging.verification.times import TimeWords, time_words
from messaging.verification.titles import TitleMention, title_mentions
from messaging.verification.tokens import Sentence, Token, clauses

#: Signs after which a new subject may come.
_WORD_TAGS = ("you", "your", "self", "possessive_self", "plural_self", "object", "negation", "function")
#: Words whose tags are remembered.
_MOST_KNOWN = 60_000
_NEW_CLAUSE = frozenset(';:()\u2014"')
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
    _tag(tokens, facts, language)
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
    _tag_numbers(tokens, numbers, times, language)
    _tag_addressed(tokens, language)
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


def _tag(tokens: list[Token], facts: Facts, language: Language) -> None:
    quoted = _quoted(tokens)
    for index, token in enumerate(tokens):
        if index in quoted:
            token.tags.add("quoted")
        if not token.word:
            continue
        token.tags.update(_word_tags(token, language))
        _tag_names(token, facts)
    _settle_your(tokens, language)
    _settle_theirs(tokens, language)
    _tag_company(tokens, facts)
    _tag_verbs(tokens, language)


def _word_tags(token: Token, language: Language) -> tuple[str, ...]:
    """Classes that a word is tagged with wherever it stands; worked out once for each way to write it."""
    known: dict[tuple[str, bool], tuple[str, ...]] = language.compiled.setdefault("tags", {})
    found = known.get((token.lower, token.capital))
    if found is None:
        if len(known) >= _MOST_KNOWN:
            known.clear()
        found = tuple(name for name in _WORD_TAGS if language.says(name, token))
        known[token.lower, token.capital] = found
    return found


def _tag_verbs(tokens: list[Token], language: Language) -> None:
    """Verbs that carry their person, where nothing before them in the clause can be their subject."""
    if "you_verbs" not in language.words and "self_verbs" not in language.words:
        return
    free, inside = True, False
    for at, token in enumerate(tokens):
        # "In Autolinee Falterona si è passati …": of the sender's customer, not of the prospect
        free = free and "customer" not in token.tags
        if not token.word:
            counted = token.kind == "number" and not inside and not _dates(tokens, at, language)
            free = (free and not counted) or token.text in _NEW_CLAUSE
            inside = inside and token.text not in _NEW_CLAUSE
        elif language.has("prepositions", token.lower):
            inside = True
        elif language.has("articles", token.lower):
            inside = inside and at > 0 and language.has("prepositions", tokens[at - 1].lower)
        elif _opens_anew(token, language):
            free, inside = True, False
        elif free and not (at and _before_noun(tokens[at - 1], language)) and _carries_person(token, language):
            free = False
        else:
            free = free and not language.has("subjects", token.lower)
            free = free and (inside or not _may_be_subject(token, language))


def _dates(tokens: list[Token], at: int, language: Language) -> bool:
    """Whether the number is the day of a month."""
    return at + 1 < len(tokens) and tokens[at + 1].lower in language.times.get("months", {})


def _opens_anew(token: Token, language: Language) -> bool:
    return token.lower in language.clause_openers or language.has("coordinators", token.lower)


def _before_noun(token: Token, language: Language) -> bool:
    return language.has("prepositions", token.lower) or language.has("articles", token.lower)


def _carries_person(token: Token, language: Language) -> bool:
    for name in ("self", "you"):
        if language.has(f"{name}_verbs", token.lower):
            token.tags.add(name)
            return True
    return False


def _may_be_subject(token: Token, language: Language) -> bool:
    return "company" in token.tags or language.has("subjects", token.lower) or not language.has("function", token.lower)


def _tag_company(tokens: list[Token], facts: Facts) -> None:
    """The company by one of its names, written out, legal form left off."""
    words = [plain(token.text) for token in tokens]
    for at in range(len(words) - len(facts.sender_alias) + 1 if facts.sender_alias else 0):
        if tuple(words[at : at + len(facts.sender_alias)]) == facts.sender_alias:
            for token in tokens[at : at + len(facts.sender_alias)]:
                token.tags.add("sender")
    for alias in facts.company_aliases:
        for at in range(len(words) - len(alias) + 1):
            if words[at] == alias[0] and tokens[at].capital and tuple(words[at : at + len(alias)]) == alias:
                _tag_as_company(tokens[at : at + len(alias)])


def _tag_as_company(named: list[Token]) -> None:
    """ "Maison Fauvel" is not Aude Fauvel: a name of several words is no person's."""
    for token in named:
        token.tags.add("company")
        if len(named) > 1:
            token.tags.discard("person")


def _settle_your(tokens: list[Token], language: Language) -> None:
    """Dutch "je" and "jullie" are "you" before a verb or grammar, "your" before anything else."""
    endings = tuple(str(language.settings.get("infinitive_endings", "")).split())
    for at, token in enumerate(tokens):
        if endings and {"you", "your"} <= token.tags:
            following = tokens[at + 1] if at + 1 < len(tokens) else None
            grammar = following is None or not following.word or "function" in following.tags
            grammar = grammar or (following is not None and language.has("hedges", following.lower))
            verb = grammar or (following is not None and language.lemma(following.lower).endswith(endings))
            token.tags.discard("your" if verb else "you")


def _settle_theirs(tokens: list[Token], language: Language) -> None:
    """ "Una cadena bajó sus ausencias": behind somebody unnamed and what they did, "sus" is theirs, not yours."""
    if not language.words.get("third_possessive"):
        return
    opened, unnamed, did = True, False, False
    for token in tokens:
        if token.text in _NEW_CLAUSE or token.text in ",." or "you" in token.tags:
            opened, unnamed, did = "you" not in token.tags, False, False
        elif opened and language.has("unnamed", token.lower):
            opened, unnamed = False, True
        elif "your" in token.tags and did and language.has("third_possessive", token.lower):
            token.tags.discard("your")
        elif token.word and not language.has("function", token.lower):
            opened = False
            did = did or (unnamed and "your" not in token.tags and language.has("done", token.lower))


def _tag_names(token: Token, facts: Facts) -> None:
    word = plain(token.text)
    if not token.capital:
        return
    if (word == facts.sender_company_first and word not in facts.company_words) or (
        word in facts.sender_names and word not in facts.prospect_names
    ):
        token.tags.add("sender")
    if word in facts.prospect_names:
        token.tags.add("prospect")
    elif word in facts.people:
        token.tags.add("person")
    if word in facts.organisations:
        token.tags.add("organisation")
    if word in facts.customers:
        token.tags.add("customer")
    token.tags.add("capital")


def _quoted(tokens: list[Token]) -> set[int]:
    """Indexes inside double quotes; an unpaired quote opens nothing."""
    marks = [index for index, token in enumerate(tokens) if token.text == '"']
    inside: set[int] = set()
    for first, last in zip(marks[::2], marks[1::2], strict=False):
        inside.update(range(first + 1, last))
    return inside


def _tag_numbers(tokens: list[Token], numbers: list[Quantity], times: list[TimeWords], language: Language) -> None:
    for number in numbers:
        for token in tokens[number.first : number.last + rounding_words(tokens, number, language)]:
            token.tags.add("number")
    for words in times:
        for token in tokens[words.first : words.last]:
            token.tags.add("time")


def _tag_addressed(tokens: list[Token], language: Language) -> None:
    """Where verbs carry the person, "Redujo la rotación" and "leí que redujo …" speak to the prospect."""
    if not language.words.get("polite"):
        return
    for at, token in enumerate(tokens):
        if language.has("polite", token.lower) and "quoted" not in token.tags and _names_nobody(tokens[:at], language):
            token.tags.add("you")


def _names_nobody(before: list[Token], language: Language) -> bool:
    """Whether only grammar and times stand before, from the start or from "(I read) that"."""
    for at in range(len(before) - 1, -1, -1):
        token = before[at]
        if language.has("polite_after", token.lower):
            return at > 0 and ("you" in before[at - 1].tags or language.means("neutral", before[at - 1].keys))
        if not (token.kind == "sign" or token.tags & {"time", "number"} or "function" in token.tags):
            return False
    return True


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
