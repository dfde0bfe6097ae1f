"""Wake-ups for writing. They carry ids; the rows say what is due."""

from __future__ import annotations

from random import SystemRandom

from celery import shared_task
from django.utils import timezone

from messaging.writing import services
from messaging.writing.adapters.configured import configured_model

#: Seconds between wake-ups; `messaging.tasks.SCHEDULE` takes it over.
SCHEDULE = {
    "drafts-sweep": {"task": "messaging.writing.tasks.sweep_drafts", "schedule": 5.0, "options": {"expires": 5}}
}
#: A wake-up nobody took by then is dropped; the sweep sends another.
EXPIRES = 30


@shared_task
def sweep_drafts() -> None:
    """Wake a worker for every due draft, a batch at a time."""
    for draft_id in services.sweep(now=timezone.now()):
        write_one.apply_async((draft_id,), expires=EXPIRES)


@shared_task
def write_one(draft_id: int) -> None:
    """Write one draft if it is due and nobody has it."""
    services.write_due(
        only=[draft_id], model=configured_model(), now=timezone.now(), rng=SystemRandom(), clock=timezone.now
    )
