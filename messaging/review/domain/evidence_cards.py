"""Evidence as the reviewer reads it: what it is, whose it is, how old, and which of its words a claim uses."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from difflib import SequenceMatcher
from enum import StrEnum

from prospects.domain.dates import DateInterval, partial_date
from prospects.domain.evidence import OWN_WORDS, Actor, Evidence, Kind

#: Days within which a time word ("recently", "last month") is usually licensed, and after which none is.
RECENT_DAYS, DATED_DAYS = 90, 365
_WORDS = re.compile(r"[\w’'-]+")

TITLES = {
    Kind.NAME: "Name",
    Kind.HEADLINE: "Headline",
    Kind.LOCATION: "Location",
    Kind.ABOUT: "About",
    Kind.PROFILE_LANGUAGE: "Profile language",
    Kind.LANGUAGE: "Language",
    Kind.POSITION: "Position",
    Kind.EDUCATION: "Education",
    Kind.SKILL: "Skill",
    Kind.CERTIFICATION: "Certification",
    Kind.AWARD: "Award",
    Kind.TALK: "Talk",
    Kind.PUBLICATION: "Publication",
    Kind.PROJECT: "Project",
    Kind.POST: "Their post",
    Kind.COMMENT: "Their comment",
    Kind.RESHARE: "Reshared post",
    Kind.COMPANY_FACT: "Company",
    Kind.COMPANY_NEWS: "Company news",
    Kind.COLLEAGUE: "Colleague",
    Kind.JOB: "Job advertisement",
    Kind.IN_COMMON: "In common",
    Kind.CONNECTION: "Connection",
    Kind.SENDER: "Sender",
    Kind.OFFER: "What we offer",
    Kind.PROOF_POINT: "Proof point",
    Kind.INDUSTRY_NOTE: "Industry note",
}


class Freshness(StrEnum):
    """FRESH may carry a time word, AGING is dated but old, STALE carries none, LOST no longer stands."""

    FRESH = "fresh"
    AGING = "aging"
    STALE = "stale"
    LOST = "bad"


@dataclass(frozen=True, slots=True)
class Age:
    freshness: Freshness
    words: str


def age_of(*, item: Evidence, state: str, today: date, observed_days: int) -> Age:
    """How old it is in a few words. observed_days: how old an observed open position may be."""
    if state != "current":
        return Age(Freshness.LOST, state)
    if item.actor is Actor.SENDER:
        return Age(Freshness.FRESH, "current")
    if item.kind is Kind.POSITION and not item.get("end"):
        return _observed(item, today, observed_days)
    if item.occurred is None:
        return Age(Freshness.STALE, f"seen {day(item.observed_at)}" if item.observed_at else "undated")
    days = (today - item.occurred.last).days
    if days < 0:
        return Age(Freshness.FRESH, "to come" if item.occurred.first > today else "this period")
    fresh = Freshness.FRESH if days <= RECENT_DAYS else Freshness.AGING if days <= DATED_DAYS else Freshness.STALE
    return Age(fresh, span(days))


def _observed(item: Evidence, today: date, observed_days: int) -> Age:
    if item.observed_at is None:
        return Age(Freshness.STALE, "undated")
    days = (today - item.observed_at).days
    fresh = (
        Freshness.FRESH if days <= observed_days // 2 else Freshness.AGING if days <= observed_days else Freshness.STALE
    )
    return Age(fresh, f"seen {day(item.observed_at)}")


def span(days: int) -> str:
    """15 days, 8 months, 3 years."""
    if days < 60:
        return f"{days} day" if days == 1 else f"{days} days"
    if days < 730:
        return f"{days // 30} months"
    return f"{days // 365} years"


def day(value: date | None) -> str:
    return f"{value.day} {value:%b %Y}" if value else ""


def when(interval: DateInterval | None) -> str:
    """The interval at its own precision; a day is never invented."""
    if interval is None:
        return ""
    match interval.precision:
        case "day":
            return day(interval.first)
        case "month":
            return f"{interval.first:%b %Y}"
        case "year":
            return f"{interval.first:%Y}"
        case _:
            return f"{day(interval.first)} to {day(interval.last)}"


def whose(item: Evidence) -> str:
    """Whose doing or saying it is, and when."""
    return " · ".join(part for part in (_actor(item), _period(item)) if part)


def _actor(item: Evidence) -> str:
    if item.kind in OWN_WORDS:
        return "their own words"
    if item.kind is Kind.RESHARE:
        author = item.get("original_author")
        return f"words of {author}, not theirs" if author else "not their words"
    named = item.get("full_name")
    return {
        Actor.PROSPECT: "about them",
        Actor.COMPANY: "about the company, not them",
        Actor.COLLEAGUE: f"about {named or 'a colleague'}, not them",
        Actor.SENDER: "the sender",
        Actor.INDUSTRY: "about the industry",
        Actor.OTHER: "about somebody else",
    }[item.actor]


def _period(item: Evidence) -> str:
    if item.kind not in (Kind.POSITION, Kind.EDUCATION):
        return when(item.occurred)
    start = when(item.occurred)
    end = item.get("end")
    if not start:
        return "" if end else "still open"
    return f"{start} to {when(partial_date(end)) or end}" if end else f"since {start}, still open"


@dataclass(frozen=True, slots=True)
class Run:
    """Words of the evidence; used ones are marked."""

    text: str
    used: bool = False


def used_words(*, text: str, spans: Iterable[str]) -> tuple[Run, ...]:
    """The text with the runs of words that claims share with it. It shows where to look and proves nothing."""
    words = list(_WORDS.finditer(text))
    folded = [word.group().casefold() for word in words]
    taken: list[tuple[int, int]] = []
    for claim in spans:
        other = [word.casefold() for word in _WORDS.findall(claim)]
        blocks = SequenceMatcher(a=folded, b=other, autojunk=False).get_matching_blocks()
        taken += [
            (words[at].start(), words[at + size - 1].end())
            for at, _other, size in blocks
            if _tells(folded[at : at + size])
        ]
    return _runs(text, taken)


def _tells(words: list[str]) -> bool:
    return sum(len(word) for word in words) >= 9 or any(word[0].isdigit() for word in words)


def _runs(text: str, taken: list[tuple[int, int]]) -> tuple[Run, ...]:
    runs: list[Run] = []
    at = 0
    for start, end in sorted(taken):
        if end <= at:
            continue
        begin = max(start, at)
        runs += [Run(text[at:begin])] if begin > at else []
        runs.append(Run(text[begin:end], used=True))
        at = end
    return tuple(runs) + ((Run(text[at:]),) if at < len(text) else ())
