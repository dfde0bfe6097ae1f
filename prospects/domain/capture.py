"""What a paste says about itself: the address that came with it, and the day that a post's number holds."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, date, datetime

from prospects.domain.dates import DateInterval
from prospects.domain.identity import post_id
from prospects.domain.wild_dates import day

_ADDRESS = re.compile(r"https?://[^\s<>\"]{4,990}\Z", re.IGNORECASE)
#: LinkedIn's post numbers begin with the milliseconds since 1970, followed by 22 bits; older ones hold no time.
_BITS, _FIRST_NUMBER = 22, 5_000_000_000_000_000_000


@dataclass(frozen=True, slots=True)
class Paste:
    """The words, the address that stood on a line of its own ("" without one), and the day it holds."""

    text: str
    url: str
    posted: DateInterval | None


def day_of_post(url: str, *, today: date) -> DateInterval | None:
    """The day (UTC) on which a post was made, from the number in its address. None where the number holds none."""
    number = post_id(url)
    if not number or len(number) > 19 or int(number) < _FIRST_NUMBER:
        return None
    made = datetime.fromtimestamp((int(number) >> _BITS) / 1_000, tz=UTC).date()
    return day(made) if date(2010, 1, 1) <= made <= today else None


def read_paste(text: str, *, url: str = "", today: date) -> Paste:
    """Take the address out of what was pasted: its first or last line, if that is nothing but an address."""
    lines = text.strip().splitlines()
    ends = ([lines[0], lines[-1]] if len(lines) > 1 else []) if not url.strip() else []
    found = next((line.strip() for line in ends if _ADDRESS.match(line.strip())), "")
    if found:
        at = 0 if lines[0].strip() == found else len(lines) - 1
        lines = lines[:at] + lines[at + 1 :]
    address = url.strip() or found
    return Paste(text="\n".join(lines).strip(), url=address, posted=day_of_post(address, today=today))
