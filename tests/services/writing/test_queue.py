"""Claiming drafts: one worker each, and a worker that dies loses nothing."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest
from django.db import connection, transaction

from messaging.models import Draft
from messaging.writing.queue import (
    LEASE,
    MOST_ATTEMPTS,
    ClaimedDraft,
    claim_drafts,
    give_back,
    locked_if_ours,
    renew,
)
from tests.factories import NOW, a_campaign, a_prospect, an_unwritten_draft
from tests.people import a_team

pytestmark = pytest.mark.django_db


def waiting(count: int = 1, **changes: object) -> list[Draft]:
    team = a_team()
    campaign = a_campaign(team=team, **changes)
    return [an_unwritten_draft(campaign=campaign, prospect=a_prospect(team=team)) for _ in range(count)]


def claim_one(*, at: timedelta = timedelta()) -> ClaimedDraft:
    (claimed,) = claim_drafts(now=NOW + at, limit=1)
    return claimed


def test_a_claimed_draft_is_nobody_elses() -> None:
    waiting()
    claim_one()
    assert claim_drafts(now=NOW, limit=5) == ()


def test_a_draft_whose_worker_fell_silent_is_claimed_again() -> None:
    waiting()
    first = claim_one()
    second = claim_one(at=LEASE)
    assert (second.draft_id, second.attempt) == (first.draft_id, 2)
    assert not renew(claimed=first, now=NOW + LEASE)


def test_a_worker_that_speaks_keeps_its_draft() -> None:
    waiting()
    first = claim_one()
    assert renew(claimed=first, now=NOW + LEASE / 2)
    assert claim_drafts(now=NOW + LEASE, limit=1) == ()


def test_a_lost_lease_locks_nothing() -> None:
    waiting()
    first = claim_one()
    claim_one(at=LEASE)
    with transaction.atomic():
        assert locked_if_ours(claimed=first) is None


def test_a_draft_given_back_rests_before_it_is_due_again() -> None:
    waiting()
    assert give_back(claimed=claim_one(), reason="The disk is full.", now=NOW)
    assert claim_drafts(now=NOW + timedelta(seconds=19), limit=1) == ()
    assert claim_one(at=timedelta(seconds=20)).attempt == 2


def test_a_draft_that_breaks_every_worker_is_put_aside_with_the_reason() -> None:
    (draft,) = waiting()
    for attempt in range(MOST_ATTEMPTS):
        claim_one(at=LEASE * attempt)
    assert claim_drafts(now=NOW + LEASE * MOST_ATTEMPTS, limit=1) == ()
    draft.refresh_from_db()
    assert (draft.state, draft.lease_token) == ("blocked", None)
    assert "begun 5 times" in draft.state_reason


def test_a_paused_campaign_hands_out_nothing() -> None:
    waiting(status="paused")
    assert claim_drafts(now=NOW, limit=1) == ()


def test_only_the_named_drafts_are_claimed() -> None:
    drafts = waiting(3)
    claimed = claim_drafts(now=NOW, limit=5, only=[drafts[1].pk])
    assert [one.draft_id for one in claimed] == [drafts[1].pk]


@pytest.mark.django_db(transaction=True)
def test_two_connections_never_claim_the_same_draft() -> None:
    drafts = waiting(12)
    start = threading.Barrier(4)

    def worker(_number: int) -> list[int]:
        try:
            start.wait()
            return [one.draft_id for _ in range(4) for one in claim_drafts(now=NOW, limit=1)]
        finally:
            connection.close()

    with ThreadPoolExecutor(4) as pool:
        claimed = [draft_id for ids in pool.map(worker, range(4)) for draft_id in ids]
    assert len(claimed) == len(set(claimed))
    assert set(claimed) <= {draft.pk for draft in drafts}


@pytest.mark.django_db(transaction=True)
def test_a_row_locked_by_a_crashing_worker_is_passed_over_and_not_waited_for() -> None:
    drafts = waiting(2)
    held, done = threading.Event(), threading.Event()

    def hold() -> None:
        try:
            with transaction.atomic():
                Draft.objects.select_for_update().get(pk=drafts[0].pk)
                held.set()
                done.wait(10)
        finally:
            connection.close()

    thread = threading.Thread(target=hold)
    thread.start()
    held.wait(10)
    claimed = claim_drafts(now=NOW, limit=2)
    done.set()
    thread.join()
    assert [one.draft_id for one in claimed] == [drafts[1].pk]
