"""Two managers with the same page of the wizard open: nobody takes back what the other saved without being told."""

from __future__ import annotations

import re

import pytest
from django.test import Client

from outreach.campaigns.models import Campaign
from outreach.teams.models import Team
from tests.factories import a_campaign, a_policy
from tests.people import a_member, a_user, signed_in
from tests.web.test_campaign_pages import POINT, address, rows

pytestmark = pytest.mark.django_db


def opened(client: Client, where: str) -> str:
    """What the page remembers of when it was opened."""
    found = re.search(r'name="seen" value="(\d+)"', client.get(where).content.decode())
    assert found is not None
    return found[1]


@pytest.fixture
def campaign(team: Team) -> Campaign:
    a_policy(team=team)
    return a_campaign(team=team, status="draft")


def test_a_statement_saved_meanwhile_is_not_lost_without_a_word(team: Team, campaign: Campaign) -> None:
    mara = signed_in(user=a_member(team=team, role="manager", user=a_user(full_name="Mara Manager")).user)
    otto = signed_in(user=a_member(team=team, role="manager").user)
    where = address(campaign, "proof")
    seen_by_otto = opened(otto, where)
    other = {**POINT, "key": "fast", "text": "Setup takes one day."}
    assert mara.post(where, {**rows("proof", other), "seen": opened(mara, where)}).status_code == 302
    late = otto.post(where, {**rows("proof", POINT), "seen": seen_by_otto})
    assert late.status_code == 422
    assert "Mara Manager saved this page while you had it open" in late.content.decode()
    assert "The first year is free." in late.content.decode()
    assert [one.key for one in campaign.proof_points.all()] == ["fast"]
    again = re.search(r'name="seen" value="(\d+)"', late.content.decode())
    assert again is not None
    assert otto.post(where, {**rows("proof", POINT), "seen": again[1]}).status_code == 302
    assert [one.key for one in campaign.proof_points.all()] == ["free"]


def test_ones_own_change_in_another_tab_holds_nobody_up(team: Team, campaign: Campaign) -> None:
    client = signed_in(user=a_member(team=team, role="manager").user)
    where = address(campaign, "steps")
    seen = opened(client, where)
    for days in (2, 3):
        body = {
            **rows("step", {"channel": "email"}, {"channel": "email", "wait_days": days, "condition": "always"}),
            "seen": seen,
        }
        assert client.post(where, body).status_code == 302
    assert campaign.steps.get(position=2).wait_days == 3
