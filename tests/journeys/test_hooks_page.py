"""The hooks of a person stand on their page with scores and reasons, on a phone and in the dark too."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.urls import reverse
from playwright.sync_api import Page, expect

from outreach.teams.models import Team
from tests.factories import a_campaign, a_policy, a_prospect
from tests.journeys.conftest import scrolls_sideways, serious_problems
from tests.people import a_member, a_team

Opener = Callable[..., Page]


@pytest.fixture
def team(transactional_db: None) -> Team:
    return a_team(slug="north")


@pytest.mark.parametrize(("width", "dark"), [(1440, False), (390, True)])
def test_hooks_are_loaded_into_the_prospects_page(open_page: Opener, team: Team, width: int, dark: bool) -> None:
    a_policy(team=team)
    a_campaign(team=team, name="Spring")
    prospect = a_prospect(team=team)
    page = open_page(user=a_member(team=team, role="writer").user, width=width, dark=dark)
    page.goto(reverse("prospects:detail", kwargs={"team": team.slug, "pk": prospect.pk}))
    hooks = page.locator("#hooks")
    expect(hooks.get_by_text("the newest running campaign")).to_be_visible()
    expect(hooks.get_by_text("Their own post.").first).to_be_visible()
    assert not scrolls_sideways(page)
    assert serious_problems(page) == []
