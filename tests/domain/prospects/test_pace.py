"""How fast an import goes and how long it still takes."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from prospects.domain.pace import pace_of

NOW = datetime(2026, 12, 1, 9, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    ("done", "total", "before", "seconds", "rate", "left"),
    [
        (0, 1_000, 0, 10, None, ""),
        (100, 1_000, 0, 0.2, None, ""),
        (500, 1_000, 0, 10, 50.0, "10 s"),
        (500, 1_000, 400, 10, 10.0, "50 s"),  # taken over after 400: the pause does not count
        (400, 1_000, 400, 3_600, None, ""),
        (100, 10_000, 0, 10, 10.0, "16 min"),
        (100, 1_000_000, 0, 10, 10.0, "28 h"),
    ],
)  # fmt: skip
def test_rate_and_time_left(  # noqa: PLR0917  # one row of the table
    done: int, total: int, before: int, seconds: float, rate: float | None, left: str
) -> None:
    pace = pace_of(done=done, total=total, before=before, started_at=NOW - timedelta(seconds=seconds), now=NOW)
    assert (pace.per_second, pace.left) == (rate, left)
