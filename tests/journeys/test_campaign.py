"""A campaign from nothing to its clone, in a browser: two channels and a follow-up, checked, filled, started, changed."""

from __future__ import annotations

import time
from collections.abc import Callable
from random import Random

import pytest
from django.urls import reverse
from django.utils import timezone
from playwright.sync_api import Page, expect

from messaging.enrolment.tasks import run_enrolments
from messaging.models import Draft, Enrolment
from messaging.review.tasks import recheck_texts
from messaging.writing.services import write_due
from outreach.campaigns.models import Campaign, OfferChange, SenderIdentity, SendingAccount
from outreach.teams.access import Member
from outreach.teams.models import Team
from tests.factories import a_campaign, a_policy, a_prospect
from tests.journeys.conftest import scrolls_sideways, serious_problems
from tests.people import a_member, a_team, signed_in
from tests.services.enrolment.crowds import a_crowd

Opener = Callable[..., Page]
PEOPLE, MEANT, PATIENCE = 10_000, 6, 0.3


@pytest.fixture
def team(transactional_db: None) -> Team:
    team = a_team(slug="north")
    a_policy(team=team)
    SenderIdentity.objects.create(team=team, full_name="Naledi Mokoena", title="Founder", company="Hearthdesk")
    SendingAccount.objects.create(team=team, kind="smtp", address="naledi@hearthdesk.example")
    SendingAccount.objects.create(team=team, kind="linkedin", address="naledi-mokoena")
    return team


@pytest.fixture
def manager(team: Team) -> Member:
    return a_member(team=team, role="manager")


def onwards(page: Page) -> None:
    page.get_by_role("button", name="Save and go on").click()


def written() -> None:
    """What a worker does."""
    write_due(model=None, now=timezone.now(), rng=Random(1), clock=timezone.now, limit=50)


def campaign_from_nothing(page: Page) -> None:
    """Every page of the wizard but the audience."""
    page.goto("/t/north/campaigns/")
    page.get_by_role("link", name="New campaign").first.click()
    page.get_by_label("Name").fill("Engineers on support")
    page.get_by_label("Purpose").fill("Support tooling")
    page.get_by_role("button", name="Begin").click()
    page.get_by_label("Offer", exact=False).first.fill("Hearthdesk is a shared support inbox for engineering teams.")
    page.get_by_label("Call to action").fill("Would a short call be useful?")
    page.get_by_label("Languages").fill("en")
    onwards(page)
    first = page.get_by_role("group", name="Proof point 1")
    first.get_by_label("Short name").fill("free")
    first.get_by_label("Statement").fill("Hearthdesk is free in the first year.")
    first.get_by_label("Source").fill("Price list")
    onwards(page)
    expect(page.get_by_role("heading", level=1)).to_have_text("Audience")
    page.get_by_role("navigation", name="Steps of the wizard").get_by_role("link", name="Steps").click()
    page.get_by_role("group", name="Step 1").get_by_label("Channel").select_option("linkedin_connection")
    another = page.get_by_role("group", name="Another step")
    another.get_by_label("Channel").select_option("email")
    another.get_by_label("Days after").fill("4")
    another.get_by_label("Sent").select_option("no_reply")
    onwards(page)
    onwards(page)  # the only sender and the only accounts are proposed


def test_from_nothing_to_a_clone(open_page: Opener, team: Team, manager: Member) -> None:
    a_crowd(team=team, people=PEOPLE - MEANT)
    for number in range(MEANT):
        a_prospect(team=team, full_name=f"Diego Number{number}")
    page = open_page(user=manager.user)
    campaign_from_nothing(page)
    expect(page.get_by_text("1 thing is missing.")).to_be_visible()
    expect(page.get_by_role("button", name="Start campaign")).to_be_disabled()
    assert serious_problems(page) == []
    page.get_by_role("link", name="Mend").click()

    # whom it is for
    expect(page.locator("#count")).to_have_text("10,000")
    page.get_by_label("Title").fill("Platform Engineering")
    page.locator("[name=per_company]").fill("0")
    expect(page.locator("#count")).to_have_text(str(MEANT))
    expect(page.locator(".hk").first).to_be_visible()
    page.get_by_role("button", name="Enrol them").click()
    page.wait_for_url("**/enrolling/*/")
    run_enrolments()
    expect(page.get_by_role("heading", level=1)).to_have_text(f"{MEANT} people enrolled")
    assert Enrolment.objects.count() == MEANT

    # ready, started, drafts come
    page.goto("/t/north/campaigns/engineers-on-support/setup/check/")
    expect(page.get_by_text("Nothing is missing.")).to_be_visible()
    page.get_by_role("button", name="Mark as ready").click()
    page.get_by_role("button", name="Start campaign").click()
    expect(page.get_by_text("The campaign is running.")).to_be_visible()
    page.get_by_role("button", name="Start drafting").click()
    expect(page.locator("#pipeline")).to_contain_text(f"{MEANT} drafts are being written")
    written()
    expect(page.locator("#pipeline")).not_to_contain_text("being written.")
    assert Draft.objects.filter(current__isnull=False).count() == MEANT
    assert serious_problems(page) == []

    # paused, a statement changed, what waits verified again
    page.get_by_role("button", name="Pause").click()
    page.get_by_role("link", name="Edit").click()
    page.get_by_role("navigation", name="Steps of the wizard").get_by_role("link", name="Proof points").click()
    page.get_by_label("Statement").first.fill("Hearthdesk is free in the first month.")
    page.get_by_role("button", name="Save and leave").click()
    expect(page.locator("#changed")).to_contain_text("is being verified again")
    recheck_texts()
    expect(page.locator("#changed")).to_contain_text(f"{MEANT} texts that waited were verified again")
    assert OfferChange.objects.get().checked == MEANT
    expect(page.locator("#log")).to_contain_text(manager.user.full_name)

    # finished and cloned
    page.get_by_text("Finish this campaign").click()
    page.get_by_role("button", name="Finish “Engineers on support”").click()
    expect(page.get_by_text("The campaign is finished.")).to_be_visible()
    page.get_by_text("Clone this campaign").click()
    page.get_by_label("Name of the clone").fill("Engineers again")
    page.get_by_role("button", name="Clone", exact=True).click()
    expect(page.get_by_role("heading", level=1)).to_have_text("What we offer")
    clone = Campaign.objects.get(slug="engineers-again")
    assert [step.channel for step in clone.steps.order_by("position")] == ["linkedin_connection", "email"]
    assert not clone.enrolments.exists()


def test_the_count_of_ten_thousand_comes_at_once(team: Team, manager: Member) -> None:
    a_crowd(team=team, people=PEOPLE)
    campaign = a_campaign(team=team)
    client = signed_in(user=manager.user)
    where = reverse("enrolment:audience_count", kwargs={"team": "north", "slug": campaign.slug})
    client.get(f"{where}?given=1")
    seconds = []
    for _ in range(3):
        begun = time.perf_counter()
        assert client.get(f"{where}?seniority=head&countries=DE&given=1").status_code == 200
        seconds.append(time.perf_counter() - begun)
    assert min(seconds) < PATIENCE


def test_the_pages_on_a_phone_in_the_dark_and_without_script(open_page: Opener, team: Team, manager: Member) -> None:
    plain = open_page(user=manager.user, script=False)
    campaign_from_nothing(plain)
    expect(plain.get_by_text("1 thing is missing.")).to_be_visible()
    campaign = Campaign.objects.get()
    assert [step.condition for step in campaign.steps.order_by("position")] == ["always", "no_reply"]
    plain.goto("/t/north/campaigns/")
    plain.get_by_role("link", name="go on with it").click()
    expect(plain.get_by_role("heading", level=1)).to_have_text("Check and start")
    phone = open_page(user=manager.user, width=390, dark=True)
    base = "/t/north/campaigns/"
    for where in ("", "new/", *(f"engineers-on-support/{rest}" for rest in ("", "log/", *_PAGES))):
        phone.goto(f"{base}{where}")
        assert not scrolls_sideways(phone), where
        assert serious_problems(phone) == [], where


_PAGES = tuple(f"setup/{page}/" for page in ("offer", "proof", "steps", "sending", "check"))
