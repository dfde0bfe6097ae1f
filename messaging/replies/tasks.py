"""Wake-ups for what waits on a date."""

from __future__ import annotations

from celery import shared_task
from django.utils import timezone

from messaging.replies import services

SCHEDULE = {
    "replies-resume": {
        "task": "messaging.replies.tasks.resume_enrolments",
        "schedule": 60.0,
        "options": {"expires": 60},
    },
}


@shared_task
def resume_enrolments() -> None:
    services.resume_due(now=timezone.now())
