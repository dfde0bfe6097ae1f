"""May this message leave now? One pure decision, asked inside the claim."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from typing import Literal

from messaging.delivery.domain.working_days import Calendar, wait_of

#: How long a hand-over may take before its claim counts as interrupted. Longer than every timeout of a channel.
CLAIM_LEASE = timedelta(minutes=10)
#: Caps are rolling: no calendar day, so no time-zone border where they could break.
CAP_WINDOW = timedelta(hours=24)
#: Something a person must change (a paused campaign, an inactive account) is looked at again after this.
LOOK_AGAIN = timedelta(minutes=5)
MAX_ATTEMPTS = 6


@dataclass(frozen=True, kw_only=True)
class NoteUse:
    """Connection notes that left by the account in the last `days`, of at most `cap`, and when the oldest of them did."""

    days: int
    cap: int
    used: int
    oldest: datetime | None = None


@dataclass(frozen=True, kw_only=True)
class Facts:
    """Everything the decision depends on, read inside the transaction that claims the row."""

    approval_lapsed: str | None = None
    lost_ground: str = ""
    other_address: bool = False
    send_by: date
    suppressed: str | None = None
    enrolment_state: str = "active"
    paused_until: date | None = None
    replied: bool = False
    prospect_state: str = "active"
    campaign_status: str = "running"
    account_active: bool = True
    cap: int = 50
    used: int = 0
    oldest_use: datetime | None = None
    note_to_connection: bool = False
    calendar: Calendar | None = None
    notes: tuple[NoteUse, ...] = ()


Scope = Literal["message", "campaign", "account"]


@dataclass(frozen=True)
class Go:
    """It may leave."""


@dataclass(frozen=True)
class Hold:
    """Not now; look again at `until`. The same holds for everything else of the `scope`."""

    until: datetime
    reason: str
    scope: Scope = "message"


@dataclass(frozen=True)
class Stop:
    """Never, with this approval. `final`: the draft is over too; otherwise it goes back to review by itself."""

    reason: str
    final: bool = True


Ruling = Go | Hold | Stop


def decide(*, facts: Facts, now: datetime) -> Ruling:
    """The first rule that speaks decides: what ends the message before what only delays it."""
    return _stop(facts, now) or _hold(facts, now) or Go()


def _stop(facts: Facts, now: datetime) -> Stop | None:
    """Lapse, ground and send-by date first: after those the draft goes back to review; after what follows it is over.

    Another address comes last: the draft goes back to review where nothing else ends it.
    """
    returns_to_review = (
        (facts.approval_lapsed is not None, f"The approval no longer stands: {facts.approval_lapsed or 'withdrawn'}."),
        (bool(facts.lost_ground), facts.lost_ground),
        (facts.send_by < now.astimezone(UTC).date(), f"The send-by date {facts.send_by.isoformat()} has passed."),
    )
    ends = (
        (facts.suppressed is not None, f"On the suppression list: {facts.suppressed}."),
        (facts.replied or facts.enrolment_state == "replied", "They have replied."),
        (facts.enrolment_state in ("removed", "finished"), "No longer enrolled in this campaign."),
        (facts.prospect_state != "active", "The prospect's record is erased, merged into another one or in conflict."),
        (facts.campaign_status == "finished", "The campaign is finished."),
        (facts.note_to_connection, "Already connected: a first-degree connection never gets a connection note."),
    )
    rulings = [Stop(reason, final=False) for holds, reason in returns_to_review if holds]
    rulings += [Stop(reason) for holds, reason in ends if holds]
    if facts.other_address:
        rulings.append(Stop("It was approved for an address that is not the prospect's any more.", final=False))
    return rulings[0] if rulings else None


def _hold(facts: Facts, now: datetime) -> Hold | None:
    if facts.enrolment_state == "paused":
        if facts.paused_until is None:
            return Hold(now + LOOK_AGAIN, "The enrolment is paused.")
        until = datetime.combine(facts.paused_until, time(0), UTC)
        if until > now:
            return Hold(until, f"Away until {facts.paused_until.isoformat()}.")
    if facts.campaign_status != "running":
        return Hold(now + LOOK_AGAIN, "The campaign is not running.", "campaign")
    if not facts.account_active:
        return Hold(now + LOOK_AGAIN, "The sending account is switched off.", "account")
    return _full(facts, now) or _closed(facts, now)


def _full(facts: Facts, now: datetime) -> Hold | None:
    """The account's caps: of all messages in a day, of connection notes in a week and a month."""
    if facts.used >= facts.cap:
        free_at = (facts.oldest_use or now) + CAP_WINDOW
        return Hold(
            max(free_at, now + timedelta(seconds=30)), f"The account's cap of {facts.cap} in 24 hours is used up."
        )
    for notes in facts.notes:
        if notes.used >= notes.cap:
            free_at = (notes.oldest or now) + timedelta(days=notes.days)
            reason = f"The account's {notes.cap} connection notes in {notes.days} days are used up."
            return Hold(max(free_at, now + LOOK_AGAIN), reason)
    return None


def _closed(facts: Facts, now: datetime) -> Hold | None:
    wait = wait_of(calendar=facts.calendar, now=now) if facts.calendar else None
    return Hold(wait.until, wait.reason) if wait else None


def backoff(*, attempts: int) -> timedelta:
    """How long to wait after the n-th temporary refusal: 1, 4, 16, 64, 256 minutes."""
    return timedelta(minutes=4 ** max(0, min(attempts, 5) - 1))
