"""Who may not be enrolled, and why. Every reason is counted and shown; nobody is dropped silently."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum


class Why(StrEnum):
    UNKNOWN = "unknown"
    ERASED = "erased"
    MERGED = "merged"
    CONFLICTED = "conflicted"
    SUPPRESSED = "suppressed"
    ENROLLED_ALREADY = "enrolled-already"
    OTHER_PURPOSE = "other-purpose"
    NO_ADDRESS = "no-address"
    ALREADY_CONNECTED = "already-connected"
    NOT_CONNECTED = "not-connected"
    LANGUAGE_NOT_ALLOWED = "language-not-allowed"
    LANGUAGE_NOT_WRITTEN = "language-not-written"


#: For people: what the reason means and what to do about it.
EXPLANATION = {
    Why.UNKNOWN: "There is no such prospect in your team.",
    Why.ERASED: "The person asked to be erased.",
    Why.MERGED: "The record was merged into another one; enrol that one.",
    Why.CONFLICTED: "The sources disagree about who this is; settle it on the prospect's page.",
    Why.SUPPRESSED: "The address, profile or company is on the suppression list.",
    Why.ENROLLED_ALREADY: "The person was enrolled in this campaign before.",
    Why.OTHER_PURPOSE: "Another campaign is writing to the person; one person is written to for one purpose.",
    Why.NO_ADDRESS: "There is no address for this channel; import one or choose another channel.",
    Why.ALREADY_CONNECTED: "You are connected already; use the LinkedIn message channel.",
    Why.NOT_CONNECTED: "A LinkedIn message needs a connection; send a connection note first.",
    Why.LANGUAGE_NOT_ALLOWED: "The campaign does not write in the person's language.",
    Why.LANGUAGE_NOT_WRITTEN: "Messages in the person's language cannot be checked yet.",
}


@dataclass(frozen=True, slots=True)
class Candidate:
    """What the rules need to know of a person. active_elsewhere: enrolled and not done in another campaign."""

    state: str
    suppressed: bool
    enrolled_here: bool
    active_elsewhere: bool
    has_email: bool
    has_profile: bool
    first_degree: bool
    language: str


def language_for(*, known: str, allowed: tuple[str, ...]) -> str:
    """The language a person is written to in. An unknown one is the campaign's only one, or English."""
    if known:
        return known
    return allowed[0] if len(allowed) == 1 else "en"


def allows(*, language: str, allowed: tuple[str, ...]) -> bool:
    """Whether the campaign writes in it; "pt" allows "pt-BR", an empty list allows all."""
    tag = language.lower()
    return not allowed or any(tag == code.lower() or tag.startswith(f"{code.lower()}-") for code in allowed)


def exclusion_of(
    *, candidate: Candidate, channel: str, allowed: tuple[str, ...], can_be_checked: Callable[[str], bool]
) -> Why | None:
    """The first reason that holds, in the order of how final it is; None when the person may be enrolled."""
    language = language_for(known=candidate.language, allowed=allowed)
    reasons = (
        (Why.ERASED, candidate.state == "erased"),
        (Why.MERGED, candidate.state == "merged"),
        (Why.SUPPRESSED, candidate.suppressed),
        (Why.CONFLICTED, candidate.state == "conflicted"),
        (Why.ENROLLED_ALREADY, candidate.enrolled_here),
        (Why.OTHER_PURPOSE, candidate.active_elsewhere),
        (Why.NO_ADDRESS, not (candidate.has_email if channel == "email" else candidate.has_profile)),
        (Why.ALREADY_CONNECTED, channel == "linkedin_connection" and candidate.first_degree),
        (Why.NOT_CONNECTED, channel == "linkedin_message" and not candidate.first_degree),
        (Why.LANGUAGE_NOT_ALLOWED, not allows(language=language, allowed=allowed)),
        (Why.LANGUAGE_NOT_WRITTEN, not can_be_checked(language)),
    )
    return next((why for why, holds in reasons if holds), None)
