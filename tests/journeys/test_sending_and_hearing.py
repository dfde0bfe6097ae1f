"""Sending by hand, unsubscribing, answering in the demonstration's mailbox, reading the inbox: in a browser."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from django.urls import reverse
from django.utils import timezone
from playwright.sync_api import Page, expect

from messaging.delivery.channels.catchall.server import keep
from messaging.models import CaughtMail, Delivery, Enrolment
from messaging.review.domain.payload import read_linkedin
from prospects import suppression
from tests.journeys.conftest import scrolls_sideways, serious_problems
from tests.people import a_member
from tests.services.delivery.scenes import a_delivery
from tests.services.replies.scenes import a_mail, a_sent, answered, came

pytestmark = pytest.mark.django_db(transaction=True)
Opener = Callable[..., Page]


def address(delivery: Delivery, name: str, **values: object) -> str:
    return reverse(name, kwargs={"team": delivery.team.slug, **values})


def test_a_linkedin_message_is_copied_and_marked_as_sent(open_page: Opener) -> None:
    delivery = a_delivery(channel="linkedin_message", now=timezone.now())
    page = open_page(user=a_member(team=delivery.team, role="writer").user)
    page.goto(address(delivery, "delivery:outbox"))
    page.get_by_role("link", name="Send", exact=True).click()
    approved = read_linkedin(content=bytes(delivery.payload.content)).text
    assert page.locator("#text-t").text_content() == approved
    expect(page.get_by_role("link", name="Open the profile")).to_have_attribute("href", delivery.prospect.linkedin_url)
    page.keyboard.press("c")
    expect(page.locator("#live")).to_contain_text("Copied")
    page.keyboard.press("s")
    expect(page.locator("#live")).to_contain_text("Marked as sent")
    delivery.refresh_from_db()
    assert delivery.state == "attested"


def test_somebody_unsubscribes_without_script(open_page: Opener) -> None:
    delivery = a_sent()
    link = re.search(rb"List-Unsubscribe: <https?://[^/]+(/[^>]+)>", bytes(delivery.payload.content).replace(b"\r\n ", b" "))
    assert link is not None
    page = open_page(script=False)
    page.goto(link.group(1).decode())
    page.get_by_role("button", name="Do not write to me again").click()
    expect(page.get_by_role("heading")).to_have_text("You will not hear from us again")
    assert suppression.find(team=delivery.team, email=delivery.prospect.email) is not None


def test_an_answer_in_the_mailbox_comes_back_to_the_inbox(open_page: Opener, settings) -> None:
    settings.CATCHALL = True
    delivery = a_sent()
    keep(sender="us@hearthdesk.example", recipients=[delivery.payload.recipient], content=b"Date: today\r\n" + bytes(delivery.payload.content))
    page = open_page(user=a_member(team=delivery.team, role="writer").user)
    page.goto(address(delivery, "mailbox:mailbox"))
    expect(page.get_by_text("equals the approved bytes")).to_be_visible()
    page.get_by_role("link", name=delivery.prospect.full_name).click()
    page.get_by_role("button", name="Unsubscribe").click()
    expect(page.locator(".read")).to_contain_text("Put on the suppression list")
    assert Enrolment.objects.get().state == "removed"


def test_the_inbox_is_worked_through_by_keyboard(open_page: Opener) -> None:
    delivery = a_sent()
    reply = answered(delivery=delivery, text="Sounds good, send me a price.").reply
    assert reply is not None
    page = open_page(user=a_member(team=delivery.team, role="writer").user)
    page.goto(address(delivery, "replies:inbox"))
    page.keyboard.press("j")
    page.keyboard.press("Enter")
    expect(page.locator(".read")).to_contain_text("Interested")
    page.keyboard.press("c")
    expect(page.get_by_role("button", name="Open again")).to_be_visible()
    reply.refresh_from_db()
    assert reply.state == "closed"


@pytest.mark.parametrize(("width", "dark"), [(1440, False), (390, True)])
def test_the_pages_are_accessible_and_fit(open_page: Opener, settings, width: int, dark: bool) -> None:
    settings.CATCHALL = True
    delivery = a_sent()
    task = a_delivery(channel="linkedin_message", now=timezone.now(), team=delivery.team)
    reply = answered(delivery=delivery, text="Sounds good, send me a price.").reply
    stray = came(delivery=delivery, raw=a_mail(text="Hello from nobody")).reply
    assert reply is not None
    assert stray is not None
    keep(sender="us@hearthdesk.example", recipients=[delivery.payload.recipient], content=bytes(delivery.payload.content))
    page = open_page(user=a_member(team=delivery.team, role="manager").user, width=width, dark=dark)
    problems: dict[str, object] = {}
    for url in (
        address(delivery, "delivery:outbox") + "?show=sent", address(delivery, "delivery:detail", pk=delivery.pk),
        address(delivery, "delivery:detail", pk=task.pk), address(delivery, "replies:inbox"),
        address(delivery, "replies:thread", pk=reply.pk), address(delivery, "replies:thread", pk=stray.pk),
        address(delivery, "mailbox:mailbox"), address(delivery, "mailbox:caught", pk=CaughtMail.objects.get().pk),
        address(delivery, "analytics:insights"), "/u/an-unknown-token",
    ):
        page.goto(url)
        found = serious_problems(page)
        if found or scrolls_sideways(page):
            problems[url] = (found, scrolls_sideways(page))
    assert problems == {}
