"""Rejecting, asking for changes, skipping, commenting; and the lease that comes before them."""

from datetime import timedelta

import pytest

from messaging.models import Comment, Decision, OptOutToken, ReviewLease
from messaging.review import services
from messaging.review.domain.leases import LeaseChange
from messaging.review.services import Opened
from outreach.teams.models import AuditEvent
from tests.factories import NOW
from tests.services.review.scenes import LATER, Scene, a_scene, code, state

pytestmark = pytest.mark.django_db


def reject(scene: Scene, *, position: int = 4, note: str = "", member=None):
    return services.reject(
        member=member or scene.reviewer, draft_id=scene.draft.pk, revision_id=scene.draft.current_id,
        reason_position=position, note=note, now=LATER,
    )


def test_a_rejection_keeps_reason_and_note():
    scene = a_scene()
    decision = reject(scene, position=2, note="She left the board.")
    assert isinstance(decision, Decision)
    assert decision.reason.label == "Claim is true but should not be used"
    assert state(scene.draft) == "rejected"
    scene.draft.refresh_from_db()
    assert scene.draft.state_reason == "Claim is true but should not be used: She left the board."


@pytest.mark.parametrize(("position", "note", "refusal"), [(99, "", "reason"), (0, "", "reason"), (7, " ", "note")])
def test_a_rejection_names_one_of_the_teams_reasons(position, note, refusal):
    assert code(reject(a_scene(), position=position, note=note)) == refusal


def test_a_decided_draft_is_not_rejected_again():
    scene = a_scene()
    reject(scene)
    assert code(reject(scene)) == "state"


def test_changes_are_asked_for_in_words():
    scene = a_scene()
    ask = {"member": scene.reviewer, "draft_id": scene.draft.pk, "revision_id": scene.draft.current_id, "now": LATER}
    assert code(services.request_changes(note=" ", **ask)) == "note"
    assert isinstance(services.request_changes(note="Drop the second line.", **ask), Decision)
    assert state(scene.draft) == "changes"


def test_a_comment_is_kept_and_only_its_commitment_is_in_the_trail():
    scene = a_scene()
    comment = services.comment(member=scene.writer, draft_id=scene.draft.pk, text="Is he still there?", now=LATER)
    assert isinstance(comment, Comment)
    event = AuditEvent.objects.get(action="draft.commented")
    assert event.commitment
    assert "still there" not in str(event.details)


@pytest.mark.parametrize(("text", "refusal"), [("", "empty"), ("x" * 2001, "long")])
def test_a_comment_has_words_and_not_too_many(text, refusal):
    scene = a_scene()
    assert code(services.comment(member=scene.writer, draft_id=scene.draft.pk, text=text, now=LATER)) == refusal


def open_draft(scene: Scene, member, *, now=LATER, take_over: bool = False) -> Opened:
    opened = services.open_draft(member=member, draft_id=scene.draft.pk, now=now, take_over=take_over)
    assert isinstance(opened, Opened)
    return opened


def test_opening_leases_for_ten_minutes():
    scene = a_scene()
    assert open_draft(scene, scene.reviewer).change is LeaseChange.TAKEN
    seen = open_draft(scene, scene.second, now=LATER + timedelta(minutes=9))
    assert seen.change is LeaseChange.REFUSED
    assert seen.lease.name == "Rafael Reviewer"
    assert open_draft(scene, scene.second, now=LATER + timedelta(minutes=10)).change is LeaseChange.TAKEN


def test_taking_over_is_recorded_and_a_mere_lease_is_not():
    scene = a_scene()
    open_draft(scene, scene.reviewer)
    assert not AuditEvent.objects.filter(target_id=scene.draft.pk).exists()
    assert open_draft(scene, scene.second, take_over=True).change is LeaseChange.TAKEN_OVER
    event = AuditEvent.objects.get(action="draft.taken_over")
    assert event.details["from_user"] == scene.reviewer.user.pk


def test_a_writer_who_looks_keeps_nobody_out():
    scene = a_scene()
    open_draft(scene, scene.writer)
    assert not ReviewLease.objects.exists()


def test_skipping_gives_the_lease_back_and_changes_nothing_else():
    scene = a_scene()
    open_draft(scene, scene.reviewer)
    services.skip(member=scene.reviewer, draft_id=scene.draft.pk, now=LATER)
    assert not ReviewLease.objects.exists()
    assert state(scene.draft) == "ready"


def test_skipping_what_somebody_else_has_open_leaves_it_with_them():
    scene = a_scene()
    open_draft(scene, scene.second)
    services.skip(member=scene.reviewer, draft_id=scene.draft.pk, now=LATER)
    assert ReviewLease.objects.get().user == scene.second.user
    assert not Decision.objects.exists()


def test_the_opt_out_link_stays_the_same_however_often_it_is_opened():
    scene = a_scene()
    open_draft(scene, scene.reviewer)
    open_draft(scene, scene.reviewer, now=NOW + timedelta(days=1))
    assert OptOutToken.objects.filter(draft=scene.draft).count() == 1
