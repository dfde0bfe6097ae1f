"""Wake-ups for enrolling. They carry nothing: the rows say what is due."""

from __future__ import annotations

from celery import shared_task
from django.utils import timezone

from messaging.enrolment.services import runs, sequences

#: Seconds between wake-ups; `messaging.tasks.SCHEDULE` takes it over.
SCHEDULE = {
    "enrolments-run": {"task": "messaging.enrolment.tasks.run_enrolments", "schedule": 5.0, "options": {"expires": 5}},
    "enrolments-advance": {
        "task": "messaging.enrolment.tasks.advance_enrolments",
        "schedule": 60.0,
        "options": {"expires": 60},
    },
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


@shared_task
def advance_enrolments() -> int:
    """Put people whose time has come at their next step. Returns how many were looked at."""
    looked_at = 0
    for _round in range(_MOST_IN_A_ROW):
        found = sequences.advance_due(now=timezone.now())
        looked_at += found
        if found < sequences.AT_ONCE:
            break
    return looked_at
