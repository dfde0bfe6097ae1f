"""Connections to a team's mail servers: only to addresses that were checked, with certificates that are."""

from __future__ import annotations

import imaplib
import smtplib
import socket
import ssl
from contextlib import suppress
from typing import Any

from django.conf import settings

from outreach.addresses import is_public
from outreach.campaigns.domain.mail_server import MailServer
from outreach.egress import Guard, Refused


def team_guard() -> Guard:
    """Public servers, and the private ones that the installation allows."""
    return Guard(allow=settings.PRIVATE_SERVERS)


def reach(*, guard: Guard | None, host: str, port: int, timeout: float) -> socket.socket:
    """A connection to the very address that was checked. Raises Refused or OSError."""
    if guard is None:
        return socket.create_connection((host, port), timeout)
    fault: OSError | None = None
    for address in guard.addresses(host, port)[:3]:
        try:
            return socket.create_connection((address, port), timeout)
        except OSError as error:
            fault = error
    raise fault or OSError("no address")


class _Smtp(smtplib.SMTP):
    """The name stays what the certificate is checked against; the socket is ours."""

    def __init__(self, *, guard: Guard | None, implicit: ssl.SSLContext | None, **options: Any) -> None:
        self._guard, self._implicit = guard, implicit
        super().__init__(**options)

    def _get_socket(self, host: str, port: int, timeout: float) -> socket.socket:
        plain = reach(guard=self._guard, host=host, port=port, timeout=timeout)
        return _wrapped(plain, self._implicit, host) if self._implicit else plain


class _Imap(imaplib.IMAP4):
    def __init__(self, *, guard: Guard | None, implicit: ssl.SSLContext | None, **options: Any) -> None:
        self._guard, self._implicit = guard, implicit
        super().__init__(**options)

    def _create_socket(self, timeout: float | None) -> socket.socket:
        plain = reach(guard=self._guard, host=self.host, port=self.port, timeout=timeout or 20)
        return _wrapped(plain, self._implicit, self.host) if self._implicit else plain


def _wrapped(plain: socket.socket, context: ssl.SSLContext, host: str) -> socket.socket:
    try:
        return context.wrap_socket(plain, server_hostname=host)
    except BaseException:
        plain.close()
        raise


def _refuse_in_the_clear(server: MailServer, guard: Guard | None, connected: socket.socket | None) -> None:
    """Nothing goes unencrypted over the internet: neither the password nor the mail."""
    if guard is not None and server.security == "none" and connected and is_public(str(connected.getpeername()[0])):
        raise Refused("Without encryption everybody on the way could read mail and password. Choose STARTTLS or TLS.")


def tls_context(trusted: str = "") -> ssl.SSLContext:
    """Certificates are always checked. trusted: a file of further authorities, for tests on this machine."""
    context = ssl.create_default_context()
    if trusted:
        context.load_verify_locations(trusted)
    return context


def smtp_connection(
    *, server: MailServer, guard: Guard | None, timeout: float, context: ssl.SSLContext | None = None
) -> smtplib.SMTP:
    """Greeted, encrypted and logged in as the server's settings say. Raises SMTPException, Refused or OSError."""
    context = context or tls_context()
    implicit = context if server.security == "implicit" else None
    connection = _Smtp(guard=guard, implicit=implicit, host=server.host, port=server.port, timeout=timeout)
    try:
        _refuse_in_the_clear(server, guard, connection.sock)
        if server.security == "starttls":
            connection.starttls(context=context)
        if server.user:
            connection.login(server.user, server.password)
        connection.ehlo_or_helo_if_needed()
    except BaseException:
        connection.close()
        raise
    return connection


def imap_connection(
    *, server: MailServer, guard: Guard | None, timeout: float, context: ssl.SSLContext | None = None
) -> imaplib.IMAP4:
    """The same for reading. Raises imaplib.IMAP4.error, Refused or OSError."""
    context = context or tls_context()
    implicit = context if server.security == "implicit" else None
    connection = _Imap(guard=guard, implicit=implicit, host=server.host, port=server.port, timeout=timeout)
    try:
        _refuse_in_the_clear(server, guard, connection.sock)
        if server.security == "starttls":
            connection.starttls(ssl_context=context)
        connection.login(server.user, server.password)
    except BaseException:
        with suppress(OSError, imaplib.IMAP4.error):
            connection.shutdown()
        raise
    return connection
