"""A message cut into pieces for the page: words, and claims with their marks. No markup: templates escape every piece."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

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
    start       where head begins in the text
    faults      places in the text that a quality rule found, in order and beside each other
    """

    head: str
    tail: str = ""
    claim: MarkedClaim | None = None
    marked: bool = False
    start: int = field(default=0, compare=False)
    faults: Sequence[tuple[int, int]] = field(default=(), compare=False)

    @property
    def head_pieces(self) -> list[tuple[str, bool]]:
        """head in pieces, each with whether a quality rule found it."""
        return _pieces(self.head, self.start, self.faults)

    @property
    def tail_pieces(self) -> list[tuple[str, bool]]:
        return _pieces(self.tail, self.start + len(self.head), self.faults)


def _pieces(words: str, start: int, faults: Sequence[tuple[int, int]]) -> list[tuple[str, bool]]:
    found: list[tuple[str, bool]] = []
    at, end = start, start + len(words)
    for fault in faults:
        first, last = max(fault[0], at), min(fault[1], end)
        if first < last:
            found += [(words[at - start : first - start], False), (words[first - start : last - start], True)]
            at = last
    found.append((words[at - start :], False))
    return [piece for piece in found if piece[0]]


def beside_each_other(spans: Iterable[tuple[int, int]]) -> tuple[tuple[int, int], ...]:
    """In order, without overlap: what overlaps becomes one."""
    joined: list[tuple[int, int]] = []
    for start, end in sorted(spans):
        if joined and start <= joined[-1][1]:
            joined[-1] = (joined[-1][0], max(end, joined[-1][1]))
        elif start < end:
            joined.append((start, end))
    return tuple(joined)


Paragraph = tuple[Segment, ...]


def without_overlap(*, text: str, claims: Sequence[MarkedClaim]) -> tuple[MarkedClaim, ...]:
    """In reading order and beside each other; what has no room in the line is in the notes only.

    Open findings come first, the narrower before the wider: what is wrong is shown exactly. Of verified claims the
    wider comes first: good text stays quiet. Of a claim that is covered in the middle the longer part stays.
    """
    kept: list[MarkedClaim] = []
    for claim in sorted(claims, key=_precedence):
        start, end = _trimmed(text, *_longest_free(claim, kept))
        if start < end:
            kept.append(replace(claim, start=start, end=end))
    return tuple(sorted(kept, key=lambda item: item.start))


def _precedence(claim: MarkedClaim) -> tuple[bool, int, int]:
    length = claim.end - claim.start
    return (not claim.open, length if claim.open else -length, claim.start)


def _trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    words = text[start:end]
    return start + len(words) - len(words.lstrip()), end - (len(words) - len(words.rstrip()))


def _longest_free(claim: MarkedClaim, taken: Sequence[MarkedClaim]) -> tuple[int, int]:
    gaps, at = [], claim.start
    for other in sorted(taken, key=lambda item: item.start):
        if other.end <= at or other.start >= claim.end:
            continue
        gaps.append((at, other.start))
        at = other.end
    gaps.append((at, claim.end))
    return max(gaps, key=lambda gap: gap[1] - gap[0])


def paragraphs(
    *, text: str, claims: Sequence[MarkedClaim], faults: Sequence[tuple[int, int]] = ()
) -> tuple[Paragraph, ...]:
    """The text in paragraphs; a claim that spans two of them is marked in both and numbered in the last.

    faults: places that a quality rule found
    """
    beside = beside_each_other(faults)
    shown = without_overlap(text=text, claims=claims)
    result: list[Paragraph] = []
    start = 0
    for end, following in _bounds(text):
        segments = tuple(replace(one, faults=beside) for one in _segments(text, start, end, shown))
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
            segments.append(Segment(text[at:first], start=at))
        segments.append(_of_claim(text[first:last], claim, first, ends_here=claim.end <= end))
        at = last
    if at < end:
        segments.append(Segment(text[at:end], start=at))
    return tuple(segments)


def _of_claim(words: str, claim: MarkedClaim, start: int, *, ends_here: bool) -> Segment:
    if not ends_here:
        return Segment(words, claim=claim, start=start)
    last = _LAST_WORD.search(words)
    cut = last.start() if last else 0
    return Segment(words[:cut], words[cut:], claim, marked=True, start=start)
