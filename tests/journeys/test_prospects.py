"""Importing a file and looking at what is known, in a browser."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from django.urls import reverse
from playwright.sync_api import Page, expect

from outreach.teams.access import Member
from outreach.teams.models import Team
from prospects.models import Company, CompanySource, Prospect, Suppression
from prospects.tasks import run_imports
from tests.files import ARCHIVE, CONNECTIONS, DOSSIERS
from tests.journeys.conftest import scrolls_sideways, serious_problems
from tests.people import a_member, a_team
from tests.services.prospects.imports import imported
from tests.services.prospects.test_identities import pair

Opener = Callable[..., Page]


@pytest.fixture
def team(transactional_db: None) -> Team:
    return a_team(slug="north")


@pytest.fixture
def writer(team: Team) -> Member:
    return a_member(team=team, role="writer")


def address(team: Team, name: str, **arguments: object) -> str:
    return reverse(f"prospects:{name}", kwargs={"team": team.slug, **arguments})


def test_a_file_is_handed_in_looked_at_imported_and_its_problem_rows_downloaded(
    open_page: Opener, team: Team, writer: Member
) -> None:
    page = open_page(user=writer.user)
    page.goto(address(team, "import"))
    page.set_input_files("#id_file", CONNECTIONS)
    page.get_by_role("button", name="See what it brings").click()
    expect(page.get_by_text("LinkedIn archive · 11 rows")).to_be_visible()
    expect(page.get_by_role("cell", name="Maren Oduya-Lindqvist", exact=True)).to_be_visible()
    assert Prospect.objects.count() == 0
    page.get_by_role("button", name="Import").click()
    expect(page.get_by_text("waiting to be read")).to_be_visible()
    run_imports()
    expect(page.get_by_role("link", name="See the prospects")).to_be_visible()  # the page found out by itself
    assert page.locator("#progress").get_attribute("hx-get") is None
    with page.expect_download() as download:
        page.get_by_role("link", name="Rows not used").click()
    assert "the member left LinkedIn" in download.value.path().read_text(encoding="utf-8-sig")


def test_an_import_is_cancelled_and_resumed(open_page: Opener, team: Team, writer: Member) -> None:
    page = open_page(user=writer.user)
    page.goto(address(team, "import"))
    page.set_input_files("#id_file", ARCHIVE)
    page.get_by_role("button", name="See what it brings").click()
    page.get_by_label("Owner of the archive").select_option(str(writer.user.pk))
    page.get_by_role("button", name="Import").click()
    page.get_by_role("button", name="Cancel").click()
    expect(page.get_by_text("What was in stays in")).to_be_visible()
    page.get_by_role("button", name="Resume").click()
    expect(page.get_by_role("button", name="Cancel")).to_be_visible()
    run_imports()
    expect(page.get_by_role("link", name="See the prospects")).to_be_visible()
    assert Prospect.objects.filter(team=team).count() == 8


def test_the_list_narrows_as_one_types_and_keeps_it_in_its_address(
    open_page: Opener, team: Team, writer: Member
) -> None:
    imported(team=team, data=DOSSIERS.read_bytes(), name=DOSSIERS.name)
    page = open_page(user=writer.user)
    page.goto(address(team, "list"))
    page.get_by_label("Name, title or company").fill("rohan")
    expect(page.locator("#rows tr.row-k")).to_have_count(1)
    assert "q=rohan" in page.url
    page.get_by_role("link", name="Rohan Deshmukh").click()
    expect(page.get_by_role("heading", name="Rohan Deshmukh")).to_be_visible()


def test_a_post_is_captured_by_paste(open_page: Opener, team: Team, writer: Member) -> None:
    imported(team=team, data=DOSSIERS.read_bytes(), name=DOSSIERS.name)
    prospect = Prospect.objects.get(full_name="Rohan Deshmukh")
    page = open_page(user=writer.user)
    page.goto(address(team, "detail", pk=prospect.pk))
    page.get_by_role("link", name="Add evidence").click()
    page.get_by_label("The words as found").fill("We turned the last replica off.")
    page.get_by_label("Address where it was seen").fill("https://www.linkedin.com/posts/rohan-1")
    page.get_by_label("When it happened").fill("2026-11")
    page.get_by_role("button", name="Add", exact=True).click()
    expect(page.get_by_text("We turned the last replica off.")).to_be_visible()


def test_a_person_is_suppressed_in_two_steps(open_page: Opener, team: Team, writer: Member) -> None:
    imported(team=team, data=CONNECTIONS.read_bytes(), name=CONNECTIONS.name, owner=writer.user)
    page = open_page(user=writer.user)
    maren = Prospect.objects.get(team=team, full_name="Maren Oduya-Lindqvist")
    page.goto(address(team, "detail", pk=maren.pk))
    page.get_by_role("link", name="Suppress").click()
    page.get_by_label("Reason").fill("asked by phone")
    page.get_by_role("dialog").get_by_role("button", name="Suppress").click()
    expect(page.get_by_text("suppressed: asked by phone")).to_be_visible()
    assert Suppression.objects.count() == maren.identity_keys.count() > 0


@pytest.mark.parametrize(("width", "dark"), [(1440, False), (390, True)])
def test_pages_are_free_of_serious_faults(
    open_page: Opener, team: Team, writer: Member, width: int, dark: bool
) -> None:
    batch = imported(team=team, data=ARCHIVE.read_bytes(), name=ARCHIVE.name, owner=writer.user)
    page = open_page(user=writer.user, width=width, dark=dark)
    pk = batch.prospect_ids[0]
    company = Company.objects.earliest("id")
    CompanySource.objects.create(team=team, company=company, url="https://feed.example/" + "long" * 50, error="It failed. " * 9)
    for name, arguments in (
        ("list", {}), ("import", {}), ("imports", {}), ("suppressions", {}), ("batch", {"pk": batch.pk}),
        ("detail", {"pk": pk}), ("add_evidence", {"pk": pk}), ("sources", {"pk": company.pk}),
    ):  # fmt: skip
        page.goto(address(team, name, **arguments))
        assert serious_problems(page) == [], name
        assert not scrolls_sideways(page), name


def test_the_wizard_works_without_script(open_page: Opener, team: Team, writer: Member) -> None:
    page = open_page(user=writer.user, script=False)
    page.goto(address(team, "import"))
    page.set_input_files("#id_file", CONNECTIONS)
    page.get_by_role("button", name="See what it brings").click()
    page.get_by_role("button", name="Import").click()
    run_imports()
    page.get_by_role("link", name="Look again").click()
    expect(page.get_by_role("link", name="See the prospects")).to_be_visible()


def test_a_post_is_pasted_in_two_keys(open_page: Opener, team: Team, writer: Member) -> None:
    imported(team=team, data=DOSSIERS.read_bytes(), name=DOSSIERS.name)
    prospect = Prospect.objects.get(full_name="Rohan Deshmukh")
    page = open_page(user=writer.user)
    page.goto(address(team, "detail", pk=prospect.pk))
    page.keyboard.press("+")
    expect(page.get_by_role("dialog", name="Paste what you found")).to_be_visible()
    link = "https://www.linkedin.com/posts/rohan-d_replica-activity-7396100000000000000-abcd"
    page.keyboard.insert_text(f"{link}\nWe turned the last replica off.\nNobody noticed.")  # the focus is there already
    page.keyboard.press("Control+Enter")
    expect(page.get_by_text("We turned the last replica off.")).to_be_visible()
    expect(page.get_by_text("17 Nov 2025").first).to_be_visible()
    row = prospect.evidence.get(text__startswith="We turned")
    assert (row.kind, row.actor, row.source_url, row.added_by) == ("post", "prospect", link, writer.user)


def test_feeds_of_a_company_are_watched_from_its_prospect(open_page: Opener, team: Team, writer: Member) -> None:
    imported(team=team, data=DOSSIERS.read_bytes(), name=DOSSIERS.name)
    prospect = Prospect.objects.get(full_name="Rohan Deshmukh")
    page = open_page(user=writer.user)
    page.goto(address(team, "detail", pk=prospect.pk))
    page.get_by_role("link", name="Feeds and pages of").click()
    page.get_by_label("Address of a feed or page").fill("http://127.0.0.1:22/feed")
    page.get_by_role("button", name="Watch", exact=True).click()
    expect(page.get_by_text("only the web’s own ports")).to_be_visible()
    page.get_by_label("Address of a feed or page").fill("https://feed.example/rss")
    page.get_by_role("button", name="Watch", exact=True).click()
    expect(page.get_by_text("not yet")).to_be_visible()
    page.get_by_role("button", name="Pause").click()
    expect(page.get_by_text("Paused. It is not read")).to_be_visible()
    assert serious_problems(page) == []


def test_two_records_become_one_by_a_key_and_two_again(open_page: Opener, team: Team, writer: Member) -> None:
    kept, absorbed = pair(team)
    page = open_page(user=writer.user)
    page.goto(address(team, "list"))
    page.get_by_role("link", name="Who is who: 1 question").click()
    page.locator("table").get_by_role("link", name="Maren Oduya").click()
    expect(page.get_by_text("o@tarnhelm.example")).to_be_visible()
    assert not scrolls_sideways(page)
    assert serious_problems(page) == []
    page.keyboard.press("1")
    expect(page).to_have_url(re.compile(rf"/prospects/{kept.pk}/$"))
    expect(page.get_by_text(f"#{absorbed.pk}")).to_be_visible()
    page.on("dialog", lambda dialog: dialog.accept())
    page.get_by_role("button", name="Take back").click()
    expect(page.get_by_text("Two records again")).to_be_visible()
    assert Prospect.objects.filter(team=team, state="active").count() == 2
