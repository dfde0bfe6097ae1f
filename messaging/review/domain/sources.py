"""Where the data of a message came from, in words its reader understands (Article 14(2)(f) GDPR)."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date
from urllib.parse import urlsplit

from messaging.review.domain.footers import words_for
from messaging.review.domain.payload import Notice
from prospects.domain.evidence import Actor, Evidence, Kind

_OURS = frozenset({Actor.SENDER, Actor.INDUSTRY})
_FROM_LINKEDIN = frozenset({Kind.POST, Kind.COMMENT, Kind.RESHARE, Kind.HEADLINE, Kind.ABOUT, Kind.CONNECTION})


def notice_of(
    *, items: Iterable[Evidence], has_profile: bool, language: str, lawful_basis: str, frozen_on: date
) -> Notice:
    """What the footer says of the data in a dossier: web pages by host, LinkedIn by name, files as a list of contacts."""
    about = [item for item in items if item.actor not in _OURS]
    words = words_for(language)
    names: dict[str, None] = {}
    for item in about:
        host = urlsplit(item.source).hostname if "://" in item.source else None
        if host and not host.endswith("linkedin.com"):
            names[host.removeprefix("www.")] = None
        elif host or (has_profile and (item.kind in _FROM_LINKEDIN or item.actor is Actor.PROSPECT)):
            names[words.profile] = None
        else:
            names[words.contacts] = None
    read_on = max((item.observed_at for item in about if item.observed_at), default=frozen_on)
    return Notice(sources=tuple(sorted(names)) or (words.contacts,), read_on=read_on, lawful_basis=lawful_basis)
