"""Two people at the same moment, each over a connection of their own."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest
from django.db import connection

from messaging.models import Draft, Enrolment
from messaging.writing.queue import request_drafts
from outreach.campaigns.domain.lifecycle import Step
from outreach.campaigns.models import Campaign
from outreach.campaigns.services import begin_campaign, clone_campaign, move_campaign
from outreach.teams.domain.refusal import Refusal
from outreach.teams.models import AuditEvent
from tests.factories import NOW, a_campaign, a_policy, a_prospect
from tests.people import a_member, a_team

pytestmark = pytest.mark.django_db(transaction=True)
AT_ONCE = 6


def at_once(*calls: Callable[[], object]) -> list[object]:
    """What each call returned; all begin together."""
    gate = Barrier(len(calls))

    def one(call: Callable[[], object]) -> object:
        gate.wait(timeout=20)
        try:
            return call()
        finally:
            connection.close()

    with ThreadPoolExecutor(len(calls)) as pool:
        return list(pool.map(one, calls))


def test_campaigns_of_one_name_begun_at_once_all_come_to_be() -> None:
    member = a_member(team=a_team(), role="manager")
    source = a_campaign(team=member.team)
    made = at_once(
        *[lambda: begin_campaign(member=member, name="Spring launch", purpose="", now=NOW)] * AT_ONCE,
        *[lambda: clone_campaign(member=member, campaign=source, name="Spring launch", now=NOW)] * AT_ONCE,
    )
    assert all(isinstance(one, Campaign) for one in made)
    assert Campaign.objects.filter(slug__startswith="spring-launch").count() == 2 * AT_ONCE


def test_the_days_drafts_are_counted_together() -> None:
    team = a_team()
    a_policy(team=team)
    campaign = a_campaign(team=team, drafts_per_day=3)
    for _number in range(12):
        Enrolment.objects.create(
            team=team, campaign=campaign, prospect=a_prospect(team=team), due_at=NOW, created_at=NOW
        )
    at_once(*[lambda: request_drafts(campaign=campaign, limit=10, now=NOW)] * AT_ONCE)
    assert Draft.objects.count() == 3


def test_a_campaign_started_twice_at_once_is_started_once() -> None:
    team = a_team()
    a_policy(team=team)
    members = [a_member(team=team, role="manager"), a_member(team=team, role="manager")]
    campaign = a_campaign(team=team)
    Enrolment.objects.create(team=team, campaign=campaign, prospect=a_prospect(team=team), due_at=NOW, created_at=NOW)
    Campaign.objects.filter(pk=campaign.pk).update(status="paused")
    done = at_once(
        *[lambda one=one: move_campaign(member=one, campaign=campaign, step=Step.START, now=NOW) for one in members]
    )
    assert [isinstance(one, Refusal) for one in done].count(True) == 1
    assert AuditEvent.objects.filter(action="campaign.start").count() == 1
