"""How hard a text is to read, by the formula that is used for its language. Higher is easier, 0 to 100 is usual.

Sources: Flesch 1948 (en), Amstad 1978 (de), Kandel and Moles 1958 (fr), Fernández Huerta 1959 (es), Martins and others
1996 (pt), Douma 1960 (nl), Lucisano and Piemontese 1988, Gulpease (it, by letters). Syllables are counted as groups of
vowels, which is what the constants below are good for: comparing a text with a threshold, not with another author's.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType

#: Shorter texts have no readability: one long name would decide it.
LEAST_WORDS = 40
_WORD = re.compile(r"[^\W\d_]+")
_VOWELS = re.compile(r"[aeiouyàáâãäåæèéêëìíîïòóôõöøùúûüýœ]+", re.IGNORECASE)

_Score = Callable[[float, float], float]
#: From words a sentence and syllables a word.
_BY_SYLLABLES: Mapping[str, _Score] = MappingProxyType(
    {
        "en": lambda words, syllables: 206.835 - 1.015 * words - 84.6 * syllables,
        "de": lambda words, syllables: 180 - words - 58.5 * syllables,
        "fr": lambda words, syllables: 207 - 1.015 * words - 73.6 * syllables,
        "es": lambda words, syllables: 206.84 - 1.02 * words - 60 * syllables,
        "pt": lambda words, syllables: 248.835 - 1.015 * words - 84.6 * syllables,
        "nl": lambda words, syllables: 206.84 - 0.93 * words - 77 * syllables,
    }
)


def syllables_in(word: str) -> int:
    """Groups of vowels, at least one."""
    return max(len(_VOWELS.findall(word)), 1)


def readability(*, sentences: Sequence[str], language: str) -> float | None:
    """The score; None for a short text, or for a language without a formula. Linear in the length."""
    words = [word for sentence in sentences for word in _WORD.findall(sentence)]
    if len(words) < LEAST_WORDS:
        return None
    a_sentence = len(words) / len(sentences)
    primary = language.partition("-")[0]
    if primary == "it":
        return 89 + (300 * len(sentences) - 10 * sum(map(len, words))) / len(words)
    score = _BY_SYLLABLES.get(primary)
    return score(a_sentence, sum(map(syllables_in, words)) / len(words)) if score else None
