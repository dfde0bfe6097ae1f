"""Cells on their way out: a spreadsheet must show them, never run them."""

from __future__ import annotations

_STARTS = ("=", "+", "-", "@", "\t", "\r", "\n")
_PHONE = frozenset("+0123456789 ()/.-")


def inert(value: object) -> str:
    """The value with an apostrophe before what a spreadsheet would take for a formula. Phone numbers stay as they are.

    Rule: OWASP, CSV Injection.
    """
    text = str(value)
    if not text.startswith(_STARTS):
        return text
    if text.startswith("+") and len(text) > 6 and set(text) <= _PHONE and not set(text[1:]) & set("+"):
        return text
    return f"'{text}"
