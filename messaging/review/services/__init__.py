"""Everything that can be decided about a draft. Pages, API, tasks and commands call these and nothing below."""

from messaging.review.services.approving import approve, undo
from messaging.review.services.changing import NewEvidence, add_evidence, edit, regenerate
from messaging.review.services.deciding import comment, reasons_of, reject, request_changes, skip
from messaging.review.services.lapsing import Swept, lapse_due, recheck_changed_offers, recheck_queue
from messaging.review.services.opening import Opened, Reviewed, open_draft, review
from messaging.review.services.reasons import add_reason, all_reasons_of, set_reason_active

__all__ = [
    "NewEvidence",
    "Opened",
    "Reviewed",
    "Swept",
    "add_evidence",
    "add_reason",
    "all_reasons_of",
    "approve",
    "comment",
    "edit",
    "lapse_due",
    "open_draft",
    "reasons_of",
    "recheck_changed_offers",
    "recheck_queue",
    "regenerate",
    "reject",
    "request_changes",
    "review",
    "set_reason_active",
    "skip",
    "undo",
]
