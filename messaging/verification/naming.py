"""What people call a piece of evidence: "the post of 27 Nov 2026", never its number in the dossier."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date

from messaging.verification.facts import Fact
from prospects.domain.dates import DateInterval, partial_date
from prospects.domain.evidence import Evidence, Kind

_LONGEST = 60
_UNNAMED = "this evidence"


def named(fact: Fact) -> str:
    """The evidence in the middle of a sentence; worked out once for each fact."""
    if not fact.called:
        fact.called = called(fact.evidence)
    return fact.called


def opening(fact: Fact) -> str:
    """The same at the beginning of a sentence."""
    name = named(fact)
    return name[:1].upper() + name[1:]


def called(item: Evidence) -> str:
    """ "the post of 27 Nov 2026", "the position Head of Platform at Brightloom", "the sender's proof point “…”"."""
    return _NAMES[item.kind](item) or _UNNAMED


def told(day: date) -> str:
    """ "27 Nov 2026"."""
    return f"{day.day} {day:%b %Y}"


def when(item: Evidence) -> str:
    """The date of an event, "Mar 2021 to today" of a period, "undated" of what has none; never finer than recorded."""
    if item.occurred is None:
        return "undated"
    if item.kind in (Kind.POSITION, Kind.EDUCATION):
        return f"{partly(item.get('start'))} to {partly(item.get('end')) or 'today'}"
    return _interval(item.occurred)


def partly(text: str) -> str:
    """A partial date of a record as people write it: "2024-03" is "Mar 2024"; anything else stays as it is."""
    interval = partial_date(text)
    return _interval(interval) if interval else text


def dated(fact: Fact) -> str:
    """The evidence with its date, in the middle of a sentence."""
    name, date_of = named(fact), when(fact.evidence)
    return name if date_of in name else f"{name} ({date_of})"


def _interval(interval: DateInterval) -> str:
    if interval.precision == "year":
        return f"{interval.first:%Y}"
    return f"{interval.first:%b %Y}" if interval.precision == "month" else told(interval.first)


def _dated(noun: str) -> Callable[[Evidence], str]:
    """By its date; what has none by its first words."""

    def name(item: Evidence) -> str:
        if item.occurred is not None:
            return f"{noun} of {_interval(item.occurred)}"
        return f"{noun} “{_short(item.get('title') or item.text)}”"

    return name


def _quoted(noun: str, *fields: str) -> Callable[[Evidence], str]:
    def name(item: Evidence) -> str:
        return f"{noun} “{_short(_first(item, *fields))}”"

    return name


def _plain(noun: str, *fields: str) -> Callable[[Evidence], str]:
    def name(item: Evidence) -> str:
        return f"{noun} {_short(_first(item, *fields))}".strip()

    return name


def _fixed(noun: str) -> Callable[[Evidence], str]:
    return lambda item: noun


def _first(item: Evidence, *fields: str) -> str:
    return next((value for name in fields if (value := item.get(name))), item.text)


def _short(text: str) -> str:
    words = " ".join(text.split())
    return words if len(words) <= _LONGEST else words[: _LONGEST - 1].rstrip() + "…"


def _position(item: Evidence) -> str:
    title, company = _short(item.get("title")), _short(item.get("company"))
    return f"the position {title} at {company}" if title and company else f"the position {title or company}".strip()


def _education(item: Evidence) -> str:
    school, degree = _short(item.get("school")), _short(item.get("degree"))
    return f"the degree {degree} at {school}" if school and degree else f"the education at {school or degree}"


def _colleague(item: Evidence) -> str:
    return f"the record of {_short(_first(item, 'full_name'))}"


def _in_common(item: Evidence) -> str:
    what = {"mutual_connection": "the mutual connection"}.get(
        item.get("kind"), f"the shared {item.get('kind')}".strip()
    )
    return f"{what} {_short(_first(item, 'full_name', 'name'))}"


def _company_fact(item: Evidence) -> str:
    attribute = item.get("attribute").replace("_", " ")
    return f"the company's {attribute}" if attribute else "the record of the company"


_NAMES: dict[Kind, Callable[[Evidence], str]] = {
    Kind.NAME: _fixed("the prospect's name"),
    Kind.HEADLINE: _fixed("the headline of the profile"),
    Kind.LOCATION: _fixed("the location in the profile"),
    Kind.ABOUT: _fixed("the profile's text about the prospect"),
    Kind.PROFILE_LANGUAGE: _fixed("the language of the profile"),
    Kind.LANGUAGE: _plain("the language", "name"),
    Kind.POSITION: _position,
    Kind.EDUCATION: _education,
    Kind.SKILL: _plain("the skill", "name"),
    Kind.CERTIFICATION: _plain("the certificate", "name"),
    Kind.AWARD: _quoted("the award", "title"),
    Kind.TALK: _quoted("the talk", "title"),
    Kind.PUBLICATION: _quoted("the publication", "title"),
    Kind.PROJECT: _quoted("the project", "title"),
    Kind.POST: _dated("the post"),
    Kind.COMMENT: _dated("the comment"),
    Kind.RESHARE: _dated("the shared post"),
    Kind.COMPANY_FACT: _company_fact,
    Kind.COMPANY_NEWS: _dated("the news"),
    Kind.COLLEAGUE: _colleague,
    Kind.JOB: _quoted("the open position", "title"),
    Kind.IN_COMMON: _in_common,
    Kind.CONNECTION: _plain("the connection with", "to"),
    Kind.SENDER: _fixed("the sender's own record"),
    Kind.OFFER: _fixed("the campaign's offer"),
    Kind.PROOF_POINT: _quoted("the sender's proof point"),
    Kind.INDUSTRY_NOTE: _plain("the note on the industry", "industry"),
}
