"""A forest plot in the units of the drawing: factors on a logarithmic axis, each with its 90% interval. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import log

_FACTORS = (0.25, 0.5, 0.67, 0.8, 1.0, 1.25, 1.5, 2.0, 3.0, 4.0)
_WIDE = (236.0, 516.0, 34, 26)  # left, right, step, middle of the first row
_NARROW = (14.0, 316.0, 44, 30)


@dataclass(frozen=True)
class Row:
    """One estimate. interval: low, middle, high as factors, None where there is too little to tell. note: its state in
    a word; firm: whether it is drawn as known."""

    name: str
    interval: tuple[float, float, float] | None
    note: str
    firm: bool = False


@dataclass(frozen=True)
class Mark:
    row: Row
    y: float
    text_y: float
    box_y: float
    x1: float
    x2: float
    box_x: float


@dataclass(frozen=True)
class Tick:
    x: float
    label: str
    middle: bool


@dataclass(frozen=True)
class Forest:
    """bottom: end of the grid; note_y: baseline of the axis' words; height: of the drawing."""

    marks: tuple[Mark, ...]
    ticks: tuple[Tick, ...]
    top: float
    bottom: float
    label_y: float
    note_y: float
    height: float
    left: float
    right: float


def forest(rows: Sequence[Row], *, narrow: bool = False) -> Forest:
    """Rows in the order given; intervals beyond a quarter and four times are cut at the edge."""
    left, right, step, first = _NARROW if narrow else _WIDE
    low, high = _range(rows)

    def place(factor: float) -> float:
        share = (log(min(max(factor, low), high)) - log(low)) / (log(high) - log(low))
        return round(left + share * (right - left), 1)

    marks = []
    for number, row in enumerate(rows):
        y = first + number * step
        start, middle, end = (place(value) for value in row.interval or (1.0, 1.0, 1.0))
        marks.append(Mark(row, y, y - 14 if narrow else y + 4, y - 4.5, start, end, middle - 4.5))
    bottom = first + (len(rows) - 1) * step + 20
    ticks = tuple(
        Tick(place(factor), percent_change(factor), factor == 1.0) for factor in _FACTORS if low <= factor <= high
    )
    return Forest(
        tuple(marks), ticks, 0.0 if narrow else 8.0, bottom, bottom + 16, bottom + 34, bottom + 42, left, right
    )


def _range(rows: Sequence[Row]) -> tuple[float, float]:
    """Ends of the axis: the marked factors that hold all intervals, at least from -20% to +25%."""
    values = [value for row in rows if row.interval for value in row.interval]
    low, high = min([0.8, *values]), max([1.25, *values])
    return (
        max((factor for factor in _FACTORS if factor <= low), default=_FACTORS[0]),
        min((factor for factor in _FACTORS if factor >= high), default=_FACTORS[-1]),
    )


def percent_change(factor: float) -> str:
    """ "+25%", "−20%", "0": a factor as people say it."""
    change = round(100 * (factor - 1))
    return "0" if change == 0 else f"{'+' if change > 0 else '−'}{abs(change)}%"


@dataclass(frozen=True)
class Column:
    x: float
    y: float
    height: float


@dataclass(frozen=True)
class Strip:
    """Share of each week's messages of one strategy: columns of full height for all messages."""

    name: str
    now: str
    columns: tuple[Column, ...]


STRIP_WIDTH, STRIP_HEIGHT = 312.0, 40.0


def strips(weeks: Sequence[dict[str, int]], names: dict[str, str]) -> tuple[Strip, ...]:
    """One drawing a strategy. weeks: messages by strategy key, the oldest first."""
    step = STRIP_WIDTH / max(len(weeks), 12)
    found = []
    for key, name in names.items():
        columns, share = [], 0.0
        for number, sent in enumerate(weeks):
            share = sent.get(key, 0) / max(1, sum(sent.values()))
            height = round(STRIP_HEIGHT * share, 1)
            columns.append(Column(round(number * step, 1), round(STRIP_HEIGHT - height, 1), height))
        found.append(Strip(name, f"{share:.0%}", tuple(columns)))
    return tuple(found)
