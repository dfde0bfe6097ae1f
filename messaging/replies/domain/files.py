"""Files of replies: one raw mail, an mbox, or JSON lines in the form of the labelled sets."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

from messaging.replies.domain.gold import mail_of_gold, received_of_gold
from messaging.replies.domain.mail import Mail, parse
from prospects.domain.json_text import load_json

_HEADER = re.compile(rb"[!-9;-~]+[ \t]*:")
_MBOX = re.compile(rb"(?m)^From \S.*$\r?\n")


@dataclass(frozen=True, kw_only=True)
class Record:
    """One message of a file. `raw` is empty for a JSON line, which has no wire form."""

    mail: Mail
    received: datetime
    raw: bytes = b""
    case_id: str = ""


@dataclass(frozen=True)
class Unreadable:
    """A line that could not be read, with its number and what is wrong; `whole` when that goes for the file."""

    line: int
    reason: str
    whole: bool = False


def records_of(*, data: bytes, now: datetime) -> Iterator[Record | Unreadable]:
    """Every message of a file. `now` is when a mail without a date is taken to have arrived."""
    if data.lstrip()[:1] == b"{":
        yield from _json_lines(data)
    elif data.startswith(b"From "):
        for raw in _MBOX.split(data):
            if raw.strip():
                yield record_of(raw=re.sub(rb"(?m)^>(>*From )", rb"\1", raw), now=now)
    elif _HEADER.match(data.removeprefix(b"\xef\xbb\xbf").lstrip()):
        yield record_of(raw=data, now=now)
    else:
        yield Unreadable(1, "no mail: it must begin with a header, as From:, or be an mbox or JSON lines", whole=True)


def record_of(*, raw: bytes, now: datetime) -> Record:
    mail = parse(raw)
    return Record(mail=mail, received=mail.date or now, raw=raw)


def _json_lines(data: bytes) -> Iterator[Record | Unreadable]:
    for number, line in enumerate(data.decode("utf-8", "replace").splitlines(), start=1):
        if not line.strip():
            continue
        try:
            record = load_json(line)
        except ValueError as wrong:
            yield Unreadable(number, f"no JSON: {wrong}")
            continue
        if not isinstance(record, dict):
            yield Unreadable(number, "a JSON object was expected")
            continue
        yield Record(
            mail=mail_of_gold(record), received=received_of_gold(record), case_id=str(record.get("case_id") or "")
        )
