"""What a person enters for a campaign, and what is wrong with it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date

from outreach.campaigns.domain.offer import ProofPoint

CHANNELS = ("linkedin_connection", "linkedin_message", "inmail", "email")
#: Words that stand where a campaign's short name stands in an address.
RESERVED = frozenset({"new"})
_SLUG = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*\Z")
_LANGUAGE = re.compile(r"[a-z]{2,3}(?:-[A-Z]{2})?\Z")
_DATE = re.compile(r"\d{4}(?:-(?:0[1-9]|1[0-2])(?:-(?:0[1-9]|[12]\d|3[01]))?)?\Z")


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing wrong with what was entered. `field` is the field's name, "proof_points[2].text" for a row."""

    field: str
    message: str

    def __str__(self) -> str:
        return f"{self.field}: {self.message}"


@dataclass(frozen=True, slots=True)
class CampaignEntry:
    """A campaign as entered; sender_id and account_id are rows of the same team."""

    slug: str
    name: str
    purpose: str
    offer: str
    value_proposition: str
    call_to_action: str
    must_not_say: str
    channel: str
    languages: tuple[str, ...]
    sender_id: int
    account_id: int
    proof_points: tuple[ProofPoint, ...] = ()


def account_kind_for(channel: str) -> str:
    """The kind of sending account that serves the channel: "smtp" or "linkedin"."""
    return "smtp" if channel == "email" else "linkedin"


def _missing(entry: CampaignEntry) -> list[Fault]:
    wanted = (
        ("name", entry.name, "give the campaign a name"),
        ("purpose", entry.purpose, "say in a few words what people are written to for"),
        ("offer", entry.offer, "say in one sentence what you offer"),
        ("call_to_action", entry.call_to_action, "write the one question a message ends with"),
    )
    return [Fault(name, message) for name, value, message in wanted if not value.strip()]


def _proof_point_faults(points: tuple[ProofPoint, ...], *, today: date) -> list[Fault]:
    faults = []
    keys = [point.key for point in points]
    for row, point in enumerate(points, start=1):
        place = f"proof_points[{row}]"
        if not point.key.strip() or keys.count(point.key) > 1:
            faults.append(Fault(f"{place}.key", "give each proof point a short name of its own"))
        if not point.text.strip():
            faults.append(Fault(f"{place}.text", "write the statement that may be made"))
        if not point.source.strip():
            faults.append(
                Fault(f"{place}.source", "say where the statement comes from; without a source it is no proof")
            )
        if point.date and not _DATE.match(point.date):
            faults.append(Fault(f"{place}.date", "use YYYY, YYYY-MM or YYYY-MM-DD"))
        if not point.lasts_through(day=today):
            faults.append(Fault(f"{place}.expires_on", "this day is past; remove the statement or extend it"))
    return faults


def faults_of(*, entry: CampaignEntry, today: date) -> tuple[Fault, ...]:
    """Everything wrong with the entry by itself; the rows it points to are checked where rows are known."""
    faults = _missing(entry)
    if entry.slug in RESERVED:
        faults.append(Fault("slug", f"{entry.slug!r} is an address of the site; choose another"))
    if not _SLUG.match(entry.slug):
        faults.append(Fault("slug", "use small letters, digits and single hyphens, as in spring-launch"))
    if entry.channel not in CHANNELS:
        faults.append(Fault("channel", f"choose one of {', '.join(CHANNELS)}"))
    if entry.call_to_action.strip() and entry.call_to_action.count("?") != 1:
        faults.append(Fault("call_to_action", "ask exactly one question, ending with a question mark"))
    faults += [
        Fault("languages", f"{code!r} is no language code; use codes as en, de or pt-BR")
        for code in entry.languages
        if not _LANGUAGE.match(code)
    ]
    return tuple(faults + _proof_point_faults(entry.proof_points, today=today))
