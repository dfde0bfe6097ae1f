"""What a sending account may be."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Any

from outreach.campaigns.domain.linkedin import PLANS
from outreach.campaigns.domain.mail_server import server_fault

#: What may be changed after messages have left from the account, with what holds until then.
FIELDS: Mapping[str, Any] = MappingProxyType(
    {
        "display_name": "", "daily_cap": 50, "active": True,
        "plan": "free", "note_limit": PLANS["free"].note, "weekly_invitations": PLANS["free"].weekly_invitations,
        "monthly_notes": PLANS["free"].monthly_notes,
        "smtp_host": "", "smtp_port": 587, "smtp_security": "starttls", "smtp_user": "",
        "imap_host": "", "imap_port": 993, "imap_security": "implicit", "imap_user": "",
    }
)  # fmt: skip
RANGES: Mapping[str, tuple[int, int]] = MappingProxyType(
    {"daily_cap": (1, 2000), "note_limit": (100, 300), "weekly_invitations": (1, 200), "monthly_notes": (0, 500)}
)
#: What a test of the connection has looked at: after a change of these it says nothing any more.
CONNECTION = tuple(name for name in FIELDS if name.startswith(("smtp_", "imap_")))


def account_faults(values: Mapping[str, Any]) -> Iterator[str]:
    """Everything wrong with the fields, as "field: what to do"."""
    if not values["display_name"].isprintable():
        yield "display_name: leave out line breaks and control characters."
    if values["plan"] not in PLANS:
        yield "plan: choose one of the plans."
    for name, (least, most) in RANGES.items():
        if not least <= values[name] <= most:
            yield f"{name}: give a number from {least} to {most}."
    for prefix in ("smtp", "imap"):
        fault = server_fault(
            prefix=prefix,
            host=values[f"{prefix}_host"],
            port=values[f"{prefix}_port"],
            security=values[f"{prefix}_security"],
            user=values[f"{prefix}_user"],
        )
        if fault:
            yield fault
    if values["imap_host"] and not values["imap_user"]:
        yield "imap_user: a mailbox is read by somebody; give the user, mostly the e-mail address."
