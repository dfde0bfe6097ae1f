"""Where the bars of the funnel stand, in the units of the drawing. Wide and narrow are two drawings."""

from __future__ import annotations

from dataclasses import dataclass

from analytics.domain.funnel import Stage

WIDE_BAR, WIDE_LEFT, WIDE_STEP = 330.0, 126.0, 34
NARROW_BAR, NARROW_STEP = 330.0, 41


@dataclass(frozen=True)
class Bar:
    """One stage as drawn. Heard back (from "replied" on) is drawn darker."""

    stage: Stage
    y: int
    text_y: int
    width: float
    label_x: float
    dark: bool


@dataclass(frozen=True)
class Drawing:
    bars: tuple[Bar, ...]
    height: int


def _width(stage: Stage, stages: tuple[Stage, ...], full: float) -> float:
    most = max((other.count for other in stages), default=0)
    return round(full * stage.count / most, 1) if most else 0.0


def wide(*, stages: tuple[Stage, ...]) -> Drawing:
    bars = []
    for number, stage in enumerate(stages):
        width = _width(stage, stages, WIDE_BAR)
        y = 9 + number * WIDE_STEP
        bars.append(Bar(stage, y, y + 15, width, WIDE_LEFT + width + 6, number >= 4))
    return Drawing(tuple(bars), 8 + len(stages) * WIDE_STEP)


def narrow(*, stages: tuple[Stage, ...]) -> Drawing:
    bars = []
    for number, stage in enumerate(stages):
        y = 24 + number * NARROW_STEP
        bars.append(Bar(stage, y, y - 7, _width(stage, stages, NARROW_BAR), NARROW_BAR, number >= 4))
    return Drawing(tuple(bars), 3 + len(stages) * NARROW_STEP)
