"""Ways round four eyes, each of them closed."""

from datetime import timedelta

import pytest
from django.db import IntegrityError, ProgrammingError, transaction
from django.utils import timezone

from messaging.models import Approval, AuthorshipKind, Draft, Payload, Revision
from messaging.review import services
from outreach.teams.models import Membership
from outreach.teams.services import change_role, set_active
from prospects.domain.evidence import Actor, Kind
from prospects.models import Evidence
from prospects.services import add_evidence
from tests.factories import BODY, FALSE_BODY, NOW, TODAY, a_draft, a_prospect
from tests.people import a_member, a_team
from tests.services.review.scenes import LATER, Scene, a_scene, approve, approved, code

pytestmark = pytest.mark.django_db


def _promoted(scene: Scene) -> Draft:
    """A reviewer adds, on the prospect's own page, that they are CTO; then a text says so."""
    prospect = a_prospect(team=scene.draft.team)
    added = add_evidence(
        member=scene.reviewer, prospect=prospect, kind=Kind.POSITION, actor=Actor.PROSPECT,
        text="Chief Technology Officer, Pipewren", fields={"title": "Chief Technology Officer", "company": "Pipewren"},
        occurred=None, url="https://pipewren.example/team", snapshot="", observed_at=TODAY, now=NOW,
    )
    assert isinstance(added, Evidence), added
    return a_draft(campaign=scene.draft.campaign, prospect=prospect, body=FALSE_BODY)


def test_who_added_evidence_on_the_prospects_page_does_not_approve_what_cites_it():
    scene = a_scene()
    draft = _promoted(scene)
    assert draft.state == "ready", draft.state_reason
    assert code(approve(member=scene.reviewer, draft=draft)) == "own_text"
    services.open_draft(member=scene.second, draft_id=draft.pk, now=LATER, take_over=True)
    approved(member=scene.second, draft=draft)


def test_an_edit_and_its_undoing_leave_an_author():
    scene = a_scene()
    for body in (BODY.replace("short", "brief"), BODY):
        draft = Draft.objects.get(pk=scene.draft.pk)
        done = services.edit(
            member=scene.reviewer, draft_id=draft.pk, revision_id=draft.current_id, subject="Pipewren", body=body, now=NOW
        )
        assert isinstance(done, Revision), done
    assert code(approve(member=scene.reviewer, draft=Draft.objects.get(pk=scene.draft.pk))) == "own_text"


def _own_draft(scene: Scene) -> Draft:
    return a_draft(campaign=scene.draft.campaign, authors={scene.second.user: AuthorshipKind.EDITED})


def _shut_out(scene: Scene, admin) -> None:
    for membership in Membership.objects.filter(team=scene.draft.team).exclude(user__in=[admin.user, scene.second.user]):
        set_active(member=admin, membership_id=membership.pk, active=False)


def _demote(scene: Scene, admin) -> None:
    for membership in Membership.objects.filter(team=scene.draft.team).exclude(user__in=[admin.user, scene.second.user]):
        change_role(member=admin, membership_id=membership.pk, role="analyst")


@pytest.mark.parametrize("removal", [_shut_out, _demote])
def test_removing_the_other_reviewers_makes_no_team_of_one_today(removal):
    scene = a_scene()
    Membership.objects.filter(user=scene.second.user).update(role="admin")
    scene = Scene(scene.writer, scene.reviewer, scene.second, scene.draft)
    admin = a_member(team=scene.draft.team, role="admin")
    draft = _own_draft(scene)
    removal(scene, admin)
    Membership.objects.filter(user=admin.user).update(active=False)
    soon, later = timezone.now() + timedelta(hours=1), timezone.now() + timedelta(hours=25)
    assert code(approve(member=scene.second, draft=draft, now=soon)) == "too_soon"
    assert isinstance(approve(member=scene.second, draft=draft, now=later), Approval)


def test_the_database_refuses_whoever_may_not_review_here():
    scene = a_scene()
    approval = approved(member=scene.reviewer, draft=scene.draft)
    draft = a_draft(campaign=scene.draft.campaign)
    payload = Payload.objects.create(
        draft=draft, revision=draft.current, channel="email", account=draft.campaign.account, recipient="a@b.example",
        content=b"x", sha256="2d711642b726b04401627ca9fbac32f5c8530fb1903cc4db02258717921a4881",
    )
    for outsider in (scene.writer, a_member(team=a_team(), role="admin")):
        with pytest.raises(IntegrityError, match="may not review"), transaction.atomic():
            Approval.objects.create(
                draft=draft, revision=draft.current, payload=payload, payload_sha256=payload.sha256,
                checked=draft.current.checks.get(), approved_by=outsider.user, send_by=approval.send_by,
            )


def test_a_lapsed_approval_never_stands_again():
    scene = a_scene()
    approval = approved(member=scene.reviewer, draft=scene.draft)
    Approval.objects.filter(pk=approval.pk).update(lapsed_at=LATER, lapse_reason="undone")
    with pytest.raises(ProgrammingError), transaction.atomic():
        Approval.objects.filter(pk=approval.pk).update(lapsed_at=None)
