"""The one door to other people's servers: an address is resolved once, refused unless it is public, and connected to as checked.

Everything that fetches what somebody typed in (feeds, pages, later webhooks) connects through `Guard`. It stands at the
socket, so a redirect, a second answer of the name server or an odd spelling of a number cannot pass beside it.
"""

from __future__ import annotations

import socket
import ssl
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

import httpcore2

from outreach.addresses import WEB_PORTS, is_public, url_fault

Resolve = Callable[[str, int], list[str]]


class Refused(Exception):
    """The address may not be fetched. The text says why, for people."""


def resolve(host: str, port: int) -> list[str]:
    """Every address that the name has now."""
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(str(entry[4][0]) for entry in found))


@dataclass(frozen=True)
class Guard:
    """Decides about a host. `allow` holds (IP address, port) pairs that tests may reach on this machine; never set otherwise."""

    resolve: Resolve = resolve
    allow: frozenset[tuple[str, int]] = field(default=frozenset())

    def check_url(self, url: str) -> None:
        """Raises Refused for an address whose very form is not one of a public web page."""
        fault = url_fault(url, ports=WEB_PORTS | {port for _, port in self.allow})
        if fault:
            raise Refused(fault)

    def addresses(self, host: str, port: int) -> list[str]:
        """The addresses to connect to. Raises Refused when one of them is not public: a mixed answer is a trap."""
        try:
            found = self.resolve(host, port)
        except (OSError, UnicodeError) as error:
            raise Refused(f"The site {host} is not known to the name servers. Check the spelling.") from error
        if not found:
            raise Refused(f"The site {host} has no address.")
        for address in found:
            if not is_public(address) and (address, port) not in self.allow:
                raise Refused(f"The site {host} lies in a private or reserved network, which is never fetched.")
        return found


@dataclass
class Limits:
    """What one fetch may take: seconds until `deadline` (of time.monotonic), and bytes over the wire."""

    deadline: float
    bytes_left: int

    def seconds(self, asked: float | None) -> float:
        left = self.deadline - time.monotonic()
        if left <= 0:
            raise httpcore2.ReadTimeout("it took too long")
        return min(left, asked) if asked is not None else left

    def took(self, count: int) -> None:
        self.bytes_left -= count
        if self.bytes_left < 0:
            raise Refused("It answers with more than is read of a page.")


class _LimitedStream(httpcore2.NetworkStream):
    """A connection that ends at the deadline, however slowly the other side drips."""

    def __init__(self, inner: httpcore2.NetworkStream, limits: Limits) -> None:
        self._inner, self._limits = inner, limits

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        data = self._inner.read(max_bytes, self._limits.seconds(timeout))
        self._limits.took(len(data))
        return data

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        self._inner.write(buffer, self._limits.seconds(timeout))

    def close(self) -> None:
        self._inner.close()

    def start_tls(
        self, ssl_context: ssl.SSLContext, server_hostname: str | None = None, timeout: float | None = None
    ) -> httpcore2.NetworkStream:
        inner = self._inner.start_tls(ssl_context, server_hostname, self._limits.seconds(timeout))
        return _LimitedStream(inner, self._limits)

    def get_extra_info(self, info: str) -> Any:
        return self._inner.get_extra_info(info)


class GuardedBackend(httpcore2.NetworkBackend):
    """Connects to the very address that was checked; the name stays what the certificate is checked against."""

    def __init__(self, guard: Guard, limits: Limits) -> None:
        self._guard, self._limits, self._inner = guard, limits, httpcore2.SyncBackend()

    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore2.NetworkStream:
        fault: Exception | None = None
        for address in self._guard.addresses(host, port)[:3]:
            try:
                inner = self._inner.connect_tcp(
                    address, port, self._limits.seconds(timeout), local_address, socket_options
                )
            except (httpcore2.ConnectError, httpcore2.ConnectTimeout) as error:
                fault = error
            else:
                return _LimitedStream(inner, self._limits)
        raise fault or httpcore2.ConnectError("no address")

    def connect_unix_socket(
        self, path: str, timeout: float | None = None, socket_options: Iterable[Any] | None = None
    ) -> httpcore2.NetworkStream:
        raise Refused("Sockets of this machine are never fetched.")
