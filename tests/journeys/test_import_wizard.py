"""The import wizard with a messy table: dropped, corrected, looked at, watched, cancelled, resumed, and remembered."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable
from datetime import datetime

import pytest
from django.urls import reverse
from django.utils import timezone
from playwright.sync_api import Page, expect

from outreach.teams.access import Member
from outreach.teams.models import Team
from prospects.models import ColumnMapping, ImportBatch, ImportState, Prospect
from prospects.services.batches import CHUNK, claim, work
from prospects.tasks import run_imports
from tests.journeys.conftest import scrolls_sideways, serious_problems
from tests.people import a_member, a_team

Opener = Callable[..., Page]
PEOPLE = 3 * CHUNK
DROP = """
([name, text]) => {
  const files = new DataTransfer(), box = document.querySelector(".drop");
  files.items.add(new File([text], name, {type: "text/csv"}));
  for (const type of ["dragover", "drop"])
    box.dispatchEvent(new DragEvent(type, {bubbles: true, cancelable: true, dataTransfer: files}));
}
"""


@pytest.fixture
def team(transactional_db: None) -> Team:
    return a_team(slug="north")


@pytest.fixture
def writer(team: Team) -> Member:
    return a_member(team=team, role="writer")


def address(team: Team, name: str, **arguments: object) -> str:
    return reverse(f"prospects:{name}", kwargs={"team": team.slug, **arguments})


def messy(people: int = PEOPLE, *, start: int = 0) -> str:
    """A visitor list with a title, names of columns that nobody knows, one of them twice, a row of nobody and a formula."""
    rows = [
        f"Person Nr{n};Leiterin Einkauf;Werk {n % 7} GmbH;p{n}@werk.example;;" for n in range(start, start + people)
    ]
    rows[1:1] = [";Leiter;Werk 1 GmbH;nobody@werk.example;;=1+1"]
    return "Messe Köln 2026;;;;;\n\nKontakt;Rolle;Firmenwortlaut;Mail;Mail;Notiz\n" + "\n".join(rows) + "\n"


def handed_in(page: Page, team: Team, name: str, text: str) -> None:
    page.goto(address(team, "import"))
    page.evaluate(DROP, [name, text])
    page.get_by_role("button", name="See what it brings").click()


def test_a_messy_table_is_dropped_corrected_watched_cancelled_resumed_and_remembered(
    open_page: Opener, team: Team, writer: Member
) -> None:
    page = open_page(user=writer.user)
    handed_in(page, team, "Besucher.csv", messy())

    # The columns: two are proposed by what they hold, the rest is said by the person, who sees a row as it becomes.
    expect(page.get_by_text("6 columns, named in row 3")).to_be_visible()
    expect(page.get_by_label("Target for “Mail” (column 4)")).to_have_value("email")
    expect(page.locator("#look")).to_contain_text("No column holds a name")
    page.get_by_label("Target for “Rolle” (column 2)").select_option("email")
    expect(page.locator("#check-2")).to_contain_text(
        "none of its values is an e-mail address (row 4: “Leiterin Einkauf”)"
    )
    page.get_by_role("button", name="See what it brings").click()
    expect(page.get_by_role("alert")).to_contain_text("“Rolle” (column 2) cannot be E-mail address")
    assert not ColumnMapping.objects.exists()
    page.get_by_label("Target for “Rolle” (column 2)").select_option("title")
    page.get_by_label("Target for “Kontakt” (column 1)").select_option("full")
    page.get_by_label("Target for “Firmenwortlaut” (column 3)").select_option("company")
    expect(page.locator("#check-3")).to_have_text("reads well")
    expect(page.locator("#look")).to_contain_text("Row 4 becomes")
    expect(page.locator("#look")).to_contain_text("Person Nr0")
    expect(page.locator("#check-2")).to_have_text("reads well")
    page.locator("#row-after").click()
    expect(page.locator("#look")).to_contain_text("It is not used")
    page.get_by_role("button", name="See what it brings").click()

    # The preview: what would happen, while nothing has.
    expect(page.locator("dl.kv")).to_contain_text(f"New people{PEOPLE:,}")
    expect(page.get_by_role("row", name="4 Person Nr0 new")).to_contain_text("Leiterin Einkauf")
    expect(page.get_by_role("row", name="5 not used")).to_be_visible()
    assert Prospect.objects.count() == 0
    page.get_by_role("button", name="Import").click()
    expect(page.get_by_text("waiting to be read")).to_be_visible()

    # Progress, and the button that stops it, from within the worker's own loop.
    lease = claim(now=timezone.now())
    assert lease is not None
    asked = 0

    def clock() -> datetime:
        nonlocal asked
        asked += 1
        if Prospect.objects.exists() and page.get_by_role("button", name="Cancel").is_visible():
            expect(page.locator("progress")).to_have_attribute("value", str(CHUNK))
            page.locator("#cancel").focus()
            expect(page.locator("#progress")).to_contain_text("a second, about")
            expect(page.locator("#cancel")).to_be_focused()  # the part was swapped meanwhile
            page.keyboard.press("Enter")
            expect(page.get_by_text("What was in stays in")).to_be_visible()
        return timezone.now()

    assert work(lease=lease, clock=clock).state == ImportState.CANCELLED
    assert Prospect.objects.count() == CHUNK - 1  # one of the rows names nobody
    page.get_by_role("button", name="Resume").click()
    expect(page.get_by_role("button", name="Cancel")).to_be_visible()
    run_imports()
    expect(page.get_by_role("link", name="See the prospects")).to_be_visible()
    assert Prospect.objects.filter(team=team, title="Leiterin Einkauf").count() == PEOPLE

    # The rows that were not used, inert in a spreadsheet.
    with page.expect_download() as download:
        page.get_by_role("link", name="Rows not used").click()
    rows = list(csv.DictReader(io.StringIO(download.value.path().read_text(encoding="utf-8-sig"))))
    assert [(row["Footnote row"], row["Mail"], row["Notiz"]) for row in rows] == [("5", "nobody@werk.example", "'=1+1")]

    # The same header again, in another order, mended: nobody is asked.
    mended = "Mail;Kontakt;Rolle;Firmenwortlaut;Mail;Notiz\nnobody@werk.example;Nora Body;Leiterin;Werk 1 GmbH;;\n"
    handed_in(page, team, "Besucher-2.csv", mended)
    expect(page.get_by_text("4 columns are imported, as you or your team chose.")).to_be_visible()
    expect(page.get_by_role("row", name="2 Nora Body new")).to_be_visible()
    page.get_by_role("button", name="Import").click()
    expect(page.get_by_role("button", name="Cancel")).to_be_visible()
    run_imports()
    expect(page.get_by_role("link", name="See the prospects")).to_be_visible()
    assert Prospect.objects.get(full_name="Nora Body").title == "Leiterin"

    # What is remembered can be seen and forgotten.
    page.goto(address(team, "mappings"))
    expect(page.get_by_role("row", name="Kontakt, Rolle, Firmenwortlaut")).to_contain_text("Full name")
    page.once("dialog", lambda dialog: dialog.accept())
    page.get_by_role("button", name="Forget").click()
    expect(page.get_by_text("Nothing is remembered yet")).to_be_visible()
    handed_in(page, team, "Besucher-3.csv", mended)
    expect(page.get_by_label("Target for “Kontakt” (column 2)")).to_have_value("")


def test_a_worker_that_died_is_told_and_the_next_one_finishes(open_page: Opener, team: Team, writer: Member) -> None:
    page = open_page(user=writer.user)
    handed_in(
        page, team, "people.csv", "Name,Email\n" + "".join(f"Person Nr{n},p{n}@x.example\n" for n in range(2 * CHUNK))
    )
    page.get_by_role("button", name="See what it brings").click()
    page.get_by_role("button", name="Import").click()
    expect(page.get_by_text("waiting to be read")).to_be_visible()
    lease = claim(now=timezone.now())
    assert lease is not None

    def dying() -> datetime:
        if Prospect.objects.exists():
            raise KeyboardInterrupt
        return timezone.now()

    with pytest.raises(KeyboardInterrupt):
        work(lease=lease, clock=dying)
    ImportBatch.objects.update(lease_until=timezone.now())
    expect(page.get_by_text("No worker has reported for a while")).to_be_visible()
    run_imports()
    expect(page.get_by_role("link", name="See the prospects")).to_be_visible()
    assert (Prospect.objects.count(), ImportBatch.objects.get().created) == (2 * CHUNK, 2 * CHUNK)


def test_the_columns_are_chosen_by_keyboard_and_without_script(open_page: Opener, team: Team, writer: Member) -> None:
    page = open_page(user=writer.user, script=False)
    page.goto(address(team, "import"))
    page.set_input_files("#id_file", {"name": "b.csv", "mimeType": "text/csv", "buffer": messy(3).encode()})
    page.locator("#id_file").press("Tab")
    page.keyboard.press("Enter")
    expect(page.get_by_text("6 columns, named in row 3")).to_be_visible()
    page.locator("#c1").focus()
    page.keyboard.type("Full")
    page.get_by_role("button", name="Check").press("Enter")
    expect(page.locator("#look")).to_contain_text("Person Nr0")
    expect(page.locator("#c1")).to_have_value("full")
    page.get_by_role("button", name="next").press("Enter")
    expect(page.locator("#look")).to_contain_text("Row 5 becomes")
    page.get_by_label("The columns are named in").select_option("0")
    page.get_by_role("button", name="Look there").press("Enter")
    expect(page.get_by_text("6 columns without names")).to_be_visible()


@pytest.mark.parametrize(("width", "dark"), [(1440, False), (390, True)])
def test_the_pages_of_the_wizard_are_free_of_serious_faults(
    open_page: Opener, team: Team, writer: Member, width: int, dark: bool
) -> None:
    page = open_page(user=writer.user, width=width, dark=dark)

    def faultless(name: str) -> None:
        assert serious_problems(page) == [], name
        assert not scrolls_sideways(page), name

    handed_in(page, team, "Besucher.csv", messy(5))
    faultless("columns")
    page.get_by_label("Target for “Kontakt” (column 1)").select_option("full")
    page.get_by_label("Target for “Rolle” (column 2)").select_option("linkedin_id")
    expect(page.locator("#check-2")).to_contain_text("cannot be LinkedIn number")
    faultless("columns with a fault")
    page.get_by_label("Target for “Rolle” (column 2)").select_option("title")
    expect(page.locator("#check-2")).to_have_text("reads well")
    page.get_by_role("button", name="See what it brings").click()
    expect(page.get_by_text("The first rows")).to_be_visible()
    faultless("preview")
    page.get_by_role("button", name="Import").click()
    expect(page.get_by_text("waiting to be read")).to_be_visible()
    faultless("progress")
    run_imports()
    expect(page.get_by_role("link", name="See the prospects")).to_be_visible()
    faultless("result")
    page.goto(address(team, "mappings"))
    faultless("mappings")
