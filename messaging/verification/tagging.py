"""Tags of tokens: what each word may stand for in its sentence (persons, names, companies, quoted, figures, times)."""

from __future__ import annotations

from messaging.verification.facts import Facts, plain
from messaging.verification.language import Language
from messaging.verification.numerals import Quantity, rounding_words
from messaging.verification.times import TimeWords
from messaging.verification.tokens import Token

#: Classes that a word is tagged with wherever it stands.
_WORD_TAGS = ("you", "your", "self", "possessive_self", "plural_self", "object", "negation", "function")
#: Words whose tags are remembered.
_MOST_KNOWN = 60_000
#: Signs after which a new subject may come.
_NEW_CLAUSE = frozenset(';:()\u2014"')


def tag(tokens: list[Token], facts: Facts, language: Language) -> None:
    """Tag every word by its class, the names it may belong to and, where verbs carry it, the person."""
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


def tag_numbers(tokens: list[Token], numbers: list[Quantity], times: list[TimeWords], language: Language) -> None:
    """Tag the words of figures, the words that round them, and the words of times."""
    for number in numbers:
        for token in tokens[number.first : number.last + rounding_words(tokens, number, language)]:
            token.tags.add("number")
    for words in times:
        for token in tokens[words.first : words.last]:
            token.tags.add("time")


def tag_addressed(tokens: list[Token], language: Language) -> None:
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
