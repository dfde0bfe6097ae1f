"""Everything that changes what is known. Each call is one decision of a person, a command or a worker."""

from prospects.services.batches import cancel, claim, forget_abandoned, import_bytes, queue_import, resume, start, work
from prospects.services.evidence import add_evidence, choose_language, resolve_conflict, retract, supersede

__all__ = [
    "add_evidence",
    "cancel",
    "choose_language",
    "claim",
    "forget_abandoned",
    "import_bytes",
    "queue_import",
    "resolve_conflict",
    "resume",
    "retract",
    "start",
    "supersede",
    "work",
]
