"""Wake-ups for enrolling. They carry nothing: the rows say what is due."""

from __future__ import annotations

from celery import shared_task
from django.utils import timezone

from messaging.enrolment.services import runs

#: Seconds between wake-ups; `messaging.tasks.SCHEDULE` takes it over.
SCHEDULE = {
    "enrolments-run": {"task": "messaging.enrolment.tasks.run_enrolments", "schedule": 5.0, "options": {"expires": 5}},
}
_MOST_IN_A_ROW = 20


@shared_task
def run_enrolments() -> int:
    """Work on waiting runs until there is none. Returns how many were taken."""
    for taken in range(_MOST_IN_A_ROW):
        lease = runs.claim_run(now=timezone.now())
        if lease is None:
            return taken
        runs.work_run(lease=lease, clock=timezone.now)
    return _MOST_IN_A_ROW
