"""A real web server on this machine, and a fetcher that may reach it and nothing else."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from outreach.egress import Guard
from prospects.adapters.web import WebFetcher

HERE = "127.0.0.1"


@dataclass
class Page:
    """What a path answers. body may be a function that writes to the connection itself."""

    body: bytes = b""
    status: int = 200
    headers: dict[str, str] = field(default_factory=lambda: {"Content-Type": "text/html; charset=utf-8"})
    stream: Callable[[BaseHTTPRequestHandler], None] | None = None


@dataclass
class Site:
    """pages by path; asked: (path, headers) of every request, in order."""

    port: int
    pages: dict[str, Page]
    asked: list[tuple[str, dict[str, str]]] = field(default_factory=list)

    @property
    def url(self) -> str:
        return f"http://news.example:{self.port}"

    def paths(self) -> list[str]:
        return [path for path, _ in self.asked]

    def resolve(self, host: str, port: int) -> list[str]:
        """The name server of the tests: every name of .example is this machine."""
        return [HERE] if host.endswith(".example") else [host]

    def fetcher(self, **more: object) -> WebFetcher:
        guard = Guard(resolve=self.resolve, allow=frozenset({(HERE, self.port)}))
        return WebFetcher(guard=guard, seconds=2.0, **more)  # type: ignore[arg-type]


class _Server(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, request: object, client_address: object) -> None:
        """A reader that hangs up is what some tests are about."""


@contextmanager
def a_site(pages: dict[str, Page]) -> Iterator[Site]:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            site.asked.append((self.path, {name.lower(): value for name, value in self.headers.items()}))
            page = site.pages.get(self.path, Page(status=404))
            if page.stream is not None:
                page.stream(self)
                return
            etag = page.headers.get("ETag")
            if etag and self.headers.get("If-None-Match") == etag:
                self.send_response(304)
                self.end_headers()
                return
            self.send_response(page.status)
            for name, value in {"Content-Length": str(len(page.body)), **page.headers}.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(page.body)

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002  # the base class calls it so
            """Quiet."""

    with _Server((HERE, 0), Handler) as server:
        site = Site(port=server.server_address[1], pages=pages)
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
        thread.start()
        try:
            yield site
        finally:
            server.shutdown()
            thread.join()
