"""What somebody typed into the search field, as a query of word beginnings."""

from __future__ import annotations

import re

LONGEST = 100
MOST_WORDS = 6
#: An address is one word to PostgreSQL; everything else falls apart at what is no letter or digit.
_WORD = re.compile(r"[^\s@]+@[^\s@]*|[^\W_]+")


def plain(*, text: str) -> str:
    return text.replace("\x00", " ").strip()[:LONGEST]


def prefix_query(*, text: str) -> str:
    """As a PostgreSQL tsquery: every word must begin some word. "" when nothing searchable was typed."""
    words = _WORD.findall(plain(text=text).lower())[:MOST_WORDS]
    return " & ".join(f"{_quoted(word)}:*" for word in words)


def _quoted(word: str) -> str:
    return "'" + word.replace("\\", "\\\\").replace("'", "''") + "'"
