"""What stands between a team's settings and other people's servers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from outreach.campaigns.domain.budget import ModelAccess
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


@dataclass(frozen=True, slots=True)
class Tried:
    """What came of a small question to a language model. text: for people; what to do where it does not work."""

    works: bool
    text: str
    milliseconds: int = 0


class ModelTrier(Protocol):
    """Asks a model one small question that holds nothing of anybody. Never raises for what a server does."""

    def __call__(self, *, access: ModelAccess) -> Tried:
        """access: empty is the installation's own model."""
