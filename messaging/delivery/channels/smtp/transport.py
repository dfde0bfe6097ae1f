"""Mail over SMTP (RFC 5321). The stored bytes go out; only a Date is put in front of them.

An answer before the final dot, or a negative one after it, is a certain refusal. A connection that ends after
the text has begun to flow may have been accepted: that is ambiguous and never repeated by itself.
"""

from __future__ import annotations

import contextlib
import smtplib
from dataclasses import dataclass, field
from datetime import datetime
from email.utils import format_datetime
from types import TracebackType
from typing import Self

from messaging.delivery.domain.transport_headers import with_headers
from messaging.delivery.ports import Accepted, Ambiguous, Outcome, Parcel, RefusedPermanent, RefusedTemporary
from outreach.campaigns.adapters.mail import smtp_connection
from outreach.campaigns.domain.mail_server import MailServer
from outreach.egress import Guard, Refused

#: Enhanced status codes (RFC 3463) that say the address itself does not exist.
DEAD_ADDRESS = ("5.1.1", "5.1.3", "5.1.6", "5.1.10")
CONNECTION_LOST = (smtplib.SMTPServerDisconnected, ConnectionError, TimeoutError, OSError)


@dataclass(frozen=True, kw_only=True)
class SmtpServer:
    """Where mail leaves. `timeout` is in seconds and holds for each step of the conversation.

    guard: which addresses may be connected to, for a server that a team named; None for the installation's own.
    """

    host: str
    port: int
    user: str = ""
    password: str = field(default="", repr=False)
    starttls: bool = False
    implicit_tls: bool = False
    timeout: float = 20
    guard: Guard | None = None


def date_header(now: datetime) -> tuple[str, str]:
    """The one header this channel adds (RFC 5322 3.6.1): the moment of handing over."""
    return ("Date", format_datetime(now))


class SmtpTransport:
    """Keeps one connection for a batch of parcels; use it as a context manager."""

    def __init__(self, *, server: SmtpServer) -> None:
        self._server = server
        self._connection: smtplib.SMTP | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        if self._connection is not None:
            with contextlib.suppress(smtplib.SMTPException, OSError):
                self._connection.quit()
        self._forget()

    def hand_over(self, *, parcel: Parcel) -> Outcome:
        if not _is_wire_format(parcel.content):
            return RefusedPermanent("The payload is not in wire format: its lines must end in CR LF.")
        opened = self._open()
        if not isinstance(opened, smtplib.SMTP):
            return opened
        try:
            refusal = _envelope(opened, parcel)
        except CONNECTION_LOST as lost:
            self._forget()
            return RefusedTemporary(f"The connection ended before the text was sent: {lost}")
        if refusal is not None:
            self._reset(opened)
            return refusal
        return self._data(opened, parcel)

    def _open(self) -> smtplib.SMTP | Outcome:
        """A greeted connection, the kept one where it still answers."""
        if self._connection is not None:
            with contextlib.suppress(*CONNECTION_LOST):
                if self._connection.noop()[0] == 250:
                    return self._connection
            self._forget()
        try:
            self._connection = _connect(self._server)
        except smtplib.SMTPAuthenticationError as refused:
            return RefusedTemporary(f"The server refused the login ({refused.smtp_code}): check user and password.")
        except (smtplib.SMTPException, OSError, Refused) as failed:
            return RefusedTemporary(f"No connection to {self._server.host}:{self._server.port}: {failed}")
        return self._connection

    def _data(self, connection: smtplib.SMTP, parcel: Parcel) -> Outcome:
        try:
            code, answer = connection.docmd("DATA")
        except CONNECTION_LOST as lost:
            self._forget()
            return RefusedTemporary(f"The connection ended before the text was sent: {lost}")
        if code != 354:
            self._reset(connection)
            return _refusal("DATA", code, answer)
        try:
            connection.send(_dotted(with_headers(content=parcel.content, headers=parcel.headers)) + b".\r\n")
            code, answer = connection.getreply()
        except CONNECTION_LOST as lost:
            self._forget()
            return Ambiguous(f"The connection ended while the server had the text: {lost or 'closed'}")
        if code == 250:
            return Accepted(parcel.message_id, f"{code} {_text(answer)}")
        self._reset(connection)
        return _refusal("the text", code, answer)

    def _reset(self, connection: smtplib.SMTP) -> None:
        try:
            connection.rset()
        except CONNECTION_LOST:
            self._forget()

    def _forget(self) -> None:
        if self._connection is not None:
            with contextlib.suppress(OSError):
                self._connection.close()
        self._connection = None


def _connect(server: SmtpServer) -> smtplib.SMTP:
    security = "implicit" if server.implicit_tls else "starttls" if server.starttls else "none"
    reached = MailServer(server.host, server.port, security, server.user, server.password)
    return smtp_connection(server=reached, guard=server.guard, timeout=server.timeout)


def _envelope(connection: smtplib.SMTP, parcel: Parcel) -> Outcome | None:
    """MAIL FROM and RCPT TO; None when both were taken."""
    options: list[str] = []
    if not parcel.content.isascii():
        if not connection.has_extn("8bitmime"):
            return RefusedPermanent("The server takes no eight-bit text, and the approved bytes may not be recoded.")
        options.append("BODY=8BITMIME")
    if not (parcel.sender + parcel.recipient).isascii():
        if not connection.has_extn("smtputf8"):
            return RefusedPermanent("The server takes no international addresses.")
        options.append("SMTPUTF8")
    for step, (code, answer) in (
        ("the sender", connection.mail(parcel.sender, options)),
        ("the recipient", connection.rcpt(parcel.recipient)),
    ):
        if code not in (250, 251):
            return _refusal(step, code, answer)
    return None


def _refusal(step: str, code: int, answer: bytes) -> Outcome:
    text = _text(answer)
    reason = f"The server refused {step}: {code} {text}"
    if 500 <= code < 600:
        return RefusedPermanent(reason, address_dead=step == "the recipient" and text.startswith(DEAD_ADDRESS))
    return RefusedTemporary(reason)


def _is_wire_format(content: bytes) -> bool:
    return content.endswith(b"\r\n") and content.count(b"\n") == content.count(b"\r\n") == content.count(b"\r")


def _dotted(content: bytes) -> bytes:
    """Dot-stuffing (RFC 5321 4.5.2): undone by the server, so the message is unchanged."""
    stuffed = content.replace(b"\r\n.", b"\r\n..")
    return b"." + stuffed if stuffed.startswith(b".") else stuffed


def _text(answer: bytes) -> str:
    return answer.decode("utf-8", "replace")[:500]
