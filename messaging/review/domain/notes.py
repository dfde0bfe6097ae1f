"""Claims as footnotes: numbered in reading order, open findings listed first, each with its reason."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from messaging.review.domain.segments import MarkedClaim

#: Sign and word of each verdict that is not simply a number.
SIGNS = {"unsupported": "†", "undeclared": "‡", "ambiguous": "§"}
ICONS = {
    "verified": "check",
    "judge-corroborated": "check",
    "contradicted": "x",
    "unsupported": "help",
    "undeclared": "alert-triangle",
    "ambiguous": "help",
}


@dataclass(frozen=True, slots=True)
class CheckedSpan:
    """What a check said of one span; the fields of CheckedClaim as stored."""

    field_name: str
    start: int
    end: int
    span: str
    type: str
    verdict: str
    reason: str
    hint: str
    evidence: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Note:
    """number: its anchor, n1, n2 … in reading order."""

    number: int
    verdict: str
    open: bool
    evidence: tuple[str, ...]
    span: str
    reason: str
    hint: str

    @property
    def sign(self) -> str:
        return SIGNS.get(self.verdict, "")


@dataclass(frozen=True, slots=True)
class Noted:
    subject: tuple[MarkedClaim, ...]
    body: tuple[MarkedClaim, ...]
    notes: tuple[Note, ...]


def noted(spans: Sequence[CheckedSpan]) -> Noted:
    """Claims with their numbers: the subject's first, then the body's by place."""
    ordered = sorted(spans, key=lambda item: (item.field_name != "subject", item.start, item.end))
    marks: dict[str, list[MarkedClaim]] = {"subject": [], "body": []}
    notes = []
    for number, item in enumerate(ordered, start=1):
        mark = MarkedClaim(number, item.start, item.end, item.verdict, item.evidence)
        marks[item.field_name].append(mark)
        notes.append(Note(number, item.verdict, mark.open, item.evidence, item.span, item.reason, item.hint))
    notes.sort(key=lambda note: (not note.open, note.number))
    return Noted(tuple(marks["subject"]), tuple(marks["body"]), tuple(notes))
