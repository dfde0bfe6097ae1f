"""What is concluded from evidence, shown as concluded: never evidence itself, and always with what it rests on."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from prospects.domain.evidence import Evidence


@dataclass(frozen=True, slots=True)
class Derived:
    """One conclusion.

    name      what is concluded: "years_in_role", "stage", "emoji"
    value     for programs: "2", "2-3", "new_to_management", "none"
    words     the same as a sentence for people
    evidence  row ids (or refs, where the evidence comes from a file) of the facts it rests on
    """

    name: str
    value: str
    words: str
    evidence: tuple[str, ...]


def resting_on(items: Iterable[Evidence]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(item.row_id or item.ref for item in items if item.row_id or item.ref))
