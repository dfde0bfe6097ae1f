"""Raw mail into plain values, whatever is in it: broken charsets, deep nesting, ten thousand recipients.

Nothing is decompressed or fetched. Sizes are capped, so the work is linear in what is read.
"""

from __future__ import annotations

import binascii
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email import policy
from email.errors import MessageError
from email.header import decode_header
from email.message import Message
from email.parser import BytesParser
from email.utils import parseaddr, parsedate_to_datetime

from messaging.replies.domain.html import text_of_html

MAX_BYTES = 1_500_000
MAX_PARTS = 100
MAX_BOUNDARIES = 30
MAX_HEADER = 20_000
MAX_TEXT = 200_000
_ADDRESS = re.compile(r"[\w.!#$%&'*+/=?^`{|}~-]{1,64}@[\w.-]{1,250}")
_MESSAGE_ID = re.compile(r"<[^<>\s]{3,300}>")


@dataclass(frozen=True, kw_only=True)
class Mail:
    """What rules read of a message."""

    message_id: str = ""
    in_reply_to: tuple[str, ...] = ()
    references: tuple[str, ...] = ()
    sender: str = ""
    sender_name: str = ""
    recipients: tuple[str, ...] = ()
    subject: str = ""
    date: datetime | None = None
    headers: dict[str, str] = field(default_factory=dict)
    text: str = ""
    content_type: str = "text/plain"
    report_type: str = ""
    report: str = ""
    feedback: str = ""
    calendar: str = ""
    #: Message-IDs inside a returned original: a bounce cites the message it is about.
    returned_ids: tuple[str, ...] = ()

    def header(self, name: str) -> str:
        return self.headers.get(name, "")


def parse(raw: bytes) -> Mail:
    """Never raises: what cannot be read as MIME is read as text."""
    data = raw[:MAX_BYTES]
    if data.lower().count(b"boundary=") > MAX_BOUNDARIES or data.lower().count(b"message/rfc822") > MAX_BOUNDARIES:
        head, _, body = data.replace(b"\r\n", b"\n").partition(b"\n\n")
        data = (
            re.sub(rb"(?im)^content-(?:type|transfer-encoding):.*(?:\n[ \t].*)*\n?", b"", head[:MAX_HEADER])
            + b"\n\n"
            + body
        )
    try:
        message = BytesParser(policy=policy.compat32).parsebytes(data)
        return _read(message)
    except (
        MessageError,
        RecursionError,
        ValueError,
        LookupError,
        TypeError,
        AttributeError,
        IndexError,
        binascii.Error,
    ):
        return Mail(text=_decode(data.partition(b"\n\n")[2], "utf-8"))


def _read(message: Message) -> Mail:
    headers: dict[str, str] = {}
    for name, value in list(message.items())[:300]:
        headers.setdefault(name.lower(), _header(value))
    name, address = parseaddr(headers.get("from", "")[:1000])
    found = _Parts()
    for part in _walk(message):
        found.take(part)
    return Mail(
        message_id=_first(_MESSAGE_ID, headers.get("message-id", "")),
        in_reply_to=tuple(_MESSAGE_ID.findall(headers.get("in-reply-to", ""))[:20]),
        references=tuple(_MESSAGE_ID.findall(headers.get("references", ""))[-50:]),
        sender=(address if "@" in address else _first(_ADDRESS, headers.get("from", ""))).lower()[:320],
        sender_name=name[:200],
        recipients=_recipients(headers),
        subject=headers.get("subject", "")[:500],
        date=_date(headers.get("date", "")),
        headers=headers,
        text=(found.plain or found.html)[:MAX_TEXT],
        content_type=message.get_content_type(),
        report_type=str(message.get_param("report-type") or "").lower(),
        report=found.report[:MAX_HEADER],
        feedback=found.feedback[:MAX_HEADER],
        calendar=found.calendar[:MAX_HEADER],
        returned_ids=tuple(found.returned_ids[:20]),
    )


def _walk(message: Message) -> Iterator[Message]:
    """Parts outside in, without recursion; what is inside a returned message is not the sender's text."""
    stack, seen = [message], 0
    while stack and seen < MAX_PARTS:
        part = stack.pop(0)
        seen += 1
        yield part
        if part.is_multipart() and part.get_content_type() not in ("message/rfc822", "message/delivery-status"):
            payload = part.get_payload()
            stack.extend(child for child in payload if isinstance(child, Message))


@dataclass
class _Parts:
    plain: str = ""
    html: str = ""
    report: str = ""
    feedback: str = ""
    calendar: str = ""
    returned_ids: list[str] = field(default_factory=list)

    def take(self, part: Message) -> None:
        kind = part.get_content_type()
        attached = str(part.get("content-disposition", "")).lower().startswith("attachment")
        if kind == "text/plain" and not attached and not self.plain.strip():
            self.plain = _content(part)
        elif kind == "text/html" and not attached and not self.html:
            self.html = text_of_html(_content(part))
        elif kind == "message/delivery-status":
            children = part.get_payload()
            listed = children[:200] if isinstance(children, list) else []
            self.report += "\n\n".join(str(child) for child in listed if isinstance(child, Message))
        elif kind == "message/feedback-report":
            self.feedback = _content(part) or _nested(part)
        elif kind == "text/calendar":
            self.calendar = _content(part)
        elif kind in ("message/rfc822", "text/rfc822-headers"):
            text = _content(part) if kind.startswith("text/") else _nested(part)
            self.returned_ids += _MESSAGE_ID.findall(_field(text, "message-id"))


def _nested(part: Message) -> str:
    payload = part.get_payload()
    if isinstance(payload, list) and payload and isinstance(payload[0], Message):
        return "\n".join(f"{name}: {value}" for name, value in payload[0].items()[:300])
    return str(payload)[:MAX_HEADER]


def _field(text: str, name: str) -> str:
    match = re.search(rf"(?im)^{name}:(.{{0,400}}(?:\n[ \t].{{0,400}})?)", text[:MAX_TEXT])
    return match.group(1) if match else ""


def _content(part: Message) -> str:
    payload = part.get_payload(decode=True)
    if not isinstance(payload, bytes):
        return str(part.get_payload())[:MAX_TEXT] if isinstance(part.get_payload(), str) else ""
    charset = part.get_content_charset() or "utf-8"
    return _decode(payload[: MAX_TEXT * 4], charset)


def _decode(data: bytes, charset: str) -> str:
    for name in (charset, "utf-8"):
        try:
            return data.decode(name).replace("\x00", "")
        except (LookupError, UnicodeError, ValueError):
            continue
    return data.decode("cp1252", "replace").replace("\x00", "")


def _header(value: object) -> str:
    text = re.sub(r"\s*[\r\n]+\s*", " ", str(value)[:MAX_HEADER]).replace("\x00", "")
    if "=?" not in text:
        return text.encode("utf-8", "surrogateescape").decode("utf-8", "replace") if not text.isascii() else text
    try:
        parts = decode_header(text)
        return "".join(
            _decode(part, charset or "utf-8") if isinstance(part, bytes) else part for part, charset in parts
        )
    except (MessageError, ValueError, LookupError, binascii.Error):
        return text


def _recipients(headers: dict[str, str]) -> tuple[str, ...]:
    found: list[str] = []
    for name in ("to", "cc", "delivered-to", "x-original-to"):
        found += [address.lower() for address in _ADDRESS.findall(headers.get(name, ""))]
    return tuple(dict.fromkeys(found))[:200]


def _date(text: str) -> datetime | None:
    try:
        found = parsedate_to_datetime(text[:100])
    except (ValueError, TypeError, IndexError, OverflowError):
        return None
    return found if found.tzinfo else found.replace(tzinfo=UTC)


def _first(pattern: re.Pattern[str], text: str) -> str:
    match = pattern.search(text)
    return match.group(0) if match else ""
