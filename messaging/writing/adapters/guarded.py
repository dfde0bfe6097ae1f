"""HTTP to a model that a team named: only to addresses that were checked, and for no longer than was said."""

from __future__ import annotations

import ssl
import time

import httpcore2
import httpx2

from outreach.egress import Guard, GuardedBackend, Limits, Refused

#: Bytes of an answer; a draft takes a few thousand.
MOST = 8_000_000


class GuardedTransport(httpx2.BaseTransport):
    """A connection a request. `guard` decides about the address, and what was checked is what is connected to."""

    def __init__(self, *, guard: Guard, timeout: float) -> None:
        """timeout: seconds for the whole exchange."""
        self._guard, self._timeout, self._context = guard, timeout, ssl.create_default_context()

    def handle_request(self, request: httpx2.Request) -> httpx2.Response:
        """Raises httpx2's own exceptions, for an address that may not be asked too."""
        limits = Limits(deadline=time.monotonic() + self._timeout, bytes_left=MOST)
        asked = httpcore2.Request(
            method=request.method,
            url=httpcore2.URL(
                scheme=request.url.raw_scheme,
                host=request.url.raw_host,
                port=request.url.port,
                target=request.url.raw_path,
            ),
            headers=request.headers.raw,
            content=request.read(),
            extensions=request.extensions,
        )
        backend = GuardedBackend(self._guard, limits)
        try:
            with httpcore2.ConnectionPool(ssl_context=self._context, network_backend=backend) as pool:
                answer = pool.handle_request(asked)
                body = answer.read()
        except httpcore2.TimeoutException as late:
            raise httpx2.ReadTimeout(str(late), request=request) from late
        except (httpcore2.NetworkError, httpcore2.ProtocolError, Refused) as failed:
            raise httpx2.ConnectError(str(failed), request=request) from failed
        return httpx2.Response(status_code=answer.status, headers=answer.headers, content=body)


def guarded_client(*, guard: Guard, timeout: float) -> httpx2.Client:
    """A client that follows no redirect and listens to no proxy of the environment: both would pass beside the guard."""
    return httpx2.Client(
        transport=GuardedTransport(guard=guard, timeout=timeout),
        timeout=timeout,
        trust_env=False,
        follow_redirects=False,
    )
