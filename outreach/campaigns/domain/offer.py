"""What a campaign says about us and how careful the team is, as plain values."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Sender:
    """The person a message comes from."""

    full_name: str
    title: str = ""
    company: str = ""
    signature: str = ""


@dataclass(frozen=True, slots=True)
class ProofPoint:
    """A statement about us that may be made, and until when. `date` is YYYY, YYYY-MM, YYYY-MM-DD or ""."""

    key: str
    text: str
    source: str
    date: str = ""
    expires_on: dt.date | None = None

    def usable_through(self, *, day: dt.date) -> bool:
        """Whether it may still be said on that day; the day of expiry itself is too late."""
        return self.expires_on is None or self.expires_on > day


@dataclass(frozen=True, slots=True)
class CampaignOffer:
    """Everything a writer may know of a campaign. `must_not_say` and `languages` empty mean no limit."""

    slug: str
    name: str
    purpose: str
    offer: str
    value_proposition: str
    call_to_action: str
    must_not_say: tuple[str, ...]
    channel: str
    languages: tuple[str, ...]
    sender: Sender
    proof_points: tuple[ProofPoint, ...]


@dataclass(frozen=True, slots=True)
class Policy:
    """How careful a team is. The defaults are the safe ones.

    self_approval_delay in minutes, undo_seconds in seconds, send_by_days and
    observed_days_position in days, review_target_hours in hours.
    """

    four_eyes: bool = True
    self_approval_delay: int = 10
    undo_seconds: int = 60
    send_by_days: int = 7
    observed_days_position: int = 180
    review_target_hours: int = 24
    postal_address: str = ""
    lawful_basis: str = "legitimate interest (Art. 6(1)(f) GDPR)"
    quality_blocks: bool = True
