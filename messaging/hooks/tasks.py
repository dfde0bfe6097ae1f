"""Wake-ups for what ranking needs to know of a whole team."""

from __future__ import annotations

from celery import shared_task
from django.utils import timezone

from messaging.hooks import services

#: Seconds between wake-ups; `messaging.tasks.SCHEDULE` takes it over.
SCHEDULE = {
    "hooks-count": {"task": "messaging.hooks.tasks.count_shared_things", "schedule": 300.0, "options": {"expires": 300}}
}


@shared_task
def count_shared_things() -> int:
    """Count anew for the teams whose counts are a day old. Returns how many were counted."""
    return services.count_due(now=timezone.now())
