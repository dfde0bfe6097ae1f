"""Wake-ups of the loop. They carry nothing: the rows say what is new."""

from __future__ import annotations

from celery import shared_task
from django.utils import timezone

from analytics import services
from outreach.teams.models import Team

DAY = 86_400.0
#: Seconds between wake-ups; `outreach.schedule` takes it over.
SCHEDULE = {
    "outcomes": {"task": "analytics.tasks.read_outcomes", "schedule": 20.0, "options": {"expires": 20}},
    "retune": {"task": "analytics.tasks.retune_teams", "schedule": DAY, "options": {"expires": 3600}},
}


@shared_task
def read_outcomes() -> None:
    services.sync(now=timezone.now())
    services.compute_waiting(now=timezone.now())


@shared_task
def compute() -> None:
    services.compute_waiting(now=timezone.now())


@shared_task
def retune_teams() -> None:
    for team in Team.objects.order_by("pk").iterator():
        services.retune(team=team, now=timezone.now())
