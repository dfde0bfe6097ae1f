"""Answers to invitations (iTIP, RFC 5546): method REPLY with a participation status. Lines only, no recurrence."""

from __future__ import annotations

import re
from dataclasses import asdict, dataclass


@dataclass(frozen=True, kw_only=True)
class Meeting:
    """When and whether. `start` as written in the calendar (UTC where it ends in Z)."""

    method: str
    accepted: bool
    start: str
    summary: str

    def as_json(self) -> dict[str, object]:
        return asdict(self)


def meeting_of(*, calendar: str) -> Meeting | None:
    """None where there is no event: a free/busy answer is no meeting."""
    text = re.sub(r"\r?\n[ \t]", "", calendar[:20_000])
    if "BEGIN:VEVENT" not in text.upper():
        return None
    event = text[text.upper().index("BEGIN:VEVENT") :]
    method = _value(text, "METHOD").upper()
    accepted = method == "REPLY" and bool(re.search(r"PARTSTAT=\"?ACCEPTED", event, re.IGNORECASE))
    return Meeting(
        method=method, accepted=accepted, start=_value(event, "DTSTART")[:40], summary=_value(event, "SUMMARY")[:200]
    )


def _value(text: str, name: str) -> str:
    match = re.search(rf"(?im)^{name}(?:;[^:\r\n]{{0,200}})?:(.{{0,300}})$", text)
    return match.group(1).strip() if match else ""
