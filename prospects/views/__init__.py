"""The pages of this room."""

from prospects.views.columns import columns, forget_mapping, mappings, read_by_format
from prospects.views.identities import decide, decline, merge, pair, twin, unmerge, who
from prospects.views.imports import batch, batches, cancel, problems, progress, resume, sender, start, upload
from prospects.views.people import add_evidence, capture, detail, identity, language, prospect_list, retract, suppress
from prospects.views.sources import company_sources, move_source, snapshot
from prospects.views.suppressions import lift, suppressions

__all__ = [
    "add_evidence",
    "batch",
    "batches",
    "cancel",
    "capture",
    "columns",
    "company_sources",
    "decide",
    "decline",
    "detail",
    "forget_mapping",
    "identity",
    "language",
    "lift",
    "mappings",
    "merge",
    "move_source",
    "pair",
    "problems",
    "progress",
    "prospect_list",
    "read_by_format",
    "resume",
    "retract",
    "sender",
    "snapshot",
    "start",
    "suppress",
    "suppressions",
    "twin",
    "unmerge",
    "upload",
    "who",
]
