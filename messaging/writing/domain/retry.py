"""How long to wait before asking again. Values in seconds."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from email.utils import parsedate_to_datetime


@dataclass(frozen=True, slots=True)
class RetryPolicy:
    """attempts: requests in all. longest_wait caps the growing waits between them.

    budget: no further request begins after this many seconds, so that a worker's lease outlasts a call.
    """

    attempts: int = 4
    first_wait: float = 1.0
    factor: float = 2.0
    longest_wait: float = 30.0
    budget: float = 90.0

    def wait(self, *, attempt: int, draw: float) -> float:
        """Seconds before the next request, after `attempt` (from 1) failed and the server named no time.

        Full jitter: `draw` (0 to 1) of the exponential step, with half of it as the least, so that a herd of
        workers spreads out.
        """
        step = min(self.first_wait * self.factor ** (attempt - 1), self.longest_wait)
        return step * (0.5 + 0.5 * draw)


def retry_after(*, value: str, now: datetime) -> float | None:
    """Seconds from a Retry-After header: a number, or an HTTP date (RFC 9110 section 10.2.3). None when neither."""
    text = value.strip()
    try:
        seconds = float(text)
    except ValueError:
        pass
    else:
        return seconds if 0 <= seconds < float("inf") else None
    try:
        then = parsedate_to_datetime(text)
    except (TypeError, ValueError):
        return None
    if then.tzinfo is None:
        return None
    return max((then - now).total_seconds(), 0.0)
