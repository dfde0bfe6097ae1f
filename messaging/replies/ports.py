"""A mailbox as the replies stage sees it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from outreach.campaigns.domain.mail_server import MailServer


@dataclass(frozen=True, slots=True)
class Place:
    """How far a mailbox was read (RFC 3501, 2.3.1.1). validity None: never."""

    validity: int | None
    last_uid: int


@dataclass(frozen=True, slots=True)
class Came:
    """One mail, or only how far the mailbox is read now: content empty. too_big: bytes of one that was left there."""

    place: Place
    content: bytes = b""
    received_at: datetime | None = None
    too_big: int = 0


class Unreadable(Exception):
    """The mailbox cannot be read now. The text says why, for people."""


class MailReader(Protocol):
    """Reads without marking, moving or deleting anything."""

    def read(self, *, server: MailServer, place: Place, since: datetime | None, limit: int) -> Iterator[Came]:
        """What came after the place, oldest first. On the first visit nothing but the place: old mail is not ours.

        since: where the mailbox was numbered anew, mail from that day on is read again. Raises Unreadable.
        """
