"""A real browser on the real site. Every page must stay free of script errors and of what the content policy refuses."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from django.conf import settings
from playwright.sync_api import Browser, ConsoleMessage, Page, sync_playwright
from pytest_django.live_server_helper import LiveServer

from outreach.scripts.test import find_browser
from outreach.teams.models import User
from tests.people import signed_in

AXE = Path(__file__).parent.parent / "vendor" / "axe-core" / "axe.min.js"
#: Answers that a journey may provoke on purpose; the browser reports them as errors.
EXPECTED = ("status of 403", "status of 404", "status of 422")


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=find_browser(), args=["--no-sandbox"])
        yield chromium
        chromium.close()


@pytest.fixture
def open_page(browser: Browser, live_server: LiveServer) -> Iterator[Callable[..., Page]]:
    """open_page(user=…, width=…, dark=…): a fresh window, signed in as the user; nobody without one."""
    faults: list[str] = []
    contexts = []

    def hear(message: ConsoleMessage) -> None:
        if message.type == "error" and not any(part in message.text for part in EXPECTED):
            faults.append(f"{message.location.get('url')}: {message.text}")

    def open_(*, user: User | None = None, width: int = 1440, dark: bool = False, script: bool = True) -> Page:
        context = browser.new_context(
            base_url=live_server.url,
            viewport={"width": width, "height": 900},
            color_scheme="dark" if dark else "light",
            java_script_enabled=script,
        )
        contexts.append(context)
        if user is not None:
            session = signed_in(user=user).cookies[settings.SESSION_COOKIE_NAME].value
            context.add_cookies([{"name": settings.SESSION_COOKIE_NAME, "value": session, "url": live_server.url}])
        page = context.new_page()
        page.set_default_timeout(10_000)
        page.on("console", hear)
        page.on("pageerror", lambda error: faults.append(str(error)))
        return page

    yield open_
    for context in contexts:
        context.close()
    assert faults == []


def serious_problems(page: Page) -> list[str]:
    """What axe-core finds serious or critical on the page as it stands."""
    page.evaluate(AXE.read_text())
    found = page.evaluate(
        "axe.run().then(r => r.violations.filter(v => ['serious', 'critical'].includes(v.impact))"
        ".map(v => v.id + ': ' + v.nodes.map(n => n.html.slice(0, 120)).join(' | ')))"
    )
    return list(found)


def scrolls_sideways(page: Page) -> bool:
    return bool(page.evaluate("document.documentElement.scrollWidth > window.innerWidth"))
