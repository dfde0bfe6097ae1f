"""One server's patience, shared by every request of the process: who is told to wait makes all others wait too."""

from __future__ import annotations

import threading


class Turnstile:
    """Closed until a moment (monotonic seconds). Those who wait come back one after the other, not all at once."""

    def __init__(self, *, spacing: float = 0.02) -> None:
        """spacing: seconds between two that wait for the same moment."""
        self._lock = threading.Lock()
        self._opens = 0.0
        self._waiting = 0
        self._spacing = spacing

    def close_until(self, moment: float) -> None:
        """The server asked to be left alone until then; an earlier moment changes nothing."""
        with self._lock:
            if moment > self._opens:
                self._opens, self._waiting = moment, 0

    def wait(self, *, now: float) -> float:
        """Seconds to wait before the next request; 0 when the way is free."""
        with self._lock:
            if now >= self._opens:
                return 0.0
            self._waiting += 1
            return self._opens - now + self._spacing * (self._waiting - 1)
