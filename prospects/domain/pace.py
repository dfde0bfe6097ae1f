"""How fast long work goes and how long it still takes."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

_SECONDS_UP_TO = 90


@dataclass(frozen=True, slots=True)
class Pace:
    """per_second and seconds_left are None while too little is known."""

    share: float
    per_second: float | None
    seconds_left: int | None

    @property
    def left(self) -> str:
        """ "40 s", "12 min", "3 h"; "" while too little is known."""
        if self.seconds_left is None:
            return ""
        if self.seconds_left < _SECONDS_UP_TO:
            return f"{self.seconds_left} s"
        minutes = round(self.seconds_left / 60)
        return f"{minutes} min" if minutes < _SECONDS_UP_TO else f"{round(minutes / 60)} h"


def pace_of(*, done: int, total: int, started_at: datetime | None, now: datetime, before: int = 0) -> Pace:
    """before: what was done already when the present worker began at `started_at`; a pause is not slow work."""
    share = done / total if total else 0.0
    seconds = (now - started_at).total_seconds() if started_at else 0.0
    if seconds < 0.5 or done <= before:
        return Pace(share=share, per_second=None, seconds_left=None)
    rate = (done - before) / seconds
    return Pace(share=share, per_second=round(rate, 1), seconds_left=round((total - done) / rate))
