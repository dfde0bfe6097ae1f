"""Evidence as a person reads it: when, what, how fresh, from where; and the gaps, which is what cannot be said."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from enum import StrEnum

from prospects.domain.card import current_position
from prospects.domain.dates import DateInterval, partial_date
from prospects.domain.evidence import OWN_WORDS, Evidence, Kind, web_link

#: How long an event may carry a word such as "recently", and from when on it is about to lose it, in days.
FRESH_DAYS, AGING_DAYS = 60, 45
#: How long "you are" may rest on one observation of a role, in days.
OBSERVED_DAYS = 180
SILENT_DAYS = 120
_MONTHS = ("", "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")


class Group(StrEnum):
    WORDS = "words"
    PERSON = "person"
    COMPANY = "company"
    COMMON = "common"


class Freshness(StrEnum):
    """The names are those of the marks: filled dot, ring, hollow square."""

    FRESH = ""
    AGING = "aging"
    STALE = "stale"


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of the timeline. `quoted` text is the prospect's or another's own words."""

    row_id: str
    when: str
    icon: str
    title: str
    text: str
    quoted: bool
    freshness: Freshness
    freshness_words: str
    source: str
    url: str
    group: Group
    order: date


@dataclass(frozen=True, slots=True)
class Gap:
    """Something that no sentence may claim, and why."""

    text: str
    icon: str = "help"


_ICONS: Mapping[Kind, str] = {
    Kind.POST: "quote",
    Kind.COMMENT: "message-circle",
    Kind.RESHARE: "refresh",
    Kind.ABOUT: "quote",
    Kind.HEADLINE: "quote",
    Kind.POSITION: "briefcase",
    Kind.EDUCATION: "school",
    Kind.CERTIFICATION: "award",
    Kind.AWARD: "award",
    Kind.TALK: "microphone",
    Kind.PUBLICATION: "file-text",
    Kind.LANGUAGE: "language",
    Kind.PROFILE_LANGUAGE: "language",
    Kind.LOCATION: "world",
    Kind.COMPANY_FACT: "building",
    Kind.COMPANY_NEWS: "news",
    Kind.COLLEAGUE: "users",
    Kind.JOB: "user-plus",
    Kind.IN_COMMON: "link",
    Kind.CONNECTION: "brand-linkedin",
}
_TITLES: Mapping[Kind, str] = {
    Kind.NAME: "Name",
    Kind.HEADLINE: "Headline, their own words",
    Kind.ABOUT: "Summary, their own words",
    Kind.LOCATION: "Location",
    Kind.PROFILE_LANGUAGE: "Language of the profile",
    Kind.LANGUAGE: "Speaks",
    Kind.SKILL: "Skill",
    Kind.POST: "Post, their own words",
    Kind.COMMENT: "Comment, their own words",
    Kind.JOB: "Open position at the company",
    Kind.CONNECTION: "Connection",
    Kind.IN_COMMON: "In common",
}
_GROUPS: Mapping[Kind, Group] = {
    **dict.fromkeys(OWN_WORDS, Group.WORDS),
    **dict.fromkeys((Kind.COMPANY_FACT, Kind.COMPANY_NEWS, Kind.COLLEAGUE, Kind.JOB), Group.COMPANY),
    **dict.fromkeys((Kind.IN_COMMON, Kind.CONNECTION), Group.COMMON),
}
_PERIODS = frozenset({Kind.POSITION, Kind.EDUCATION, Kind.PROJECT})
_EVENTS = frozenset(
    {Kind.POST, Kind.COMMENT, Kind.COMPANY_NEWS, Kind.AWARD, Kind.TALK, Kind.CERTIFICATION, Kind.PUBLICATION, Kind.JOB}
)


def words_of(interval: DateInterval | None) -> str:
    """As precise as the source was: "5 Nov 2026", "Nov 2026", "2026", ""."""
    if interval is None:
        return ""
    first = interval.first
    if interval.precision == "day":
        return f"{first.day} {_MONTHS[first.month]} {first.year}"
    return f"{_MONTHS[first.month]} {first.year}" if interval.precision == "month" else str(first.year)


def _when(item: Evidence) -> str:
    start = words_of(item.occurred)
    if item.kind not in _PERIODS:
        return start
    end = item.get("end")
    if not start:
        return ""
    if not end:
        return f"{start} –" if item.kind is Kind.POSITION else start
    return f"{start} – {words_of(partial_date(end)) or '?'}"


def _title(item: Evidence) -> str:
    if item.kind is Kind.POSITION:
        return ", ".join(part for part in (item.get("title"), item.get("company")) if part)
    if item.kind is Kind.EDUCATION:
        return ", ".join(part for part in (item.get("degree"), item.get("school")) if part)
    if item.kind is Kind.RESHARE:
        return f"Reshare of {item.get('original_author')}" if item.get("original_author") else "Reshare"
    if item.kind is Kind.COMPANY_FACT:
        return f"Company: {item.get('attribute') or 'fact'}"
    if item.kind in _TITLES:
        return _TITLES[item.kind]
    named = item.get("title") or item.get("name") or item.get("full_name")
    return named or item.kind.value.replace("_", " ").capitalize()


def _text(item: Evidence) -> str:
    if item.kind in _PERIODS:
        return item.get("description")
    if item.kind is Kind.COMPANY_NEWS:
        return item.text.removeprefix(item.get("title")).strip()
    if item.kind in {Kind.TALK, Kind.AWARD, Kind.CERTIFICATION, Kind.PUBLICATION}:
        return item.get("event") or item.get("issuer") or item.get("publisher")
    if item.kind is Kind.IN_COMMON and item.text.startswith(kind := item.get("kind")):
        return f"{kind.replace('_', ' ').capitalize()}{item.text.removeprefix(kind)}"
    return item.text


def _day(value: date) -> str:
    return f"{value.day} {_MONTHS[value.month]}"


def _freshness(item: Evidence, today: date) -> tuple[Freshness, str]:
    if item.kind is Kind.RESHARE:
        return Freshness.STALE, "not their words, never quoted as theirs"
    if item.kind is Kind.POSITION:
        return _role_freshness(item, today)
    if item.kind in _EVENTS:
        return _event_freshness(item, today)
    if item.kind in _PERIODS:
        return Freshness.STALE, "closed" if item.get("end") else "undated" if item.occurred is None else "no end known"
    return Freshness.FRESH, f"seen {words_of(DateInterval(seen, seen))}" if (seen := item.observed_at) else ""


def _role_freshness(item: Evidence, today: date) -> tuple[Freshness, str]:
    if item.get("end") == "unknown":
        return Freshness.STALE, "nobody says whether it has ended"
    if item.get("end"):
        return Freshness.STALE, "closed"
    seen = item.observed_at
    if seen is None:
        return Freshness.STALE, "never seen on a day we know"
    until = seen + timedelta(days=OBSERVED_DAYS)
    words = f"seen {words_of(DateInterval(seen, seen))}"
    if until < today:
        return Freshness.STALE, f"{words}: too long ago for “you are”"
    return (Freshness.AGING if until - today < timedelta(days=30) else Freshness.FRESH), words


def _event_freshness(item: Evidence, today: date) -> tuple[Freshness, str]:
    if item.occurred is None:
        return Freshness.STALE, "undated: no time words"
    until = item.occurred.first + timedelta(days=FRESH_DAYS)
    if item.occurred.first > today:
        return Freshness.FRESH, "still to come"
    if until < today:
        return Freshness.STALE, "no “recently”"
    if today > item.occurred.first + timedelta(days=AGING_DAYS):
        return Freshness.AGING, f"aging, to {_day(until)}"
    return Freshness.FRESH, f"fresh to {_day(until)}"


def entry_of(item: Evidence, *, today: date, url: str = "") -> Entry:
    freshness, words = _freshness(item, today)
    order = item.occurred.last if item.occurred else date.min
    if item.kind is Kind.POSITION and not item.get("end") and item.observed_at:
        order = max(order, item.occurred.first if item.occurred else item.observed_at)
    return Entry(
        row_id=item.row_id,
        when=_when(item),
        icon=_ICONS.get(item.kind, "note"),
        title=_title(item),
        text=_text(item),
        quoted=item.kind in OWN_WORDS or item.kind is Kind.RESHARE,
        freshness=freshness,
        freshness_words=words,
        source=item.source,
        url=web_link(url) or item.link,
        group=_GROUPS.get(item.kind, Group.PERSON),
        order=order,
    )


def timeline(items: Iterable[tuple[Evidence, str]], *, today: date) -> tuple[Entry, ...]:
    """(evidence, address) pairs, newest event first, the undated last."""
    entries = [entry_of(item, today=today, url=url) for item, url in items]
    return tuple(sorted(entries, key=lambda entry: entry.order, reverse=True))


def gaps_of(items: Sequence[Evidence], *, has_email: bool, today: date) -> tuple[Gap, ...]:
    """What is missing or too old, in sentences that say what follows."""
    return tuple(
        gap
        for gap in (
            _gap_in_posts([item for item in items if item.kind is Kind.POST], today),
            _gap_in_role(items, today),
            None if has_email else Gap("No e-mail address: reachable over LinkedIn only."),
        )
        if gap is not None
    )


def _gap_in_posts(posts: Sequence[Evidence], today: date) -> Gap | None:
    dated = [item.occurred for item in posts if item.occurred]
    if not posts:
        return Gap("No post of their own: nothing to quote, motivation stays a question.")
    if not dated:
        return Gap("Their posts are undated: no “recently”.", "clock")
    latest = max(dated, key=lambda interval: interval.last)
    if (today - latest.last).days > SILENT_DAYS:
        return Gap(f"No post since {words_of(latest)}: no time word for what they wrote.", "clock")
    return None


def _gap_in_role(items: Sequence[Evidence], today: date) -> Gap | None:
    role = current_position(items)
    if role is None:
        return Gap("No current position: nothing may be said about what they do now.")
    company = role.get("company") or "the present role"
    if role.observed_at and (today - role.observed_at).days > OBSERVED_DAYS:
        seen = words_of(DateInterval(role.observed_at, role.observed_at))
        return Gap(f"The role at {company} was last seen on {seen}: “you are” needs a fresh look.", "clock")
    if role.occurred is None:
        return Gap(f"No start known at {company}: no tenure, no anniversary.")
    if role.occurred.precision != "day":
        return Gap(f"No start day at {company}: what is said must hold for all of {words_of(role.occurred)}.")
    return None
