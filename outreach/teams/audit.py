"""Writing the audit trail: what was done, by whom, to what. Commitments, never content."""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Mapping
from typing import Any

from django.db import models, transaction

from outreach.teams.models import AuditEvent, CommitmentSalt, Team, User, new_salt


def record(
    *,
    team: Team,
    actor: User | None,
    action: str,
    target: models.Model,
    details: Mapping[str, Any] | None = None,
    content: str = "",
) -> AuditEvent:
    """Append one event. Call it inside the transaction of the change it describes.

    actor: None when a rule did it. action: `noun.verb`, as `draft.approved`.
    details: ids, counts, names of settings; no text of or about a prospect.
    content: what the event is about; only a salted commitment to it is stored. The salt is kept apart, so that
    erasing it makes the commitment say nothing about what was erased.
    """
    with transaction.atomic():
        salt = new_salt() if content else ""
        event = AuditEvent.objects.create(
            team=team,
            actor=actor,
            action=action,
            target_type=target._meta.label_lower,
            target_id=target.pk,
            details=dict(details or {}),
            commitment=commitment(salt=salt, content=content) if content else "",
        )
        if content:
            CommitmentSalt.objects.create(event=event, salt=salt)
    return event


def commitment(*, salt: str, content: str) -> str:
    """HMAC-SHA-256 of the content under the salt, in hex."""
    return hmac.new(salt.encode(), content.encode(), hashlib.sha256).hexdigest()


def matches(*, event: AuditEvent, content: str) -> bool:
    """Whether the event was about exactly this content. False once the salt is erased."""
    salt = CommitmentSalt.objects.filter(event=event).values_list("salt", flat=True).first()
    return salt is not None and hmac.compare_digest(event.commitment, commitment(salt=salt, content=content))
