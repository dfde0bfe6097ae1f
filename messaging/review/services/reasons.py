"""The team's reasons for rejection. Their numbers are keys on the review screen and stand in decisions: they stay."""

from __future__ import annotations

from django.db import transaction
from django.db.models import Max

from messaging.models import RejectionReason
from messaging.review.services.deciding import reasons_of
from outreach.teams import audit
from outreach.teams.access import Member, gate
from outreach.teams.domain.capabilities import Capability
from outreach.teams.domain.refusal import Refusal
from outreach.teams.models import Team

#: One key each.
MOST = 9


def add_reason(*, member: Member, label: str) -> RejectionReason | Refusal:
    """A further reason at the end of the list. One that begins with "Other" asks for a note."""
    refused = gate(member=member, capability=Capability.MANAGE)
    if refused is not None:
        return refused
    label = " ".join(label.split())
    if not label or len(label) > 200 or not label.isprintable():
        return Refusal("invalid", "label: say the reason in one line of at most 200 characters.")
    with transaction.atomic():
        Team.objects.select_for_update().get(pk=member.team.pk)
        known = reasons_of(team=member.team)
        if len(known) >= MOST:
            return Refusal("too-many", f"label: there are {MOST} keys and as many reasons. Retire one first.")
        if label.casefold() in {one.label.casefold() for one in known}:
            return Refusal("known", "label: this reason is on the list.")
        last = RejectionReason.objects.filter(team=member.team).aggregate(last=Max("position"))["last"] or 0
        row = RejectionReason.objects.create(team=member.team, position=last + 1, label=label)
        audit.record(
            team=member.team, actor=member.user, action="rejection_reason.added", target=row, details={"label": label}
        )
    return row


def set_reason_active(*, member: Member, reason_id: int, active: bool) -> RejectionReason | Refusal:
    """Retire a reason, or bring it back. Decisions that name it go on naming it."""
    refused = gate(member=member, capability=Capability.MANAGE)
    if refused is not None:
        return refused
    with transaction.atomic():
        Team.objects.select_for_update().get(pk=member.team.pk)
        row = RejectionReason.objects.filter(team=member.team, pk=reason_id).first()
        if row is None:
            return Refusal("not-found", "There is no such reason in your team.")
        others = RejectionReason.objects.filter(team=member.team, active=True).exclude(pk=row.pk).count()
        if not active and not others:
            return Refusal("last", "One reason has to stay, or nothing could be rejected. Add another first.")
        if active and others >= MOST:
            return Refusal("too-many", f"There are {MOST} keys and as many reasons. Retire one first.")
        if row.active != active:
            row.active = active
            row.save(update_fields=["active"])
            action = "rejection_reason.restored" if active else "rejection_reason.retired"
            audit.record(team=member.team, actor=member.user, action=action, target=row, details={"label": row.label})
    return row


def all_reasons_of(*, team: Team) -> tuple[RejectionReason, ...]:
    """Those in use and the retired ones, in the order of their numbers; the usual ones where the team has none."""
    reasons_of(team=team)
    return tuple(RejectionReason.objects.filter(team=team).order_by("position")[:100])
