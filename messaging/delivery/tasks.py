"""Wake-ups for the outbox. They carry nothing: the rows say what is due."""

from __future__ import annotations

from celery import shared_task
from django.utils import timezone

from messaging.delivery import services
from messaging.delivery.channels.smtp.configured import server_of_account
from messaging.delivery.channels.smtp.routing import ByAccount
from messaging.delivery.channels.smtp.transport import date_header

#: Seconds between wake-ups; `messaging.tasks.SCHEDULE` takes it over.
SCHEDULE = {
    "outbox-sweep": {"task": "messaging.delivery.tasks.sweep_outbox", "schedule": 5.0, "options": {"expires": 5}},
    "outbox-send": {"task": "messaging.delivery.tasks.send_due_mail", "schedule": 3.0, "options": {"expires": 3}},
}


@shared_task
def sweep_outbox() -> None:
    services.sweep(now=timezone.now())


@shared_task
def send_due_mail() -> None:
    with ByAccount(server_of=server_of_account) as transport:
        services.send_due(transport=transport, clock=timezone.now, date_header=date_header)
