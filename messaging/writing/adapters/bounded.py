"""HTTP to the installation's own model: as the environment says, but no answer takes longer, or is longer, than was said.

A timeout of the library is one for each piece that arrives. Servers and proxies that send a blank now and then, so that
a connection stays open, would be waited for without end.
"""

from __future__ import annotations

import time
from collections.abc import Iterator

import httpx2
import openai

from messaging.writing.adapters.guarded import MOST


class TooLong(httpx2.DecodingError):
    """More is answered than is read."""


class _Bounded(httpx2.SyncByteStream):
    def __init__(self, inner: httpx2.SyncByteStream, request: httpx2.Request, deadline: float) -> None:
        self._inner, self._request, self._deadline = inner, request, deadline

    def __iter__(self) -> Iterator[bytes]:
        left = MOST
        for piece in self._inner:
            left -= len(piece)
            if left < 0:
                raise TooLong(f"the server's answer is longer than {MOST:,} bytes", request=self._request)
            if time.monotonic() > self._deadline:
                raise httpx2.ReadTimeout("the answer took too long", request=self._request)
            yield piece

    def close(self) -> None:
        self._inner.close()


def bounded_client(*, timeout: float) -> httpx2.Client:
    """timeout: seconds from the beginning of the answer to its end; each piece of it may take as long at most."""

    def bound(response: httpx2.Response) -> None:
        if isinstance(response.stream, httpx2.SyncByteStream):
            response.stream = _Bounded(response.stream, response.request, time.monotonic() + timeout)

    return openai.DefaultHttpxClient(timeout=timeout, event_hooks={"response": [bound]})
