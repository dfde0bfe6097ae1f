"""A draft as one row of the queue. No query: the draft comes with everything a row shows."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime

from messaging.models import Draft
from messaging.review.domain.approval import send_by_of
from messaging.review.domain.waiting import score, waited
from messaging.review.queries.message import Counted, findings_in_row
from outreach.campaigns.domain.offer import Policy
from outreach.teams.access import Member

ICONS = {
    "email": "mail",
    "inmail": "brand-linkedin",
    "linkedin_message": "message-circle",
    "linkedin_connection": "brand-linkedin",
}
SHORT = {"email": "Email", "inmail": "InMail", "linkedin_message": "Message", "linkedin_connection": "Note"}


@dataclass(frozen=True)
class Row:
    """open_with: who has it open ("" for nobody), until when; mine: it is the viewer."""

    draft: Draft
    icon: str
    channel: str
    findings: tuple[Counted, ...]
    words: int
    layer: str
    score: str
    waited: str
    late: bool
    send_by: date | None
    open_with: str
    open_until: datetime | None
    mine: bool


def row_of(*, draft: Draft, member: Member, policy: Policy, now: datetime) -> Row:
    lease = getattr(draft, "review_lease", None)
    running = lease if lease is not None and lease.until > now else None
    best = draft.hooks[0] if draft.hooks else None
    valid_until = getattr(draft, "valid_until", None)
    return Row(
        draft=draft,
        icon=ICONS[draft.channel],
        channel=SHORT[draft.channel],
        findings=findings_in_row(draft.verdicts),
        words=len(draft.current.body.split()) if draft.current else 0,
        layer=best["layer"] if best else "",
        score=score(best["score"]) if best else "",
        waited=waited(now - draft.ready_at) if draft.ready_at else "",
        late=bool(draft.review_due_at and draft.review_due_at < now),
        send_by=send_by_of(today=now.date(), policy_days=policy.send_by_days, valid_until=valid_until),
        open_with=str(running.user) if running else "",
        open_until=running.until if running else None,
        mine=running is not None and running.user_id == member.user.pk,
    )
