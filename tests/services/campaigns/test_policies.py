"""Weakening approval takes two people, or a day; and what was shaped before stays barred."""

from dataclasses import replace
from datetime import datetime, timedelta

import pytest
from django.db import DatabaseError, transaction
from django.utils import timezone

from messaging.models import Approval, Authorship, AuthorshipKind, Draft, Revision
from messaging.review import services as review
from outreach.campaigns import services
from outreach.campaigns.domain.offer import Policy
from outreach.campaigns.models import PolicyChange, TeamPolicy
from outreach.campaigns.queries import policy_of
from outreach.teams.access import Member
from outreach.teams.models import AuditEvent, Team
from tests.factories import BODY, a_draft
from tests.people import a_member
from tests.services.review.scenes import Scene, a_scene, approve, code

pytestmark = pytest.mark.django_db
NOW = timezone.now()
TOMORROW = NOW + timedelta(hours=25)
WEAKER = {"four_eyes": False, "quality_blocks": False, "self_approval_delay": 5, "observed_days_position": 181, "send_by_days": 8}
STRICTER = {"self_approval_delay": 20, "observed_days_position": 90, "send_by_days": 3, "undo_seconds": 0}


def asked(member: Member, now: datetime = NOW, **changes: object) -> services.PolicySaved:
    saved = services.change_policy(member=member, policy=replace(policy_of(team=member.team), **changes), now=now)
    assert isinstance(saved, services.PolicySaved), saved
    return saved


@pytest.mark.parametrize("setting", WEAKER)
def test_whatever_weakens_approval_waits_for_a_second_manager(team: Team, setting: str) -> None:
    mara, ada = a_member(team=team, role="manager"), a_member(team=team, role="admin")
    waiting = asked(mara, **{setting: WEAKER[setting]}, lawful_basis="consent").waiting
    assert waiting is not None
    assert waiting.effective_at is None
    assert policy_of(team=team) == replace(Policy(), lawful_basis="consent")
    assert code(services.confirm_policy(member=mara, change_id=waiting.pk, now=NOW)) == "own-change"
    assert services.confirm_policy(member=ada, change_id=waiting.pk, now=NOW) == replace(
        Policy(), lawful_basis="consent", **{setting: WEAKER[setting]}
    )
    said = AuditEvent.objects.filter(action="policy.weakened").get()
    assert (said.actor, said.details["asked_by"]) == (ada.user, mara.user.pk)


def test_what_makes_it_stricter_holds_at_once(team: Team) -> None:
    mara = a_member(team=team, role="manager")
    assert asked(mara, **STRICTER) == services.PolicySaved(policy=replace(Policy(), **STRICTER))
    assert not PolicyChange.objects.exists()


def test_where_nobody_else_could_confirm_it_takes_effect_after_a_day(team: Team) -> None:
    mara = a_member(team=team, role="manager")
    a_member(team=team, role="reviewer")
    waiting = asked(mara, four_eyes=False).waiting
    assert waiting is not None
    assert waiting.effective_at == NOW + timedelta(hours=24)
    assert AuditEvent.objects.get(action="policy.asked").details["effective_at"]
    assert services.apply_due(now=NOW + timedelta(hours=23)) == 0
    assert policy_of(team=team).four_eyes


def test_its_time_comes_unless_it_is_taken_back(team: Team) -> None:
    mara = a_member(team=team, role="manager")
    for taken_back in (True, False):
        waiting = asked(mara, now=NOW - timedelta(hours=25), four_eyes=False).waiting
        assert waiting is not None
        if taken_back:
            services.decline_policy(member=mara, change_id=waiting.pk, now=NOW)
        assert services.apply_due(now=NOW) == (0 if taken_back else 1)
        assert policy_of(team=team).four_eyes is taken_back


def test_a_policy_that_has_changed_since_is_asked_for_again(team: Team) -> None:
    mara, ada = a_member(team=team, role="manager"), a_member(team=team, role="admin")
    waiting = asked(mara, send_by_days=14).waiting
    assert waiting is not None
    asked(ada, send_by_days=3)
    assert code(services.confirm_policy(member=ada, change_id=waiting.pk, now=NOW)) == "outdated"
    assert policy_of(team=team).send_by_days == 3
    assert not PolicyChange.objects.filter(state="waiting").exists()


def test_a_new_wish_takes_the_place_of_the_one_that_waited(team: Team) -> None:
    mara, ada = a_member(team=team, role="manager"), a_member(team=team, role="admin")
    first = asked(mara, four_eyes=False).waiting
    second = asked(ada, send_by_days=14).waiting
    assert first is not None
    assert second is not None
    assert code(services.confirm_policy(member=ada, change_id=first.pk, now=NOW)) == "not-found"
    assert asked(mara, undo_seconds=30).waiting is None
    assert PolicyChange.objects.get(state="waiting") == second


@pytest.mark.parametrize("role", ["writer", "reviewer", "analyst"])
def test_nobody_without_the_right_asks_or_decides(team: Team, role: str) -> None:
    waiting = asked(a_member(team=team, role="manager"), four_eyes=False).waiting
    other = a_member(team=team, role=role)
    assert waiting is not None
    for done in (
        services.change_policy(member=other, policy=Policy(), now=NOW),
        services.confirm_policy(member=other, change_id=waiting.pk, now=NOW),
        services.decline_policy(member=other, change_id=waiting.pk, now=NOW),
    ):
        assert code(done) == "not-allowed"


def test_the_change_of_another_team_is_not_found(team: Team, other_team: Team) -> None:
    waiting = asked(a_member(team=team, role="manager"), four_eyes=False).waiting
    stranger = a_member(team=other_team, role="admin")
    assert waiting is not None
    assert code(services.confirm_policy(member=stranger, change_id=waiting.pk, now=NOW)) == "not-found"


@pytest.mark.parametrize("setting", WEAKER)
def test_the_database_weakens_no_policy_past_the_service(team: Team, setting: str) -> None:
    TeamPolicy.objects.create(team=team)
    with pytest.raises(DatabaseError, match="second person"), transaction.atomic():
        TeamPolicy.objects.update(**{setting: WEAKER[setting]})


def test_a_wish_is_neither_rewritten_nor_confirmed_by_whoever_has_it(team: Team) -> None:
    mara = a_member(team=team, role="manager")
    a_member(team=team, role="admin")
    asked(mara, four_eyes=False)
    with pytest.raises(DatabaseError), transaction.atomic():
        PolicyChange.objects.update(changes={"send_by_days": [7, 60]})
    with pytest.raises(DatabaseError), transaction.atomic():
        PolicyChange.objects.update(effective_at=NOW - timedelta(days=1))
    with pytest.raises(DatabaseError, match="weakened_by_two"), transaction.atomic():
        PolicyChange.objects.update(state="applied", decided_by=mara.user)
    with pytest.raises(DatabaseError, match="Cannot delete"), transaction.atomic():
        TeamPolicy.objects.all().delete()


def _without_four_eyes(scene: Scene, *, now: datetime) -> None:
    ada = a_member(team=scene.draft.team, role="admin")
    waiting = asked(scene.second, now=now, four_eyes=False).waiting
    assert waiting is not None
    assert isinstance(services.confirm_policy(member=ada, change_id=waiting.pk, now=now), Policy)


def _edited(scene: Scene, body: str) -> Draft:
    draft = Draft.objects.get(pk=scene.draft.pk)
    done = review.edit(
        member=scene.second, draft_id=draft.pk, revision_id=draft.current_id, subject="Pipewren", body=body, now=timezone.now()
    )
    assert isinstance(done, Revision), done
    return Draft.objects.get(pk=draft.pk)


def test_switching_four_eyes_off_alone_changes_nothing_for_the_own_text() -> None:
    """Off, approve, on again: the way round that this closes."""
    scene = a_scene()
    draft = _edited(scene, BODY.replace("short", "brief"))
    asked(scene.second, four_eyes=False)
    assert code(approve(member=scene.second, draft=draft, now=TOMORROW)) == "own_text"


def test_what_was_shaped_before_four_eyes_were_given_up_stays_barred_even_if_edited_again() -> None:
    scene = a_scene()
    draft = _edited(scene, BODY.replace("short", "brief"))
    _without_four_eyes(scene, now=timezone.now())
    refused = approve(member=scene.second, draft=draft, now=TOMORROW)
    assert code(refused) == "own_text"
    assert "Four eyes held then" in str(refused)
    assert code(approve(member=scene.second, draft=_edited(scene, BODY), now=TOMORROW)) == "own_text"


def test_without_four_eyes_the_own_text_waits_for_the_delay_and_is_marked() -> None:
    scene = a_scene()
    _without_four_eyes(scene, now=timezone.now())
    draft = a_draft(campaign=scene.draft.campaign, authors={scene.second.user: AuthorshipKind.EDITED}, now=timezone.now())
    assert code(approve(member=scene.second, draft=draft, now=timezone.now())) == "too_soon"
    approval = approve(member=scene.second, draft=draft, now=timezone.now() + timedelta(minutes=11))
    assert isinstance(approval, Approval), approval
    assert approval.self_approved


def test_the_database_too_bars_what_was_shaped_before() -> None:
    scene = a_scene()
    draft = _edited(scene, BODY.replace("short", "brief"))
    assert Authorship.objects.filter(user=scene.second.user).exists()
    _without_four_eyes(scene, now=timezone.now())
    approval = approve(member=scene.reviewer, draft=draft, now=timezone.now() + timedelta(minutes=11))
    assert isinstance(approval, Approval), approval
    with pytest.raises(DatabaseError, match="four eyes"), transaction.atomic():
        Approval.objects.create(
            draft=draft, revision=draft.current, payload=approval.payload, payload_sha256=approval.payload_sha256,
            checked=approval.checked, approved_by=scene.second.user, self_approved=True, send_by=approval.send_by,
        )  # fmt: skip
