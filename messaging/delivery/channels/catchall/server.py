"""The demonstration's mail server: takes every message, keeps it in the database, passes none on."""

from __future__ import annotations

import hashlib
import logging
from email.parser import BytesHeaderParser

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, Envelope, Session
from asgiref.sync import sync_to_async
from django.db import DatabaseError, close_old_connections

from messaging.models import CaughtMail

log = logging.getLogger(__name__)


def keep(*, sender: str, recipients: list[str], content: bytes) -> None:
    """One row a recipient, committed before the server answers: what it accepted is never lost."""
    message_id = str(BytesHeaderParser().parsebytes(content[:20_000]).get("Message-ID", "")).strip()[:300]
    digest = hashlib.sha256(content).hexdigest()
    CaughtMail.objects.bulk_create(
        CaughtMail(
            sender=sender[:320], recipient=recipient[:320], message_id=message_id, content=content, sha256=digest
        )
        for recipient in recipients
    )


def _keep_in_server(*, sender: str, recipients: list[str], content: bytes) -> None:
    """The server lives long: a connection that the database closed meanwhile is opened anew."""
    close_old_connections()
    keep(sender=sender, recipients=recipients, content=content)


class Keeper:
    """Handler of the SMTP server."""

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:  # noqa: N802
        content = envelope.content if isinstance(envelope.content, bytes) else b""
        try:
            await sync_to_async(_keep_in_server)(
                sender=envelope.mail_from or "", recipients=list(envelope.rcpt_tos), content=content
            )
        except DatabaseError:
            log.exception("a message could not be kept")
            return "451 4.3.0 The mail could not be kept, try again"
        return "250 2.0.0 Kept"


def controller(*, host: str, port: int) -> Controller:
    return Controller(Keeper(), hostname=host, port=port, ident="Footnote catch-all", data_size_limit=30_000_000)
