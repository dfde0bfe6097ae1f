"""Wake-ups for what waits on a date, and for mailboxes."""

from __future__ import annotations

from celery import shared_task
from django.utils import timezone

from messaging.replies import services
from messaging.replies.adapters.imap import ImapReader

SCHEDULE = {
    "replies-resume": {
        "task": "messaging.replies.tasks.resume_enrolments",
        "schedule": 60.0,
        "options": {"expires": 60},
    },
    "replies-fetch": {"task": "messaging.replies.tasks.fetch_mail", "schedule": 60.0, "options": {"expires": 60}},
}


@shared_task
def resume_enrolments() -> None:
    services.resume_due(now=timezone.now())


@shared_task
def fetch_mail() -> None:
    """Wake a worker for each mailbox that is to be read: a slow server keeps only its own waiting."""
    for account_id in services.mailboxes_due(now=timezone.now()):
        fetch_one.apply_async((account_id,), expires=60)


@shared_task
def fetch_one(account_id: int) -> None:
    services.read_mailbox(account_id=account_id, reader=ImapReader(largest=services.MAX_RAW), now=timezone.now())
