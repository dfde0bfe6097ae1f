"""When a revision may be approved, as one ordered list of rules; the first that fails gives the reason.

The same facts decide in the service, with the draft's row locked, and on the screen, where the button
stands disabled with the reason beside it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import date, datetime, timedelta

from messaging.review.domain.leases import Lease
from outreach.teams.domain.refusal import Refusal
from prospects.domain.evidence import Actor, Evidence, Kind

#: Whoever let evidence in so shortly before the text was written from it counts as having added it by hand.
NEWLY_IMPORTED = timedelta(hours=24)
#: Whoever shuts out the other reviewer does not become a team of one at once.
NEWLY_ALONE = timedelta(hours=24)


@dataclass(frozen=True, slots=True)
class Part:
    """What somebody had to do with a text. words: a sentence to that person; since: of the first time, where known."""

    words: str
    since: datetime | None = None


@dataclass(frozen=True, slots=True)
class FourEyes:
    """Who may approve whom.

    demanded   the team's policy
    reviewers  active people with the right to approve; one of them is a team of one
    delay      how long a team of one waits before it may approve its own text
    alone_from when the last other reviewer was shut out or lost the right, as far as that is recent
    off_since  when the team did without, as far as that was decided and not so from the beginning
    """

    demanded: bool
    reviewers: int
    delay: timedelta
    alone_from: datetime | None = None
    off_since: datetime | None = None

    def own_text(self, *, part: Part, written_at: datetime, now: datetime) -> Refusal | None:
        """Why an author may not approve, or None. An allowed self-approval is recorded as one."""
        if self.reviewers > 1:
            if self.demanded:
                return Refusal("own_text", f"{part.words} Four eyes: somebody else approves it.")
            if self.off_since and part.since and part.since < self.off_since:
                return Refusal(
                    "own_text",
                    f"{part.words} Four eyes held then; they were given up on {self.off_since:%d %b %H:%M} UTC. "
                    "Somebody else approves it.",
                )
        if self.demanded and self.alone_from and now < self.alone_from + NEWLY_ALONE:
            until = self.alone_from + NEWLY_ALONE
            return Refusal(
                "too_soon",
                f"Your own text, and you are the only reviewer since today: from {until:%d %b %H:%M} UTC you may approve it.",
            )
        ready_at = written_at + self.delay
        if now < ready_at:
            minutes = -(-(ready_at - now) // timedelta(minutes=1))
            return Refusal("too_soon", f"Your own text: read it again in {minutes} min, then you may approve it.")
        return None

    @property
    def edit_costs_approval(self) -> bool:
        """Whether whoever edits now must leave the approval to somebody else."""
        return self.demanded and self.reviewers > 1


@dataclass(frozen=True, slots=True)
class LostEvidence:
    number: str
    state: str


@dataclass(frozen=True, slots=True)
class ApprovalFacts:
    """Everything the rules look at. Texts are "" when there is nothing to say."""

    user_id: int
    now: datetime
    state: str
    state_reason: str
    seen_revision: int
    current_revision: int | None
    written_at: datetime
    part: Part | None
    four_eyes: FourEyes
    lease: Lease | None
    suppressed: str
    prospect_state: str
    prospect_conflict: str
    enrolment_state: str
    campaign_status: str
    connected_already: bool
    recipient: str
    account_active: bool
    parent_pending: bool
    lost_evidence: tuple[LostEvidence, ...]
    open_findings: int
    refused: str
    quality: tuple[str, ...]
    send_by: date | None
    today: date

    @property
    def is_author(self) -> bool:
        return self.part is not None


_CLOSED = {
    "approved": "It is approved already.",
    "rejected": "It was rejected. Edit or regenerate it to bring it back.",
    "sent": "It was sent already.",
    "cancelled": "It was cancelled.",
    "waiting": "It is waiting to be written.",
    "writing": "It is being written.",
    "changes": "Changes were asked for; it comes back once they are made.",
}


def _open(facts: ApprovalFacts) -> Refusal | None:
    if facts.state in _CLOSED:
        return Refusal("state", _CLOSED[facts.state])
    return None


def _current(facts: ApprovalFacts) -> Refusal | None:
    if facts.seen_revision != facts.current_revision:
        return Refusal("stale", "The text has changed since you opened it. Read the new one first.")
    return None


def _lease(facts: ApprovalFacts) -> Refusal | None:
    if facts.lease and facts.lease.keeps_out(user_id=facts.user_id, now=facts.now):
        return Refusal("leased", f"{facts.lease.name} has it open until {facts.lease.until:%H:%M}. Take it over first.")
    return None


def _four_eyes(facts: ApprovalFacts) -> Refusal | None:
    if facts.part is None:
        return None
    return facts.four_eyes.own_text(part=facts.part, written_at=facts.written_at, now=facts.now)


def _person(facts: ApprovalFacts) -> Refusal | None:
    if facts.suppressed:
        return Refusal("suppressed", f"Never to be written to: {facts.suppressed}.")
    if facts.prospect_state == "erased":
        return Refusal("erased", "This person's data was erased.")
    if facts.prospect_state == "merged":
        return Refusal("merged", "The record was merged into another one; write to that one.")
    if facts.prospect_state == "conflicted":
        conflict = facts.prospect_conflict or "their records disagree"
        return Refusal("conflicted", f"It is not clear who this is: {conflict}.")
    return None


_ENDED = {
    "replied": "They have replied. Answer them in the inbox.",
    "finished": "Their sequence is finished.",
    "removed": "They are no longer enrolled in this campaign.",
}


def _conversation(facts: ApprovalFacts) -> Refusal | None:
    if facts.enrolment_state in _ENDED:
        return Refusal("ended", _ENDED[facts.enrolment_state])
    if facts.campaign_status == "finished":
        return Refusal("ended", "The campaign is finished.")
    return None


def _way(facts: ApprovalFacts) -> Refusal | None:
    if facts.connected_already:
        return Refusal("connected", "You are connected with them: a connection note cannot be sent any more.")
    if not facts.recipient:
        return Refusal("no_recipient", "There is no address to send it to. Add one to the prospect.")
    if not facts.account_active:
        return Refusal("no_account", "The campaign's sending account is switched off.")
    if facts.parent_pending:
        return Refusal("parent", "It follows a message that has not gone out yet.")
    return None


def _evidence(facts: ApprovalFacts) -> Refusal | None:
    if not facts.lost_evidence:
        return None
    lost = ", ".join(f"[{item.number}] is {item.state}" for item in facts.lost_evidence)
    return Refusal("evidence", f"Cited evidence no longer stands: {lost}. Edit the sentence or regenerate.")


def _findings(facts: ApprovalFacts) -> Refusal | None:
    if facts.refused:
        return Refusal("unreadable", facts.refused)
    if facts.open_findings:
        word = "finding" if facts.open_findings == 1 else "findings"
        return Refusal("findings", f"waits for {facts.open_findings} open {word}")
    if facts.state == "blocked" and facts.state_reason:
        return Refusal("blocked", facts.state_reason.split("\n", 1)[0])
    return None


def _quality(facts: ApprovalFacts) -> Refusal | None:
    return Refusal("quality", facts.quality[0]) if facts.quality else None


def _recency(facts: ApprovalFacts) -> Refusal | None:
    if facts.send_by is None or facts.send_by < facts.today:
        day = f" after {facts.send_by:%d %b}" if facts.send_by else ""
        return Refusal(
            "recency", f"Not every claim is known to be true{day}. Look at the sources again, edit or regenerate."
        )
    return None


RULES: tuple[Callable[[ApprovalFacts], Refusal | None], ...] = (
    _open,
    _current,
    _lease,
    _person,
    _conversation,
    _findings,
    _evidence,
    _quality,
    _recency,
    _four_eyes,
    _way,
)


def refusal_of(facts: ApprovalFacts) -> Refusal | None:
    """Why these facts forbid approving, or None."""
    return next((refusal for rule in RULES if (refusal := rule(facts))), None)


def observed_through(*, cited: Iterable[Evidence], observed_days: int) -> date | None:
    """The last day for which cited positions without an end were seen recently enough; None when none is cited.

    An open position says what was so when it was seen, and no more: its age limits the send-by date too.
    """
    seen = [
        item.observed_at
        for item in cited
        if item.kind is Kind.POSITION and item.actor is Actor.PROSPECT and not item.get("end") and item.observed_at
    ]
    return min(seen) + timedelta(days=observed_days) if seen else None


def send_by_of(*, today: date, policy_days: int, valid_until: date | None) -> date:
    """The last day on which the approved bytes may leave: the policy's limit, or sooner when a claim ages sooner."""
    limit = today + timedelta(days=policy_days)
    return limit if valid_until is None else min(limit, valid_until)


def may_undo(*, approved_at: datetime, grace: timedelta, claimed: bool, now: datetime) -> Refusal | None:
    """Why an approval can no longer be undone, or None."""
    if claimed:
        return Refusal("claimed", "It is on its way already.")
    if now >= approved_at + grace:
        return Refusal("too_late", "The time to undo is over. It goes out as approved.")
    return None
