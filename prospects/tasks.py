"""Background imports, and visits to companies' feeds. The rows are the queue; a task only wakes a worker."""

from __future__ import annotations

from datetime import timedelta

from celery import shared_task
from django.conf import settings
from django.utils import timezone

from prospects import services
from prospects.adapters.web import WebFetcher

#: For beat: task name and seconds. The sweep finds what was never announced, or left behind by a killed worker.
SCHEDULE = {
    "prospects-imports": {"task": "prospects.tasks.run_imports", "schedule": 5.0, "options": {"expires": 5}},
    "prospects-sources": {"task": "prospects.tasks.poll_sources", "schedule": 30.0, "options": {"expires": 30}},
}
_MOST_IN_A_ROW = 20
_ROUND = timedelta(minutes=2)


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


@shared_task(name="prospects.tasks.poll_sources")
def poll_sources() -> int:
    """Visit the feeds and pages that are due, for two minutes at most. Returns how many were visited."""
    fetcher, until = WebFetcher(site=settings.BASE_URL), timezone.now() + _ROUND
    for visited in range(_MOST_IN_A_ROW):
        now = timezone.now()
        source = services.claim_source(now=now) if now < until else None
        if source is None:
            return visited
        services.read_source(source=source, fetcher=fetcher, clock=timezone.now)
    return _MOST_IN_A_ROW
