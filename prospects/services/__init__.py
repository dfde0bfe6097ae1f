"""Everything that changes what is known. Each call is one decision of a person, a command or a worker."""

from prospects.services.batches import cancel, claim, forget_abandoned, import_bytes, queue_import, resume, start, work
from prospects.services.doubts import decide_doubt
from prospects.services.evidence import add_evidence, choose_language, resolve_conflict, retract, supersede
from prospects.services.industry_notes import approve_note, retire_note, revise_note, take_starters, write_note
from prospects.services.mappings import choose_columns, forget_mapping, read_by_format
from prospects.services.merging import decline, merge, suggest, unmerge
from prospects.services.preview import asks_for_columns, preview_of
from prospects.services.senders import sign_as_archive_says
from prospects.services.sources import add_source, claim_source, move_source, read_source, refresh_companies

__all__ = [
    "add_evidence",
    "add_source",
    "approve_note",
    "asks_for_columns",
    "cancel",
    "choose_columns",
    "choose_language",
    "claim",
    "claim_source",
    "decide_doubt",
    "decline",
    "forget_abandoned",
    "forget_mapping",
    "import_bytes",
    "merge",
    "move_source",
    "preview_of",
    "queue_import",
    "read_by_format",
    "read_source",
    "refresh_companies",
    "resolve_conflict",
    "resume",
    "retire_note",
    "retract",
    "revise_note",
    "sign_as_archive_says",
    "start",
    "suggest",
    "supersede",
    "take_starters",
    "unmerge",
    "work",
    "write_note",
]
