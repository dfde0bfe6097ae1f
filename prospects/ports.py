"""What this room needs of the outside world."""

from __future__ import annotations

from typing import Protocol

from prospects.domain.web import Asked, Outcome


class Fetcher(Protocol):
    """Reads public pages, politely. Never raises for what a server does."""

    def fetch(self, asked: Asked) -> Outcome: ...
