"""Two people, two connections, one draft: one of them wins and nothing unseen gets through."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from datetime import timedelta

import pytest
from django.db import IntegrityError, connection, transaction
from django.utils import timezone

from messaging.models import Approval, Delivery, Draft, Revision
from messaging.review import services
from messaging.review.domain.leases import LeaseChange
from outreach.teams.domain.refusal import Refusal
from tests.factories import BODY, NOW
from tests.services.review.scenes import LATER, Scene, a_scene, approve, approved, seen_sha, state

pytestmark = pytest.mark.django_db(transaction=True)

_WAITING = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"


def together(lock: Callable[[], object], *calls: Callable[[], object]) -> list[object]:
    """Hold a row until every call, each on a connection of its own, waits for it; then let them go at once."""
    results: list[object] = [None] * len(calls)

    def run(place: int, call: Callable[[], object]) -> None:
        try:
            results[place] = call()
        except IntegrityError as error:
            results[place] = error
        finally:
            connection.close()

    threads = [threading.Thread(target=run, args=pair) for pair in enumerate(calls)]
    with transaction.atomic():
        lock()
        for thread in threads:
            thread.start()
        _until_waiting(len(calls))
    for thread in threads:
        thread.join(timeout=30)
    return results


def _until_waiting(count: int) -> None:
    pause, deadline = threading.Event(), time.monotonic() + 20
    while time.monotonic() < deadline:
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_stat_clear_snapshot()")  # one picture per transaction otherwise
            cursor.execute(_WAITING)
            if cursor.fetchone()[0] >= count:
                return
        pause.wait(0.02)
    raise AssertionError("the calls did not come to wait for the row")


def draft_row(scene: Scene) -> Callable[[], object]:
    return lambda: Draft.objects.select_for_update().get(pk=scene.draft.pk)


def test_of_two_approvals_at_once_one_wins():
    scene = a_scene()
    sha = seen_sha(member=scene.reviewer, draft=scene.draft, now=NOW - timedelta(hours=1))
    results = together(
        draft_row(scene),
        lambda: approve(member=scene.reviewer, draft=scene.draft, sha=sha),
        lambda: approve(member=scene.second, draft=scene.draft, sha=sha),
    )
    assert sorted(type(result).__name__ for result in results) == ["Approval", "Refusal"]
    assert Approval.objects.count() == 1


def test_approval_against_edit_never_approves_a_text_that_was_not_seen():
    scene = a_scene()
    sha = seen_sha(member=scene.reviewer, draft=scene.draft, now=NOW - timedelta(hours=1))
    results = together(
        draft_row(scene),
        lambda: approve(member=scene.reviewer, draft=scene.draft, sha=sha),
        lambda: services.edit(
            member=scene.writer, draft_id=scene.draft.pk, revision_id=scene.draft.current_id, subject="Pipewren",
            body=BODY.replace("short", "brief"), now=LATER,
        ),
    )
    assert sorted(isinstance(result, Refusal) for result in results) == [False, True], results
    scene.draft.refresh_from_db()
    approval = Approval.objects.first()
    if approval:
        assert (approval.payload_sha256, scene.draft.current_id) == (sha, approval.revision_id)
        assert Revision.objects.filter(draft=scene.draft).count() == 1
    else:
        assert scene.draft.current.number == 2


def test_of_two_edits_at_once_the_second_is_told_that_the_text_changed():
    scene = a_scene()

    def edit(member, word):
        return lambda: services.edit(
            member=member, draft_id=scene.draft.pk, revision_id=scene.draft.current_id, subject="Pipewren",
            body=BODY.replace("short", word), now=LATER,
        )

    results = together(draft_row(scene), edit(scene.writer, "brief"), edit(scene.second, "quick"))
    assert sorted(getattr(result, "code", "saved") for result in results) == ["saved", "stale"]


def test_of_two_who_open_at_once_one_gets_the_lease():
    scene = a_scene()
    results = together(
        draft_row(scene),
        lambda: services.open_draft(member=scene.reviewer, draft_id=scene.draft.pk, now=LATER),
        lambda: services.open_draft(member=scene.second, draft_id=scene.draft.pk, now=LATER),
    )
    assert sorted(str(result.change) for result in results) == [LeaseChange.REFUSED, LeaseChange.TAKEN]


def test_of_undo_and_claim_one_wins():
    now = timezone.now()
    scene = a_scene()
    approval = approved(member=scene.reviewer, draft=scene.draft, now=now)
    delivery = Delivery.objects.create(
        team=scene.draft.team, draft=scene.draft, prospect=scene.draft.prospect, approval=approval,
        payload=approval.payload, channel="email", account=approval.payload.account,
        idempotency_key="1b671a64-40d5-491e-99b0-da01ff1f3341", due_at=now,
    )
    undone, claimed = together(
        lambda: Delivery.objects.select_for_update().get(pk=delivery.pk),
        lambda: services.undo(member=scene.reviewer, draft_id=scene.draft.pk, now=now),
        lambda: Delivery.objects.filter(pk=delivery.pk, state="waiting").update(state="claimed"),
    )
    delivery.refresh_from_db()
    if isinstance(undone, Refusal):
        assert (undone.code, claimed, delivery.state, state(scene.draft)) == ("claimed", 1, "claimed", "approved")
    else:
        assert claimed != 1
        assert (delivery.state, state(scene.draft)) == ("cancelled", "ready")


def test_approval_against_rejection_leaves_one_decision():
    scene = a_scene()
    sha = seen_sha(member=scene.reviewer, draft=scene.draft, now=NOW - timedelta(hours=1))
    services.reasons_of(team=scene.draft.team)
    results = together(
        draft_row(scene),
        lambda: approve(member=scene.reviewer, draft=scene.draft, sha=sha),
        lambda: services.reject(
            member=scene.second, draft_id=scene.draft.pk, revision_id=scene.draft.current_id, reason_position=1, now=LATER
        ),
    )
    assert sorted(getattr(result, "code", "done") for result in results) == ["done", "state"]
    assert state(scene.draft) in {"approved", "rejected"}
