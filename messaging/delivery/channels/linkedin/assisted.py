"""LinkedIn is an assisted channel: a person copies the approved text, opens the profile, and says what happened.

The product never logs in there. What a person reports is *attested*, not proven.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class NotPossible(StrEnum):
    """Why a message could not be sent by hand."""

    NO_PROFILE = "no_profile"
    NOT_CONNECTED = "not_connected"
    NO_CREDITS = "no_credits"
    RESTRICTED = "restricted"
    OTHER = "other"


REASONS: dict[NotPossible, str] = {
    NotPossible.NO_PROFILE: "The profile does not exist any more",
    NotPossible.NOT_CONNECTED: "Not connected, so no message can be sent",
    NotPossible.NO_CREDITS: "No notes or InMail credits left",
    NotPossible.RESTRICTED: "The person takes no messages, or the account is restricted",
    NotPossible.OTHER: "Another reason",
}


@dataclass(frozen=True)
class Step:
    """One thing to do, in order."""

    number: int
    text: str


_STEPS = {
    "linkedin_connection": (
        "Copy the note.",
        "Open the profile, choose Connect, then Add a note.",
        "Paste, send, come back.",
    ),
    "linkedin_message": ("Copy the message.", "Open the profile and choose Message.", "Paste, send, come back."),
    "inmail": (
        "Copy the subject, then the message.",
        "Open the profile and choose InMail.",
        "Paste both, send, come back.",
    ),
}


def steps(*, channel: str) -> tuple[Step, ...]:
    return tuple(Step(number, text) for number, text in enumerate(_STEPS[channel], start=1))
