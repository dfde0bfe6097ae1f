"""What a campaign says about us and how careful the team is, as plain values."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal


def text_in(texts: Mapping[str, str], language: str) -> str:
    """The text of that language, or of its main language ("pt" for "pt-BR"), "" when there is none."""
    return texts.get(language) or texts.get(language.partition("-")[0]) or ""


@dataclass(frozen=True, slots=True)
class Sender:
    """The person a message comes from. signatures: language code to the signature in it; the plain one serves the rest."""

    full_name: str
    title: str = ""
    company: str = ""
    signature: str = ""
    signatures: Mapping[str, str] = field(default_factory=dict)
    calendar_url: str = ""

    def signature_in(self, language: str) -> str:
        """The signature of that language, of its main language, or the one for all."""
        return text_in(self.signatures, language) or self.signature


@dataclass(frozen=True, slots=True)
class ProofPoint:
    """A statement about us that may be made, and until when. `date` is YYYY, YYYY-MM, YYYY-MM-DD or "".

    approved: by a person who answers for it; until then it may not be said.
    """

    key: str
    text: str
    source: str
    date: str = ""
    expires_on: dt.date | None = None
    approved: bool = True

    def lasts_through(self, *, day: dt.date) -> bool:
        """Whether it is still true on that day; the day of expiry itself is too late."""
        return self.expires_on is None or self.expires_on > day

    def usable_through(self, *, day: dt.date) -> bool:
        """Whether it may be said on that day: somebody answers for it, and it lasts."""
        return self.approved and self.lasts_through(day=day)


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

    self_approval_delay in minutes, undo_seconds in seconds, send_by_days and observed_days_* in days,
    review_target_hours in hours, budgets in the account's currency. home_country: ISO code, "" is none.
    notice_texts: language code to a text. domain.setting says of each what it does.
    quality_levels: id of a quality rule to "block" or "warn", where the team decided otherwise than shipped.
    """

    four_eyes: bool = True
    self_approval_delay: int = 10
    undo_seconds: int = 60
    send_by_days: int = 7
    observed_days_position: int = 180
    observed_days_company: int = 365
    observed_days_common: int = 730
    review_target_hours: int = 24
    send_on_weekends: bool = False
    send_on_holidays: bool = False
    home_country: str = ""
    model_base_url: str = ""
    model_name: str = ""
    model_daily_budget: Decimal = Decimal(10)
    model_monthly_budget: Decimal = Decimal(100)
    notice_texts: Mapping[str, str] = field(default_factory=dict)
    postal_address: str = ""
    lawful_basis: str = "legitimate interest (Art. 6(1)(f) GDPR)"
    quality_blocks: bool = True
    quality_levels: Mapping[str, str] = field(default_factory=dict)
