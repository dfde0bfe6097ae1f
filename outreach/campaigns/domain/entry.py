"""What a person enters for a campaign, and what is wrong with it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal

from outreach.campaigns.domain.offer import ProofPoint
from outreach.campaigns.domain.sequence import CONDITIONS, Step
from outreach.campaigns.domain.texts import text_fault

CHANNELS = ("linkedin_connection", "linkedin_message", "inmail", "email")
#: Words that stand where a campaign's short name stands in an address.
RESERVED = frozenset({"new"})
LONGEST_SLUG = 50
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
class OfferEntry:
    """What is offered and how it is said, as entered."""

    name: str
    purpose: str = ""
    offer: str = ""
    value_proposition: str = ""
    call_to_action: str = ""
    must_not_say: str = ""
    tone: str = ""
    languages: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class SendingEntry:
    """Who sends, from where, when and for how much, as entered. None is no limit, or nobody yet."""

    sender_id: int | None = None
    mailbox_id: int | None = None
    linkedin_id: int | None = None
    starts_on: date | None = None
    ends_on: date | None = None
    budget: Decimal | None = None
    drafts_per_day: int | None = None


@dataclass(frozen=True, slots=True)
class CampaignEntry:
    """A whole campaign as entered. The rows that `sending` points to are of the same team."""

    slug: str
    offer: OfferEntry
    sending: SendingEntry
    steps: tuple[Step, ...]
    proof_points: tuple[ProofPoint, ...] = ()
    no_proof_needed: bool = False


#: Steps of one sequence, days between two of them; statements of one campaign.
MOST_STEPS, MOST_DAYS, MOST_POINTS = 12, 180, 30
#: What a budget may be at most, and how many drafts a day.
MOST_BUDGET, MOST_A_DAY = Decimal("99999999.99"), 1_000_000
#: Characters at most: of what is one line, and of what may be several.
LINES = {"name": 200, "purpose": 200, "call_to_action": 300, "key": 32, "source": 300}
TEXTS = {"offer": 5_000, "value_proposition": 5_000, "must_not_say": 10_000, "text": 2_000, "instruction": 2_000}
TONES = ("", "plain", "warm", "crisp")


def account_kind_for(channel: str) -> str:
    """The kind of sending account that serves the channel: "smtp" or "linkedin"."""
    return "smtp" if channel == "email" else "linkedin"


def _missing(entry: OfferEntry) -> list[Fault]:
    wanted = (
        ("name", entry.name, "give the campaign a name"),
        ("purpose", entry.purpose, "say in a few words what people are written to for"),
        ("offer", entry.offer, "say in one sentence what you offer"),
        ("call_to_action", entry.call_to_action, "write the one question a message ends with"),
    )
    return [Fault(name, message) for name, value, message in wanted if not value.strip()]


def _unfit(values: object, prefix: str = "") -> list[Fault]:
    """What is too long, or holds characters that no text has, by the name of the field."""
    faults = []
    for name, most in (LINES | TEXTS).items():
        message = text_fault(text=getattr(values, name, ""), most=most, one_line=name in LINES)
        if message:
            faults.append(Fault(f"{prefix}{name}", message))
    return faults


def _is_day(said: str) -> bool:
    """YYYY, YYYY-MM or YYYY-MM-DD, and in the calendar."""
    if not _DATE.match(said):
        return False
    try:
        date.fromisoformat(f"{said}-01-01"[:10])
    except ValueError:
        return False
    return True


def proof_faults(*, points: Sequence[ProofPoint], today: date) -> tuple[Fault, ...]:
    """Everything wrong with the statements; proof_points[2] is the second."""
    faults = []
    if len(points) > MOST_POINTS:
        faults.append(Fault("proof_points", f"give at most {MOST_POINTS} statements"))
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
        if point.date and not _is_day(point.date):
            faults.append(Fault(f"{place}.date", "use YYYY, YYYY-MM or YYYY-MM-DD"))
        faults += _unfit(point, f"{place}.")
        if not point.lasts_through(day=today):
            faults.append(Fault(f"{place}.expires_on", "this day is past; remove the statement or extend it"))
    return tuple(faults)


def offer_faults(*, entry: OfferEntry, unfinished: bool = False) -> tuple[Fault, ...]:
    """Everything wrong with what is offered. unfinished: what is empty may be filled in later, but for the name."""
    faults = [fault for fault in _missing(entry) if not unfinished or fault.field == "name"]
    faults += _unfit(entry)
    if entry.call_to_action.strip() and entry.call_to_action.count("?") != 1:
        faults.append(Fault("call_to_action", "ask exactly one question, ending with a question mark"))
    faults += [
        Fault("languages", f"{code!r} is no language code; use codes as en, de or pt-BR")
        for code in entry.languages
        if not _LANGUAGE.match(code)
    ]
    if entry.tone not in TONES:
        faults.append(Fault("tone", "choose plain, warm or crisp, or nothing"))
    return tuple(faults)


def step_faults(*, steps: Sequence[Step], started: Sequence[Step] = ()) -> tuple[Fault, ...]:
    """Everything wrong with a sequence; steps[2] is the second.

    started: the steps of a campaign that is running or paused. People stand on them: they keep their place and channel.
    """
    faults = []
    if not 1 <= len(steps) <= MOST_STEPS:
        faults.append(Fault("steps", f"give between one and {MOST_STEPS} steps"))
    for row, step in enumerate(steps, start=1):
        faults += [Fault(f"steps[{row}].{name}", message) for name, message in _wrong_step(step, first=row == 1)]
        faults += _unfit(step, f"steps[{row}].")
    kept = {step.position: step.channel for step in steps}
    faults += [
        Fault(f"steps[{one.position}].channel", "people stand on this step: it stays, with its channel")
        for one in started
        if kept.get(one.position) != one.channel
    ]
    return tuple(faults)


def _wrong_step(step: Step, *, first: bool) -> list[tuple[str, str]]:
    checks = (
        ("channel", step.channel not in CHANNELS, f"choose one of {', '.join(CHANNELS)}"),
        ("condition", step.condition not in CONDITIONS, f"choose one of {', '.join(CONDITIONS)}"),
        ("wait_days", not 0 <= step.wait_days <= MOST_DAYS, f"wait between 0 and {MOST_DAYS} days"),
        ("wait_days", first and step.wait_days != 0, "nothing comes before the first step: write 0"),
        ("condition", first and "connected" in step.condition, "nothing comes before the first step: choose always"),
    )
    return [(name, message) for name, wrong, message in checks if wrong]


def sending_faults(*, entry: SendingEntry) -> tuple[Fault, ...]:
    """What is wrong with the entry by itself; the rows it points to are checked where rows are known."""
    drafts = entry.drafts_per_day
    checks = (
        (
            "ends_on",
            entry.starts_on and entry.ends_on and entry.ends_on < entry.starts_on,
            "choose a day after the first",
        ),
        (
            "budget",
            entry.budget is not None and _no_money(entry.budget),
            "write an amount above nought, or leave it empty",
        ),
        (
            "budget",
            entry.budget is not None and entry.budget.is_finite() and entry.budget > MOST_BUDGET,
            f"write at most {MOST_BUDGET}",
        ),
        ("drafts_per_day", drafts is not None and drafts <= 0, "write at least 1, or nothing"),
        ("drafts_per_day", drafts is not None and drafts > MOST_A_DAY, f"write at most {MOST_A_DAY}, or nothing"),
    )
    return tuple(Fault(name, message) for name, wrong, message in checks if wrong)


def _no_money(amount: Decimal) -> bool:
    return not amount.is_finite() or amount <= 0


def slug_faults(*, slug: str) -> tuple[Fault, ...]:
    """Why the short name cannot stand in an address."""
    if slug in RESERVED:
        return (Fault("slug", f"{slug!r} is an address of the site; choose another"),)
    if len(slug) > LONGEST_SLUG:
        return (Fault("slug", f"use at most {LONGEST_SLUG} characters"),)
    if not _SLUG.match(slug):
        return (Fault("slug", "use small letters, digits and single hyphens, as in spring-launch"),)
    return ()


def faults_of(*, entry: CampaignEntry, today: date) -> tuple[Fault, ...]:
    """Everything wrong with a whole campaign that may still be unfinished."""
    return (
        *slug_faults(slug=entry.slug),
        *offer_faults(entry=entry.offer, unfinished=True),
        *proof_faults(points=entry.proof_points, today=today),
        *step_faults(steps=entry.steps),
        *sending_faults(entry=entry.sending),
    )
