"""What the verifier stopped, counted by class, language and author; shares with their intervals. Pure."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from analytics.domain.funnel import Interval, wilson

OPEN = ("contradicted", "unsupported", "undeclared", "ambiguous")
BAR, LEFT, STEP = 330.0, 126.0, 30
NARROW_BAR, NARROW_STEP = 330.0, 40


#: Upper limit in words, and the name of the band; the last one has no limit.
BANDS = ((60, "under 60 words"), (100, "60 to 99 words"), (150, "100 to 149 words"), (0, "150 words and more"))


@dataclass(frozen=True)
class Answered:
    """Stopped texts of machines by what people did first of this list; those that nobody has touched wait."""

    evidence: int
    edited: int
    again: int
    rejected: int
    waiting: int

    @property
    def total(self) -> int:
        return self.evidence + self.edited + self.again + self.rejected + self.waiting


@dataclass(frozen=True)
class Counted:
    """So many claims of one type, verdict, language, author kind, week, length, model and prompt version."""

    type: str
    verdict: str
    language: str
    author: str
    week: str
    claims: int
    length: str = ""
    model: str = ""
    prompt: str = ""


@dataclass(frozen=True)
class Group:
    """One class, language, author, week, length, model or prompt version: claims read, those stopped, by verdict, and the share stopped."""

    name: str
    read: int
    stopped: int
    by_verdict: tuple[int, ...]
    share: Interval | None


@dataclass(frozen=True)
class Piece:
    """A part of a bar. style: the class of its fill."""

    x: float
    width: float
    style: str


@dataclass(frozen=True)
class TruthBar:
    group: Group
    y: int
    text_y: int
    label_x: float
    pieces: tuple[Piece, ...]


def groups(
    *, rows: Iterable[Counted], field: str, by_name: bool = False, unnamed: str = "unknown"
) -> tuple[Group, ...]:
    """The rows added up by one of their fields, most stopped first, or by name. unnamed "": leaves rows without it out."""
    added: dict[str, dict[str, int]] = {}
    for row in rows:
        name = getattr(row, field) or unnamed
        if not name:
            continue
        verdicts = added.setdefault(name, {})
        verdicts[row.verdict] = verdicts.get(row.verdict, 0) + row.claims
    found = [_group(name, verdicts) for name, verdicts in added.items()]
    return tuple(sorted(found, key=lambda one: one.name if by_name else (-one.stopped, one.name)))


def _group(name: str, verdicts: dict[str, int]) -> Group:
    read, each = sum(verdicts.values()), tuple(verdicts.get(verdict, 0) for verdict in OPEN)
    return Group(name, read, sum(each), each, wilson(hits=sum(each), trials=read))


def bars(*, classes: Iterable[Group], narrow: bool = False) -> tuple[TruthBar, ...]:
    """Stacked bars of the classes with something stopped, in the units of the drawing."""
    shown = [one for one in classes if one.stopped]
    most = max((one.stopped for one in shown), default=1)
    full, left, step = (NARROW_BAR, 0.0, NARROW_STEP) if narrow else (BAR, LEFT, STEP)
    drawn = []
    for number, one in enumerate(shown):
        pieces, x = [], left
        for count, style in zip(one.by_verdict, ("s1", "s2", "s3", "s3"), strict=True):
            width = round(full * count / most, 1)
            if count:
                pieces.append(Piece(round(x, 1), max(width - 1.5, 0.5), style))
            x += width
        y = number * step + (24 if narrow else 6)
        drawn.append(TruthBar(one, y, y - 6 if narrow else y + 11, round(x, 1) + 6, tuple(pieces)))
    return tuple(drawn)


def truth_height(*, classes: Iterable[Group], narrow: bool = False) -> int:
    """Of the drawing with these bars."""
    return 8 + (NARROW_STEP if narrow else STEP) * sum(one.stopped > 0 for one in classes)
