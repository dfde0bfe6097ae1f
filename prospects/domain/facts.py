"""Builders of evidence that all importers share, so that the same fact reads the same from every source."""

from __future__ import annotations

import re
from datetime import date
from functools import lru_cache

from prospects.domain.dates import DateInterval
from prospects.domain.evidence import Actor, Evidence, Kind
from prospects.domain.identity import BLANKS, LONGEST_BLANK, normalized_company
from prospects.domain.imported import fact
from prospects.domain.wild_dates import Period, WildDate, iso_of

_SPLIT_TITLE = re.compile(r"\s+[|•·]\s+|\s*\|\s*")


def clean(text: str) -> str:
    """A cell without its outer blanks; nulls written as words are nothing."""
    word = text.strip()
    return "" if len(word) <= LONGEST_BLANK and word.casefold() in BLANKS else word


def plain_title(text: str) -> str:
    """The role in a cell that also holds slogans: "VP Product | ex-Bigcorp | Speaker" is a VP Product."""
    return _SPLIT_TITLE.split(clean(text), maxsplit=1)[0].strip()


_AT = re.compile(r"\s+(?:at|@|chez|bei|en|em|na|presso|bij|hos)\s+(.+)\Z", re.IGNORECASE)


@lru_cache(maxsize=8_192)
def role_at(title: str, company: str) -> str:
    """The role alone, where the cell repeats the company: "VP Sales at Tarnhelm" of Tarnhelm GmbH is a VP Sales."""
    role = plain_title(title)
    match = _AT.search(role)
    if match and company and normalized_company(match.group(1)) == normalized_company(company):
        return role[: match.start()].strip()
    return role


def _join(*parts: str) -> str:
    return ", ".join(part for part in parts if part)


def position(
    *,
    title: str,
    company: str,
    period: Period,
    ref: str,
    observed_at: date,
    source: str,
    description: str = "",
    location: str = "",
) -> Evidence:
    """A role. Its `end` is "" while open, a partial date, or "unknown"."""
    start, end = iso_of(period.start), period.end_text
    role, company, description = role_at(title, company), clean(company), clean(description)
    line = _join(role, company)
    if start or end:
        line = f"{line} ({start or '?'} to {end or 'today'})"
    return fact(
        Kind.POSITION,
        f"{line}: {description}" if description else line,
        ref=ref,
        observed_at=observed_at,
        source=source,
        occurred=period.start,
        fields=(
            ("title", role),
            ("company", company),
            ("start", start),
            ("end", end),
            ("description", description),
            ("location", clean(location)),
        ),
    )


def education(*, school: str, degree: str, period: Period, ref: str, observed_at: date, source: str) -> Evidence:
    start, end = iso_of(period.start), iso_of(period.end)
    return fact(
        Kind.EDUCATION,
        _join(clean(degree), clean(school), start, end),
        ref=ref,
        observed_at=observed_at,
        source=source,
        occurred=period.start,
        fields=(("school", clean(school)), ("degree", clean(degree)), ("start", start), ("end", end)),
    )


def dated(
    kind: Kind, *, words: tuple[tuple[str, str], ...], when: WildDate, ref: str, observed_at: date, source: str
) -> Evidence:
    """A certification, award, talk or publication: named words, and the day it happened."""
    cleaned = tuple((name, clean(value)) for name, value in words)
    shown = [value for name, value in cleaned if name not in {"url", "description"}]
    return fact(
        kind,
        _join(*shown, when.iso),
        ref=ref,
        observed_at=observed_at,
        source=source,
        occurred=when.interval,
        fields=(*cleaned, ("date", when.iso)),
    )


def project(*, title: str, url: str, period: Period, ref: str, observed_at: date, source: str) -> Evidence:
    start, end = iso_of(period.start), iso_of(period.end)
    return fact(
        Kind.PROJECT,
        _join(clean(title), start, end),
        ref=ref,
        observed_at=observed_at,
        source=source,
        occurred=period.start,
        fields=(("title", clean(title)), ("start", start), ("end", end), ("url", clean(url))),
    )


def spoken_language(*, name: str, level: str, ref: str, observed_at: date, source: str) -> Evidence:
    shown = f"{clean(name)} ({clean(level)})" if clean(level) else clean(name)
    return fact(
        Kind.LANGUAGE,
        shown,
        ref=ref,
        observed_at=observed_at,
        source=source,
        fields=(("name", clean(name)), ("level", clean(level))),
    )


def own_words(
    kind: Kind,
    text: str,
    *,
    when: DateInterval | None,
    ref: str,
    observed_at: date,
    source: str,
    url: str = "",
    post_id: str = "",
    on: str = "",
    language: str = "",
) -> Evidence:
    """A post or a comment that the person wrote."""
    return fact(
        kind,
        text,
        ref=ref,
        observed_at=observed_at,
        source=source,
        occurred=when,
        language=language,
        fields=(("id", post_id), ("url", url), ("on", on)),
    )


def reshare(
    text: str,
    *,
    author: str,
    when: DateInterval | None,
    ref: str,
    observed_at: date,
    source: str,
    url: str,
    post_id: str,
) -> Evidence:
    """Somebody else's words that the person passed on; never quotable as their own."""
    return fact(
        Kind.RESHARE,
        text,
        ref=ref,
        actor=Actor.OTHER,
        observed_at=observed_at,
        source=source,
        occurred=when,
        fields=(("id", post_id), ("url", url), ("original_author", author)),
    )
