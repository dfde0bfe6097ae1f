"""One spelling for rules: lower case, no accents, plain quotes and spaces. Lengths are kept, so offsets stay true."""

from __future__ import annotations

import unicodedata
from functools import lru_cache

_SAME = {
    "’": "'",
    "‘": "'",
    "`": "'",
    "´": "'",
    "“": '"',
    "”": '"',
    "«": '"',
    "»": '"',
    "–": "-",
    "—": "-",
    "\xa0": " ",
    "\u202f": " ",
    "ß": "s",
    "œ": "o",
    "æ": "a",
    "ø": "o",
    "ł": "l",
}


@lru_cache(maxsize=4096)
def _fold_character(character: str) -> str:
    if character in _SAME:
        return _SAME[character]
    plain = unicodedata.normalize("NFKD", character)
    base = "".join(part for part in plain if not unicodedata.combining(part)).lower()
    return base if len(base) == 1 else (base[:1] or " ")


def fold(text: str) -> str:
    """As many characters as `text` has. Zero-width characters become spaces."""
    composed = text if text.isascii() else unicodedata.normalize("NFC", text)
    return composed.lower() if composed.isascii() else "".join(_fold_character(character) for character in composed)
