"""The pages of this room."""

from prospects.views.columns import columns, forget_mapping, mappings, read_by_format
from prospects.views.companies import company, suppress_company
from prospects.views.identities import decide, decline, merge, pair, twin, unmerge, who
from prospects.views.imports import batch, batches, cancel, problems, progress, resume, sender, start, upload
from prospects.views.industries import (
    approve_note,
    industry,
    industry_list,
    retire_note,
    revise_note,
    take_starters,
    write_note,
)
from prospects.views.people import add_evidence, capture, detail, identity, language, prospect_list, retract, suppress
from prospects.views.sources import company_sources, move_source, snapshot
from prospects.views.suppressions import lift, suppression_file, suppressions

__all__ = [
    "add_evidence",
    "approve_note",
    "batch",
    "batches",
    "cancel",
    "capture",
    "columns",
    "company",
    "company_sources",
    "decide",
    "decline",
    "detail",
    "forget_mapping",
    "identity",
    "industry",
    "industry_list",
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
    "retire_note",
    "retract",
    "revise_note",
    "sender",
    "snapshot",
    "start",
    "suppress",
    "suppress_company",
    "suppression_file",
    "suppressions",
    "take_starters",
    "twin",
    "unmerge",
    "upload",
    "who",
    "write_note",
]
