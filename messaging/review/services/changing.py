"""Changing a message: by hand, by an instruction to the writer, or by adding evidence for what it says.

Whoever does so is an author of what comes out, and under four eyes leaves the approval to somebody else.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime

from django.db import transaction

from messaging.models import AuthorKind, AuthorshipKind, DecisionKind, Draft, DraftState, Revision
from messaging.review.queries.queue import CHANGEABLE
from messaging.review.services.locking import STALE, at_work, decided, released
from messaging.writing.revisions import extend_dossier, store_revision
from outreach.teams.access import Member
from outreach.teams.domain.capabilities import Capability
from outreach.teams.domain.refusal import Refusal
from prospects.domain.dates import DateInterval
from prospects.domain.evidence import Actor, Kind
from prospects.services import add_evidence as store_evidence

MOST_BODY = 20_000
MOST_SUBJECT = 300
MOST_INSTRUCTION = 1000


@dataclass(frozen=True)
class NewEvidence:
    """What a person adds by hand. url or snapshot must say where it can be seen."""

    kind: Kind
    actor: Actor
    text: str
    fields: dict[str, str]
    occurred: DateInterval | None
    url: str
    snapshot: str
    observed_at: date


def _changeable(*, member: Member, draft_id: int, revision_id: int, now: datetime) -> Draft | Refusal:
    draft = at_work(member=member, draft_id=draft_id, capability=Capability.WRITE, now=now)
    if isinstance(draft, Refusal):
        return draft
    if draft.state == DraftState.APPROVED:
        return Refusal("state", "It is approved. Undo the approval first, while there is time.")
    if draft.state not in CHANGEABLE:
        return Refusal("state", f"It cannot be changed now: {draft.get_state_display().lower()}.")
    if draft.current is None or draft.current_id != revision_id:
        return STALE
    return draft


@transaction.atomic
def edit(
    *, member: Member, draft_id: int, revision_id: int, subject: str, body: str, now: datetime
) -> Revision | Refusal:
    """Store a new text, written by a person on top of revision_id, and check it."""
    fault = _fault(subject=subject, body=body)
    if fault:
        return fault
    draft = _changeable(member=member, draft_id=draft_id, revision_id=revision_id, now=now)
    if isinstance(draft, Refusal):
        return draft
    before = draft.current
    subject, body = subject.strip(), body.replace("\r\n", "\n").strip()
    if before and (before.subject, before.body) == (subject, body):
        return Refusal("unchanged", "Nothing was changed.")
    revision = store_revision(
        draft=draft,
        author_kind=AuthorKind.PERSON,
        subject=subject,
        body=body,
        declared=None,
        authors={member.user: AuthorshipKind.EDITED},
        inherit_from=before,
        now=now,
    )
    if isinstance(revision, Refusal):
        return revision
    decided(draft=draft, member=member, kind=DecisionKind.EDITED, revision=revision, now=now)
    return revision


def _fault(*, subject: str, body: str) -> Refusal | None:
    if not body.strip():
        return Refusal("empty", "The message is empty.")
    if len(body) > MOST_BODY:
        return Refusal("long", f"The message has {len(body):,} characters; at most {MOST_BODY:,} can be checked.")
    if len(subject) > MOST_SUBJECT or "\n" in subject.strip():
        return Refusal("subject", f"A subject is one line of at most {MOST_SUBJECT} characters.")
    return None


@transaction.atomic
def add_evidence(
    *, member: Member, draft_id: int, revision_id: int, evidence: NewEvidence, now: datetime
) -> Revision | Refusal:
    """Store evidence about the prospect, add it to the draft's dossier and check the text again.

    Whoever adds it becomes an author: otherwise one could vouch for one's own proof.
    """
    if not evidence.url.strip() and not evidence.snapshot.strip():
        return Refusal("source", "Give the address of the page, or the text of the file, where it can be seen.")
    draft = _changeable(member=member, draft_id=draft_id, revision_id=revision_id, now=now)
    if isinstance(draft, Refusal):
        return draft
    row = store_evidence(
        member=member,
        prospect=draft.prospect,
        kind=evidence.kind,
        actor=evidence.actor,
        text=evidence.text,
        fields=evidence.fields,
        occurred=evidence.occurred,
        url=evidence.url,
        snapshot=evidence.snapshot,
        observed_at=evidence.observed_at,
        now=now,
    )
    if isinstance(row, Refusal):
        return row
    before = draft.current
    if before is None:
        return STALE
    extend_dossier(draft=draft, evidence_rows=[row], now=now)
    revision = store_revision(
        draft=draft,
        author_kind=AuthorKind.PERSON,
        subject=before.subject,
        body=before.body,
        declared=None,
        authors={member.user: AuthorshipKind.EVIDENCED},
        inherit_from=before,
        now=now,
    )
    if isinstance(revision, Refusal):
        return revision
    decided(
        draft=draft,
        member=member,
        kind=DecisionKind.EVIDENCED,
        revision=revision,
        now=now,
        details={"evidence": row.pk},
    )
    return revision


@transaction.atomic
def regenerate(*, member: Member, draft_id: int, revision_id: int, instruction: str, now: datetime) -> Draft | Refusal:
    """Hand the draft back to the writer with an instruction. Whoever instructs counts as an author."""
    words = instruction.strip()
    if not words:
        return Refusal("empty", "Say what should be different.")
    if len(words) > MOST_INSTRUCTION:
        return Refusal("long", f"An instruction has at most {MOST_INSTRUCTION} characters.")
    draft = _changeable(member=member, draft_id=draft_id, revision_id=revision_id, now=now)
    if isinstance(draft, Refusal):
        return draft
    draft.state, draft.state_reason = DraftState.WAITING, ""
    draft.instruction, draft.instructed_by = words, member.user
    draft.attempts, draft.lease_token, draft.lease_until = 0, None, None
    draft.save(
        update_fields=[
            "state",
            "state_reason",
            "instruction",
            "instructed_by",
            "attempts",
            "lease_token",
            "lease_until",
        ]
    )
    released(draft=draft)
    decided(draft=draft, member=member, kind=DecisionKind.REGENERATED, note=words, now=now)
    return draft
