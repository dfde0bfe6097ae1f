"""Who may not be enrolled, and why. Every reason is counted and shown; nobody is dropped silently."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from enum import StrEnum


class Why(StrEnum):
    UNKNOWN = "unknown"
    ERASED = "erased"
    MERGED = "merged"
    CONFLICTED = "conflicted"
    SUPPRESSED = "suppressed"
    CUSTOMER = "customer"
    ENROLLED_ALREADY = "enrolled-already"
    OTHER_PURPOSE = "other-purpose"
    NO_ADDRESS = "no-address"
    ALREADY_CONNECTED = "already-connected"
    NOT_CONNECTED = "not-connected"
    LANGUAGE_UNKNOWN = "language-unknown"
    LANGUAGE_NOT_ALLOWED = "language-not-allowed"
    LANGUAGE_NOT_WRITTEN = "language-not-written"
    CONTACTED_RECENTLY = "contacted-recently"
    STALE = "stale"
    SAME_COMPANY_AND_DAY = "same-company-and-day"


#: For people: what the reason means and what to do about it.
EXPLANATION = {
    Why.UNKNOWN: "There is no such prospect in your team.",
    Why.ERASED: "The person asked to be erased.",
    Why.MERGED: "The record was merged into another one; enrol that one.",
    Why.CONFLICTED: "The sources disagree about who this is; settle it on the prospect's page.",
    Why.SUPPRESSED: "The address, profile or company is on the suppression list.",
    Why.CUSTOMER: "The person or company is on the list of customers and open opportunities.",
    Why.ENROLLED_ALREADY: "The person was enrolled in this campaign before.",
    Why.OTHER_PURPOSE: "Another campaign is writing to the person; one person is written to for one purpose.",
    Why.NO_ADDRESS: "There is no address for this channel; import one or choose another channel.",
    Why.ALREADY_CONNECTED: "You are connected already; use the LinkedIn message channel.",
    Why.NOT_CONNECTED: "A LinkedIn message needs a connection; send a connection note first.",
    Why.LANGUAGE_UNKNOWN: "Nobody knows their language, and the campaign writes several; choose it on the prospect's page.",
    Why.LANGUAGE_NOT_ALLOWED: "The campaign does not write in the person's language.",
    Why.LANGUAGE_NOT_WRITTEN: "Messages in the person's language cannot be checked yet.",
    Why.CONTACTED_RECENTLY: "Something was sent to them recently; they are free when the time to rest has passed.",
    Why.STALE: "Their present role was not seen recently enough to speak of it; import or look them up again.",
    Why.SAME_COMPANY_AND_DAY: "As many colleagues as the limit allows are enrolled on the same day; enrol again tomorrow.",
}


#: Lists that name those who buy already, or are about to.
CUSTOMER_LISTS = frozenset({"customer", "opportunity"})


@dataclass(frozen=True, slots=True)
class Candidate:
    """What the rules need to know of a person.

    suppressed       on the suppression list; customer: by a list of customers or opportunities and by no other
    active_elsewhere enrolled and not done in another campaign
    contacted_on     day of the newest message that went to them
    role_seen        day on which their present role was last seen
    company_mates    people of their company who are enrolled on the same day already; 0 where none is known
    """

    state: str
    suppressed: bool
    enrolled_here: bool
    active_elsewhere: bool
    has_email: bool
    has_profile: bool
    first_degree: bool
    language: str
    customer: bool = False
    contacted_on: date | None = None
    role_seen: date | None = None
    company_mates: int = 0


@dataclass(frozen=True, slots=True)
class Limits:
    """What leaves people out of an audience beyond what may never be. None and 0 set no limit.

    rested_since   who was written to on this day or later rests
    fresh_since    whose role was last seen before this day is stale
    sure_language  an unknown language is not guessed where the campaign writes several
    per_company    people of one company on one day
    """

    rested_since: date | None = None
    fresh_since: date | None = None
    sure_language: bool = False
    per_company: int = 0


#: People chosen one by one: who chose them saw them.
BY_HAND = Limits()


def language_for(*, known: str, allowed: tuple[str, ...]) -> str:
    """The language a person is written to in. An unknown one is the campaign's only one, or English."""
    if known:
        return known
    return allowed[0] if len(allowed) == 1 else "en"


def allows(*, language: str, allowed: tuple[str, ...]) -> bool:
    """Whether the campaign writes in it; "pt" allows "pt-BR", an empty list allows all."""
    tag = language.lower()
    return not allowed or any(tag == code.lower() or tag.startswith(f"{code.lower()}-") for code in allowed)


def _resting(candidate: Candidate, limits: Limits) -> bool:
    since, on = limits.rested_since, candidate.contacted_on
    return since is not None and on is not None and on >= since


def _stale(candidate: Candidate, limits: Limits) -> bool:
    since, seen = limits.fresh_since, candidate.role_seen
    return since is not None and (seen is None or seen < since)


def exclusion_of(
    *,
    candidate: Candidate,
    channel: str,
    allowed: tuple[str, ...],
    can_be_checked: Callable[[str], bool],
    limits: Limits = BY_HAND,
) -> Why | None:
    """The first reason that holds, in the order of how final it is; None when the person may be enrolled."""
    language = language_for(known=candidate.language, allowed=allowed)
    reasons = (
        (Why.ERASED, candidate.state == "erased"),
        (Why.MERGED, candidate.state == "merged"),
        (Why.SUPPRESSED, candidate.suppressed and not candidate.customer),
        (Why.CUSTOMER, candidate.suppressed),
        (Why.CONFLICTED, candidate.state == "conflicted"),
        (Why.ENROLLED_ALREADY, candidate.enrolled_here),
        (Why.OTHER_PURPOSE, candidate.active_elsewhere),
        (Why.NO_ADDRESS, not (candidate.has_email if channel == "email" else candidate.has_profile)),
        (Why.ALREADY_CONNECTED, channel == "linkedin_connection" and candidate.first_degree),
        (Why.NOT_CONNECTED, channel == "linkedin_message" and not candidate.first_degree),
        (Why.LANGUAGE_UNKNOWN, limits.sure_language and not candidate.language and len(allowed) != 1),
        (Why.LANGUAGE_NOT_ALLOWED, not allows(language=language, allowed=allowed)),
        (Why.LANGUAGE_NOT_WRITTEN, not can_be_checked(language)),
        (Why.CONTACTED_RECENTLY, _resting(candidate, limits)),
        (Why.STALE, _stale(candidate, limits)),
        (Why.SAME_COMPANY_AND_DAY, 0 < limits.per_company <= candidate.company_mates),
    )
    return next((why for why, holds in reasons if holds), None)
