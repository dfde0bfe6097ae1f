"""Near-duplicates: how much of two texts is the same, by shared runs of words.

Names of both readers are taken out first: a text is not somebody's own because their name stands in it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from messaging.hooks.domain.relevance import folded

SHINGLE_WORDS = 4
#: Shared shingles (Jaccard) from which two messages read as the same one.
NEAR_DUPLICATE = 0.45
#: Colleagues compare what they get; strangers of one campaign never see each other's.
NEAR_DUPLICATE_STRANGERS = 0.85
#: Words of a text that are compared; a message has a hundred.
MOST_WORDS = 4_000
_WORD = re.compile(r"\w+")


@dataclass(frozen=True, slots=True)
class Other:
    """A text to somebody else. name: of its reader; colleague: they work at one company."""

    name: str
    body: str
    colleague: bool = False


def shingles(text: str, *, names: Iterable[str] = ()) -> frozenset[tuple[str, ...]]:
    """Runs of four folded words, without the words of these names; of a shorter text the whole."""
    left_out = {word for name in names for word in _words(name)}
    words = [word for word in _words(text[: MOST_WORDS * 10]) if word not in left_out][:MOST_WORDS]
    runs = {tuple(words[at : at + SHINGLE_WORDS]) for at in range(len(words) - SHINGLE_WORDS + 1)}
    return frozenset(runs or ({tuple(words)} if words else set()))


@lru_cache(maxsize=1_024)
def _words(text: str) -> tuple[str, ...]:
    """Kept for the texts of a campaign, each of which is compared with all that are written after it."""
    return tuple(_WORD.findall(folded(text)))


def similarity(one: str, other: str) -> float:
    """Share of common shingles, 0 to 1."""
    return _share(shingles(one), shingles(other))


def _share(a: frozenset[tuple[str, ...]], b: frozenset[tuple[str, ...]]) -> float:
    return len(a & b) / len(a | b) if a and b else 0.0


@dataclass(frozen=True, slots=True)
class Alike:
    """The nearest text of those that are too near, a colleague's before a stranger's, and the share that is the same."""

    other: Other
    share: float


def too_alike(*, body: str, name: str, others: Sequence[Other]) -> Alike | None:
    """name: of this text's own reader. Linear in the length of all texts."""
    nearest: Alike | None = None
    for other in others:
        names = (name, other.name)
        share = _share(shingles(body, names=names), shingles(other.body, names=names))
        bound = NEAR_DUPLICATE if other.colleague else NEAR_DUPLICATE_STRANGERS
        if share >= bound and (nearest is None or (other.colleague, share) > (nearest.other.colleague, nearest.share)):
            nearest = Alike(other, share)
    return nearest
