"""The row is the queue: claimed once, resumed after a crash, cancelled between chunks."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from threading import Thread

import pytest
from django.db import connection

from outreach.teams.domain.refusal import Refusal
from outreach.teams.models import Team
from prospects import services
from prospects.models import ImportBatch, ImportState, Prospect
from prospects.services.batches import CHUNK, LEASE, work
from tests.people import a_member, a_team
from tests.services.prospects.imports import NOW, connections

PEOPLE = [f"Person,Nr{n},https://www.linkedin.com/in/p{n},,X,CEO," for n in range(CHUNK + 20)]


class PowerCut(Exception):
    """The worker dies."""


@pytest.fixture
def waiting(team: Team) -> ImportBatch:
    a_member(team=team)
    return queued(team)


def queued(team: Team) -> ImportBatch:
    batch = services.queue_import(
        team=team, actor=None, file_name="Connections.csv", data=connections(*PEOPLE).encode(), now=NOW
    )
    assert isinstance(batch, ImportBatch)
    return batch


def dying_after(calls: int) -> Iterator[object]:
    for _ in range(calls):
        yield NOW
    raise PowerCut


def test_a_batch_is_claimed_once(waiting: ImportBatch) -> None:
    assert services.claim(now=NOW) is not None
    assert services.claim(now=NOW) is None


def test_a_batch_left_behind_is_claimed_again_after_its_lease(waiting: ImportBatch) -> None:
    services.claim(now=NOW)
    assert services.claim(now=NOW + LEASE + timedelta(seconds=1)) is not None


def test_a_killed_import_goes_on_where_it_was(waiting: ImportBatch) -> None:
    clock = dying_after(3)  # the beginning, the owner's part, the first chunk
    with pytest.raises(PowerCut):
        work(lease=services.claim(now=NOW), clock=lambda: next(clock))
    assert Prospect.objects.count() == CHUNK
    later = NOW + LEASE + timedelta(seconds=1)
    batch = work(lease=services.claim(now=later), clock=lambda: later)
    assert (batch.state, batch.created, Prospect.objects.count()) == (ImportState.DONE, CHUNK + 20, CHUNK + 20)


def test_a_worker_that_lost_its_lease_writes_nothing_more(waiting: ImportBatch) -> None:
    slow, now = services.claim(now=NOW), NOW + LEASE + timedelta(seconds=1)
    work(lease=services.claim(now=now), clock=lambda: now)
    work(lease=slow, clock=lambda: now)
    batch = ImportBatch.objects.get(pk=waiting.pk)
    assert (batch.created, Prospect.objects.count()) == (CHUNK + 20, CHUNK + 20)


def test_a_cancelled_import_stops_before_its_next_chunk(waiting: ImportBatch) -> None:
    lease = services.claim(now=NOW)
    ticks = iter(range(100))

    def clock() -> object:
        if next(ticks) == 3:
            ImportBatch.objects.filter(pk=waiting.pk).update(state=ImportState.CANCELLED)
        return NOW

    batch = work(lease=lease, clock=clock)
    assert (batch.state, batch.rows_done, Prospect.objects.count()) == (ImportState.CANCELLED, CHUNK, CHUNK)


def test_abandoned_files_are_not_kept(team: Team) -> None:
    services.queue_import(
        team=team, actor=None, file_name="x.csv", data=b"x", state=ImportState.PREPARED, now=NOW - timedelta(days=2)
    )
    assert services.forget_abandoned(now=NOW) == 1
    assert not ImportBatch.objects.get().parts.exists()


def test_a_file_that_was_never_started_is_given_up_and_does_not_come_in_by_resuming(team: Team) -> None:
    member = a_member(team=team)
    told = {"team": team, "actor": member.user, "now": NOW}
    batch = services.queue_import(file_name="x.csv", data=b"Name\nAda Lind\n", state=ImportState.PREPARED, **told)
    assert isinstance(services.cancel(batch_id=batch.pk, **told), ImportBatch)
    assert not batch.parts.exists()
    refusal = services.resume(batch_id=batch.pk, **told)
    assert isinstance(refusal, Refusal)
    assert refusal.code == "not-kept"
    batch.refresh_from_db()
    assert (batch.state, Prospect.objects.count()) == (ImportState.CANCELLED, 0)


@pytest.mark.django_db(transaction=True)
def test_two_files_with_the_same_people_at_once_make_each_person_once() -> None:
    team = a_team()
    a_member(team=team)
    leases = [(queued(team), services.claim(now=NOW))[1] for _ in range(2)]

    def run(lease: object) -> None:
        work(lease=lease, clock=lambda: NOW)
        connection.close()

    threads = [Thread(target=run, args=[lease]) for lease in leases]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert Prospect.objects.filter(team=team).count() == CHUNK + 20
    assert sorted(ImportBatch.objects.values_list("created", "unchanged")) == [(0, CHUNK + 20), (CHUNK + 20, 0)]
