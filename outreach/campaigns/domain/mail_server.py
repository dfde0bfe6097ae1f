"""How a mail server is reached, and what is wrong with what somebody entered."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

SECURITY = ("starttls", "implicit", "none")
_HOST = re.compile(r"(?=.{1,253}\Z)(?!-)[A-Za-z0-9-]{1,63}(?:\.[A-Za-z0-9-]{1,63})*\.?\Z")
_ADDRESS = re.compile(r"[0-9A-Fa-f:.]+\Z")


@dataclass(frozen=True, slots=True)
class MailServer:
    """security: "starttls", "implicit" (TLS from the start) or "none". Its text form leaves the password out."""

    host: str
    port: int
    security: str
    user: str = ""
    password: str = field(default="", repr=False)


def server_fault(*, prefix: str, host: str, port: int, security: str, user: str) -> str:
    """What is wrong with a server as entered, as "field: what to do", "" when nothing is. prefix: smtp or imap."""
    if not host:
        return ""
    if not (_HOST.match(host) or _ADDRESS.match(host)):
        return f"{prefix}_host: give the name of the server alone, as mail.example.com, without https:// or a port."
    if not 1 <= port <= 65535:
        return f"{prefix}_port: a port is a number from 1 to 65535."
    if security not in SECURITY:
        return f"{prefix}_security: choose one of the three."
    if not user.isprintable():
        return f"{prefix}_user: leave out line breaks and control characters."
    return ""
