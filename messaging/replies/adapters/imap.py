"""Reading a mailbox over IMAP (RFC 3501): opened read-only, every mail peeked at."""

from __future__ import annotations

import imaplib
import ssl
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from messaging.replies.ports import Came, Place, Unreadable
from outreach.campaigns.adapters.mail import imap_connection, team_guard
from outreach.campaigns.adapters.mail_check import imap_finding
from outreach.campaigns.domain.mail_server import MailServer
from outreach.egress import Guard, Refused

_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")


@dataclass(frozen=True)
class ImapReader:
    """timeout: seconds for each step. largest: bytes of a mail that is still fetched."""

    largest: int
    guard: Guard = field(default_factory=team_guard)
    timeout: float = 20
    context: ssl.SSLContext | None = None

    def read(self, *, server: MailServer, place: Place, since: datetime | None, limit: int) -> Iterator[Came]:
        try:
            connection = imap_connection(server=server, guard=self.guard, timeout=self.timeout, context=self.context)
            try:
                yield from self._new(connection, place, since, limit)
            finally:
                with suppress(imaplib.IMAP4.error, OSError):
                    connection.logout()
        except (imaplib.IMAP4.error, OSError, Refused, ValueError) as error:
            raise Unreadable(imap_finding(server, error).text.replace(server.password or "\0", "…")) from error

    def _new(self, connection: imaplib.IMAP4, place: Place, since: datetime | None, limit: int) -> Iterator[Came]:
        said, lines = connection.select("INBOX", readonly=True)
        if said != "OK":
            raise connection.error(f"the inbox cannot be opened: {lines}")
        validity, following = _number(connection, "UIDVALIDITY"), _number(connection, "UIDNEXT")
        if place.validity is None:
            yield Came(Place(validity, max(following - 1, 0)))
            return
        anew = place.validity != validity
        last = 0 if anew else place.last_uid
        for uid in _uids(connection, last=last, since=since if anew else None)[:limit]:
            yield self._one(connection, uid, Place(validity, uid))

    def _one(self, connection: imaplib.IMAP4, uid: int, place: Place) -> Came:
        _said, lines = connection.uid("FETCH", str(uid), "(RFC822.SIZE)")
        size = _figure(lines, b"RFC822.SIZE")
        if size > self.largest:
            return Came(place, too_big=size)
        _said, lines = connection.uid("FETCH", str(uid), "(INTERNALDATE BODY.PEEK[])")
        for part in lines:
            if isinstance(part, tuple):
                return Came(place, content=bytes(part[1]), received_at=_received(part[0]))
        return Came(place)  # gone since it was listed


def _uids(connection: imaplib.IMAP4, *, last: int, since: datetime | None) -> list[int]:
    """Of mail after the last one. "n:*" always names the newest, even where it is older than n."""
    asked = [f"UID {last + 1}:*"]
    if since is not None:
        asked = [f"SINCE {since.day}-{_MONTHS[since.month - 1]}-{since.year}"]
    _said, lines = connection.uid("SEARCH", *asked)
    found = (int(word) for line in lines if isinstance(line, bytes) for word in line.split())
    return sorted(uid for uid in found if uid > last)


def _number(connection: imaplib.IMAP4, name: str) -> int:
    _name, values = connection.response(name)
    return int(values[0]) if values and values[0] else 0


def _figure(lines: Sequence[Any], name: bytes) -> int:
    for line in lines:
        told = line[0] if isinstance(line, tuple) else line or b""
        words = told.replace(b"(", b" ").replace(b")", b" ").split()
        if name in words:
            return int(words[words.index(name) + 1])
    return 0


def _received(head: bytes) -> datetime | None:
    told = imaplib.Internaldate2tuple(head)
    return datetime(*told[:6]).astimezone(UTC) if told else None  # local time, as the library gives it
