"""What a team's settings may be. Ranges stand here and nowhere else: forms, commands and services ask this."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from decimal import Decimal
from types import MappingProxyType

from outreach.campaigns.domain.letterhead import address_fault
from outreach.campaigns.domain.offer import Policy
from outreach.teams.domain.refusal import Refusal

#: Least and most, by setting.
RANGES: Mapping[str, tuple[int, int]] = MappingProxyType(
    {
        "observed_days_position": (1, 730),
        "observed_days_company": (1, 1825),
        "observed_days_common": (1, 3650),
        "review_target_hours": (1, 720),
        "self_approval_delay": (0, 1440),
        "undo_seconds": (0, 3600),
        "send_by_days": (1, 60),
    }
)
MOST_MONEY = Decimal(100_000)
NOTICE_LENGTH = 300
_LANGUAGE = re.compile(r"[a-z]{2,3}(?:-[A-Z]{2})?\Z")
_URL = re.compile(r"https?://[^\s/?#@]+(?:/[^\s?#]*)?\Z")


def policy_fault(policy: Policy) -> Refusal | None:
    """The first thing wrong with the settings, as "key: what to do"; None when nothing is."""
    return next(_faults(policy), None)


def _faults(policy: Policy) -> Iterator[Refusal]:
    for key, (least, most) in RANGES.items():
        if not least <= getattr(policy, key) <= most:
            yield Refusal("invalid", f"{key}: give a number from {least} to {most}.")
    fault = address_fault(text=policy.postal_address)
    if fault:
        yield Refusal("invalid", f"postal_address: {fault}")
    if not policy.lawful_basis.strip() or not policy.lawful_basis.isprintable():
        yield Refusal("invalid", "lawful_basis: name the basis in one line; every message names it.")
    yield from _country_faults(policy)
    yield from _model_faults(policy)
    yield from texts_faults(key="notice_texts", texts=policy.notice_texts, longest=NOTICE_LENGTH)


def _country_faults(policy: Policy) -> Iterator[Refusal]:
    if policy.home_country and not re.fullmatch("[A-Z]{2}", policy.home_country):
        yield Refusal("invalid", "home_country: choose a country, or none.")


def _model_faults(policy: Policy) -> Iterator[Refusal]:
    if policy.model_base_url and not _URL.match(policy.model_base_url):
        yield Refusal(
            "invalid", "model_base_url: give an address as https://models.example.com/v1, without a user or a query."
        )
    if policy.model_name and not policy.model_base_url:
        yield Refusal(
            "invalid", "model_name: name the address of the model too; the installation’s own has its name already."
        )
    for key in ("model_daily_budget", "model_monthly_budget"):
        value = getattr(policy, key)
        if not (value.is_finite() and 0 <= value <= MOST_MONEY):
            yield Refusal("invalid", f"{key}: give an amount from 0 to {MOST_MONEY}.")


def texts_faults(*, key: str, texts: Mapping[str, str], longest: int) -> Iterator[Refusal]:
    """Texts by language: known codes, a few short lines, nothing asked or exclaimed."""
    for language, text in texts.items():
        if not _LANGUAGE.match(language):
            yield Refusal("invalid", f"{key}: {language!r} is no language code; use codes as en, de or pt-BR.")
        fault = address_fault(text=text) or ("" if len(text) <= longest else f"Write at most {longest} characters.")
        if fault:
            yield Refusal("invalid", f"{key}: {language}: {fault}")
