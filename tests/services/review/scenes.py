"""A team with a writer, two reviewers and a draft that may be approved."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from messaging.models import Approval, Draft
from messaging.review import services
from messaging.review.queries.queue import Filters, Lane
from outreach.teams.access import Member
from outreach.teams.domain.refusal import Refusal
from tests.factories import BODY, NOW, a_campaign, a_draft, a_policy
from tests.people import a_member, a_team, a_user

LATER = NOW + timedelta(minutes=5)


@dataclass(frozen=True)
class Scene:
    writer: Member
    reviewer: Member
    second: Member
    draft: Draft


def a_scene(*, channel: str = "email", body: str = BODY, **policy: object) -> Scene:
    team = a_team()
    a_policy(team=team, **policy)
    campaign = a_campaign(team=team, channel=channel)
    return Scene(
        writer=a_member(team=team, role="writer", user=a_user(full_name="Wanda Writer")),
        reviewer=a_member(team=team, role="reviewer", user=a_user(full_name="Rafael Reviewer")),
        second=a_member(team=team, role="manager", user=a_user(full_name="Mara Manager")),
        draft=a_draft(campaign=campaign, body=body, subject="" if channel.startswith("linkedin") else "Pipewren"),
    )


def seen_sha(*, member: Member, draft: Draft, now: datetime = LATER) -> str:
    """Open the screen and read the hash of what would be sent."""
    reviewed = services.review(member=member, draft_id=draft.pk, lane=Lane.REVIEW, filters=Filters(), now=now)
    assert not isinstance(reviewed, Refusal)
    assert reviewed.screen is not None
    assert reviewed.screen.payload is not None, reviewed.screen.outgoing
    return reviewed.screen.payload.sha256


def approve(*, member: Member, draft: Draft, sha: str = "", now: datetime = LATER) -> Approval | Refusal:
    return services.approve(
        member=member, draft_id=draft.pk, revision_id=draft.current_id or 0,
        payload_sha256=sha or seen_sha(member=member, draft=draft, now=now), now=now,
    )


def approved(*, member: Member, draft: Draft, now: datetime = LATER) -> Approval:
    approval = approve(member=member, draft=draft, now=now)
    assert isinstance(approval, Approval), approval
    return approval


def state(draft: Draft) -> str:
    return Draft.objects.values_list("state", flat=True).get(pk=draft.pk)


def code(result: object) -> str:
    assert isinstance(result, Refusal), result
    return result.code
