"""Names: the greeting name is a claim, and nobody from another record may appear."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache

from messaging.verification.contract import ClaimType, Verdict
from messaging.verification.facts import Fact, Facts, plain
from messaging.verification.folding import fold
from messaging.verification.language import Language
from messaging.verification.naming import opening
from messaging.verification.rules.base import Draft, Situation, refs
from messaging.verification.tokens import Sentence, Token
from prospects.domain.evidence import Kind

_WORD = re.compile(r"\w+")


def greeting(sentence: Sentence, facts: Facts, language: Language) -> tuple[Draft | None, int]:
    """The greeting at the head of a text and how many tokens it takes (0: there is none)."""
    tokens = sentence.tokens
    start = int(tokens[0].text in "¡¿" and len(tokens) > 1)
    at = start
    while at < len(tokens) and at < start + 4 and language.has("greetings", tokens[at].lower):
        at += 1
    if at == start:
        at = start = 0
    titles = at + _comma_before_name(tokens, at, facts, language)
    while titles < len(tokens) and (language.has("honorifics", tokens[titles].lower) or tokens[titles].text == "."):
        titles += 1
    end = titles
    while end < len(tokens) and _name_part(tokens[end], facts):
        end += 1
    named = [token for token in tokens[titles:end] if token.word]
    if not named and titles > at and (end == len(tokens) or tokens[end].text in ",!:"):  # "Ingeniero, buenas tardes."
        return None, _with_greeting(tokens, _with_sign(tokens, end), language)
    if not named or (at == 0 and not (_vocative(tokens, end) and _may_open_name(named[0], facts, language))):
        return (None, _with_sign(tokens, at)) if at else (None, 0)
    return _check_greeting(named, titles, end, facts), _with_greeting(tokens, _with_sign(tokens, end), language)


def _may_open_name(token: Token, facts: Facts, language: Language) -> bool:
    """ "Chez Filatures Berthoud, …" calls nobody."""
    return not language.has("function", token.lower) or plain(token.text) in facts.prospect_names


def _comma_before_name(tokens: list[Token], at: int, facts: Facts, language: Language) -> bool:
    """ "Hola, Rubén:" and "Oi, Caio, tudo bem?"."""
    if at == 0 or at + 1 >= len(tokens) or tokens[at].text != ",":
        return False
    if language.has("honorifics", tokens[at + 1].lower):
        return True
    if not _name_part(tokens[at + 1], facts):
        return False
    end = at + 1
    while end < len(tokens) and _name_part(tokens[end], facts):
        end += 1
    return end == len(tokens) or tokens[end].text in ",!:."


def _with_sign(tokens: list[Token], end: int) -> int:
    return end + 1 if end < len(tokens) and tokens[end].text in ",!:.\u2014-" else end


def _with_greeting(tokens: list[Token], end: int, language: Language) -> int:
    """ "Giulia, buongiorno." """
    at = end
    while at < len(tokens) and language.has("greetings", tokens[at].lower):
        at += 1
    return _with_sign(tokens, at) if at == len(tokens) or tokens[at].text in ",!:." else end


def _name_part(token: Token, facts: Facts) -> bool:
    """A capital, a hyphen, or a small word of the prospect's own name ("van der")."""
    return (token.word and (token.capital or token.lower in facts.prospect_names)) or token.text == "-"


def _vocative(tokens: list[Token], end: int) -> bool:
    """A bare name is a greeting when a comma, or the end of the line, follows it."""
    return end <= 3 and (end == len(tokens) or tokens[end].text in ",!:")


def _check_greeting(named: list[Token], first: int, last: int, facts: Facts) -> Draft | None:
    said = [plain(token.text) for token in named]
    known = facts.prospect_names
    evidence = refs(facts.of(Kind.NAME))
    if known and all(word in known for word in said):
        return Draft(first, last, ClaimType.OTHER, Verdict.VERIFIED, "The prospect's name.", evidence)
    held = _title_held(said, facts)
    if held:
        reason = f"{opening(held[0])} gives this title."
        return Draft(first, last, ClaimType.TITLE, Verdict.VERIFIED, reason, refs(held))
    full = facts.of(Kind.NAME)[0].evidence.text if facts.of(Kind.NAME) else ""
    shown = " ".join(token.text for token in named)
    verdict = Verdict.CONTRADICTED if full else Verdict.UNSUPPORTED
    return Draft(
        first,
        last,
        ClaimType.OTHER,
        verdict,
        f"The prospect's name is {full or 'not known'}, not “{shown}”.",
        evidence,
        full,
    )


def _title_held(said: list[str], facts: Facts) -> list[Fact]:
    """ "Buongiorno Direttore": people are addressed by the first words of a title that they hold."""
    return [
        fact
        for fact, _, still in facts.positions
        if still and [plain(word) for word in fact.evidence.get("title").split()][: len(said)] == said
    ]


def check_others(situation: Situation, names: frozenset[str]) -> list[Draft]:
    """Full names of other prospects, unless this dossier names the same person somewhere."""
    if not names:
        return []
    index = _by_first_word(names)
    said = [(word, at) for at, token in enumerate(situation.reading.tokens) for word in _words(token.text)]
    drafts = []
    for place, (word, first) in enumerate(said):
        for parts, name in index.get(word, ()):
            found = said[place : place + len(parts)]
            if tuple(one for one, _ in found) != parts or _in_dossier(parts, situation.facts):
                continue
            last = found[-1][1]
            if situation.reading.tokens[first].capital and situation.reading.tokens[last].capital:
                reason = f"“{name}” belongs to another prospect's record."
                drafts.append(Draft(first, last + 1, ClaimType.OTHER, Verdict.CONTRADICTED, reason))
    return drafts


@lru_cache(maxsize=32)
def _by_first_word(names: frozenset[str]) -> Mapping[str, tuple[tuple[tuple[str, ...], str], ...]]:
    """Names by their first word. A single word is nobody's alone: "Will" and "May" are no proof of anything."""
    index: dict[str, list[tuple[tuple[str, ...], str]]] = {}
    for name in sorted(names):
        parts = _words(name)
        if len(parts) > 1:
            index.setdefault(parts[0], []).append((parts, name))
    return {word: tuple(listed) for word, listed in index.items()}


def _words(text: str) -> tuple[str, ...]:
    return tuple(_WORD.findall(fold(text).text.casefold()))


def _in_dossier(parts: tuple[str, ...], facts: Facts) -> bool:
    """Whether some item of the dossier holds the name: a colleague, a contact in common, the author of a text."""
    name = " ".join(("", *parts, ""))
    texts = (text for fact in facts.all for text in (fact.evidence.text, *fact.evidence.fields.values()))
    return any(name in " ".join(("", *_words(text), "")) for text in texts)
