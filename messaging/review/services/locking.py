"""What every decision begins with: the right, the draft's row locked, nobody else at it."""

from __future__ import annotations

from datetime import datetime

from messaging.models import Decision, DecisionKind, Draft, RejectionReason, ReviewLease, Revision
from messaging.review.queries.facts import WITH_DRAFT, lease_of
from outreach.teams import audit
from outreach.teams.access import Member, gate
from outreach.teams.domain.capabilities import Capability
from outreach.teams.domain.refusal import Refusal

NOT_FOUND = Refusal("not-found", "There is no such draft in this team.")
STALE = Refusal("stale", "The text has changed since you opened it. Read the new one first.")


def locked(*, member: Member, draft_id: int, capability: Capability) -> Draft | Refusal:
    """The draft with everything WITH_DRAFT names, its row locked until the caller's transaction ends."""
    refused = gate(member=member, capability=capability)
    if refused:
        return refused
    # Two queries: a row that was waited for is fresh, but what was joined to it before the wait is not.
    if not Draft.objects.select_for_update().filter(team=member.team, pk=draft_id).values_list("pk", flat=True).first():
        return NOT_FOUND
    return Draft.objects.select_related(*WITH_DRAFT).get(pk=draft_id)


def kept_out(*, draft: Draft, member: Member, now: datetime) -> Refusal | None:
    """Somebody else has the draft open."""
    lease = lease_of(draft=draft)
    if lease and lease.keeps_out(user_id=member.user.pk, now=now):
        return Refusal("leased", f"{lease.name} has it open until {lease.until:%H:%M}. Take it over first.")
    return None


def at_work(*, member: Member, draft_id: int, capability: Capability, now: datetime) -> Draft | Refusal:
    """`locked`, refused also while somebody else has the draft open."""
    draft = locked(member=member, draft_id=draft_id, capability=capability)
    if isinstance(draft, Refusal):
        return draft
    return kept_out(draft=draft, member=member, now=now) or draft


def released(*, draft: Draft) -> None:
    ReviewLease.objects.filter(draft=draft).delete()


def decided(
    *,
    draft: Draft,
    member: Member | None,
    kind: DecisionKind,
    now: datetime,
    revision: Revision | None = None,
    reason: RejectionReason | None = None,
    note: str = "",
    details: dict[str, object] | None = None,
) -> Decision:
    """Write a decision down, for the draft's history and for the audit trail. member None: a rule did it."""
    about = revision or draft.current
    decision = Decision.objects.create(
        draft=draft,
        revision=about,
        user=member.user if member else None,
        kind=kind,
        reason=reason,
        note=note,
        created_at=now,
    )
    audit.record(
        team=draft.team,
        actor=member.user if member else None,
        action=f"draft.{kind.value}",
        target=draft,
        details={"revision": about.number if about else None, "decision": decision.pk, **(details or {})},
        content=f"{about.subject}\0{about.body}" if about else "",
    )
    return decision
