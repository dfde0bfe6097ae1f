"""Wake-ups for policies that wait for their time. They carry nothing: the rows say what is due."""

from __future__ import annotations

from celery import shared_task
from django.utils import timezone

from outreach.campaigns import services

#: Seconds between wake-ups.
SCHEDULE = {
    "policies-due": {
        "task": "outreach.campaigns.tasks.apply_due_policies",
        "schedule": 60.0,
        "options": {"expires": 60},
    }
}


@shared_task
def apply_due_policies() -> None:
    services.apply_due(now=timezone.now())
