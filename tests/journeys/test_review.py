"""Reviewing in a browser: by keyboard alone, on a phone, in the dark, and without script."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.utils import timezone
from playwright.sync_api import Page, expect

from messaging.models import Approval, Draft
from tests.factories import BODY, FALSE_BODY, a_draft, a_prospect
from tests.journeys.conftest import scrolls_sideways, serious_problems
from tests.services.review.scenes import Scene, a_scene, state

Opener = Callable[..., Page]


@pytest.fixture
def scene(transactional_db: None) -> Scene:
    return a_scene()


@pytest.fixture
def second(scene: Scene) -> Draft:
    prospect = a_prospect(team=scene.draft.team, full_name="Femke van der Laan")
    body = BODY.replace("Diego", "Femke")
    return a_draft(campaign=scene.draft.campaign, prospect=prospect, body=body, now=timezone.now() + timedelta(days=1))


def queue(scene: Scene) -> str:
    return f"/t/{scene.draft.team.slug}/review/"


def test_a_reviewer_approves_moves_on_and_takes_it_back_by_keyboard(
    scene: Scene, second: Draft, open_page: Opener
) -> None:
    page = open_page(user=scene.reviewer.user)
    page.goto(queue(scene))
    page.keyboard.press("Enter")
    expect(page.locator("h1")).to_contain_text("Diego Armenta Ruiz")
    page.keyboard.press("a")
    expect(page.locator("h1")).to_contain_text("Femke van der Laan")
    assert Approval.objects.get().draft_id == scene.draft.pk
    page.keyboard.press("z")
    expect(page.locator("h1")).to_contain_text("Diego Armenta Ruiz")
    assert state(scene.draft) == "ready"


def test_an_edit_that_breaks_a_claim_is_told_while_typing_and_blocks(scene: Scene, open_page: Opener) -> None:
    page = open_page(user=scene.writer.user)
    page.goto(f"{queue(scene)}{scene.draft.pk}")
    page.keyboard.press("e")
    page.locator("#ed-b").fill(FALSE_BODY)
    expect(page.locator("#typed-bar")).to_contain_text("1 contradicted")
    page.keyboard.press("Control+Enter")
    expect(page.locator("#why")).to_contain_text("a reviewer approves it")
    assert state(scene.draft) == "blocked"


def test_evidence_added_by_hand_clears_a_finding_and_costs_the_right_to_approve(
    transactional_db: None, open_page: Opener
) -> None:
    scene = a_scene(body=FALSE_BODY)
    page = open_page(user=scene.reviewer.user)
    page.goto(f"{queue(scene)}{scene.draft.pk}?lane=blocked")
    expect(page.locator("#why")).to_contain_text("1 open finding")
    page.keyboard.press("+")
    page.locator("#ev_kind").select_option("position")
    page.locator("#ev_text").fill("Chief Technology Officer, Pipewren")
    page.locator("#ev_title").fill("Chief Technology Officer")
    page.locator("#ev_place").fill("Pipewren")
    page.locator("#ev_occurred").fill("2026-10")
    page.locator("#ev_url").fill("https://pipewren.example/team")
    page.get_by_role("button", name="Add and check again").click()
    expect(page.locator("#why")).to_contain_text("somebody else approves it")
    expect(page.locator(".qual")).not_to_contain_text("contradicted")


def test_rejecting_takes_two_keys(scene: Scene, open_page: Opener) -> None:
    page = open_page(user=scene.reviewer.user)
    page.goto(f"{queue(scene)}{scene.draft.pk}")
    page.keyboard.press("r")
    page.keyboard.press("4")
    page.wait_for_url(f"**{queue(scene)}")
    expect(page.locator("#live")).to_contain_text("Rejected: Tone")
    assert state(scene.draft) == "rejected"


def test_g_alone_asks_for_an_instruction_and_g_r_goes_to_the_queue(scene: Scene, open_page: Opener) -> None:
    page = open_page(user=scene.reviewer.user)
    page.goto(f"{queue(scene)}{scene.draft.pk}")
    page.keyboard.press("g")
    expect(page.locator("dialog#regenerate")).to_be_visible()
    page.keyboard.press("Escape")
    page.keyboard.press("g")
    page.keyboard.press("r")
    page.wait_for_url(f"**{queue(scene)}")


def test_a_claim_brings_its_evidence_and_its_reason(scene: Scene, open_page: Opener) -> None:
    page = open_page(user=scene.reviewer.user)
    page.goto(f"{queue(scene)}{scene.draft.pk}")
    page.locator(".msg .claim", has_text="Head of Platform Engineering").first.click()
    expect(page.locator(".card-e[aria-current] .hd b")).to_contain_text("Position")
    expect(page.locator(".notes li[aria-current]")).to_have_count(1)


def test_everything_works_without_script(scene: Scene, second: Draft, open_page: Opener) -> None:
    page = open_page(user=scene.reviewer.user, script=False)
    page.goto(f"{queue(scene)}{scene.draft.pk}")
    page.get_by_role("link", name="Reject R").click()
    page.get_by_role("button", name="Tone").click()
    expect(page.locator("h1")).to_contain_text("Femke van der Laan")
    assert state(scene.draft) == "rejected"
    page.get_by_role("button", name="Approve").click()
    page.wait_for_url(f"**{queue(scene)}*")
    assert state(second) == "approved"


@pytest.mark.parametrize(("width", "dark"), [(1440, False), (1440, True), (390, False), (390, True)])
@pytest.mark.parametrize("body", [BODY, FALSE_BODY])
def test_no_serious_problem_for_people_who_use_aids(
    transactional_db: None, open_page: Opener, width: int, dark: bool, body: str
) -> None:
    scene = a_scene(body=body)
    page = open_page(user=scene.reviewer.user, width=width, dark=dark)
    lane = "?lane=blocked" if body is FALSE_BODY else ""
    for path in (lane, f"{scene.draft.pk}{lane}", f"{scene.draft.pk}?edit=1", f"{scene.draft.pk}?form=evidence"):
        page.goto(f"{queue(scene)}{path}")
        assert serious_problems(page) == [], path
        assert not scrolls_sideways(page), path
