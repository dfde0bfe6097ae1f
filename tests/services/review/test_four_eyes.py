"""Ways round four eyes, each of them closed."""

from datetime import timedelta

import pytest
from django.db import IntegrityError, ProgrammingError, transaction
from django.urls import reverse
from django.utils import timezone

from messaging.models import Approval, AuthorshipKind, Draft, Payload, Revision
from messaging.review import services
from outreach.teams.models import Membership
from outreach.teams.services import change_role, set_active
from prospects.domain.evidence import Actor, Kind
from prospects.models import Evidence, ImportBatch
from prospects.services import add_evidence
from tests.factories import BODY, FALSE_BODY, NEXT_BODY, NOW, TODAY, a_draft, a_prospect
from tests.people import a_member, a_team, signed_in
from tests.services.review.scenes import LATER, Scene, a_scene, approve, approved, code

pytestmark = pytest.mark.django_db


def _promoted(scene: Scene) -> Draft:
    """A reviewer adds, on the prospect's own page, that they are CTO; then a text says so."""
    prospect = a_prospect(team=scene.draft.team)
    added = add_evidence(
        member=scene.reviewer,
        prospect=prospect,
        kind=Kind.POSITION,
        actor=Actor.PROSPECT,
        text="Chief Technology Officer, Pipewren",
        fields={"title": "Chief Technology Officer", "company": "Pipewren"},
        occurred=None,
        url="https://pipewren.example/team",
        snapshot="",
        observed_at=TODAY,
        now=NOW,
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
            member=scene.reviewer,
            draft_id=draft.pk,
            revision_id=draft.current_id,
            subject="Pipewren",
            body=body,
            now=NOW,
        )
        assert isinstance(done, Revision), done
    assert code(approve(member=scene.reviewer, draft=Draft.objects.get(pk=scene.draft.pk))) == "own_text"


def _own_draft(scene: Scene) -> Draft:
    return a_draft(campaign=scene.draft.campaign, authors={scene.second.user: AuthorshipKind.EDITED})


def _shut_out(scene: Scene, admin) -> None:
    for membership in Membership.objects.filter(team=scene.draft.team).exclude(
        user__in=[admin.user, scene.second.user]
    ):
        set_active(member=admin, membership_id=membership.pk, active=False)


def _demote(scene: Scene, admin) -> None:
    for membership in Membership.objects.filter(team=scene.draft.team).exclude(
        user__in=[admin.user, scene.second.user]
    ):
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
        draft=draft,
        revision=draft.current,
        channel="email",
        account=draft.campaign.account,
        recipient="a@b.example",
        content=b"x",
        sha256="2d711642b726b04401627ca9fbac32f5c8530fb1903cc4db02258717921a4881",
    )
    for outsider in (scene.writer, a_member(team=a_team(), role="admin")):
        with pytest.raises(IntegrityError, match="may not review"), transaction.atomic():
            Approval.objects.create(
                draft=draft,
                revision=draft.current,
                payload=payload,
                payload_sha256=payload.sha256,
                checked=draft.current.checks.get(),
                approved_by=outsider.user,
                send_by=approval.send_by,
            )


def test_a_lapsed_approval_never_stands_again():
    scene = a_scene()
    approval = approved(member=scene.reviewer, draft=scene.draft)
    Approval.objects.filter(pk=approval.pk).update(lapsed_at=LATER, lapse_reason="undone")
    with pytest.raises(ProgrammingError), transaction.atomic():
        Approval.objects.filter(pk=approval.pk).update(lapsed_at=None)


def _imported(scene: Scene, *, by, started_by=None, before: timedelta, prepared: timedelta = timedelta()) -> Draft:
    """The evidence of a draft came with a file, that long before the draft was written from it."""
    at = NOW - before
    batch = ImportBatch.objects.create(
        team=scene.draft.team, created_by=by.user, started_by=started_by and started_by.user, file_name="people.csv",
        file_sha256="0" * 64, state="done", created_at=at - prepared,
    )  # fmt: skip
    prospect = a_prospect(team=scene.draft.team, came={"batch": batch, "created_at": at})
    return a_draft(campaign=scene.draft.campaign, prospect=prospect)


FRESH, OLD = timedelta(hours=23), timedelta(hours=25)


@pytest.mark.parametrize("whose", ["created", "started"])
def test_who_imported_evidence_on_the_day_of_writing_does_not_approve_what_cites_it(whose):
    scene = a_scene()
    by = {"by": scene.reviewer} if whose == "created" else {"by": scene.writer, "started_by": scene.reviewer}
    draft = _imported(scene, before=FRESH, **by)
    refused = approve(member=scene.reviewer, draft=draft)
    assert code(refused) == "own_text"
    assert "You imported [" in str(refused)
    services.open_draft(member=scene.second, draft_id=draft.pk, now=LATER, take_over=True)
    approved(member=scene.second, draft=draft)


def test_an_import_of_the_day_before_makes_nobody_an_author():
    scene = a_scene()
    approved(member=scene.reviewer, draft=_imported(scene, by=scene.reviewer, before=OLD))


def test_a_file_handed_in_long_ago_counts_from_when_its_rows_went_in():
    scene = a_scene()
    draft = _imported(scene, by=scene.reviewer, before=FRESH, prepared=timedelta(days=3))
    assert code(approve(member=scene.reviewer, draft=draft)) == "own_text"


def test_an_import_grows_no_older_by_evidence_that_is_added_later():
    scene = a_scene()
    draft = _imported(scene, by=scene.reviewer, before=FRESH)
    evidence = services.NewEvidence(
        kind=Kind.POST, actor=Actor.PROSPECT, text="We moved to a new office.", fields={}, occurred=None,
        url="https://pipewren.example/news", snapshot="", observed_at=TODAY,
    )  # fmt: skip
    later = NOW + timedelta(hours=5)
    done = services.add_evidence(
        member=scene.writer, draft_id=draft.pk, revision_id=draft.current_id, evidence=evidence, now=later
    )
    assert isinstance(done, Revision), done
    draft = Draft.objects.get(pk=draft.pk)
    assert code(approve(member=scene.reviewer, draft=draft, now=later)) == "own_text"


def test_a_pasted_post_makes_its_capturer_an_author_however_long_ago():
    scene = a_scene()
    prospect = a_prospect(team=scene.draft.team)
    Evidence.objects.filter(prospect=prospect, kind=Kind.POSITION).update(state="superseded")
    added = add_evidence(
        member=scene.reviewer, prospect=prospect, kind=Kind.POSITION, actor=Actor.PROSPECT,
        text="Head of Platform Engineering, Pipewren", observed_at=TODAY - timedelta(days=9), url="https://pipewren.example/team", snapshot="",
        fields={"title": "Head of Platform Engineering", "company": "Pipewren"}, occurred=None, now=NOW - timedelta(days=9),
    )  # fmt: skip
    assert isinstance(added, Evidence), added
    refused = approve(member=scene.reviewer, draft=a_draft(campaign=scene.draft.campaign, prospect=prospect))
    assert code(refused) == "own_text"
    assert "by hand" in str(refused)


@pytest.mark.parametrize(("before", "barred"), [(FRESH, True), (OLD, False)])
def test_the_database_too_counts_a_fresh_import(before, barred):
    scene = a_scene()
    draft = _imported(scene, by=scene.reviewer, before=before)
    approval = approved(member=scene.second, draft=draft)
    again = a_draft(campaign=scene.draft.campaign, prospect=draft.prospect, step=2, body=NEXT_BODY)
    payload = Payload.objects.create(
        draft=again, revision=again.current, channel="email", account=approval.payload.account, recipient="a@b.example",
        content=b"x", sha256="2d711642b726b04401627ca9fbac32f5c8530fb1903cc4db02258717921a4881",
    )  # fmt: skip
    row = Approval(
        draft=again, revision=again.current, payload=payload, payload_sha256=payload.sha256,
        checked=again.current.checks.get(), approved_by=scene.reviewer.user, send_by=approval.send_by,
    )  # fmt: skip
    if barred:
        with pytest.raises(IntegrityError, match="an author"), transaction.atomic():
            row.save()
    else:
        row.save()


def test_the_screen_says_which_evidence_it_is():
    scene = a_scene()
    draft = _imported(scene, by=scene.reviewer, before=FRESH)
    page = (
        signed_in(user=scene.reviewer.user)
        .get(reverse("review:draft", kwargs={"team": draft.team.slug, "draft_id": draft.pk}))
        .text
    )
    assert "You imported [" in page
