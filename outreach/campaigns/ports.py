"""What stands between a team's settings and other people's servers, and what this room asks of the rooms above it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from outreach.campaigns.domain.budget import ModelAccess
from outreach.campaigns.domain.checklist import Beyond
from outreach.campaigns.domain.health import Numbers
from outreach.campaigns.domain.mail_server import MailServer
from outreach.campaigns.models import Campaign


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


class Rooms(Protocol):
    """The rooms above, which attach themselves when the site starts."""

    def beyond(self, *, campaign: Campaign) -> Beyond:
        """What they know of one campaign, for its checklist."""

    def numbers(self, *, campaign_ids: Sequence[int]) -> Mapping[int, Numbers]:
        """People and messages of each, in a fixed number of queries."""

    def copy(self, *, source: Campaign, target: Campaign) -> None:
        """Give a clone what they keep for a campaign, but no people."""


_attached: list[Rooms] = []


def attach(rooms: Rooms) -> None:
    """Called once, when the site starts."""
    _attached[:] = [rooms]


def rooms() -> Rooms:
    return _attached[0]
