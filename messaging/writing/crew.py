"""Many drafts at once in one process: many wait for the model, few stand at the database.

A model answers after seconds, a query after a millisecond. Each draft has a thread of its own that waits; what it reads
and writes in the database goes through a few desks, each with one connection, so that a hundred drafts under way
need no hundred connections.
"""

from __future__ import annotations

import gc
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from datetime import datetime
from random import Random

from django.db import close_old_connections, connections

from messaging.verification.judge import Judge
from messaging.writing.ports import LanguageModel, OwnModel, Value
from messaging.writing.queue import ClaimedDraft, claim_drafts
from messaging.writing.services import Written, lease_of, write_or_give_back
from messaging.writing.sharing import Readings, sharing

#: Database connections of one crew, whatever its size.
DESKS = 4
#: Seconds between looks for new work while drafts are under way and places are free.
LOOK_AGAIN = 0.5


class Crew:
    """Places for `size` drafts at once, shared by all who bring work; a crew of one works in the caller's thread."""

    def __init__(self, *, size: int, desks: int = DESKS) -> None:
        self.size = max(size, 1)
        if self.size > 1:
            _spare_the_collector()
        self._readings = Readings()
        self._places = threading.BoundedSemaphore(self.size)
        self._writers = ThreadPoolExecutor(self.size, "writer") if self.size > 1 else None
        self._count = min(desks, self.size)
        self._desks = ThreadPoolExecutor(self._count, "desk") if self.size > 1 else None

    def at_desk(self, work: Callable[[], Value]) -> Value:
        """Do work that needs the database, and wait for it."""
        if self._desks is None:
            return work()
        return self._desks.submit(self._with_fresh_connection, work).result()

    def _with_fresh_connection(self, work: Callable[[], Value]) -> Value:
        close_old_connections()
        with sharing(self._readings):
            return work()

    def take(self, most: int) -> int:
        """As many free places as there are, up to `most`; each is given back by `start`'s end or by `leave`."""
        taken = 0
        while taken < most and self._places.acquire(blocking=False):
            taken += 1
        return taken

    def leave(self, places: int) -> None:
        for _ in range(places):
            self._places.release()

    def start(self, work: Callable[[], Value]) -> Future[Value]:
        """Begin work in a place that was taken."""
        if self._writers is None:
            done: Future[Value] = Future()
            try:
                done.set_result(work())
            finally:
                self._places.release()
            return done
        future = self._writers.submit(work)
        future.add_done_callback(lambda _future: self._places.release())
        return future

    def close(self) -> None:
        """Wait for what is under way and give the connections back."""
        if self._writers is not None and self._desks is not None:
            self._writers.shutdown()
            together = threading.Barrier(self._count)
            for _ in range(self._count):
                self._desks.submit(_closed, together)
            self._desks.shutdown()


def _spare_the_collector() -> None:
    """Reading a dossier makes some ten thousand small objects that live for one draft: look for garbage less often."""
    gc.freeze()
    gc.set_threshold(20_000, 20, 20)


def _closed(together: threading.Barrier) -> None:
    """Each desk closes its own connection: none takes two turns while another still waits for its first."""
    connections.close_all()
    together.wait(10)


def write_many(
    *,
    crew: Crew,
    model: LanguageModel | None,
    judge: Judge | None = None,
    rng: Random,
    clock: Callable[[], datetime],
    goes_on: Callable[[], bool],
    own: OwnModel | None = None,
    only: Sequence[int] | None = None,
) -> Iterator[Written]:
    """Claim due drafts as places get free and write them; yields each as it ends.

    Ends when nothing is due that is not under way. goes_on: asked before each claim; False lets what is under way end.
    """
    under_way: set[Future[Written]] = set()
    left = list(only) if only is not None else None

    def begin(claimed: ClaimedDraft) -> Future[Written]:
        return crew.start(
            lambda: write_or_give_back(
                claimed=claimed,
                model=model,
                judge=judge,
                now=clock(),
                rng=rng,
                clock=clock,
                at_desk=crew.at_desk,
                own=own,
            )
        )

    while True:
        places = crew.take(crew.size if left is None else min(crew.size, len(left))) if goes_on() else 0
        claimed = (
            claim_drafts(now=clock(), limit=places, only=left, lease=lease_of(model=model, judge=judge))
            if places
            else ()
        )
        crew.leave(places - len(claimed))
        if left is not None:
            begun = {one.draft_id for one in claimed}
            left = [pk for pk in left if pk not in begun]
        under_way |= {begin(one) for one in claimed}
        if not under_way:
            return
        done, under_way = wait(under_way, timeout=LOOK_AGAIN, return_when=FIRST_COMPLETED)
        for future in done:
            yield future.result()
