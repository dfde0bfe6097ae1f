"""Which approvals no longer hold, and which texts an older verifier checked."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

from django.db import connection
from django.db.models import Exists, OuterRef, Q, QuerySet, Subquery

from messaging.models import Approval, Check, Delivery, DeliveryState, Draft, DraftState
from outreach.campaigns.models import OfferChange

_QUEUED = (DraftState.READY, DraftState.BLOCKED, DraftState.APPROVED)

_LOST_EVIDENCE = """
SELECT a.id, a.draft_id, e.state
FROM messaging_approval a
JOIN messaging_draft d ON d.id = a.draft_id AND d.state = 'approved'
JOIN LATERAL (
    SELECT e.state FROM prospects_evidence e
    WHERE e.id IN (SELECT value::bigint FROM jsonb_array_elements_text(a.evidence_ids)) AND e.state <> 'current'
    LIMIT 1
) e ON true
WHERE a.lapsed_at IS NULL
ORDER BY a.id
LIMIT %s
"""


@dataclass(frozen=True)
class Due:
    approval_id: int
    draft_id: int
    reason: str


def due_to_lapse(*, today: date, limit: int) -> tuple[Due, ...]:
    """Standing approvals past their send-by date, whose cited evidence is no longer current, or whose delivery the
    outbox cancelled because what they rest on has changed. Three queries."""
    late = Approval.objects.filter(lapsed_at__isnull=True, send_by__lt=today, draft__state=DraftState.APPROVED)
    found = {
        pk: Due(pk, draft_id, f"Its send-by date, {send_by:%d %b %Y}, has passed.")
        for pk, draft_id, send_by in late.order_by("send_by", "id").values_list("pk", "draft_id", "send_by")[:limit]
    }
    with connection.cursor() as cursor:
        cursor.execute(_LOST_EVIDENCE, [limit])
        for pk, draft_id, state in cursor.fetchall():
            found.setdefault(pk, Due(pk, draft_id, f"Evidence it cites was {state}."))
    cancelled = Delivery.objects.filter(
        state=DeliveryState.CANCELLED, approval__lapsed_at__isnull=True, draft__state=DraftState.APPROVED
    )
    for pk, draft_id, reason in cancelled.order_by("id").values_list("approval_id", "draft_id", "error")[:limit]:
        found.setdefault(pk, Due(pk, draft_id, reason))
    return tuple(found.values())


def open_changes(*, limit: int) -> tuple[OfferChange, ...]:
    """Changes of what campaigns say that texts are still to be verified for, oldest first."""
    return tuple(OfferChange.objects.filter(settled_at__isnull=True).order_by("id")[:limit])


def checked_before(*, change: OfferChange, limit: int) -> tuple[int, ...]:
    """Drafts of the campaign in the queue, or approved and not begun to be sent, last checked before the change."""
    newest = Check.objects.filter(revision=OuterRef("current")).order_by("-id").values("created_at")[:1]
    drafts = Draft.objects.filter(
        ~Exists(_begun()), campaign=change.campaign_id, state__in=(*_QUEUED, DraftState.CHANGES), current__isnull=False
    )
    drafts = drafts.annotate(checked_at=Subquery(newest)).filter(checked_at__lt=change.at)
    return tuple(drafts.order_by("id").values_list("pk", flat=True)[:limit])


def _begun() -> QuerySet[Delivery]:
    """Deliveries of a draft's standing approval that somebody or something has begun."""
    return Delivery.objects.filter(draft=OuterRef("pk"), approval__lapsed_at__isnull=True).exclude(
        state__in=("waiting", "task", "cancelled")
    )


def outdated_checks(*, version: str, limit: int) -> tuple[int, ...]:
    """Drafts in the queue, or approved and not begun to be sent, whose newest check is by another version.

    Drafts in the queue, too, that were checked before their team changed what quality rules block.
    """
    checks = Check.objects.filter(revision=OuterRef("current")).order_by("-id")
    newest, checked_at = checks.values("verifier_version")[:1], checks.values("created_at")[:1]
    drafts = Draft.objects.filter(~Exists(_begun()), state__in=_QUEUED, current__isnull=False)
    before_levels = Q(team__policy__quality_changed_at__gt=Subquery(checked_at)) & ~Q(state=DraftState.APPROVED)
    drafts = drafts.annotate(checked_by=Subquery(newest)).filter(~Q(checked_by=version) | before_levels)
    return tuple(drafts.order_by("id").values_list("pk", flat=True)[:limit])
