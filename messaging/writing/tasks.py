"""Wake-ups for writing. They carry ids; the rows say what is due."""

from __future__ import annotations

import time
from functools import lru_cache
from random import SystemRandom

from celery import shared_task
from django.conf import settings
from django.core.cache import cache
from django.utils import timezone

from messaging.writing import second_reading, services
from messaging.writing.adapters.configured import configured_judge, configured_model, team_model
from messaging.writing.crew import Crew, write_many

#: Seconds between wake-ups; `messaging.tasks.SCHEDULE` takes it over.
SCHEDULE = {
    "drafts-sweep": {"task": "messaging.writing.tasks.sweep_drafts", "schedule": 5.0, "options": {"expires": 5}},
    "edits-sweep": {"task": "messaging.writing.tasks.sweep_edits", "schedule": 5.0, "options": {"expires": 5}},
}
#: A wake-up nobody took by then is dropped; the sweep sends another.
EXPIRES = 30
#: Seconds for which one call takes new drafts; a worker that is to stop waits for little more than one draft.
SHIFT = 20.0


@lru_cache(maxsize=2)
def _crew(size: int) -> Crew:
    """One crew a process: all tasks that write share its places and its connections."""
    return Crew(size=size)


@shared_task
def sweep_drafts() -> None:
    """Wake workers for what is due: one call for each crew's worth of drafts."""
    due = services.sweep(now=timezone.now())
    for _ in range(0, len(due), settings.OPENAI_CONCURRENCY):
        write_batch.apply_async(expires=EXPIRES)


@shared_task
def write_batch() -> None:
    """Write what is due, many at once; after a while the next call takes over, and this one ends what it began."""
    model = configured_model()
    end = time.monotonic() + SHIFT
    written = write_many(
        crew=_crew(settings.OPENAI_CONCURRENCY if model is not None else 1), model=model, judge=configured_judge(),
        rng=SystemRandom(), clock=timezone.now, goes_on=lambda: time.monotonic() < end, own=team_model,
    )  # fmt: skip
    for _ in written:
        pass


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
