"""What is asked of other people's servers, and what came of it, as values."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Asked:
    """One address, with what the server gave to ask whether anything changed since ("" where it gave nothing)."""

    url: str
    etag: str = ""
    last_modified: str = ""


@dataclass(frozen=True, slots=True)
class Fetched:
    """An answer in full. url is where it came from after redirects; content_type without parameters, lower case.

    articles: whether the site's robots.txt sets no waiting time, so that several pages may be read in a row.
    """

    url: str
    body: bytes
    content_type: str = ""
    charset: str = ""
    etag: str = ""
    last_modified: str = ""
    articles: bool = True


@dataclass(frozen=True, slots=True)
class NotModified:
    """The server says that nothing changed."""


@dataclass(frozen=True, slots=True)
class Unfetched:
    """Nothing came. reason is a sentence for people; retry_after seconds if the server named them; gone: it is no longer there."""

    reason: str
    retry_after: int = 0
    gone: bool = False


Outcome = Fetched | NotModified | Unfetched


def snapshot_hash(text: str) -> str:
    """SHA-256 (hex) of the text that was kept of a page."""
    return hashlib.sha256(text.encode()).hexdigest()
