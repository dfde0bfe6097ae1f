"""Pages of the review stage. Each parses its input, makes one call and renders; rules live below."""

from messaging.review.views.deciding import (
    add_evidence,
    approve,
    check,
    comment,
    difference,
    draft,
    edit,
    regenerate,
    reject,
    request_changes,
    skip,
    take_over,
    undo,
)
from messaging.review.views.queue import begin, export, queue

__all__ = [
    "add_evidence",
    "approve",
    "begin",
    "check",
    "comment",
    "difference",
    "draft",
    "edit",
    "export",
    "queue",
    "regenerate",
    "reject",
    "request_changes",
    "skip",
    "take_over",
    "undo",
]
