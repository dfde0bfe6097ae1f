"""Background imports. The rows are the queue; a task only wakes a worker."""

from __future__ import annotations

from celery import shared_task
from django.utils import timezone

from prospects import services

#: For beat: task name and seconds. The sweep finds what was never announced, or left behind by a killed worker.
SCHEDULE = {"prospects-imports": {"task": "prospects.tasks.run_imports", "schedule": 5.0, "options": {"expires": 5}}}
_MOST_IN_A_ROW = 20


@shared_task(name="prospects.tasks.run_imports")
def run_imports() -> int:
    """Work on waiting imports until there is none. Returns how many were taken."""
    services.forget_abandoned(now=timezone.now())
    for taken in range(_MOST_IN_A_ROW):
        lease = services.claim(now=timezone.now())
        if lease is None:
            return taken
        services.work(lease=lease, clock=timezone.now)
    return _MOST_IN_A_ROW
