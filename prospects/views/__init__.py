"""The pages of this room."""

from prospects.views.imports import batch, batches, cancel, problems, progress, resume, start, upload
from prospects.views.people import add_evidence, detail, identity, language, prospect_list, retract, suppress
from prospects.views.suppressions import lift, suppressions

__all__ = [
    "add_evidence",
    "batch",
    "batches",
    "cancel",
    "detail",
    "identity",
    "language",
    "lift",
    "problems",
    "progress",
    "prospect_list",
    "resume",
    "retract",
    "start",
    "suppress",
    "suppressions",
    "upload",
]
