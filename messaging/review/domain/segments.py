"""A message cut into pieces for the page: words, and claims with their marks. No markup: templates escape every piece."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

_LAST_WORD = re.compile(r"\S+\s*\Z")
_PARAGRAPHS = re.compile(r"\n[ \t]*\n[\s]*")


@dataclass(frozen=True, slots=True)
class MarkedClaim:
    """A claim as the page marks it. number: its note; start and end count code points of the text it is in."""

    number: int
    start: int
    end: int
    verdict: str
    evidence: tuple[str, ...]

    @property
    def open(self) -> bool:
        return self.verdict not in ("verified", "judge-corroborated")


@dataclass(frozen=True, slots=True)
class Segment:
    """Plain words (claim None), or words of a claim. The mark stands after `tail`, which is never parted from it.

    head, tail  the words; without a mark everything is in head
    marked      the claim ends here, so its number or sign stands here
    line_breaks head may hold line breaks, which the template keeps
    """

    head: str
    tail: str = ""
    claim: MarkedClaim | None = None
    marked: bool = False


Paragraph = tuple[Segment, ...]


def without_overlap(claims: Sequence[MarkedClaim]) -> tuple[MarkedClaim, ...]:
    """In reading order, each beginning after the end of the one before it; an open finding wins over a verified claim."""
    kept: list[MarkedClaim] = []
    for claim in sorted(claims, key=lambda item: (item.start, -item.end)):
        if kept and claim.start < kept[-1].end:
            if claim.open and not kept[-1].open:
                kept[-1] = claim
            continue
        if claim.end > claim.start:
            kept.append(claim)
    return tuple(kept)


def paragraphs(*, text: str, claims: Sequence[MarkedClaim]) -> tuple[Paragraph, ...]:
    """The text in paragraphs; a claim that spans two of them is marked in both and numbered in the last."""
    shown = without_overlap(claims)
    result: list[Paragraph] = []
    start = 0
    for end, following in _bounds(text):
        segments = _segments(text, start, end, shown)
        if segments:
            result.append(segments)
        start = following
    return tuple(result)


def _bounds(text: str) -> list[tuple[int, int]]:
    breaks = [(match.start(), match.end()) for match in _PARAGRAPHS.finditer(text)]
    return [*breaks, (len(text), len(text))]


def _segments(text: str, start: int, end: int, claims: Sequence[MarkedClaim]) -> Paragraph:
    segments: list[Segment] = []
    at = start
    for claim in claims:
        first, last = max(claim.start, at), min(claim.end, end)
        if first >= last:
            continue
        if first > at:
            segments.append(Segment(text[at:first]))
        segments.append(_of_claim(text[first:last], claim, ends_here=claim.end <= end))
        at = last
    if at < end:
        segments.append(Segment(text[at:end]))
    return tuple(segments)


def _of_claim(words: str, claim: MarkedClaim, *, ends_here: bool) -> Segment:
    if not ends_here:
        return Segment(words, claim=claim)
    last = _LAST_WORD.search(words)
    cut = last.start() if last else 0
    return Segment(words[:cut], words[cut:], claim, marked=True)
