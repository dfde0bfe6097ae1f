"""The whole circle on the real product: file, draft, approval, mail, answer, funnel."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from outreach.scripts.run import free_port
from tests.services.running.product import Product

PASSWORD = "footnote-demo"
PERSON = {
    "dossier_id": "circle-1",
    "prospect": {
        "full_name": "Vera Lindgren", "emails": ["vera.lindgren@tallfjord.example"],
        "headline": "Head of Platform Engineering at Tallfjord", "location": "Malmö, Sweden",
        "profile_language": "en", "languages": ["English (native)"],
        "positions": [
            {"title": "Head of Platform Engineering", "company": "Tallfjord", "start": "2024-03", "end": None}
        ],
        "posts": [
            {"id": "post1", "date": "2026-11-20", "kind": "post", "language": "en",
             "text": "Every engineer on my team now spends one day a month in the support inbox."}
        ],
    },
    "company": {"name": "Tallfjord", "industry": "Software"},
}  # fmt: skip


@pytest.fixture
def product(tmp_path: Path) -> Iterator[Product]:
    running = Product(tmp_path / "data", free_port(), tmp_path / "run.log", demo=True)
    running.start()
    yield running
    running.stop()


def _sign_in(browser: Browser, product: Product, *, name: str) -> Page:
    page = browser.new_context(base_url=product.address).new_page()
    page.set_default_timeout(30_000)
    page.goto("/accounts/login/")
    page.fill("input[name=login]", f"{name}@demo.example")
    page.fill("input[name=password]", PASSWORD)
    page.click("button[type=submit]")
    page.wait_for_url("**/t/demo/")
    return page


def _until_seen(page: Page, *, address: str, text: str | re.Pattern[str]) -> None:
    """Look again until the page shows the text, as a person would."""
    for _look in range(40):
        page.goto(address)
        if page.get_by_text(text).count():
            return
        page.wait_for_timeout(1000)
    raise AssertionError(f"{text} never showed on {address}: {page.inner_text('main')[:2000]}")


def _funnel(page: Page) -> dict[str, int]:
    """Messages by stage, as the table under the picture says."""
    page.goto("/t/demo/insights/?campaign=demo&days=28")
    rows = page.locator("details table tbody tr").all()
    cells = [row.locator("td").all_text_contents() for row in rows]
    return {cell[0].strip(): int(cell[1].replace(",", "")) for cell in cells if cell[1].strip()[:1].isdigit()}


def test_from_a_file_to_an_answered_message(browser: Browser, product: Product, tmp_path: Path) -> None:
    file = tmp_path / "one.json"
    file.write_text(json.dumps(PERSON))

    admin = _sign_in(browser, product, name="ada")
    admin.goto("/t/demo/settings/policy/")
    admin.fill("input[name=undo_seconds]", "0")
    admin.locator("main form button[type=submit]").last.click()

    writer = _sign_in(browser, product, name="wanda")
    before = _funnel(writer)
    writer.goto("/t/demo/prospects/import/")
    writer.set_input_files("input[type=file]", file)
    writer.get_by_role("button", name="See what it brings").click()
    writer.locator("main").get_by_role("button", name="Import", exact=True).click()
    _until_seen(writer, address="/t/demo/prospects/?q=Vera", text="Vera Lindgren")
    writer.goto("/t/demo/campaigns/demo/people/?q=Vera")
    writer.get_by_label("Vera Lindgren").check()
    writer.get_by_role("button", name="Enrol the chosen").click()
    writer.goto("/t/demo/campaigns/demo/")
    writer.get_by_role("button", name=re.compile("Start drafting|Write")).click()

    reviewer = _sign_in(browser, product, name="rafael")
    _until_seen(reviewer, address="/t/demo/review/", text="Vera Lindgren")
    reviewer.get_by_text("Vera Lindgren").first.click()
    expect(reviewer.locator("h1")).to_contain_text("Vera Lindgren")
    expect(reviewer.locator(".msg")).to_contain_text(re.compile("(Hi|Hello) Vera"))
    approved = reviewer.locator("input[name=payload]").first.get_attribute("value")
    reviewer.get_by_role("button", name=re.compile("^Approve")).click()
    expect(reviewer.locator("h1")).not_to_contain_text("Vera Lindgren")

    _until_seen(writer, address="/t/demo/mailbox/", text="Vera Lindgren")
    writer.get_by_role("link", name="Vera Lindgren").first.click()
    expect(writer.get_by_text("Equals the approved payload")).to_be_visible()
    assert approved
    assert approved in writer.inner_text("main")
    writer.get_by_role("button", name="Interested").first.click()

    _until_seen(writer, address="/t/demo/inbox/", text="Vera Lindgren")
    after = _funnel(writer)
    changed = {stage: after[stage] - before.get(stage, 0) for stage in after}
    # "Start drafting" writes to everybody whose turn it is; one of them went all the way.
    assert changed["Drafted"] >= changed["Verified"] >= 1
    assert [changed[stage] for stage in ("Approved", "Delivered", "Replied", "Positive")] == [1, 1, 1, 1]
    assert product.ask("SELECT count(*) FROM messaging_enrolment WHERE state = 'replied'") == 1
