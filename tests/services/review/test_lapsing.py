"""An approval ends by itself, with the reason, and its draft returns to the queue."""

from datetime import timedelta

import pytest

from messaging.models import Approval, Check, Decision, Draft
from messaging.review import services
from messaging.review.tasks import SCHEDULE, recheck_texts
from messaging.verification.engine import VERIFIER_VERSION
from messaging.writing.second_reading import read_again
from prospects.models import Evidence
from tests.factories import BODY, FALSE_BODY, NOW
from tests.services.review.scenes import LATER, a_scene, approved, state
from tests.services.writing.judges import REWORDED_BODY, TestJudge

pytestmark = pytest.mark.django_db


def test_nothing_lapses_that_still_holds():
    scene = a_scene()
    approved(member=scene.reviewer, draft=scene.draft)
    assert services.lapse_due(now=LATER).lapsed == 0


def test_a_passed_send_by_date_returns_the_draft():
    scene = a_scene()
    approval = approved(member=scene.reviewer, draft=scene.draft)
    assert services.lapse_due(now=LATER + timedelta(days=8)).lapsed == 1
    approval.refresh_from_db()
    assert "send-by date" in approval.lapse_reason
    assert state(scene.draft) == "ready"
    assert Decision.objects.filter(draft=scene.draft, kind="lapsed", user=None).count() == 1
    assert services.lapse_due(now=LATER + timedelta(days=8)).lapsed == 0


@pytest.mark.parametrize("gone", ["superseded", "retracted", "erased"])
def test_lost_evidence_returns_the_draft_blocked(gone):
    scene = a_scene()
    approval = approved(member=scene.reviewer, draft=scene.draft)
    Evidence.objects.filter(pk=approval.evidence_ids[-1]).update(state=gone)
    assert services.lapse_due(now=LATER).lapsed == 1
    scene.draft.refresh_from_db()
    assert (scene.draft.state, scene.draft.state_reason) == ("blocked", f"Evidence it cites was {gone}.")


def test_uncited_evidence_may_go_without_harm():
    scene = a_scene()
    approved(member=scene.reviewer, draft=scene.draft)
    Evidence.objects.filter(prospect=scene.draft.prospect, kind="post").update(state="retracted")
    assert services.lapse_due(now=LATER).lapsed == 0


def _by_an_older_verifier(draft: Draft, *, body: str = "") -> None:
    """A newest check by an older version, as a deployment leaves it; with `body` the older one was wrong."""
    Check.objects.create(
        revision=draft.current, verifier_version="older", passes=True, send_by=NOW.date() + timedelta(days=7)
    )
    assert body in draft.current.body


def test_a_newer_verifier_changes_the_verdict_of_a_waiting_text():
    scene = a_scene(body=FALSE_BODY)
    _by_an_older_verifier(scene.draft, body="Chief Technology Officer")
    Draft.objects.filter(pk=scene.draft.pk).update(state="ready", open_findings=0, verdicts="vvv")
    assert services.recheck_queue(now=LATER).rechecked == 1
    assert state(scene.draft) == "blocked"


def test_an_approval_by_an_older_verifier_lapses_only_where_a_verdict_changed():
    good, bad = a_scene(body=BODY), a_scene(body=FALSE_BODY)
    approved(member=good.reviewer, draft=good.draft)
    _by_an_older_verifier(good.draft)
    _by_an_older_verifier(bad.draft)
    wrong = _approve_behind_the_service(bad)
    swept = services.recheck_queue(now=LATER)
    assert (swept.rechecked, swept.lapsed) == (2, 1)
    assert state(good.draft) == "approved"
    assert state(bad.draft) == "blocked"
    wrong.refresh_from_db()
    assert "newer verifier" in wrong.lapse_reason
    assert set(Check.objects.order_by("-id").values_list("verifier_version", flat=True)[:2]) == {VERIFIER_VERSION}


def test_what_a_judge_corroborated_stands_under_a_newer_verifier_too():
    scene = a_scene(body=REWORDED_BODY)
    read_again(draft_id=scene.draft.pk, judge=TestJudge(), now=LATER)
    approved(member=scene.reviewer, draft=scene.draft)
    newest = scene.draft.current.checks.latest("pk")
    Check.objects.create(
        revision=scene.draft.current, verifier_version="older", passes=True, send_by=newest.send_by, judged=newest.judged
    )
    swept = services.recheck_queue(now=LATER)
    assert (swept.rechecked, swept.lapsed, state(scene.draft)) == (1, 0, "approved")


def test_a_queue_longer_than_one_sweep_is_checked_again_bit_by_bit():
    drafts = [a_scene().draft for _ in range(3)]
    for draft in drafts:
        _by_an_older_verifier(draft)
    assert [services.recheck_queue(now=LATER, limit=2).rechecked for _ in range(3)] == [2, 1, 0]


def test_beat_wakes_the_recheck_by_itself():
    scene = a_scene()
    _by_an_older_verifier(scene.draft)
    assert SCHEDULE["review-recheck"]["task"] == recheck_texts.name
    recheck_texts()
    assert scene.draft.current.checks.latest("pk").verifier_version == VERIFIER_VERSION


def _approve_behind_the_service(scene) -> Approval:
    """What an older verifier let pass."""
    from hashlib import sha256

    from messaging.models import Payload

    draft = scene.draft
    payload = Payload.objects.create(
        draft=draft, revision=draft.current, channel="email", account=draft.campaign.account, recipient="a@b.example",
        content=b"x", sha256=sha256(b"x").hexdigest(),
    )
    approval = Approval.objects.create(
        draft=draft, revision=draft.current, payload=payload, payload_sha256=payload.sha256,
        checked=draft.current.checks.order_by("-id").first(), approved_by=scene.reviewer.user,
        send_by=NOW.date() + timedelta(days=7),
    )
    Draft.objects.filter(pk=draft.pk).update(state="approved")
    return approval


def test_texts_checked_by_this_verifier_are_left_alone():
    a_scene()
    assert services.recheck_queue(now=LATER).rechecked == 0
