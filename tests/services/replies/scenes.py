"""Mail that answers what was sent."""

from __future__ import annotations

from datetime import datetime, timedelta

from messaging.delivery.ports import Accepted
from messaging.models import Delivery
from messaging.replies.services import Ingested, ingest
from tests.services.delivery.scenes import DUE, Fake, a_delivery, send

LATER = DUE + timedelta(days=1)


def a_sent(**options: object) -> Delivery:
    """A message that left."""
    delivery = a_delivery(**options)  # type: ignore[arg-type]
    send(transport=Fake(Accepted(delivery.payload.message_id)))
    return Delivery.objects.get(pk=delivery.pk)


def a_mail(
    *, text: str, sender: str = "somebody@elsewhere.example", answers: str = "", subject: str = "Re: hello",
    headers: tuple[str, ...] = (),
) -> bytes:
    lines = [f"From: <{sender}>", "To: <us@hearthdesk.example>", f"Subject: {subject}", *headers]
    if answers:
        lines += [f"In-Reply-To: {answers}"]
    return ("\r\n".join(lines) + f"\r\nContent-Type: text/plain; charset=utf-8\r\n\r\n{text}\r\n").encode()


def came(*, delivery: Delivery, raw: bytes, at: datetime = LATER) -> Ingested:
    done = ingest(team=delivery.team, raw=raw, source="test", received_at=at, now=at)
    assert isinstance(done, Ingested), done
    return done


def answered(*, delivery: Delivery, text: str, at: datetime = LATER, **options: object) -> Ingested:
    """A threaded answer from the person written to."""
    raw = a_mail(text=text, sender=delivery.payload.recipient, answers=delivery.payload.message_id, **options)  # type: ignore[arg-type]
    return came(delivery=delivery, raw=raw, at=at)
