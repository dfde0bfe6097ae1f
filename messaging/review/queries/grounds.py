"""Whether what an approval rests on still stands; asked before anything leaves."""

from __future__ import annotations

from messaging.models import Approval
from messaging.review.queries.facts import lost_statements
from prospects.models import Evidence, EvidenceState


def lost_ground(*, approval: Approval) -> str:
    """Why the approved text may no longer be said, "" while it may. At most five queries.

    The evidence it cites has to be current, and what it says of us has to be said by the campaign still.
    """
    gone = (
        Evidence.objects.filter(pk__in=approval.evidence_ids)
        .exclude(state=EvidenceState.CURRENT)
        .values_list("state", flat=True)
        .first()
    )
    if gone is not None:
        return f"Evidence it cites was {gone}."
    lost = lost_statements(
        revision=approval.revision,
        claims=approval.checked.claims.order_by("id"),
        campaign=approval.draft.campaign,
        day=approval.send_by,
    )
    return "What the campaign says of us has changed since, or has expired." if lost else ""
