"""What changed between two texts, word by word."""

from __future__ import annotations

import re
from dataclasses import dataclass
from difflib import SequenceMatcher
from enum import StrEnum

_PIECES = re.compile(r"\s+|[^\s]+")


class Change(StrEnum):
    SAME = "same"
    ADDED = "added"
    REMOVED = "removed"


@dataclass(frozen=True, slots=True)
class Piece:
    change: Change
    text: str


def difference(*, before: str, after: str) -> tuple[Piece, ...]:
    """Runs of words and spaces; leaving out the added ones gives `before`, the removed ones `after`."""
    old, new = _PIECES.findall(before), _PIECES.findall(after)
    pieces: list[Piece] = []
    for _tag, old_from, old_to, new_from, new_to in SequenceMatcher(a=old, b=new, autojunk=False).get_opcodes():
        removed, added = "".join(old[old_from:old_to]), "".join(new[new_from:new_to])
        if removed == added:
            pieces.append(Piece(Change.SAME, removed))
            continue
        pieces += [Piece(change, text) for change, text in ((Change.REMOVED, removed), (Change.ADDED, added)) if text]
    return tuple(pieces)
