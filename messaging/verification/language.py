"""A language as data: one folder of TOML and text files, loaded on first use and compiled once.

See languages/README.md for the files. Nothing in Python knows a word of any language.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache, lru_cache
from pathlib import Path
from threading import Lock
from typing import Any, Generic, Protocol, TypeVar

import simplemma
import snowballstemmer

from messaging.verification.patterns import PatternBook

FOLDER = Path(__file__).parent / "languages"
_KEY_CACHE_LIMIT = 60_000
#: Shorter verbs that carry pronouns are listed in `lemmas.txt`: "parte" is no "par" with a pronoun.
_SHORTEST_HOST = 4
_UNACCENTED = str.maketrans("áéíóú", "aeiou")
_Asked = TypeVar("_Asked", str, frozenset[str])


class Worded(Protocol):
    """A word as it is written."""

    lower: str
    capital: bool


class _Remembered(dict[_Asked, frozenset[str]], Generic[_Asked]):
    """Classes by word, worked out once each: they are asked for thousands of times a message."""

    def __init__(self, work_out: Callable[[_Asked], frozenset[str]]) -> None:
        super().__init__()
        self._work_out: Callable[[_Asked], frozenset[str]] = work_out

    def __missing__(self, asked: _Asked) -> frozenset[str]:
        if len(self) >= _KEY_CACHE_LIMIT:
            self.clear()
        found = self[asked] = self._work_out(asked)
        return found


@dataclass(slots=True)
class Language:
    """Everything the reader asks about words of one language."""

    code: str
    settings: Mapping[str, Any]
    words: Mapping[str, frozenset[str]]  # class -> surface forms
    word_keys: Mapping[str, frozenset[str]]  # class -> keys of base forms
    patterns: PatternBook
    times: Mapping[str, Any]
    numbers: Mapping[str, Any]
    titles: Mapping[str, Any]
    synonyms: dict[str, tuple[str, ...]]
    thesaurus: dict[str, tuple[str, ...]]
    phrases: Mapping[str, tuple[tuple[tuple[str, ...], str], ...]]
    abbreviations: frozenset[str]
    clitics: tuple[str, ...]
    elisions: frozenset[str]
    clause_openers: frozenset[str]
    ordinal_dot: bool
    compounds: bool
    stemmer: Any = None
    lemmatizer: str = ""
    lemmas: dict[str, str] = field(default_factory=dict)  # form -> base form, where the lemmatiser has another
    compiled: dict[str, Any] = field(default_factory=dict)  # what other modules derive once
    endings: Mapping[str, tuple[str, ...]] = field(default_factory=dict)  # class -> endings, listed as "-rá"
    variants: tuple[tuple[str, tuple[str, ...]], ...] = ()
    links: tuple[str, ...] = ()
    enclitics: tuple[str, ...] = ()
    enclitic_hosts: tuple[str, ...] = ()
    _keys: dict[str, frozenset[str]] = field(default_factory=dict)
    _classes: _Remembered[str] = field(init=False)
    _meanings: _Remembered[frozenset[str]] = field(init=False)
    _parts: dict[str, tuple[frozenset[str], ...]] = field(default_factory=dict)
    #: a stemmer holds the word it works on: two threads in it would give each other wrong stems
    _stemming: Lock = field(default_factory=Lock)

    def __post_init__(self) -> None:
        self._classes = _Remembered(self._classified)
        self._meanings = _Remembered(self._meant)

    def keys(self, lower: str) -> frozenset[str]:
        """What the word may stand for: its stem, its lemma's stem, and its synonym groups."""
        found = self._keys.get(lower)
        if found is None:
            if len(self._keys) >= _KEY_CACHE_LIMIT:
                self._keys.clear()
            found = self._keys[lower] = self._compute_keys(lower)
        return found

    def _compute_keys(self, lower: str) -> frozenset[str]:
        stems = self.stems(lower)
        groups = {group for stem in stems for group in self.synonyms.get(stem, ())}
        near = {"=" + other for stem in stems for other in self.thesaurus.get(stem, ())}
        return frozenset(stems | groups | near)

    def recorded_keys(self, keys: frozenset[str]) -> frozenset[str]:
        """The same for a word of evidence: synonyms are looked up from one side only, so that they do not chain."""
        stems = {key for key in keys if key[:1] not in "=#"}
        return frozenset({key for key in keys if key[:1] != "="} | {"=" + stem for stem in stems})

    def stems(self, lower: str) -> set[str]:
        word = lower.strip("'")[:60]
        forms = {word}
        if self.lemmatizer and word:
            forms.add(self.lemma(word))
            forms |= self._variants(forms)
            forms |= {self.lemma(host) for host in self._hosts(word)}
        if word in self.lemmas:
            forms.add(self.lemmas[word])
        if not self.stemmer:
            return forms
        with self._stemming:
            return {str(self.stemmer.stemWord(form)) for form in forms}

    def lemma(self, word: str) -> str:
        """The base form, a separable verb in one word.

        Dictionaries are read where they lie packed: unpacked, seven languages take 400 MB instead of 55.
        """
        if not self.lemmatizer:
            return word
        return str(simplemma.lemmatize(word, lang=self.lemmatizer, low_memory=True)).lower().replace("_", "")

    def known(self, word: str) -> bool:
        """Whether the lemmatiser's dictionary has the form."""
        return bool(self.lemmatizer) and simplemma.is_known(word, lang=self.lemmatizer, low_memory=True)

    def _variants(self, forms: set[str]) -> set[str]:
        """The other gender of a noun: "Kundin" is "Kunde", where the dictionary has that form."""
        return {
            form[: len(form) - len(ending)] + other
            for form in forms
            for ending, others in self.variants
            if form.endswith(ending) and len(form) - len(ending) >= 4
            for other in others
            if self.known(form[: len(form) - len(ending)] + other)
        }

    def _hosts(self, word: str) -> set[str]:
        """The verb that pronouns are written on to: "proponérselo" is "proponer"."""
        rest, found = word, set()
        for _ in range(2):
            ending = next((one for one in self.enclitics if rest.endswith(one)), "")
            if not ending:
                break
            rest = rest[: -len(ending)]
            plain = rest.translate(_UNACCENTED)
            if len(rest) >= _SHORTEST_HOST and plain.endswith(self.enclitic_hosts) and self.known(plain):
                found.add(plain)
        return found

    def parts(self, lower: str) -> tuple[frozenset[str], ...]:
        """Keys of each part of a compound; () when it is none or the language has none."""
        if not self.compounds or not 8 <= len(lower) <= 40:
            return ()
        found = self._parts.get(lower)
        if found is None:
            if len(self._parts) >= _KEY_CACHE_LIMIT:
                self._parts.clear()
            parts = [self.keys(part) for part in self._split(lower)]
            found = self._parts[lower] = tuple(part for part in parts if not self.means("neutral", part))
        return found

    def _split(self, word: str) -> tuple[str, ...]:
        """The dictionary words that make up a compound, the longest last one first; linking letters dropped."""
        for cut in range(4, len(word) - 3):
            tail = word[cut:]
            head = self._head(word[:cut]) if self.known(tail) else ""
            if head and not self.has("function", tail):
                return (*(self._split(head) or (head,)), *(self._split(tail) or (tail,)))
        return ()

    def _head(self, head: str) -> str:
        for link in ("", *self.links):
            base = head[: len(head) - len(link)] if head.endswith(link) else ""
            if len(base) >= 3 and self.known(base) and not self.has("function", base):
                return base
        return ""

    def has(self, name: str, lower: str) -> bool:
        """Whether the surface form, or its ending, is listed in the class."""
        return name in self._classes[lower]

    def classes(self, lowers: Iterable[str]) -> frozenset[str]:
        """Every class that lists any of the words."""
        return frozenset[str]().union(*(self._classes[lower] for lower in lowers))

    def _classified(self, lower: str) -> frozenset[str]:
        """Every class that lists the word: asked thousands of times a message, so worked out once a word."""
        listed = {name for name, words in self.words.items() if lower in words}
        listed |= {name for name, endings in self.endings.items() if lower.endswith(endings)}
        return frozenset(listed)

    def _meant(self, keys: frozenset[str]) -> frozenset[str]:
        """Every class that lists a form of the word."""
        return frozenset(name for name, listed in self.word_keys.items() if not listed.isdisjoint(keys))

    def says(self, name: str, token: Worded) -> bool:
        """The same for a word in its text: some are listed for their capital or for their small letter only."""
        if self.has(name, token.lower):
            return True
        written = name + ("_capitalised" if token.capital else "_small")
        return written in self.words and self.has(written, token.lower)

    def means(self, name: str, keys: frozenset[str]) -> bool:
        """Whether the word is an inflection of one listed in the class."""
        return name in self._meanings[keys]


@lru_cache(maxsize=32)
def available(folder: Path = FOLDER) -> tuple[str, ...]:
    """Codes of the languages that have a folder."""
    return tuple(sorted(path.parent.name for path in folder.glob("*/language.toml")))


@lru_cache(maxsize=256)
def resolve(code: str, folder: Path = FOLDER) -> str:
    """The folder for a language tag: "pt-BR" exactly, else its primary part; "" when there is none."""
    codes = {known.lower(): known for known in available(folder)}
    tag = code.strip().lower().replace("_", "-")
    if tag in codes:
        return codes[tag]
    primary = tag.partition("-")[0]
    if primary in codes:
        return codes[primary]
    return next((known for low, known in codes.items() if low.partition("-")[0] == primary), "")


@lru_cache(maxsize=32)
def load(code: str, folder: Path = FOLDER) -> Language:
    """Read and compile one folder. Raises FileNotFoundError when it is not there."""
    home = folder / code
    settings = _toml(home / "language.toml")
    words = {name: _split(value) for name, value in _toml(home / "words.toml").items()}
    language = Language(
        code=code,
        settings=settings,
        words=words,
        word_keys={},
        patterns=PatternBook.empty(),
        times=_toml(home / "times.toml"),
        numbers=_toml(home / "numbers.toml"),
        titles=_toml(home / "titles.toml"),
        synonyms={},
        thesaurus=_thesaurus(home / "thesaurus.txt"),
        phrases={},
        abbreviations=_split(settings.get("abbreviations", "")),
        clitics=tuple(sorted(_split(settings.get("clitics", "")), key=len, reverse=True)),
        elisions=_split(settings.get("elisions", "")),
        clause_openers=words.get("clause_openers", frozenset()),
        ordinal_dot=bool(settings.get("ordinal_dot", False)),
        compounds=bool(settings.get("compounds", False)),
    )
    language.endings = {
        name: tuple(word[1:] for word in listed if len(word) > 1 and word[0] == "-")
        for name, listed in words.items()
        if any(len(word) > 1 and word[0] == "-" for word in listed)
    }
    stemmer = settings.get("stemmer", "")
    language.stemmer = snowballstemmer.stemmer(stemmer) if stemmer else None
    language.lemmatizer = settings.get("lemmatizer", "")
    language.lemmas = _lemmas(home / "lemmas.txt")
    variants = settings.get("variants", {})
    language.variants = tuple((ending, tuple(others)) for ending, others in variants.items())
    language.links = tuple(settings.get("compound_links", "").split())
    language.enclitics = tuple(sorted(settings.get("enclitics", "").split(), key=len, reverse=True))
    language.enclitic_hosts = tuple(settings.get("enclitic_hosts", "").split())
    _add_synonyms(language, home)
    stems = cache(language.stems)
    language.word_keys = {
        name: frozenset(stem for word in listed for stem in stems(word)) for name, listed in words.items()
    }
    language.patterns = PatternBook.compile(_toml(home / "patterns.toml"), language.stems)
    return language


def _toml(path: Path) -> dict[str, Any]:
    with path.open("rb") as file:
        return tomllib.load(file)


def _thesaurus(path: Path) -> dict[str, tuple[str, ...]]:
    if not path.exists():
        return {}
    lines = (line.split() for line in path.read_text(encoding="utf-8").splitlines())
    return {parts[0]: tuple(parts[1:]) for parts in lines if len(parts) > 1}


def _lemmas(path: Path) -> dict[str, str]:
    """Lines "base: form form …"."""
    if not path.exists():
        return {}
    lines = (line.partition("#")[0].partition(":") for line in path.read_text(encoding="utf-8").splitlines())
    return {form: base.strip() for base, _, forms in lines for form in forms.split()}


def _split(value: object) -> frozenset[str]:
    if isinstance(value, str):
        return frozenset(word for line in value.splitlines() for word in line.partition("#")[0].lower().split())
    return frozenset(str(word).lower() for word in value) if isinstance(value, list) else frozenset()


def _add_synonyms(language: Language, home: Path) -> None:
    """Groups of words that may stand for each other; entries of several words become phrases."""
    groups: dict[str, list[str]] = {}
    phrases: dict[str, list[tuple[tuple[str, ...], str]]] = {}
    for file in sorted(home.glob("synonyms*.txt")):
        for number, members in enumerate(_groups(file.read_text(encoding="utf-8").splitlines())):
            name = f"#{file.stem[8:]}{number}"
            for member in members:
                parts = tuple(member.replace("-", " - ").split())  # a hyphen is a token of its own
                if len(parts) == 1:
                    for stem in language.stems(parts[0]):
                        groups.setdefault(stem, []).append(name)
                else:
                    first = min(language.stems(parts[0]))
                    phrases.setdefault(first, []).append((tuple(min(language.stems(part)) for part in parts), name))
    language.synonyms = {stem: tuple(dict.fromkeys(names)) for stem, names in groups.items()}
    language.phrases = {first: tuple(entries) for first, entries in phrases.items()}


def _groups(lines: Iterable[str]) -> list[list[str]]:
    found = []
    for line in lines:
        members = [member.strip().lower() for member in line.partition("#")[0].split(",")]
        members = [member for member in members if member]
        if len(members) > 1:
            found.append(members)
    return found
