"""What stands between a team's settings and other people's servers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from outreach.campaigns.domain.mail_server import MailServer


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing wrong with a server. part: "smtp" or "imap". code: stable, for tests. text: what is wrong and what to do."""

    part: str
    code: str
    text: str


class MailChecker(Protocol):
    """Tries a server as the product would use it, and sends nothing. Never raises for what a server does."""

    def sending(self, *, server: MailServer, address: str) -> Finding | None:
        """Connect, encrypt, log in, and ask whether mail of this address is taken."""

    def reading(self, *, server: MailServer) -> Finding | None:
        """Connect, encrypt, log in, open the inbox without changing it, and ask how full it is."""
