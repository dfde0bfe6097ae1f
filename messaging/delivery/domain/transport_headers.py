"""The only headers that may be added to an approved payload, and how they are taken off again for comparison."""

from __future__ import annotations

import hashlib

#: Added after approval by us (Date) or by servers on the way (trace and authentication, RFC 5321 4.4, RFC 6376).
TRANSPORT_HEADERS = frozenset({"date", "received", "return-path", "dkim-signature", "delivered-to"})


class HeaderNotAllowed(ValueError):
    """A caller wanted to add a header that is not in TRANSPORT_HEADERS: a programming error, never a user's."""


def with_headers(*, content: bytes, headers: tuple[tuple[str, str], ...]) -> bytes:
    """`content` untouched, with transport headers in front of it."""
    for name, _ in headers:
        if name.lower() not in TRANSPORT_HEADERS:
            raise HeaderNotAllowed(name)
    front = "".join(f"{name}: {value}\r\n" for name, value in headers).encode("ascii")
    return front + content


def without_transport_headers(*, content: bytes) -> bytes:
    """`content` without the leading block of transport headers. Everything after the first other header is kept."""
    position = 0
    while True:
        end = _header_end(content, position)
        name = content[position : content.find(b":", position, end)].decode("ascii", "replace").strip().lower()
        if end == position or name not in TRANSPORT_HEADERS:
            return content[position:]
        position = end


def equals_approved(*, received: bytes, approved: bytes) -> bool:
    """True when what arrived is the approved payload with nothing but transport headers put in front."""
    return without_transport_headers(content=received) == without_transport_headers(content=approved)


def digest(*, content: bytes) -> str:
    """SHA-256 in hex, as the payload's hash is stored."""
    return hashlib.sha256(content).hexdigest()


def _header_end(content: bytes, start: int) -> int:
    """Where the header that begins at `start` ends, with its folded lines; `start` itself when there is none."""
    if content[start : start + 2] == b"\r\n" or start >= len(content):
        return start
    position = start
    while True:
        line_end = content.find(b"\r\n", position)
        if line_end < 0:
            return start
        position = line_end + 2
        if content[position : position + 1] not in (b" ", b"\t"):
            return position
