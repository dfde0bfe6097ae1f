"""A mailbox is set up in a browser: its test fails, says why, and passes once that is mended."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.urls import reverse
from playwright.sync_api import Page, expect
from pytest_django.fixtures import Settings

from outreach.campaigns.models import Secret, SendingAccount
from outreach.teams.access import Member
from outreach.teams.models import Team
from tests.journeys.conftest import scrolls_sideways, serious_problems
from tests.mailservers import PASSWORD, USER, Mailbox, imap_server, smtp_server
from tests.people import a_member, a_team

Opener = Callable[..., Page]


@pytest.fixture
def team(transactional_db: None) -> Team:
    return a_team(slug="north")


@pytest.fixture
def admin(team: Team) -> Member:
    return a_member(team=team, role="admin")


def fill(page: Page, part: str, port: int, password: str) -> None:
    group = page.get_by_role("group", name=part)
    group.get_by_label("Server").fill("127.0.0.1")
    group.get_by_label("Port").fill(str(port))
    group.get_by_label("Encryption").select_option("none")
    group.get_by_label("User").fill(USER)
    group.get_by_label("Password").fill(password)


@pytest.mark.parametrize("width", [1440, 390])
def test_a_mailbox_is_added_tested_mended_and_works(
    open_page: Opener, admin: Member, team: Team, settings: Settings, width: int
) -> None:
    page = open_page(user=admin.user, width=width)
    with smtp_server() as (_handler, port), imap_server(Mailbox()) as imap_port:
        settings.PRIVATE_SERVERS = frozenset({("127.0.0.1", port), ("127.0.0.1", imap_port)})
        page.goto(reverse("home:settings:accounts", kwargs={"team": "north"}))
        page.get_by_role("link", name="New account").first.click()
        page.get_by_label("Address").fill("nadia@northwind.example")
        fill(page, "Sending", port, "a slip of the finger")
        fill(page, "Reading", imap_port, PASSWORD)
        page.get_by_role("button", name="Save").click()
        test = page.get_by_role("button", name="Test the connection")
        test.click()
        connection = page.get_by_role("region", name="Connection")
        expect(connection).to_contain_text("Sending. The server refuses the login")
        expect(connection).to_contain_text("Check user and password")
        assert "a slip of the finger" not in page.content()
        assert serious_problems(page) == []
        assert not scrolls_sideways(page)
        page.get_by_role("group", name="Sending").get_by_label("Password").fill(PASSWORD)
        page.get_by_role("button", name="Save").click()
        expect(connection).to_contain_text("Not tested since the last change")
        test.focus()
        page.keyboard.press("Enter")
        expect(connection).to_contain_text("Sending and reading both work.")
        assert PASSWORD not in page.content()
    row = SendingAccount.objects.get(team=team)
    assert (row.test_faults, Secret.objects.filter(account=row).count()) == ([], 2)
    page.goto(reverse("home:settings:accounts", kwargs={"team": "north"}))
    expect(page.get_by_role("row", name="nadia@northwind.example")).to_contain_text("connection works")
