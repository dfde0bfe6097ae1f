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


@dataclass(slots=True)
class PatternBook:
    """All patterns of a language, indexed by what their first element looks at."""

    by_first: dict[str, list[tuple[str, tuple[_Element, ...]]]] = field(default_factory=dict)
    by_stem: dict[str, list[tuple[str, tuple[_Element, ...]]]] = field(default_factory=dict)

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
                for first, stem in _starts(elements):
                    (book.by_stem if stem else book.by_first).setdefault(first, []).append((name, elements))
        return book

    def find(self, tokens: Sequence[Matchable]) -> list[Match]:
        """Every match, in order of its first token; of one name and start only the longest."""
        found: dict[tuple[str, int], int] = {}
        for at, token in enumerate(tokens):
            inside = at > 0 and tokens[at - 1].kind != "sign"
            for name, elements in self._candidates(token):
                if inside and elements[0].opening:
                    continue
                end = _match(elements, 0, tokens, at)
                if end > found.get((name, at), at):
                    found[name, at] = end
        return [Match(name, first, last) for (name, first), last in found.items()]

    def _candidates(self, token: Matchable) -> Iterator[tuple[str, tuple[_Element, ...]]]:
        yield from self.by_first.get(token.lower, ())
        for key in token.keys & self.by_stem.keys():
            yield from self.by_stem[key]
        for tag in token.tags:
            yield from self.by_first.get("{" + tag, ())


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


def _starts(elements: tuple[_Element, ...]) -> Iterator[tuple[str, bool]]:
    """What the first word may be, and whether that is a stem."""
    for element in elements:
        yield from ((surface, False) for surface in element.surfaces)
        yield from ((stem, True) for stem in element.stems)
        yield from (("{" + tag, False) for tag in element.tags)
        if not element.optional:
            return


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
