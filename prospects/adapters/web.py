"""Public pages over HTTP: through the guard, within limits, as robots.txt allows, with conditional requests."""

from __future__ import annotations

import time
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from urllib.parse import urljoin, urlsplit

import httpcore2
from protego import Protego

from outreach.egress import Guard, GuardedBackend, Limits, Refused
from prospects.domain.web import Asked, Fetched, NotModified, Outcome, Unfetched

AGENT = "Footnote"
MAX_BODY = 3_000_000
MAX_ROBOTS = 500_000
SECONDS = 15.0
_REDIRECTS = 5
_MOVED = frozenset({301, 302, 303, 307, 308})
_READABLE = ("text/", "application/xml", "application/rss", "application/atom", "application/rdf", "application/xhtml")
_FAULTS = (
    httpcore2.TimeoutException, httpcore2.NetworkError, httpcore2.ProtocolError, httpcore2.UnsupportedProtocol,
    OSError, ValueError, zlib.error,
)  # fmt: skip
_ACCEPT = "application/rss+xml, application/atom+xml, text/html;q=0.9, application/xml;q=0.8, text/xml;q=0.8"


@dataclass(frozen=True)
class _Reply:
    url: str
    status: int
    headers: dict[str, str]
    body: bytes


@dataclass(frozen=True)
class _Rules:
    """What robots.txt of one site says. reason is set where it could not be read, which forbids everything."""

    parser: Protego | None = None
    reason: str = ""

    def refusal(self, url: str) -> str:
        if self.reason:
            return self.reason
        if self.parser is not None and not self.parser.can_fetch(url, AGENT):
            return "The site’s robots.txt asks programs not to read this address, so it is not read."
        return ""

    @property
    def waits(self) -> bool:
        return self.parser is not None and bool(self.parser.crawl_delay(AGENT))


@dataclass
class WebFetcher:
    """One round of polling: what robots.txt of a site says is read once a round.

    site: this installation's address, named to the servers. guard: with an allowance in tests only.
    """

    site: str = ""
    guard: Guard = field(default_factory=Guard)
    seconds: float = SECONDS
    max_body: int = MAX_BODY
    _rules: dict[str, _Rules] = field(default_factory=dict)

    def fetch(self, asked: Asked) -> Outcome:
        """The page or feed, that it has not changed, or why there is none."""
        headers = {"Accept": _ACCEPT}
        if asked.etag:
            headers["If-None-Match"] = asked.etag
        if asked.last_modified:
            headers["If-Modified-Since"] = asked.last_modified
        reply = self._follow(asked.url, headers)
        if isinstance(reply, Unfetched):
            return reply
        if reply.status == 304:
            return NotModified()
        return _failure(reply) or self._fetched(reply)

    def _fetched(self, reply: _Reply) -> Outcome:
        kind, _, parameters = reply.headers.get("content-type", "").partition(";")
        kind = kind.strip().lower()
        if kind and not kind.startswith(_READABLE):
            return Unfetched(f"It answers with {kind[:60]}, which is neither a feed nor a page.")
        _, _, charset = parameters.partition("charset=")
        return Fetched(
            url=reply.url,
            body=reply.body,
            content_type=kind,
            charset=charset.split(";")[0].strip(" \"'")[:40],
            etag=_kept(reply.headers.get("etag", "")),
            last_modified=_kept(reply.headers.get("last-modified", "")),
            articles=not self._rules_of(reply.url).waits,
        )

    # -- robots.txt --------------------------------------------------------------------------
    def _rules_of(self, url: str) -> _Rules:
        parts = urlsplit(url)
        origin = f"{parts.scheme}://{parts.netloc}".lower()
        if origin not in self._rules:
            self._rules[origin] = self._read_rules(f"{origin}/robots.txt")
        return self._rules[origin]

    def _read_rules(self, url: str) -> _Rules:
        """As RFC 9309 has it: no file allows all, a server in trouble allows nothing."""
        try:
            reply = self._hop([url], {"Accept": "text/plain"}, limit=MAX_ROBOTS, obey=False)
        except _FAULTS as error:
            return _Rules(reason=f"The site’s robots.txt cannot be read: {_lowered(self._said(error))}")
        if reply.status == 429 or reply.status >= 500:
            return _Rules(
                reason=f"The site’s robots.txt cannot be read (error {reply.status}), so nothing else is read."
            )
        if reply.status >= 300:
            return _Rules()
        return _Rules(parser=Protego.parse(reply.body.decode("utf-8", errors="replace").removeprefix("\ufeff")))

    # -- requests ----------------------------------------------------------------------------
    def _follow(self, url: str, headers: dict[str, str]) -> _Reply | Unfetched:
        """The answer after redirects, or what came between."""
        hops = [url]
        try:
            return self._hop(hops, headers, limit=self.max_body, obey=True)
        except Refused as error:
            return Unfetched(_redirected(str(error), first=url, last=hops[-1]))
        except _FAULTS as error:
            return Unfetched(self._said(error))

    def _hop(self, hops: list[str], headers: dict[str, str], *, limit: int, obey: bool) -> _Reply:
        """Go from address to address, each of them checked; `hops` grows by every one that is tried."""
        deadline = time.monotonic() + self.seconds
        for _ in range(_REDIRECTS + 1):
            asked = hops[-1]
            self.guard.check_url(asked)
            refusal = self._rules_of(asked).refusal(asked) if obey else ""
            if refusal:
                raise Refused(refusal)
            reply = self._request(asked, headers, Limits(deadline=deadline, bytes_left=limit + 100_000), limit)
            target = reply.headers.get("location", "")
            if reply.status not in _MOVED or not target:
                return reply
            hops.append(urljoin(asked, target.split("#")[0].replace(" ", "%20")))
        raise Refused(f"It does so more than {_REDIRECTS} times in a row.")

    def _said(self, error: Exception) -> str:
        if isinstance(error, httpcore2.TimeoutException):
            return f"It did not answer in full within {self.seconds:g} seconds."
        if isinstance(error, (httpcore2.NetworkError, httpcore2.ProtocolError, OSError)):
            return f"The connection failed: {str(error)[:120] or 'the server closed it'}."
        return "The server’s answer cannot be read."

    def _request(self, url: str, headers: dict[str, str], limits: Limits, limit: int) -> _Reply:
        sent = [
            ("User-Agent", f"{AGENT}/1.0 (+{self.site})" if self.site else f"{AGENT}/1.0"),
            ("Accept-Encoding", "gzip"),
            *headers.items(),
        ]
        with self._connection(limits) as pool, pool.stream("GET", _ascii(url), headers=_with_host(url, sent)) as answer:
            received = {name.decode("latin-1").lower(): value.decode("latin-1") for name, value in answer.headers}
            declared = received.get("content-length", "")
            if declared.isascii() and declared.isdecimal() and int(declared[:18]) > limit:
                raise Refused(_too_large(limit))
            body = _body(answer.iter_stream(), received.get("content-encoding", "").strip().lower(), limit)
            return _Reply(url=url, status=answer.status, headers=received, body=body)

    @contextmanager
    def _connection(self, limits: Limits) -> Iterator[httpcore2.ConnectionPool]:
        with httpcore2.ConnectionPool(
            network_backend=GuardedBackend(self.guard, limits), max_connections=1, http2=False, retries=0
        ) as pool:
            yield pool


def _with_host(url: str, headers: list[tuple[str, str]]) -> list[tuple[bytes, bytes]]:
    host = urlsplit(_ascii(url)).netloc
    return [(b"Host", host.encode("ascii")), *((name.encode(), value.encode("latin-1")) for name, value in headers)]


def _ascii(url: str) -> str:
    """The address as it goes over the wire: international names in their ASCII form, signs percent-encoded."""
    parts = urlsplit(url)
    host = (parts.hostname or "").encode("idna").decode() if not (parts.hostname or "").isascii() else parts.netloc
    if host != parts.netloc and parts.port:
        host = f"{host}:{parts.port}"
    quoted = "".join(sign if sign.isascii() else _percent(sign) for sign in parts._replace(netloc="").geturl())
    return f"{parts.scheme}://{host}{quoted.removeprefix(f'{parts.scheme}:').removeprefix('//').split('#')[0]}"


def _percent(sign: str) -> str:
    return "".join(f"%{byte:02X}" for byte in sign.encode())


def _body(chunks: Iterator[bytes], encoding: str, limit: int) -> bytes:
    if encoding not in ("", "identity", "gzip", "x-gzip", "deflate"):
        raise Refused("It answers in a compression that was not asked for.")
    unpack = zlib.decompressobj(wbits=47) if encoding and encoding != "identity" else None
    parts: list[bytes] = []
    size = 0
    for chunk in chunks:
        part = unpack.decompress(chunk, limit + 1 - size) if unpack is not None else chunk
        size += len(part)
        if size > limit or (unpack is not None and unpack.unconsumed_tail):
            raise Refused(_too_large(limit))
        parts.append(part)
    return b"".join(parts)


def _too_large(limit: int) -> str:
    return f"It answers with more than {limit / 1_000_000:g} MB, which no feed or page needs."


def _failure(reply: _Reply) -> Unfetched | None:
    after = reply.headers.get("retry-after", "")
    seconds = int(after[:7]) if after.isascii() and after.isdecimal() else 0
    if reply.status in (404, 410):
        return Unfetched("There is nothing at this address any more (error 404).", gone=True)
    if reply.status in (401, 403):
        return Unfetched(
            f"The site does not show this address to programs (error {reply.status}). Paste the page instead."
        )
    if reply.status == 429:
        return Unfetched("The site asks to be read less often (error 429).", retry_after=seconds)
    if reply.status >= 500:
        return Unfetched(f"The site has a fault of its own (error {reply.status}).", retry_after=seconds)
    if not 200 <= reply.status < 300 or reply.status == 204:
        return Unfetched(f"The site answers with {reply.status}, which holds no page.")
    return None


def _redirected(reason: str, *, first: str, last: str) -> str:
    return reason if first == last else f"It sends on to another address. {reason}"


def _lowered(reason: str) -> str:
    return reason[:1].lower() + reason[1:]


def _kept(value: str) -> str:
    """A header that is sent back later, if it is short and plain enough to be one."""
    return value if len(value) <= 200 and value.isprintable() and value.isascii() else ""
