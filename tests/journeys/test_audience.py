"""Choosing an audience, enrolling it, and looking after its people step by step, in a browser."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from django.urls import reverse
from playwright.sync_api import Page, expect

from messaging.enrolment.queries.audience import audience_of
from messaging.enrolment.tasks import run_enrolments
from messaging.models import Enrolment, EnrolmentRun
from outreach.campaigns.models import Campaign, SequenceStep
from outreach.teams.access import Member
from outreach.teams.models import Team
from prospects.models import Prospect
from tests.factories import a_campaign, a_policy, a_prospect
from tests.journeys.conftest import scrolls_sideways, serious_problems
from tests.people import a_member, a_team
from tests.services.enrolment.crowds import a_crowd

Opener = Callable[..., Page]


@pytest.fixture
def team(transactional_db: None) -> Team:
    team = a_team(slug="north")
    a_policy(team=team)
    return team


@pytest.fixture
def campaign(team: Team) -> Campaign:
    campaign = a_campaign(team=team, slug="spring", name="Spring launch")
    SequenceStep.objects.create(campaign=campaign, position=2, channel="email", wait_days=4, condition="no_reply")
    return campaign


@pytest.fixture
def writer(team: Team) -> Member:
    return a_member(team=team, role="writer")


def address(name: str, **arguments: object) -> str:
    return reverse(f"enrolment:{name}", kwargs={"team": "north", "slug": "spring", **arguments})


def test_an_audience_is_chosen_counted_as_one_types_enrolled_and_watched(
    open_page: Opener, team: Team, campaign: Campaign, writer: Member
) -> None:
    a_crowd(team=team, people=400)
    Prospect.objects.filter(pk__in=list(Prospect.objects.filter(team=team).values_list("pk", flat=True)[:30])).update(
        email=""
    )
    for _ in range(2):
        a_prospect(team=team)
    page = open_page(user=writer.user)
    page.goto(reverse("enrolment:campaign", kwargs={"team": "north", "slug": "spring"}))
    page.get_by_role("link", name="audience").click()
    expect(page.locator("#count")).to_have_text("402")
    page.get_by_label("Head or director").check()
    expect(page.locator("#count")).to_have_text("82")
    page.get_by_label("Countries").fill("DE")
    expect(page.locator("#count")).to_have_text("20")
    expect(page).to_have_url(re.compile(r"\?seniority=head&countries=DE&given=1$"))
    expect(page.locator("#explained")).to_contain_text("There is no address for this channel")
    expect(page.locator(".hk").first).to_be_visible()
    page.reload()
    expect(page.locator("#count")).to_have_text("20")
    page.get_by_label("Countries").fill("Germany")
    expect(page.locator("#found")).to_contain_text("GERMANY is no country code")
    expect(page.get_by_role("button", name="Enrol them")).to_have_count(0)
    page.get_by_label("Countries").fill("")
    expect(page.locator("#count")).to_have_text("82")
    assert serious_problems(page) == []
    page.get_by_role("button", name="Enrol them").click()
    expect(page.get_by_text("Runs on its own")).to_be_visible()
    run_enrolments()
    expect(page.get_by_role("link", name="Who was left out")).to_be_visible()  # the page found out by itself
    run = EnrolmentRun.objects.get()
    expect(page.get_by_role("heading", level=1)).to_have_text(f"{run.enrolled} people enrolled")
    assert run.enrolled == Enrolment.objects.count() > 70
    assert audience_of(campaign=campaign).seniority == ("head",)
    assert serious_problems(page) == []


def test_people_are_paused_by_keyboard_and_removed(
    open_page: Opener, team: Team, campaign: Campaign, writer: Member
) -> None:
    for number in range(3):
        Enrolment.objects.create(
            team=team, campaign=campaign, prospect=a_prospect(team=team, full_name=f"Ada Number{number}")
        )
    page = open_page(user=writer.user)
    page.goto(address("steps"))
    page.keyboard.press("j")
    page.keyboard.press("x")
    page.get_by_role("button", name="Pause").click()
    expect(page.get_by_text("1 person changed.")).to_be_visible()
    assert Enrolment.objects.get(state="paused").prospect.full_name == "Ada Number2"
    page.get_by_label("Ada Number0").check()
    page.get_by_label("Ada Number2").check()
    page.get_by_role("button", name="Remove").click()
    expect(page.get_by_text("2 people changed.")).to_be_visible()
    assert serious_problems(page) == []


def test_it_works_on_a_phone_in_the_dark_and_without_script(
    open_page: Opener, team: Team, campaign: Campaign, writer: Member
) -> None:
    a_crowd(team=team, people=30)
    phone = open_page(user=writer.user, width=390, dark=True)
    for where in (address("audience"), address("steps")):
        phone.goto(where)
        assert not scrolls_sideways(phone)
        assert serious_problems(phone) == []
    plain = open_page(user=writer.user, script=False)
    plain.goto(address("audience"))
    plain.get_by_label("Chief or owner").check()
    plain.get_by_role("button", name="Show").click()
    expect(plain.locator("#count")).to_have_text("6")
    plain.get_by_role("link", name="What a message to each could open with").click()
    expect(plain.get_by_role("heading", name="Hooks of the audience")).to_be_visible()
    plain.go_back()
    plain.get_by_role("button", name="Enrol them").click()
    plain.wait_for_url("**/enrolling/*/")
    run_enrolments()
    plain.get_by_role("link", name="Look again").click()
    expect(plain.get_by_role("heading", level=1)).to_have_text("6 people enrolled")
    plain.goto(address("steps"))
    plain.get_by_label("Person").first.check()
    plain.get_by_role("button", name="Pause").click()
    expect(plain.get_by_text("1 person changed.")).to_be_visible()
