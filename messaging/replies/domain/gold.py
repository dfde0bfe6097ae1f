"""JSON lines in the form of the labelled reply sets: a mail without its wire form."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from messaging.replies.domain.mail import Mail


def mail_of_gold(record: Mapping[str, Any]) -> Mail:
    """Body, subject and headers of one record; unknown keys are ignored."""
    headers = {str(name).lower(): str(value) for name, value in dict(record.get("headers") or {}).items()}
    return Mail(
        subject=str(record.get("subject") or ""),
        text=str(record.get("body") or ""),
        headers=headers,
        date=received_of_gold(record),
        sender=str(headers.get("from", "")),
    )


def received_of_gold(record: Mapping[str, Any]) -> datetime:
    """When it arrived; now is never used, so that a run can be repeated. Without a date the epoch."""
    try:
        found = datetime.fromisoformat(str(record.get("received")))
    except ValueError:
        return datetime(1970, 1, 1, tzinfo=UTC)
    return found if found.tzinfo else found.replace(tzinfo=UTC)
