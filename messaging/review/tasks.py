"""Wake-ups of the review stage. They carry nothing: the rows say what is due."""

from __future__ import annotations

from celery import shared_task
from django.utils import timezone

from messaging.review import services

#: Seconds between wake-ups; `messaging.tasks.SCHEDULE` takes it over.
SCHEDULE = {
    "review-lapse": {"task": "messaging.review.tasks.lapse_approvals", "schedule": 60.0, "options": {"expires": 60}},
    "review-recheck": {"task": "messaging.review.tasks.recheck_texts", "schedule": 60.0, "options": {"expires": 60}},
}


@shared_task
def lapse_approvals() -> None:
    services.lapse_due(now=timezone.now())


@shared_task
def recheck_texts() -> None:
    services.recheck_changed_offers(now=timezone.now())
    services.recheck_queue(now=timezone.now())
