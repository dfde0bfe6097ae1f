"""A sequence of three messages from end to end by the services that workers and people use: what goes out, and what does not."""

from __future__ import annotations

from datetime import datetime, timedelta
from random import Random

import pytest

from messaging.delivery import services as delivery
from messaging.delivery.by_hand import mark_sent_by_hand
from messaging.delivery.channels.smtp.transport import date_header
from messaging.enrolment.services import enrol
from messaging.enrolment.services.sequences import Action, act_on, advance_due
from messaging.models import Delivery, Draft, Enrolment
from messaging.review import services as review
from messaging.writing.services import start_drafting, sweep, write_due
from outreach.campaigns.models import Campaign, SendingAccount
from outreach.teams.access import Member
from outreach.teams.domain.refusal import Refusal
from outreach.teams.models import Team
from prospects.suppression import suppress
from tests.factories import NEXT_BODY, NOW, a_campaign, a_policy, a_prospect
from tests.messages import a_reply
from tests.people import a_member
from tests.services.delivery.scenes import over_smtp
from tests.services.enrolment.test_sequences import with_steps
from tests.services.review.scenes import approve

pytestmark = pytest.mark.django_db
SECOND, THIRD = NOW + timedelta(days=3), NOW + timedelta(days=6)


@pytest.fixture
def writer(team: Team) -> Member:
    return a_member(team=team, role="writer")


@pytest.fixture
def reviewer(team: Team) -> Member:
    return a_member(team=team, role="reviewer")


@pytest.fixture
def campaign(team: Team) -> Campaign:
    a_policy(team=team)
    return with_steps(a_campaign(team=team), ("linkedin_message", 3, "no_reply"), ("email", 3, "always"))


@pytest.fixture
def enrolment(campaign: Campaign, writer: Member) -> Enrolment:
    prospect = a_prospect(team=campaign.team, linkedin_url="https://www.linkedin.com/in/diego-x", first_degree=True)
    enrol(member=writer, campaign=campaign, prospect_ids=[prospect.pk], now=NOW)
    return Enrolment.objects.get()


def written(enrolment: Enrolment, step: int, now: datetime) -> Draft:
    """The draft of the step once a worker has been at it."""
    write_due(model=None, now=now, rng=Random(1), limit=5)
    return Draft.objects.get(enrolment=enrolment, step=step)


def approved(draft: Draft, reviewer: Member, now: datetime) -> None:
    done = approve(member=reviewer, draft=draft, now=now)
    assert not isinstance(done, Refusal), done.message
    delivery.open_deliveries(now=now + timedelta(minutes=2))


def sent(now: datetime, writer: Member) -> int:
    """How many messages left: mail by a real server, LinkedIn by hand."""
    with over_smtp() as (server, transport):
        delivery.send_due(transport=transport, clock=lambda: now, date_header=date_header)
        left = len(server.received)
    for task in Delivery.objects.filter(state="task"):
        left += not isinstance(mark_sent_by_hand(member=writer, delivery_id=task.pk, now=now), Refusal)
    return left


def first_out(campaign: Campaign, enrolment: Enrolment, writer: Member, reviewer: Member) -> None:
    asked = start_drafting(member=writer, campaign=campaign, limit=5, now=NOW)
    assert not isinstance(asked, Refusal)
    approved(written(enrolment, 1, NOW), reviewer, NOW)
    assert sent(NOW + timedelta(minutes=5), writer) == 1


def onwards(now: datetime) -> None:
    """What the regular wake-ups do."""
    advance_due(now=now)
    sweep(now=now)


def test_three_messages_go_out_each_in_its_time(
    campaign: Campaign, enrolment: Enrolment, writer: Member, reviewer: Member
) -> None:
    first_out(campaign, enrolment, writer, reviewer)
    onwards(SECOND)
    assert not Draft.objects.filter(step=2).exists()
    second = SECOND + timedelta(hours=1)
    onwards(second)
    draft = written(enrolment, 2, second)
    assert (draft.channel, draft.state) == ("linkedin_message", "ready"), draft.state_reason
    approved(draft, reviewer, second)
    assert sent(second + timedelta(minutes=5), writer) == 1
    third = THIRD + timedelta(hours=2)
    onwards(third)
    draft = written(enrolment, 3, third)
    assert draft.channel == "email"
    if draft.state != "ready":
        assert draft.current is not None
        edited = review.edit(
            member=writer, draft_id=draft.pk, revision_id=draft.current.pk, subject="", body=NEXT_BODY, now=third
        )
        assert not isinstance(edited, Refusal), edited.message
    approved(Draft.objects.get(pk=draft.pk), reviewer, third)
    assert sent(third + timedelta(minutes=5), writer) == 1
    enrolment.refresh_from_db()
    onwards(third + timedelta(days=15))
    enrolment.refresh_from_db()
    assert (enrolment.step, enrolment.state) == (3, "finished")
    assert Delivery.objects.count() == 3


@pytest.mark.parametrize("between", ["reply", "removed", "suppressed", "paused", "account off"])
def test_what_comes_between_keeps_the_second_from_going_out(
    between: str, campaign: Campaign, enrolment: Enrolment, writer: Member, reviewer: Member
) -> None:
    first_out(campaign, enrolment, writer, reviewer)
    now = SECOND + timedelta(hours=1)
    onwards(now)
    draft = written(enrolment, 2, now)
    approved(draft, reviewer, now)
    if between == "reply":
        a_reply(prospect=enrolment.prospect, delivery=Delivery.objects.get(draft__step=1))
    elif between == "removed":
        Enrolment.objects.filter(pk=enrolment.pk).update(state="removed")
    elif between == "suppressed":
        suppress(team=campaign.team, actor=None, kind="email", value=enrolment.prospect.email, reason="asked", now=now)
    elif between == "paused":
        act_on(member=writer, campaign=campaign, enrolment_ids=[enrolment.pk], action=Action.PAUSE, now=now)
    else:
        SendingAccount.objects.filter(pk=campaign.other_account_id).update(active=False)
    assert sent(now + timedelta(minutes=5), writer) == 0
    onwards(now + timedelta(days=9))
    assert not Draft.objects.filter(step=3).exists()


def test_who_is_moved_to_the_third_step_gets_that_next(
    campaign: Campaign, enrolment: Enrolment, writer: Member, reviewer: Member
) -> None:
    first_out(campaign, enrolment, writer, reviewer)
    act_on(member=writer, campaign=campaign, enrolment_ids=[enrolment.pk], action=Action.MOVE, step=3, now=SECOND)
    onwards(SECOND)
    assert written(enrolment, 3, SECOND).channel == "email"
    assert not Draft.objects.filter(step=2).exists()
