"""The frame of every page in a browser: keys, menus, narrow and dark, with and without script."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.urls import reverse
from playwright.sync_api import Page, expect

from outreach.teams.access import Member
from outreach.teams.audit import record
from outreach.teams.models import Team
from tests.journeys.conftest import scrolls_sideways, serious_problems
from tests.messages import a_draft, a_prospect, a_reply
from tests.people import PASSWORD, a_member, a_team

Opener = Callable[..., Page]


@pytest.fixture
def team(transactional_db: None) -> Team:
    return a_team(slug="north")


@pytest.fixture
def admin(team: Team) -> Member:
    prospect = a_prospect(team=team, full_name="Ida Sørensen", title="Head of Platform", email="ida@northwind.example")
    a_draft(prospect=prospect, state="ready", verdicts="vvj")
    a_draft(prospect=prospect, state="blocked", verdicts="vcuna")
    a_reply(prospect=prospect)
    member = a_member(team=team, role="admin")
    record(team=team, actor=member.user, action="draft.edited", target=prospect, content="x")
    return member


PAGES = (
    "home:front", "home:search", "home:settings:policy", "home:settings:senders", "home:settings:new_sender",
    "home:settings:accounts", "home:settings:new_account", "home:settings:days", "home:settings:privacy",
    "home:settings:model", "home:settings:reasons", "home:settings:overview", "teams:people", "teams:audit", "teams:account",
    "prospects:list", "prospects:import", "prospects:suppressions", "campaigns:list", "campaigns:new", "review:queue",
    "delivery:outbox", "replies:inbox", "analytics:insights",
)  # fmt: skip


@pytest.mark.parametrize(
    ("width", "dark"),
    [
        (1440, False),
        (1440, True),
        (390, False),
        pytest.param(1024, False, marks=pytest.mark.slow),
        pytest.param(390, True, marks=pytest.mark.slow),
    ],
)
def test_no_page_has_a_serious_accessibility_problem_or_scrolls_sideways(
    open_page: Opener, admin: Member, width: int, dark: bool
) -> None:
    page = open_page(user=admin.user, width=width, dark=dark)
    found = {}
    for name in PAGES:
        page.goto(reverse(name, kwargs={"team": "north"}) + "?q=ida")
        found[name] = [*serious_problems(page), *(["scrolls sideways"] if scrolls_sideways(page) else [])]
    assert {name: problems for name, problems in found.items() if problems} == {}


def test_the_front_page_renews_itself_without_losing_the_focus(open_page: Opener, admin: Member) -> None:
    page = open_page(user=admin.user)
    page.goto("/t/north/")
    page.locator("#todo-to_answer").focus()
    a_reply(prospect=a_prospect(team=admin.team))
    page.evaluate(
        "htmx.ajax('GET', location.pathname, {source: '#front', target: '#front', swap: 'outerHTML', select: '#front'})"
    )
    expect(page.locator("#front")).to_contain_text("2 replies want an answer")
    expect(page.locator("#todo-to_answer")).to_be_focused()


def test_signing_in_works_without_script(open_page: Opener, admin: Member) -> None:
    admin.user.set_password(PASSWORD)
    admin.user.save()
    page = open_page(script=False)
    page.goto("/")
    page.get_by_label("Email").fill(admin.user.email)
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("heading", name="What waits for you")).to_be_visible()


def test_keys_open_the_list_of_keys_go_to_places_and_search(open_page: Opener, admin: Member) -> None:
    page = open_page(user=admin.user)
    page.goto("/t/north/")
    page.keyboard.press("?")
    expect(page.get_by_role("dialog", name="Shortcuts")).to_be_visible()
    page.keyboard.press("Escape")
    page.keyboard.press("g")
    page.keyboard.press("t")
    page.wait_for_url("**/settings/people/")
    page.keyboard.press("/")
    page.keyboard.type("sør")
    page.keyboard.press("Enter")
    expect(page.get_by_text("Ida Sørensen")).to_be_visible()


def test_keys_typed_into_a_field_are_only_letters(open_page: Opener, admin: Member) -> None:
    page = open_page(user=admin.user)
    page.goto("/t/north/settings/people/")
    page.get_by_label("Name", exact=True).press_sequentially("gh? j/")
    assert page.get_by_label("Name", exact=True).input_value() == "gh? j/"
    assert page.url.endswith("/settings/people/")


def test_the_search_page_answers_as_one_types(open_page: Opener, admin: Member) -> None:
    page = open_page(user=admin.user)
    page.goto("/t/north/search/")
    page.locator("#q").press_sequentially("head")
    expect(page.locator("#found")).to_contain_text("Ida Sørensen")
    page.locator("#q").press_sequentially("zzz")
    expect(page.locator("#found")).to_contain_text("Nothing begins with")


def test_shutting_somebody_out_asks_first(open_page: Opener, admin: Member, team: Team) -> None:
    other = a_member(team=team, role="writer", user=None)
    page = open_page(user=admin.user)
    page.goto("/t/north/settings/people/")
    asked: list[str] = []
    page.once("dialog", lambda dialog: (asked.append(dialog.message), dialog.dismiss()))
    page.get_by_role("button", name="Shut out").last.click()
    assert "you can let them back in" in asked[0]
    assert team.memberships.get(user=other.user).active


def test_the_narrow_menu_leads_to_every_place(open_page: Opener, admin: Member) -> None:
    page = open_page(user=admin.user, width=390)
    page.goto("/t/north/")
    page.locator("details.menu summary").click()
    page.get_by_role("navigation", name="Main, narrow").get_by_role("link", name="Settings").click()
    expect(page.get_by_role("heading", name="Team and roles")).to_be_visible()
