"""The hooks on a prospect's page: ranked for their campaign, each with scores and reasons, for the team alone."""

from __future__ import annotations

import pytest
from django.test import Client

from messaging.models import Enrolment
from tests.factories import NOW, a_campaign, a_policy, a_prospect
from tests.people import a_member, a_team, signed_in

pytestmark = pytest.mark.django_db


def test_hooks_are_ranked_for_the_campaign_they_are_in_and_say_why() -> None:
    team = a_team(slug="north")
    a_policy(team=team)
    prospect = a_prospect(team=team)
    theirs = a_campaign(team=team, name="Spring")
    a_campaign(team=team, name="Autumn")
    Enrolment.objects.create(team=team, campaign=theirs, prospect=prospect, due_at=NOW)
    client = signed_in(user=a_member(team=team, role="analyst").user)
    page = client.get(f"/t/north/hooks/{prospect.pk}/", headers={"hx-request": "true"}).content.decode()
    assert "ranked for “Spring”, which they are in" in page
    assert "Their own post." in page
    assert "Recency" in page
    assert "Uniqueness" in page
    assert f"/t/north/hooks/{prospect.pk}/" in client.get(f"/t/north/prospects/{prospect.pk}/").content.decode()


def test_without_a_campaign_the_page_says_what_to_do() -> None:
    team = a_team(slug="north")
    client = signed_in(user=a_member(team=team, role="analyst").user)
    page = client.get(f"/t/north/hooks/{a_prospect(team=team).pk}/").content.decode()
    assert "Start a campaign" in page


def test_another_teams_person_is_not_found() -> None:
    team, other = a_team(slug="north"), a_team(slug="south")
    client: Client = signed_in(user=a_member(team=team).user)
    assert client.get(f"/t/north/hooks/{a_prospect(team=other).pk}/").status_code == 404
