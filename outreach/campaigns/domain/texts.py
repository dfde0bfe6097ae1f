"""What a text must be so that it can be kept, shown in its place and told back."""

from __future__ import annotations

import unicodedata

#: Characters that turn the reading direction of what follows: a name with one shows another name than it has.
_TURNING = frozenset(map(chr, (*range(0x202A, 0x202F), *range(0x2066, 0x206A))))
_BREAKS = frozenset("\n\r\t")


def text_fault(*, text: str, most: int, one_line: bool) -> str:
    """What is wrong with the text by itself, "" when nothing is. most: in characters."""
    if len(text) > most:
        return f"use at most {most:,} characters; this has {len(text):,}"
    for place, char in enumerate(text, start=1):
        if unicodedata.category(char) in ("Cc", "Cs") and not (char in _BREAKS and not one_line):
            return f"character {place} is U+{ord(char):04X}, which is no part of a text; leave it out"
        if char in _TURNING:
            return f"character {place} is U+{ord(char):04X}, which turns the reading direction; leave it out"
    return ""
