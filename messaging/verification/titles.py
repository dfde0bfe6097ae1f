"""Job titles reduced to seniority, function and scope; compared for equality, never by likeness."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from messaging.verification.language import Language
from messaging.verification.tokens import Token, tokenise


@dataclass(frozen=True, slots=True)
class TitleMention:
    """Tokens first to last name a title; `parts` are its canonical words."""

    first: int
    last: int
    parts: frozenset[str]


#: Words that are remembered as title or none.
_MOST_KNOWN = 60_000


@dataclass(frozen=True, slots=True)
class RecordedTitle:
    """A title of the record: the whole, and what may be left off without changing it (the scope)."""

    text: str
    parts: frozenset[str]
    core: frozenset[str]


def title_mentions(tokens: Sequence[Token], language: Language) -> list[TitleMention]:
    """Every phrase headed by a title word. Plurals and plain nouns ("engineers", "the lead") are not titles."""
    found: list[TitleMention] = []
    at = 0
    while at < len(tokens):
        mention = _mention(tokens, at, language)
        if mention is None:
            at += 1
            continue
        found.append(mention)
        at = mention.last
    return found


def _lists(language: Language, name: str) -> frozenset[str]:
    """A class of title words, split once."""
    found: frozenset[str] | None = language.compiled.get("titles." + name)
    if found is None:
        value = language.titles.get(name, "")
        found = frozenset(value.split()) if isinstance(value, str) else frozenset(value)
        language.compiled["titles." + name] = found
    return found


def _vocabulary(language: Language) -> frozenset[str]:
    return (
        _lists(language, "heads")
        | _lists(language, "weak_heads")
        | _lists(language, "modifiers")
        | frozenset(language.titles.get("canonical", {}))
        | frozenset(language.titles.get("abbreviations", {}))
    )


def _mention(tokens: Sequence[Token], at: int, language: Language) -> TitleMention | None:
    """A mention whose leftmost title word stands at `at`."""
    if not _title_word(tokens[at], language) or _inside_name(tokens, at):
        return None
    end, has_head = _extend(tokens, at, language)
    if not has_head or _modifies(tokens, end) or (at and end == at + 1 and tokens[at - 1].kind == "number"):
        return None  # "8 PM" is a time
    words = [token.lower for token in tokens[at:end] if token.word]
    return TitleMention(at, end, canonical(words, language))


def _modifies(tokens: Sequence[Token], end: int) -> bool:
    """ "Developer-Portale": the title word is the first part of another noun."""
    if end + 1 >= len(tokens) or tokens[end].text != "-" or not tokens[end + 1].word:
        return False
    return tokens[end].start == tokens[end - 1].end and tokens[end + 1].start == tokens[end].end


def _inside_name(tokens: Sequence[Token], at: int) -> bool:
    """ "Universidad *Técnica*": a later word of an employer's or school's name."""
    return at > 0 and "organisation" in tokens[at].tags and "organisation" in tokens[at - 1].tags


def _title_word(token: Token, language: Language) -> bool:
    return token.word and (token.lower in title_words(language) or bool(_compound_title(token.lower, language)))


def _compound_title(word: str, language: Language) -> tuple[str, ...]:
    """ "Vertriebsleiterin" is function and head in one word; () for any other word. Worked out once a word."""
    known: dict[str, tuple[str, ...]] = language.compiled.setdefault("titles.compounds", {})
    found = known.get(word)
    if found is None:
        if len(known) >= _MOST_KNOWN:
            known.clear()
        found = known[word] = _taken_apart(word, language)
    return found


def _taken_apart(word: str, language: Language) -> tuple[str, ...]:
    for head in _lists(language, "compound_heads"):
        before = word[: len(word) - len(head)]
        if word.endswith(head) and len(before) > 2:
            return (_scope_word(before.strip("-"), language), head)
    return ()


def _scope_word(word: str, language: Language) -> str:
    """ "Produktions-" and "Produktion" are one scope: linking letters dropped where the dictionary has the rest."""
    if not language.known(word):
        for link in sorted(language.links, key=len, reverse=True):
            base = word[: len(word) - len(link)]
            if word.endswith(link) and len(base) > 2 and language.known(base):
                return min(language.stems(base))
    return min(language.stems(word))


def title_words(language: Language) -> frozenset[str]:
    """All words that may be part of a title."""
    found: frozenset[str] | None = language.compiled.get("titles")
    if found is None:
        found = language.compiled["titles"] = _vocabulary(language)
    return found


def _extend(tokens: Sequence[Token], at: int, language: Language) -> tuple[int, bool]:
    """End of the title that begins here, and whether it has a head."""
    linkers, heads, weak = _lists(language, "linkers"), _lists(language, "heads"), _lists(language, "weak_heads")
    acronyms = language.titles.get("abbreviations", {})
    end, has_head, strong = at, False, False
    while end < len(tokens):
        token = tokens[end]
        if _title_word(token, language):
            is_head = token.lower in heads or token.lower not in title_words(language)
            is_head = is_head or not heads.isdisjoint(str(acronyms.get(token.lower, "")).split())
            if has_head and is_head and strong and not _compound_head(tokens, end):
                break
            has_head = has_head or is_head or token.lower in weak
            strong = strong or is_head or (token.lower in weak and (token.capital or end > at))
            end += 1
        elif has_head and _apposed(tokens, end, language):
            end += 1
        elif end > at and _bridges(tokens, end, linkers, language, has_head=has_head):
            # What follows "co-" may be the head itself, and is looked at as one.
            end += 2 if has_head else 1
        else:
            break
    return end, has_head and (strong or end - at > 1)


def _apposed(tokens: Sequence[Token], at: int, language: Language) -> bool:
    """ "Leiterin Einkauf": in some languages the scope follows without a linking word."""
    token = tokens[at]
    return (
        bool(language.titles.get("apposition", False))
        and token.word
        and token.capital
        and not token.tags & {"company", "sender", "person", "prospect", "you", "your", "self", "possessive_self"}
        and not language.has("function", token.lower)
    )


def _compound_head(tokens: Sequence[Token], at: int) -> bool:
    """ "Chief Executive Officer", "Engineering Manager": two head words with nothing between."""
    return at > 0 and tokens[at - 1].word


def _bridges(tokens: Sequence[Token], at: int, linkers: frozenset[str], language: Language, *, has_head: bool) -> bool:
    """ "Head *of* Marketing", "co*-*founder": a linking word or hyphen followed by a title word."""
    if at + 1 >= len(tokens):
        return False
    token, following = tokens[at], tokens[at + 1]
    if token.text in "-/&" or (token.text == "." and tokens[at - 1].lower in language.abbreviations):
        return _title_word(following, language)
    named = following.capital and not following.tags & {"company", "sender", "person", "prospect", "organisation"}
    return token.lower in linkers and (_title_word(following, language) or (has_head and named))


def canonical(words: Sequence[str], language: Language) -> frozenset[str]:
    """Words with abbreviations written out, synonyms unified, and fillers dropped."""
    known: dict[tuple[str, ...], frozenset[str]] = language.compiled.setdefault("titles.canonical", {})
    asked = tuple(words)
    found = known.get(asked)
    if found is None:
        if len(known) >= _MOST_KNOWN:
            known.clear()
        found = known[asked] = _unified(asked, language)
    return found


def _unified(words: Sequence[str], language: Language) -> frozenset[str]:
    acronyms = language.titles.get("abbreviations", {})
    same = language.titles.get("canonical", {})
    linkers, fillers = _lists(language, "linkers"), _lists(language, "fillers")
    found: set[str] = set()
    for word in words:
        for part in _written_out(word, acronyms, language):
            if part not in linkers and part not in fillers:
                found.add(str(same.get(part, part)))
    implied = language.titles.get("implied", {})
    for whole, dropped in implied.items():
        if whole in found:
            found -= set(str(dropped).split())
    return frozenset(found)


def _written_out(word: str, acronyms: Mapping[str, object], language: Language) -> Sequence[str]:
    if word in acronyms:
        return str(acronyms[word]).split()
    if word in title_words(language):
        whole = word in language.titles.get("canonical", {})
        return (word,) if whole else _compound_title(word, language) or (word,)
    scope = min(language.stems(word)) if language.compounds else word
    return _compound_title(word, language) or (scope,)


def recorded_titles(text: str, language: Language) -> tuple[RecordedTitle, ...]:
    """A title of the record, cut into the titles it joins: "Co-founder and Chief Technology Officer" is two."""
    tokens = tokenise(text.replace("\u2013", ","), language)
    strong = _lists(language, "heads")
    short = {
        word
        for word, written in language.titles.get("abbreviations", {}).items()
        if not strong.isdisjoint(str(written).split())
    }
    heads = strong | _lists(language, "weak_heads") | short
    whole = canonical([token.lower for token in tokens if token.word], language)
    found = [
        RecordedTitle(text, whole, canonical(words, language))
        for words in _pieces(tokens, heads, _lists(language, "joiners"))
        if any(word in heads or _compound_title(word, language) for word in words)
    ]
    found = found or [RecordedTitle(text, whole, whole)]
    return _also_called((*found, *_without_scope(text, tokens, language)), language)


def _heads_of(language: Language) -> frozenset[str]:
    return _lists(language, "heads") | _lists(language, "weak_heads")


def _without_scope(text: str, tokens: Sequence[Token], language: Language) -> list[RecordedTitle]:
    """ "Chefarzt Palliativmedizin" is a Chefarzt: heads listed as `plain_heads` say no more without their field."""
    plain = _lists(language, "plain_heads")
    words = [token.lower for token in tokens if token.word]
    at = next((at for at, word in enumerate(words) if word in plain), -1)
    if at < 0 or at + 1 == len(words) or not _heads_of(language).isdisjoint(words[at + 1 :]):
        return []
    parts = canonical(words[: at + 1], language)
    return [RecordedTitle(text, parts, parts)]


def _also_called(found: tuple[RecordedTitle, ...], language: Language) -> tuple[RecordedTitle, ...]:
    """The titles and their usual names in this language: a "Head of" may be called "responsable", not the reverse."""
    more = []
    for words, name in language.titles.get("also", {}).items():
        called, said = frozenset(words.split()), frozenset(str(name).split())
        for title in found:
            if called <= title.core:
                parts = title.parts - called | said if called <= title.parts else title.parts
                more.append(RecordedTitle(title.text, parts, title.core - called | said))
    return found + tuple(more)


def _pieces(tokens: Sequence[Token], heads: frozenset[str], joiners: frozenset[str]) -> list[list[str]]:
    """Cut at commas and bars; at "and" only when a title word stands on both sides."""
    pieces: list[list[str]] = [[]]
    for at, token in enumerate(tokens):
        rest = {other.lower for other in tokens[at + 1 :]}
        if token.text in ",/|(" or (token.lower in joiners | {"&"} and not heads.isdisjoint(rest)):
            pieces.append([])
        elif token.word and token.lower not in joiners:
            pieces[-1].append(token.lower)
    return pieces


def level_only(said: frozenset[str], recorded: RecordedTitle, language: Language) -> bool:
    """ "As a Senior": only the level is named, and the title has it."""
    return bool(said) and said <= _lists(language, "levels") and said <= recorded.parts


def same_title(said: frozenset[str], recorded: RecordedTitle) -> bool:
    """Equal as a whole, or equal to one of the joined titles without its scope."""
    return said in (recorded.parts, recorded.core)
