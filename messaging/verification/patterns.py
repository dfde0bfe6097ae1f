"""A small pattern language over tokens, so that grammars can be data.

A pattern is words separated by blanks:

    word      that surface form          ~a|b    any inflection of any of the words
    a|b       either                      word?   may be missing
    *         up to three tokens          {class} a token tagged with that class ("you", "name", "number" ...)
    **        up to eight words: for languages whose verbs come last
    ^ first   only at the beginning of a clause

Matching is linear: a pattern has at most two gaps.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Protocol

_GAP = 3
_LONG_GAP = 8
#: Words whose patterns are remembered.
_MOST_KNOWN = 60_000


class Matchable(Protocol):
    """What a pattern looks at in a token."""

    lower: str
    kind: str
    keys: frozenset[str]
    tags: set[str]


@dataclass(frozen=True, slots=True)
class _Element:
    surfaces: frozenset[str]
    stems: frozenset[str]
    tags: frozenset[str]
    optional: bool = False
    gap: int = 0
    opening: bool = False

    def matches(self, token: Matchable) -> bool:
        return (
            token.lower in self.surfaces
            or not self.tags.isdisjoint(token.tags)
            or not self.stems.isdisjoint(token.keys)
        )


@dataclass(frozen=True, slots=True)
class Match:
    """Tokens first (inclusive) to last (exclusive) carry the pattern of that name."""

    name: str
    first: int
    last: int


@dataclass(frozen=True, slots=True, eq=False)
class _Pattern:
    """second: the element that the second token must match; None where it may be another's."""

    name: str
    elements: tuple[_Element, ...]
    second: _Element | None


@dataclass(slots=True)
class PatternBook:
    """All patterns of a language, indexed by what their first element looks at."""

    by_first: dict[str, list[_Pattern]] = field(default_factory=dict)
    by_stem: dict[str, list[_Pattern]] = field(default_factory=dict)
    by_tag: dict[str, list[_Pattern]] = field(default_factory=dict)
    #: what was found for a word, whatever its tags
    known: dict[tuple[str, frozenset[str]], list[_Pattern]] = field(default_factory=dict)

    @classmethod
    def empty(cls) -> PatternBook:
        return cls()

    @classmethod
    def compile(cls, source: Mapping[str, object], stems: Callable[[str], set[str]]) -> PatternBook:
        """Read {"name": ["pattern", …]}; raises ValueError naming a pattern that cannot be read."""
        book = cls()
        for name, listed in source.items():
            if not isinstance(listed, list):
                raise TypeError(f"patterns.toml: {name} must be a list of patterns")
            for text in listed:
                words = str(text).lower().split()
                elements = tuple(_element(part, stems) for part in words if part != "^")
                _check(name, str(text), elements)
                elements = (replace(elements[0], opening=words[0] == "^"), *elements[1:])
                pattern = _Pattern(name, elements, _second(elements))
                for index, first in _starts(elements, book):
                    index.setdefault(first, []).append(pattern)
        return book

    def find(self, tokens: Sequence[Matchable]) -> list[Match]:
        """Every match, in order of its first token; of one name and start only the longest."""
        found: dict[tuple[str, int], int] = {}
        count = len(tokens)
        for at, token in enumerate(tokens):
            inside = at > 0 and tokens[at - 1].kind != "sign"
            following = tokens[at + 1] if at + 1 < count else None
            for pattern in self._candidates(token):
                if inside and pattern.elements[0].opening:
                    continue
                second = pattern.second
                if second is not None and (following is None or not second.matches(following)):
                    continue  # most patterns fail here, and are told without a call
                end = _match(pattern.elements, 0, tokens, at)
                if end > found.get((pattern.name, at), at):
                    found[pattern.name, at] = end
        return [Match(name, first, last) for (name, first), last in found.items()]

    def _candidates(self, token: Matchable) -> list[_Pattern]:
        key = (token.lower, token.keys)
        listed = self.known.get(key)
        if listed is None:
            if len(self.known) >= _MOST_KNOWN:
                self.known.clear()
            stems = token.keys & self.by_stem.keys()
            listed = [*self.by_first.get(token.lower, ()), *(one for stem in stems for one in self.by_stem[stem])]
            self.known[key] = listed
        tagged = [one for tag in token.tags if tag in self.by_tag for one in self.by_tag[tag]]
        return listed + tagged if tagged else listed


def _element(part: str, stems: Callable[[str], set[str]]) -> _Element:
    if part in ("*", "**"):
        return _Element(frozenset(), frozenset(), frozenset(), gap=_GAP if part == "*" else _LONG_GAP)
    optional = part.endswith("?") and len(part) > 1
    inflected = part.startswith("~")
    options = part.removeprefix("~").removesuffix("?" if optional else "").replace("|~", "|").split("|")
    plain = [option for option in options if option[:1] != "{"]
    return _Element(
        surfaces=frozenset(plain),
        stems=frozenset(stem for option in plain for stem in stems(option)) if inflected else frozenset(),
        tags=frozenset(option.strip("{}") for option in options if option[:1] == "{"),
        optional=optional,
    )


def _check(name: str, text: str, elements: tuple[_Element, ...]) -> None:
    if not elements or elements[0].gap or all(element.optional for element in elements):
        raise ValueError(f"patterns.toml: {name}: {text!r} must begin with a word")
    if sum(element.gap > 0 for element in elements) > 2:
        raise ValueError(f"patterns.toml: {name}: {text!r} has more than two gaps")


def _starts(elements: tuple[_Element, ...], book: PatternBook) -> Iterator[tuple[dict[str, list[_Pattern]], str]]:
    """Under what the pattern is looked up: everything that its first word may be."""
    for element in elements:
        yield from ((book.by_first, surface) for surface in element.surfaces)
        yield from ((book.by_stem, stem) for stem in element.stems)
        yield from ((book.by_tag, tag) for tag in element.tags)
        if not element.optional:
            return


def _second(elements: tuple[_Element, ...]) -> _Element | None:
    if len(elements) < 2 or elements[0].optional or elements[1].optional or elements[1].gap:
        return None
    return elements[1]


def _match(elements: tuple[_Element, ...], index: int, tokens: Sequence[Matchable], at: int) -> int:
    """End of the match that begins at `at`, or -1."""
    while index < len(elements):
        element = elements[index]
        if element.gap:
            reach = _reach(element.gap, tokens, at)
            ends = (_match(elements, index + 1, tokens, at + skip) for skip in range(reach + 1))
            return next((end for end in ends if end >= 0), -1)
        if at < len(tokens) and element.matches(tokens[at]):
            if element.optional:
                end = _match(elements, index + 1, tokens, at + 1)
                if end >= 0:
                    return end
                index += 1
                continue
            at += 1
        elif not element.optional:
            return -1
        index += 1
    return at


def _reach(gap: int, tokens: Sequence[Matchable], at: int) -> int:
    """How far a gap may go: a long one stays in its clause."""
    room = min(gap, len(tokens) - at)
    if gap == _LONG_GAP:
        return next((skip for skip in range(room) if tokens[at + skip].kind == "sign"), room)
    return room
