"""Trying a mail server, and saying in words what is wrong with it."""

from __future__ import annotations

import imaplib
import re
import smtplib
import ssl
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace

from outreach.campaigns.adapters.mail import imap_connection, smtp_connection, team_guard
from outreach.campaigns.domain.mail_server import MailServer
from outreach.campaigns.ports import Finding
from outreach.egress import Guard, Refused

#: A mailbox this full takes the last answers of today and none of tomorrow.
NEARLY_FULL = 0.95
_QUOTA = re.compile(rb"STORAGE (\d+) (\d+)")
_USUAL_PORTS = {
    "smtp": "587 for STARTTLS, 465 for TLS from the start",
    "imap": "143 for STARTTLS, 993 for TLS from the start",
}
_FULL = ("quota", "overquota", "mailbox full", "insufficient system storage", "exceeded")


@dataclass(frozen=True)
class RealMailChecker:
    """timeout: seconds for each step. context: of TLS, None is that of the system."""

    guard: Guard = field(default_factory=team_guard)
    timeout: float = 10
    context: ssl.SSLContext | None = None

    def sending(self, *, server: MailServer, address: str) -> Finding | None:
        return _without_password(self._sending(server, address), server)

    def reading(self, *, server: MailServer) -> Finding | None:
        return _without_password(self._reading(server), server)

    def _sending(self, server: MailServer, address: str) -> Finding | None:
        try:
            connection = smtp_connection(server=server, guard=self.guard, timeout=self.timeout, context=self.context)
        except (smtplib.SMTPException, OSError, Refused, ValueError) as error:
            return _smtp_finding(server, error)
        try:
            code, answer = connection.mail(address)
        except (smtplib.SMTPException, OSError) as error:
            return _smtp_finding(server, error)
        finally:
            with suppress(smtplib.SMTPException, OSError):
                connection.quit()
        if code == 250:
            return None
        return _answered("smtp", code, answer, f"The server takes no mail from {address}")

    def _reading(self, server: MailServer) -> Finding | None:
        try:
            connection = imap_connection(server=server, guard=self.guard, timeout=self.timeout, context=self.context)
        except (imaplib.IMAP4.error, OSError, Refused, ValueError) as error:
            return imap_finding(server, error)
        try:
            said, lines = connection.select("INBOX", readonly=True)
            if said != "OK":
                return Finding("imap", "inbox", f"The login works, but the inbox cannot be opened: {_line(lines)}.")
            return _fullness(connection)
        except (imaplib.IMAP4.error, OSError) as error:
            return imap_finding(server, error)
        finally:
            with suppress(imaplib.IMAP4.error, OSError):
                connection.logout()


def _without_password(finding: Finding | None, server: MailServer) -> Finding | None:
    """A server that repeats what it was told does not bring the password onto a page."""
    if finding is None or not server.password:
        return finding
    return replace(finding, text=finding.text.replace(server.password, "…"))


def _fullness(connection: imaplib.IMAP4) -> Finding | None:
    if "QUOTA" not in connection.capabilities:
        return None
    _said, lines = connection.getquotaroot("INBOX")
    found = _QUOTA.search(b" ".join(line for part in lines for line in part if isinstance(line, bytes)))
    if found and int(found[1]) >= NEARLY_FULL * int(found[2]) > 0:
        share = round(100 * int(found[1]) / int(found[2]))
        return Finding("imap", "quota", f"The mailbox is {share}% full; soon it takes no answers. Make room in it.")
    return None


def _smtp_finding(server: MailServer, error: Exception) -> Finding:
    if isinstance(error, smtplib.SMTPAuthenticationError):
        return _login("smtp", error.smtp_code, error.smtp_error)
    if isinstance(error, smtplib.SMTPNotSupportedError):
        if "STARTTLS" in str(error):
            return Finding(
                "smtp", "tls", f"{_place(server)} offers no STARTTLS. Choose TLS from the start, mostly port 465."
            )
        return Finding(
            "smtp",
            "login",
            "The server offers no login that is known here. Leave user and password empty, or ask its operator.",
        )
    if isinstance(error, smtplib.SMTPResponseException):
        return _answered("smtp", error.smtp_code, error.smtp_error, "The server does not serve us")
    return _network("smtp", server, error)


def imap_finding(server: MailServer, error: Exception) -> Finding:
    if isinstance(error, imaplib.IMAP4.abort) and "TLS not supported" not in str(error):
        return _network("imap", server, ConnectionResetError(str(error)))
    if isinstance(error, imaplib.IMAP4.error):
        said = str(
            error.args[0].decode("utf-8", "replace") if error.args and isinstance(error.args[0], bytes) else error
        )
        if "STARTTLS" in said or "TLS not supported" in said:
            return Finding(
                "imap", "tls", f"{_place(server)} offers no STARTTLS. Choose TLS from the start, mostly port 993."
            )
        if any(word in said.casefold() for word in _FULL):
            return Finding("imap", "quota", f"The mailbox is full: {_short(said)}. Make room in it.")
        return _login("imap", 0, said)
    return _network("imap", server, error)


def _login(part: str, code: int, answer: bytes | str) -> Finding:
    said = _short(answer)
    if code == 454:
        return Finding(part, "busy", f"The server cannot check logins right now ({said}). Try again in some minutes.")
    return Finding(
        part, "login",
        f"The server refuses the login: {said}. Check user and password; where signing in takes two steps, the server wants a password made for applications.",
    )  # fmt: skip


def _answered(part: str, code: int, answer: bytes | str, what: str) -> Finding:
    said = _short(answer)
    if code in (452, 552) or any(word in said.casefold() for word in _FULL):
        return Finding(part, "quota", f"{what}: a quota is used up ({code} {said}). Ask its operator, or make room.")
    if code in (421, 450, 451):
        return Finding(part, "busy", f"{what} right now ({code} {said}). Try again in some minutes.")
    return Finding(part, "refused-sender", f"{what} ({code} {said}). The user must be allowed to send as this address.")


def _network(part: str, server: MailServer, error: Exception) -> Finding:
    if isinstance(error, Refused):
        return _not_allowed(part, str(error))
    if isinstance(error, UnicodeError):
        return Finding(part, "login", "User or password holds letters that this login cannot carry. Use plain ones.")
    code, text = _encryption(server, error) if isinstance(error, ssl.SSLError) else _connection(part, server, error)
    return Finding(part, code, text)


def _not_allowed(part: str, said: str) -> Finding:
    code = "dns" if "name servers" in said or "no address" in said else "not-allowed"
    here = "reached only where this installation allows it (PRIVATE_SERVERS)"
    return Finding(part, code, said.replace("The site", "The server").replace("never fetched", here))


def _encryption(server: MailServer, error: ssl.SSLError) -> tuple[str, str]:
    if isinstance(error, ssl.SSLCertVerificationError):
        return "certificate", _certificate(server, error)
    other = "STARTTLS" if server.security == "implicit" else "TLS from the start"
    return "tls", f"{_place(server)} answers, but not with the encryption that is chosen. Try {other}, or another port."


def _connection(part: str, server: MailServer, error: Exception) -> tuple[str, str]:
    place = _place(server)
    if isinstance(error, ConnectionRefusedError):
        usual = _USUAL_PORTS[part]
        return "refused", f"Nothing listens on {place}. Check the port: usual are {usual}."
    if isinstance(error, TimeoutError) or (
        isinstance(error, smtplib.SMTPServerDisconnected) and "timed out" in str(error)
    ):
        return (
            "timeout",
            f"{place} does not answer. Check name, port and encryption; a firewall may stand between.",
        )
    if isinstance(error, (ConnectionError, smtplib.SMTPServerDisconnected)):
        return (
            "closed",
            f"{place} closes the connection at once. It may want another encryption or port, or not know this installation.",
        )
    return "unreachable", f"{place} cannot be reached: {_short(str(error))}."


def _certificate(server: MailServer, error: ssl.SSLCertVerificationError) -> str:
    said = error.verify_message
    if "expired" in said:
        return f"The certificate of {server.host} has expired. Its operator has to renew it."
    if "mismatch" in said or "not valid for" in said:
        return f"The certificate is not one of {server.host}. Use the name that the server's operator gives out."
    return f"The certificate of {server.host} is signed by nobody who is trusted here ({said})."


def _place(server: MailServer) -> str:
    return f"{server.host}:{server.port}"


def _line(lines: Sequence[object]) -> str:
    return _short(lines[0] if lines and isinstance(lines[0], bytes) else "no reason given")


def _short(answer: bytes | str) -> str:
    text = answer.decode("utf-8", "replace") if isinstance(answer, bytes) else answer
    return " ".join(text.split())[:200].rstrip(".")
