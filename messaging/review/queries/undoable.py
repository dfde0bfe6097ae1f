"""What `z` takes back."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from messaging.models import Approval
from outreach.campaigns.queries import policy_of
from outreach.teams.access import Member
from outreach.teams.domain.capabilities import Capability


@dataclass(frozen=True)
class Undoable:
    """An approval that may still be taken back, and until when."""

    draft_id: int
    name: str
    until: datetime


def undoable_of(*, member: Member, draft_id: int, now: datetime) -> Undoable | None:
    """What `z` takes back: the approval just given, while its grace period lasts."""
    if not member.may(Capability.REVIEW):
        return None
    approval = (
        Approval.objects.filter(draft_id=draft_id, draft__team=member.team, lapsed_at__isnull=True)
        .select_related("draft__prospect")
        .first()
    )
    if approval is None:
        return None
    until = approval.approved_at + timedelta(seconds=policy_of(team=member.team).undo_seconds)
    return Undoable(draft_id, approval.draft.prospect.full_name, until) if now < until else None
