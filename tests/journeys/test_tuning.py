"""What a manager tunes, in a browser: pages fit a phone and the dark, and findings are marked in the message."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from messaging.models import FewShotExample
from messaging.writing.strategies import ensure_weights
from tests.factories import BODY
from tests.journeys.conftest import scrolls_sideways, serious_problems
from tests.services.review.scenes import Scene, a_scene

Opener = Callable[..., Page]
JARGON = BODY.replace("Would a short call", "We think Hearthdesk is a game-changer!! Really!\n\nWould a short call")


@pytest.fixture
def scene(transactional_db: None) -> Scene:
    scene = a_scene(body=JARGON)
    ensure_weights(campaign=scene.draft.campaign)
    FewShotExample.objects.create(
        team=scene.draft.team, source=scene.draft.current, prospect=scene.draft.prospect, channel="email", language="en",
        subject="A question", body="Hi [Name],\n\nyour line about support stayed with me.\n\n[Sender]", outcome="positive", rate=0.1,
    )  # fmt: skip
    return scene


def addresses(scene: Scene) -> dict[str, str]:
    team, campaign, draft = scene.draft.team.slug, scene.draft.campaign.slug, scene.draft.pk
    balanced = scene.draft.campaign.strategy_weights.first()
    assert balanced is not None
    return {
        "quality": f"/t/{team}/settings/quality/",
        "strategies": f"/t/{team}/settings/strategies/",
        "strategy": f"/t/{team}/settings/strategies/{balanced.strategy_id}/",
        "examples": f"/t/{team}/settings/examples/",
        "campaign": f"/t/{team}/campaigns/{campaign}/strategies/",
        "review": f"/t/{team}/review/{draft}",
    }


@pytest.mark.parametrize(("width", "dark"), [(1440, False), (1440, True), (390, False), (390, True)])
def test_every_page_fits_and_can_be_used_by_everybody(scene: Scene, open_page: Opener, width: int, dark: bool) -> None:
    page = open_page(user=scene.second.user, width=width, dark=dark)
    for name, address in addresses(scene).items():
        page.goto(address)
        assert not scrolls_sideways(page), name
        assert serious_problems(page) == [], name


def test_a_manager_makes_a_new_version_and_uses_an_example(scene: Scene, open_page: Opener) -> None:
    page, places = open_page(user=scene.second.user), addresses(scene)
    page.goto(places["strategy"])
    page.get_by_label("Tone", exact=True).select_option("warm")
    page.get_by_role("button", name="Save as a new version").click()
    expect(page.locator("main")).to_contain_text("retired")
    page.goto(places["examples"])
    page.get_by_role("button", name="Use it").click()
    assert FewShotExample.objects.get().state == "approved"


def test_what_a_rule_found_is_marked_in_the_message(scene: Scene, open_page: Opener) -> None:
    page = open_page(user=scene.reviewer.user)
    page.goto(addresses(scene)["review"])
    expect(page.locator(".msg mark.q-mk", has_text="game-changer")).to_be_visible()
    expect(page.locator(".q-all")).to_contain_text("Use the plain word")
