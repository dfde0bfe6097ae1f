"""An approval binds bytes that were seen, verified now, and written by somebody else."""

from datetime import date, timedelta
from email import message_from_bytes
from email.policy import default
from hashlib import sha256
from urllib.parse import urlsplit

import pytest
from django.db import IntegrityError, transaction
from django.urls import reverse
from django.utils import timezone

from messaging.models import (
    Approval,
    AuthorshipKind,
    Decision,
    Delivery,
    DeliveryState,
    Draft,
    OptOutToken,
    Payload,
    Revision,
)
from messaging.review import services
from messaging.writing.queries import decided_claims
from messaging.writing.second_reading import read_again
from outreach.teams.models import AuditEvent, Membership
from prospects import suppression
from prospects.models import Evidence, Prospect, Suppression
from tests.factories import BODY, FALSE_BODY, NEXT_BODY, NOW, TODAY, a_campaign, a_draft, a_prospect
from tests.people import a_member, a_team
from tests.services.review.scenes import LATER, a_scene, approve, approved, code, seen_sha, state
from tests.services.writing.judges import REWORDED_BODY, TestJudge

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("channel", ["email", "inmail", "linkedin_message", "linkedin_connection"])
def test_an_approval_freezes_the_bytes_that_were_seen(channel):
    scene = a_scene(channel=channel)
    sha = seen_sha(member=scene.reviewer, draft=scene.draft)
    approval = approve(member=scene.reviewer, draft=scene.draft, sha=sha)
    assert isinstance(approval, Approval)
    content = bytes(Payload.objects.get(pk=approval.payload_id).content)
    assert sha256(content).hexdigest() == sha == approval.payload_sha256
    assert b"Head of Platform" in content
    assert state(scene.draft) == "approved"


def test_an_approval_cites_evidence_and_ends_with_the_policys_days():
    scene = a_scene(send_by_days=3)
    approval = approved(member=scene.reviewer, draft=scene.draft)
    assert approval.send_by == LATER.date() + timedelta(days=3)
    kinds = set(Evidence.objects.filter(pk__in=approval.evidence_ids).values_list("kind", flat=True))
    assert {"name", "position"} <= kinds


def test_an_approval_is_written_down_twice():
    scene = a_scene()
    approval = approved(member=scene.reviewer, draft=scene.draft)
    assert Decision.objects.get(draft=scene.draft).user == scene.reviewer.user
    event = AuditEvent.objects.get(action="draft.approved")
    assert event.details["payload_sha256"] == approval.payload_sha256
    assert event.commitment
    assert "Diego" not in str(event.details)


def test_an_email_carries_the_drafts_own_opt_out_link():
    scene = a_scene()
    approval = approved(member=scene.reviewer, draft=scene.draft)
    token = OptOutToken.objects.get(draft=scene.draft).token
    message = message_from_bytes(bytes(approval.payload.content), policy=default)
    link = message["List-Unsubscribe"].split(">")[0].lstrip("<")
    assert urlsplit(link).path == reverse("opt_out", kwargs={"token": token})
    assert link in message.get_content()


def _edited(scene):
    scene = a_scene()
    done = services.edit(member=scene.writer, draft_id=scene.draft.pk, revision_id=scene.draft.current_id,
                         subject="Pipewren", body=BODY.replace("short", "brief"), now=NOW)
    assert isinstance(done, Revision)
    return scene


def _own_text(_scene):
    scene = a_scene()
    done = services.edit(member=scene.reviewer, draft_id=scene.draft.pk, revision_id=scene.draft.current_id,
                         subject="Pipewren", body=BODY.replace("short", "brief"), now=NOW)
    assert isinstance(done, Revision)
    scene.draft.refresh_from_db()
    return scene


def _suppressed(scene):
    suppression.suppress(team=scene.draft.team, actor=None, kind=Suppression.Kind.EMAIL,
                         value=scene.draft.prospect.email, reason="opted out", now=NOW)
    return scene


def _retracted(scene):
    Evidence.objects.filter(prospect=scene.draft.prospect, kind="position").update(state="retracted")
    return scene


def _leased(scene):
    services.open_draft(member=scene.second, draft_id=scene.draft.pk, now=LATER)
    return scene


def _erased(scene):
    Prospect.objects.filter(pk=scene.draft.prospect_id).update(state="erased")
    return scene


def _no_address(scene):
    Prospect.objects.filter(pk=scene.draft.prospect_id).update(email="")
    return scene


def _rejected(scene):
    services.reject(member=scene.second, draft_id=scene.draft.pk, revision_id=scene.draft.current_id,
                    reason_position=1, now=NOW)
    return scene


@pytest.mark.parametrize(("arrange", "refusal"), [
    (_edited, "stale"), (_own_text, "own_text"), (_suppressed, "suppressed"), (_retracted, "evidence"),
    (_leased, "leased"), (_erased, "erased"), (_no_address, "no_recipient"), (_rejected, "state"),
])
def test_an_approval_is_refused_with_its_reason(arrange, refusal):
    scene = arrange(a_scene())
    assert code(approve(member=scene.reviewer, draft=scene.draft, sha="0" * 64)) == refusal
    assert not Approval.objects.exists()


def test_open_findings_refuse():
    scene = a_scene(body=FALSE_BODY)
    assert code(approve(member=scene.reviewer, draft=scene.draft, sha="0" * 64)) == "findings"


@pytest.mark.parametrize("change", [
    lambda draft: Prospect.objects.filter(pk=draft.prospect_id).update(email="other@pipewren.example"),
    lambda draft: Prospect.objects.filter(pk=draft.prospect_id).update(full_name="Another Name"),
    lambda draft: draft.team.policy.__class__.objects.filter(team=draft.team).update(postal_address="Elsewhere 9"),
    lambda draft: draft.campaign.account.__class__.objects.update(display_name="Somebody Else"),
])
def test_a_payload_that_changed_since_it_was_seen_is_never_approved(change):
    scene = a_scene()
    sha = seen_sha(member=scene.reviewer, draft=scene.draft)
    change(scene.draft)
    assert code(approve(member=scene.reviewer, draft=scene.draft, sha=sha)) == "payload"
    assert state(scene.draft) == "ready"


def test_a_position_seen_too_long_ago_lapses_before_approval():
    scene = a_scene()
    much_later = NOW + timedelta(days=400)
    assert code(approve(member=scene.reviewer, draft=scene.draft, sha="0" * 64, now=much_later)) == "recency"


def test_the_age_of_a_position_limits_the_send_by_date():
    scene = a_scene(observed_days_position=12)
    approval = approved(member=scene.reviewer, draft=scene.draft)
    assert approval.send_by == TODAY + timedelta(days=2)


@pytest.mark.parametrize("role", ["writer", "analyst"])
def test_only_roles_with_the_right_approve(role):
    scene = a_scene()
    member = a_member(team=scene.draft.team, role=role)
    assert code(approve(member=member, draft=scene.draft, sha="0" * 64)) == "not-allowed"


def test_another_teams_draft_does_not_exist():
    scene, other = a_scene(), a_member(team=a_team(), role="admin")
    assert code(approve(member=other, draft=scene.draft, sha="0" * 64)) == "not-found"


def test_the_database_refuses_an_author_even_without_the_service():
    scene = a_scene()
    approval = approved(member=scene.reviewer, draft=scene.draft)
    draft = a_draft(campaign=scene.draft.campaign, authors={scene.reviewer.user: AuthorshipKind.EDITED})
    payload = Payload.objects.create(
        draft=draft, revision=draft.current, channel="email", account=draft.campaign.account, recipient="a@b.example",
        content=b"x", sha256=sha256(b"x").hexdigest(),
    )
    with pytest.raises(IntegrityError, match="author"), transaction.atomic():
        Approval.objects.create(
            draft=draft, revision=draft.current, payload=payload, payload_sha256=payload.sha256,
            checked=draft.current.checks.get(), approved_by=scene.reviewer.user, send_by=approval.send_by,
        )


def test_the_database_refuses_self_approval_where_somebody_else_could():
    scene = a_scene()
    draft = a_draft(campaign=scene.draft.campaign, authors={scene.reviewer.user: AuthorshipKind.EDITED})
    payload = Payload.objects.create(
        draft=draft, revision=draft.current, channel="email", account=draft.campaign.account, recipient="a@b.example",
        content=b"x", sha256=sha256(b"x").hexdigest(),
    )
    with pytest.raises(IntegrityError, match="four eyes"), transaction.atomic():
        Approval.objects.create(
            draft=draft, revision=draft.current, payload=payload, payload_sha256=payload.sha256, self_approved=True,
            checked=draft.current.checks.get(), approved_by=scene.reviewer.user, send_by=date(2026, 12, 9),
        )


def _alone(scene):
    Membership.objects.filter(team=scene.draft.team).exclude(user=scene.reviewer.user).update(active=False)


@pytest.mark.parametrize(("minutes", "expected"), [(9, "too_soon"), (10, "")])
def test_a_team_of_one_approves_its_own_text_after_the_delay(minutes, expected):
    scene = a_scene()
    _alone(scene)
    draft = a_draft(campaign=scene.draft.campaign, authors={scene.reviewer.user: AuthorshipKind.EDITED})
    result = approve(member=scene.reviewer, draft=draft, now=NOW + timedelta(minutes=minutes))
    if expected:
        assert code(result) == expected
    else:
        assert isinstance(result, Approval)
        assert result.self_approved


def test_without_four_eyes_an_authors_approval_is_recorded_as_their_own():
    scene = a_scene(four_eyes=False)
    draft = a_draft(campaign=scene.draft.campaign, authors={scene.reviewer.user: AuthorshipKind.PROMPTED})
    assert code(approve(member=scene.reviewer, draft=draft)) == "too_soon"
    assert approved(member=scene.reviewer, draft=draft, now=NOW + timedelta(minutes=10)).self_approved


def test_a_follow_up_waits_for_the_transport_id_of_its_parent_and_is_threaded_on_it():
    scene = a_scene()
    first = approved(member=scene.reviewer, draft=scene.draft)
    second = a_draft(campaign=scene.draft.campaign, prospect=scene.draft.prospect, step=2, body=NEXT_BODY)
    assert code(approve(member=scene.reviewer, draft=second, sha="0" * 64)) == "parent"
    Delivery.objects.create(
        team=scene.draft.team, draft=scene.draft, prospect=scene.draft.prospect, approval=first, payload=first.payload,
        channel="email", account=first.payload.account, idempotency_key="1b671a64-40d5-491e-99b0-da01ff1f3341",
        due_at=LATER, state=DeliveryState.WAITING,
    )
    for changes in ({"state": "claimed"}, {"state": "sent", "transport_id": first.payload.message_id}):
        Delivery.objects.filter(draft=scene.draft).update(**changes)
    payload = approved(member=scene.reviewer, draft=second).payload
    assert f"In-Reply-To: {first.payload.message_id}".encode() in bytes(payload.content)


def test_undo_takes_it_back_within_the_grace_period():
    scene = a_scene()
    approval = approved(member=scene.reviewer, draft=scene.draft)
    assert isinstance(services.undo(member=scene.reviewer, draft_id=scene.draft.pk, now=LATER + timedelta(seconds=59)), Draft)
    approval.refresh_from_db()
    assert approval.lapsed_at is not None
    assert state(scene.draft) == "ready"
    assert isinstance(approve(member=scene.reviewer, draft=scene.draft), Approval)


@pytest.mark.parametrize(("seconds", "refusal"), [(60, "too_late")])
def test_undo_is_over_after_the_grace_period(seconds, refusal):
    scene = a_scene()
    approved(member=scene.reviewer, draft=scene.draft)
    undone = services.undo(member=scene.reviewer, draft_id=scene.draft.pk, now=LATER + timedelta(seconds=seconds))
    assert code(undone) == refusal
    assert state(scene.draft) == "approved"


def test_undo_is_refused_once_the_delivery_was_claimed():
    now = timezone.now()
    scene = a_scene()
    approval = approved(member=scene.reviewer, draft=scene.draft, now=now)
    delivery = Delivery.objects.create(
        team=scene.draft.team, draft=scene.draft, prospect=scene.draft.prospect, approval=approval,
        payload=approval.payload, channel="email", account=approval.payload.account,
        idempotency_key="1b671a64-40d5-491e-99b0-da01ff1f3341", due_at=now,
    )
    Delivery.objects.filter(pk=delivery.pk).update(state="claimed")
    assert code(services.undo(member=scene.reviewer, draft_id=scene.draft.pk, now=now)) == "claimed"


def test_nothing_is_undone_that_was_not_approved():
    scene = a_scene()
    assert code(services.undo(member=scene.reviewer, draft_id=scene.draft.pk, now=NOW)) == "state"
    assert code(services.undo(member=scene.reviewer, draft_id=10**9, now=NOW)) == "not-found"


def test_the_name_of_another_prospect_blocks():
    scene = a_scene()
    other = a_prospect(team=scene.draft.team, full_name="Leila Farrokhzad")
    a_draft(campaign=scene.draft.campaign, prospect=other, body=BODY.replace("Diego", "Leila"))
    draft = a_draft(campaign=a_campaign(team=scene.draft.team), body=BODY + "\n\nLeila Farrokhzad says hello.")
    assert draft.state == "blocked"


def test_a_rewording_that_the_judge_corroborated_can_be_approved_without_asking_it_again():
    scene = a_scene(body=REWORDED_BODY)
    judge = TestJudge()
    assert state(scene.draft) == "blocked"
    assert code(approve(member=scene.reviewer, draft=scene.draft)) == "findings"
    assert read_again(draft_id=scene.draft.pk, judge=judge, now=LATER)
    approval = approved(member=scene.reviewer, draft=scene.draft)
    assert list(approval.checked.claims.exclude(verdict="verified").values_list("verdict", flat=True)) == ["judge-corroborated"]
    assert len(judge.hearings) == 1
    (example,) = decided_claims(team=scene.draft.team)
    assert example.holds
