"""Text folded for reading: one form for every look-alike, with a way back to the original positions."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from functools import lru_cache
from operator import eq

#: Invisible characters: they join, split or mark text without showing.
_INVISIBLE = frozenset("\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180e\ufeff") | frozenset(
    chr(code)
    for first, last in ((0x200B, 0x200F), (0x202A, 0x202E), (0x2060, 0x206F), (0xFE00, 0xFE0F), (0xE0000, 0xE007F))
    for code in range(first, last + 1)
)
#: Embeddings, overrides and isolates: after one of them the eye meets the letters in another order than we read them.
TURNING = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
#: Cyrillic and Greek letters that look like Latin ones, and punctuation with many shapes.
_LOOK_ALIKES = {
    **dict(zip("АВЕКМНОРСТХУІЈЅаеорсухіјѕԁһո", "ABEKMHOPCTXYIJSaeopcyxijsdhn", strict=True)),
    **dict(zip("ΑΒΕΖΗΙΚΜΝΟΡΤΥΧονι", "ABEZHIKMNOPTYXovi", strict=True)),
    **dict.fromkeys("‘’‚‛ʼ′´`ʹ", "'"),
    **dict.fromkeys("“”„‟″«»‹›＂", '"'),
    **dict.fromkeys("‐‑‒–—―−﹘﹣－", "-"),
}
#: A dash that separates clauses keeps a shape of its own.
_LONG_DASHES = frozenset("–—―")
_LONGEST_WORD = 30
_LAST_LATIN = 0x24F
SEPARATING_DASH = "\u2014"


@dataclass(frozen=True, slots=True)
class Folded:
    """`text` to read, and for each of its characters the position in the original."""

    text: str
    original: str
    positions: tuple[int, ...]

    def span(self, start: int, end: int) -> tuple[int, int]:
        """The original span behind text[start:end]; combining marks stay with their letter."""
        if start >= end:
            at = self.positions[start] if start < len(self.positions) else len(self.original)
            return at, at
        last = self.positions[end - 1] + 1
        following = self.positions[end] if end < len(self.positions) else len(self.original)
        while last < following and unicodedata.combining(self.original[last]):
            last += 1
        return self.positions[start], last


def fold(text: str) -> Folded:
    """Fold Unicode forms, invisible and look-alike characters, quotes, dashes and blanks."""
    if text.isascii():
        return Folded(text, text, tuple(range(len(text))))
    single = [_single(letter) for letter in text]
    if all(map(eq, single, text)):
        return Folded(text, text, tuple(range(len(text))))
    letters: list[str] = []
    positions: list[int] = []
    clusters = _clusters(text) if any(map(unicodedata.combining, text)) else enumerate(text)
    for start, cluster in clusters:
        known = single[start] if len(cluster) == 1 else None
        for letter in _folded_cluster(cluster, text, start) if known is None else known:
            letters.append(letter)
            positions.append(start)
    return Folded("".join(letters), text, tuple(positions))


@lru_cache(maxsize=4096)
def _single(letter: str) -> str | None:
    """What the character folds to wherever it stands alone; None where its neighbours decide."""
    if letter in _LONG_DASHES or (letter in _LOOK_ALIKES and letter.isalpha()) or unicodedata.combining(letter):
        return None
    return _folded_cluster(letter, letter, 0)


def _clusters(text: str) -> list[tuple[int, str]]:
    """Each base character with the combining marks that follow it (at most eight are looked at)."""
    found: list[tuple[int, str]] = []
    at = 0
    while at < len(text):
        end = at + 1
        while end < len(text) and unicodedata.combining(text[end]):
            end += 1
        found.append((at, text[at : min(end, at + 9)]))
        at = end
    return found


def _folded_cluster(cluster: str, text: str, start: int) -> str:
    base = cluster[0]
    if base in _INVISIBLE:
        return ""
    if base in _LONG_DASHES:
        return SEPARATING_DASH if _stands_alone(text, start) else "-"
    if base in _LOOK_ALIKES and not (base.isalpha() and _in_foreign_word(text, start)):
        return _LOOK_ALIKES[base] + cluster[1:]
    folded = unicodedata.normalize("NFC", unicodedata.normalize("NFKC", cluster))
    return " " if folded.isspace() and not folded.isascii() else folded


def _stands_alone(text: str, at: int) -> bool:
    """A dash with a blank beside it, or between letters, separates; between digits it joins a range."""
    around = text[max(0, at - 1) : at + 2]
    return not (len(around) == 3 and around[0].isdigit() and around[2].isdigit())


def _in_foreign_word(text: str, at: int) -> bool:
    """Whether the word around holds a letter of that script which looks like no Latin one."""
    start, end = at, at + 1
    while start > 0 and at - start < _LONGEST_WORD and text[start - 1].isalpha():
        start -= 1
    while end < len(text) and end - at < _LONGEST_WORD and text[end].isalpha():
        end += 1
    return any(ord(letter) > _LAST_LATIN and letter not in _LOOK_ALIKES for letter in text[start:end])
