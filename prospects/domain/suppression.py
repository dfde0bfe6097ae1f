"""What a suppression covers: an address, a domain, a profile, a company. Hashed under a key, never stored in clear."""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from prospects.domain.identity import (
    Key,
    KeyKind,
    domain_of,
    email_domain,
    email_keys,
    normalized_company,
    profile_keys,
    slug_key,
    urn_key,
)


class SuppressionKind(StrEnum):
    # That of enumerations is written in Python, and takes ten times as long.
    __hash__ = str.__hash__

    EMAIL = "email"
    DOMAIN = "domain"
    PROFILE = "profile"
    COMPANY = "company"


@dataclass(frozen=True, slots=True)
class Target:
    """One thing that can be suppressed, in the form it is compared in."""

    kind: SuppressionKind
    value: str

    @property
    def hashed(self) -> str:
        """The text that is hashed."""
        return f"{self.kind}\n{self.value}"

    def keyed_hash(self, *, team_id: int, key: str) -> str:
        """HMAC-SHA-256 in hex. The team is part of it: equal people of two teams have unlike hashes."""
        return Hasher(team_id=team_id, key=key).of(self)


class Hasher:
    """Keyed hashes of many targets under one key; what they begin with is hashed once."""

    def __init__(self, *, team_id: int, key: str) -> None:
        self._begun = hmac.new(key.encode(), f"{team_id}\n".encode(), hashlib.sha256)

    def of(self, target: Target) -> str:
        return self.of_text(target.hashed)

    def of_text(self, text: str) -> str:
        """The same of a target's `hashed`."""
        hashed = self._begun.copy()
        hashed.update(text.encode())
        return hashed.hexdigest()


_PROFILE_KEYS = frozenset({KeyKind.LINKEDIN_SLUG, KeyKind.LINKEDIN_URN, KeyKind.LINKEDIN_ID})


def _of_profile_key(key: Key) -> Target:
    return Target(SuppressionKind.PROFILE, f"{key.kind.value}:{key.value}")


def read_target(kind: str, value: str) -> Target | str:
    """What a person typed, for suppressing it; or a sentence that says what is wrong with it."""
    if kind == SuppressionKind.EMAIL:
        found = email_keys(value)
        return Target(SuppressionKind.EMAIL, found[0].value) if found else "This is no e-mail address."
    if kind == SuppressionKind.DOMAIN:
        domain = domain_of(value)
        return Target(SuppressionKind.DOMAIN, domain) if domain else "This is no domain. Write it as example.com."
    if kind == SuppressionKind.PROFILE:
        key = next(iter(profile_keys(value)), None) or urn_key(value) or slug_key(value)
        return _of_profile_key(key) if key else "This is no LinkedIn profile. Paste the address of the profile."
    name = normalized_company(value)
    return Target(SuppressionKind.COMPANY, name) if name else "This is no company name."


def targets_of(
    *, keys: Iterable[Key], companies: Iterable[str] = (), domains: Iterable[str] = ()
) -> tuple[Target, ...]:
    """Everything a person can be suppressed by. domains: those of the company, which no address of theirs need show."""
    found: list[Target] = []
    for key in keys:
        if key.kind is KeyKind.EMAIL:
            found.append(Target(SuppressionKind.EMAIL, key.value))
            found += [Target(SuppressionKind.DOMAIN, domain) for domain in _domains(email_domain(key.value))]
        elif key.kind in _PROFILE_KEYS:
            found.append(_of_profile_key(key))
    found += [Target(SuppressionKind.DOMAIN, part) for domain in domains for part in _domains(domain)]
    found += [Target(SuppressionKind.COMPANY, name) for company in companies if (name := normalized_company(company))]
    return tuple(dict.fromkeys(found))


def _domains(domain: str) -> list[str]:
    """The domain and those above it: mail.example.com is covered by example.com."""
    parts = domain.split(".")
    return [".".join(parts[start:]) for start in range(max(len(parts) - 1, 0))]
