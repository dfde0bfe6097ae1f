"""Wake-ups for writing. They carry ids; the rows say what is due."""

from __future__ import annotations

from random import SystemRandom

from celery import shared_task
from django.core.cache import cache
from django.utils import timezone

from messaging.writing import second_reading, services
from messaging.writing.adapters.configured import configured_judge, configured_model

#: Seconds between wake-ups; `messaging.tasks.SCHEDULE` takes it over.
SCHEDULE = {
    "drafts-sweep": {"task": "messaging.writing.tasks.sweep_drafts", "schedule": 5.0, "options": {"expires": 5}},
    "edits-sweep": {"task": "messaging.writing.tasks.sweep_edits", "schedule": 5.0, "options": {"expires": 5}},
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
        only=[draft_id], model=configured_model(), judge=configured_judge(), now=timezone.now(), rng=SystemRandom(),
        clock=timezone.now,
    )  # fmt: skip


@shared_task
def sweep_edits() -> None:
    """Wake a worker for every text of a person that the judge has not read; nothing where there is no judge."""
    if configured_judge() is None:
        return
    for draft_id in second_reading.unread(now=timezone.now()):
        judge_one.apply_async((draft_id,), expires=EXPIRES)


@shared_task
def judge_one(draft_id: int) -> None:
    """Put one text before the judge, unless another worker does so right now."""
    judge = configured_judge()
    if judge is not None and cache.add(f"judge:{draft_id}", 1, timeout=int(judge.longest) + 1):
        try:
            second_reading.read_again(draft_id=draft_id, judge=judge, now=timezone.now())
        finally:
            cache.delete(f"judge:{draft_id}")
