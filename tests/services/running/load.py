"""Work for a product that is running elsewhere: asked for, approved and counted in a process of its own.

Usage: python -P -m tests.services.running.load begin | feed HOW_MANY | ready | settle | state
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from datetime import UTC, datetime, timedelta

import django

django.setup()

from django.db import transaction  # noqa: E402  (the models can be imported only after the set-up)

from messaging.delivery.domain.rules import CLAIM_LEASE  # noqa: E402
from messaging.models import (  # noqa: E402
    Approval,
    CaughtMail,
    Delivery,
    DeliveryState,
    Draft,
    DraftState,
    Enrolment,
    Revision,
)
from messaging.review.queries.queue import Filters, Lane  # noqa: E402
from messaging.review.services.approving import approve  # noqa: E402
from messaging.review.services.opening import review  # noqa: E402
from messaging.writing.services import request_drafts  # noqa: E402
from outreach.campaigns.models import Campaign  # noqa: E402
from outreach.home.management.commands.check_invariants import every_invariant  # noqa: E402
from outreach.teams.access import Member, member_of  # noqa: E402
from outreach.teams.domain.refusal import Refusal  # noqa: E402
from outreach.teams.models import Membership, Team, User  # noqa: E402
from tests.factories import a_campaign, a_policy, a_prospect  # noqa: E402

SLUG = "kills"
REVIEWER = "reviewer@kills.example"


def now() -> datetime:
    return datetime.now(UTC)


def begin() -> dict[str, object]:
    """A team whose approvals go out at once."""
    with transaction.atomic():
        team = Team.objects.create(slug=SLUG, name="Kills")
        a_policy(team=team, undo_seconds=0)
        user = User.objects.create_user(REVIEWER, None, full_name="Rosa Reviewer")
        Membership.objects.create(team=team, user=user, role="reviewer")
        admin = User.objects.create_user("admin@kills.example", None, full_name="Ada Administrator")
        Membership.objects.create(team=team, user=admin, role="admin")
        campaign = a_campaign(team=team)
        campaign.account.daily_cap = 100_000
        campaign.account.save()
    return {"campaign": campaign.pk}


def _reviewer() -> Member:
    member = member_of(team=Team.objects.get(slug=SLUG), user=User.objects.get(email=REVIEWER))
    assert isinstance(member, Member), member
    return member


def _approve(*, member: Member, draft_id: int) -> Approval | Refusal:
    reviewed = review(member=member, draft_id=draft_id, lane=Lane.REVIEW, filters=Filters(), now=now())
    if isinstance(reviewed, Refusal):
        return reviewed
    screen = reviewed.screen
    if screen is None or isinstance(screen.outgoing, Refusal):
        return Refusal("no-payload", str(screen and screen.outgoing))
    return approve(
        member=member, draft_id=draft_id, revision_id=screen.revision.pk, payload_sha256=screen.outgoing.sha256,
        now=now(),
    )  # fmt: skip


def feed(how_many: int) -> dict[str, object]:
    """New people to write to, and everything that is ready approved: drafting and sending at once."""
    campaign = Campaign.objects.get(team__slug=SLUG)
    with transaction.atomic():
        first = Enrolment.objects.filter(campaign=campaign).count()
        for number in range(first, first + how_many):
            prospect = a_prospect(team=campaign.team, email=f"diego{number}@pipewren.example")
            Enrolment.objects.create(team=campaign.team, campaign=campaign, prospect=prospect, created_at=now())
    request_drafts(campaign=campaign, limit=how_many, now=now())
    return {"approved": ready()["approved"]}


def ready() -> dict[str, object]:
    """Approve what is ready, as a reviewer does."""
    member = _reviewer()
    refused = Counter[str]()
    approved = 0
    for draft_id in Draft.objects.filter(team=member.team, state=DraftState.READY).values_list("pk", flat=True):
        result = _approve(member=member, draft_id=draft_id)
        approved += isinstance(result, Approval)
        refused[getattr(result, "message", "")] += not isinstance(result, Approval)
    return {"approved": approved, "refused": {reason: count for reason, count in refused.items() if count}}


def settle() -> dict[str, object]:
    """The patience of a lease, without waiting for it: what was claimed counts as claimed long ago."""
    Draft.objects.filter(state=DraftState.WRITING).update(lease_until=now() - timedelta(seconds=1))
    aged = Delivery.objects.filter(state=DeliveryState.CLAIMED).update(claimed_at=now() - CLAIM_LEASE * 2)
    return {"aged": aged}


def state() -> dict[str, object]:
    """What became of everything that was asked for."""
    caught = Counter(CaughtMail.objects.values_list("message_id", flat=True))
    wrong = []
    for delivery in Delivery.objects.select_related("payload"):
        copies = caught[delivery.payload.message_id]
        right = {"sent": copies == 1, "failed": copies == 0, "unconfirmed": copies <= 1}.get(
            delivery.state, copies == 0
        )
        if not right:
            wrong.append(f"delivery {delivery.pk} is {delivery.state} and arrived {copies} times")
    return {
        "enrolments": Enrolment.objects.count(),
        "drafts": dict(Counter(Draft.objects.values_list("state", flat=True))),
        "revisions": Revision.objects.count(),
        "approvals": Approval.objects.count(),
        "deliveries": dict(Counter(Delivery.objects.values_list("state", flat=True))),
        "caught": sum(caught.values()),
        "doubled": [message_id for message_id, copies in caught.items() if copies > 1],
        "wrong": wrong,
        "violations": [
            f"{invariant.name} {broken.id}: {broken.detail}"
            for invariant in every_invariant()
            for broken in invariant.broken()
        ],
    }


if __name__ == "__main__":
    command, *numbers = sys.argv[1:]
    sys.stdout.write(json.dumps(globals()[command](*map(int, numbers))) + "\n")
