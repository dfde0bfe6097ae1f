"""The outbox's pages, and the way out for people who were written to."""

from __future__ import annotations

import re
from datetime import datetime, timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from messaging.delivery import services
from messaging.delivery.ports import Ambiguous
from messaging.models import Delivery, Enrolment, OptOutToken
from outreach.teams.models import AuditEvent
from prospects import suppression
from prospects.models import Suppression
from tests.people import a_member, signed_in
from tests.services.delivery.scenes import Fake, a_delivery, an_approval, send

pytestmark = pytest.mark.django_db


def page(name: str, delivery: Delivery) -> str:
    return reverse(f"delivery:{name}", kwargs={"team": delivery.team.slug, "pk": delivery.pk})


def sender(delivery: Delivery) -> Client:
    return signed_in(user=a_member(team=delivery.team, role="writer").user)


def link(delivery: Delivery) -> str:
    return reverse("opt_out", kwargs={"token": OptOutToken.objects.get(draft=delivery.draft_id).token})


@pytest.fixture
def today() -> datetime:
    return timezone.now()


@pytest.mark.parametrize("tab", ["scheduled", "by-hand", "confirm", "sent", "failed"])
def test_each_tab_opens(tab: str) -> None:
    delivery = a_delivery()
    answer = sender(delivery).get(reverse("delivery:outbox", kwargs={"team": delivery.team.slug}), {"show": tab})
    assert answer.status_code == 200
    assert (delivery.prospect.full_name in answer.text) == (tab == "scheduled")


def test_the_exact_payload_is_shown() -> None:
    delivery = a_delivery()
    assert "List-Unsubscribe-Post: List-Unsubscribe=One-Click" in sender(delivery).get(page("detail", delivery)).text


def test_a_linkedin_task_shows_the_text_and_is_marked_as_attested(today) -> None:
    delivery = a_delivery(channel="linkedin_message", now=today)
    client = sender(delivery)
    shown = client.get(page("detail", delivery)).text
    assert "Head of Platform Engineering" in shown
    assert delivery.prospect.linkedin_url in shown
    assert client.post(page("mark_sent", delivery)).status_code == 302
    delivery.refresh_from_db()
    assert (delivery.state, delivery.draft.state) == ("attested", "sent")
    assert client.post(page("mark_sent", delivery)).status_code == 422


def test_a_task_that_is_not_possible_ends_with_its_reason(today) -> None:
    delivery = a_delivery(channel="linkedin_message", now=today)
    client = sender(delivery)
    assert client.post(page("not_possible", delivery), {"reason": "other"}).status_code == 422
    client.post(page("not_possible", delivery), {"reason": "no_profile"})
    delivery.refresh_from_db()
    assert (delivery.state, delivery.error) == ("failed", "The profile does not exist any more")


def test_the_text_of_a_suppressed_person_is_not_shown(today) -> None:
    delivery = a_delivery(channel="linkedin_message", now=today)
    suppression.suppress(
        team=delivery.team, actor=None, kind="profile", value=delivery.prospect.linkedin_url, reason="asked", now=today
    )
    client = sender(delivery)
    assert "I sent exactly this text" not in client.get(page("detail", delivery)).text
    assert client.post(page("mark_sent", delivery)).status_code == 422
    delivery.refresh_from_db()
    assert delivery.state == "cancelled"


@pytest.mark.parametrize(("choice", "state"), [("sent", "sent"), ("send_again", "waiting"), ("give_up", "failed")])
def test_a_person_settles_what_needs_confirmation(choice: str, state: str, today) -> None:
    delivery = a_delivery(now=today)
    send(transport=Fake(Ambiguous("dead line")), now=today + timedelta(minutes=20))
    sender(delivery).post(page("confirm", delivery), {"settled": choice})
    delivery.refresh_from_db()
    assert delivery.state == state


def test_a_reviewer_may_not_open_the_outbox() -> None:
    delivery = a_delivery()
    client = signed_in(user=a_member(team=delivery.team, role="reviewer").user)
    assert client.get(page("detail", delivery)).status_code == 403


def test_a_message_of_another_team_is_not_found() -> None:
    mine, theirs = a_delivery(), a_delivery()
    url = reverse("delivery:detail", kwargs={"team": mine.team.slug, "pk": theirs.pk})
    assert sender(mine).get(url).status_code == 404


def test_looking_at_the_unsubscribe_link_changes_nothing() -> None:
    delivery = a_delivery()
    assert Client().get(link(delivery)).status_code == 200
    assert Client().head(link(delivery)).status_code == 200
    assert suppression.find(team=delivery.team, email=delivery.prospect.email) is None


def test_one_click_without_login_stops_everything() -> None:
    delivery = a_delivery()
    client = Client(enforce_csrf_checks=True)
    assert client.post(link(delivery), {"List-Unsubscribe": "One-Click"}).status_code == 200
    delivery.refresh_from_db()
    assert suppression.find(team=delivery.team, email=delivery.prospect.email) is not None
    assert suppression.find(team=delivery.team, profile=delivery.prospect.linkedin_url) is not None
    assert (delivery.state, Enrolment.objects.get().state) == ("cancelled", "removed")
    assert AuditEvent.objects.filter(action="prospect.unsubscribed").count() == 1
    assert client.post(link(delivery)).status_code == 200


def test_the_link_works_again_after_the_team_lifted_the_suppression() -> None:
    delivery = a_delivery()
    Client().post(link(delivery))
    Suppression.objects.filter(team=delivery.team).delete()
    assert b"<button" in Client().get(link(delivery)).content
    Client().post(link(delivery))
    assert suppression.find(team=delivery.team, email=delivery.prospect.email) is not None
    assert b"<button" not in Client().get(link(delivery)).content


def test_the_link_in_the_approved_bytes_leads_to_the_way_out() -> None:
    delivery = a_delivery()
    found = re.search(rb"List-Unsubscribe: <(https?://[^/]+)(/[^>]+)>", bytes(delivery.payload.content).replace(b"\r\n ", b" "))
    assert found is not None
    assert Client().post(found.group(2).decode(), {"List-Unsubscribe": "One-Click"}).status_code == 200
    assert suppression.find(team=delivery.team, email=delivery.prospect.email) is not None


def test_an_opt_out_before_the_outbox_opens_keeps_the_message_in() -> None:
    approval = an_approval()
    Client().post(reverse("opt_out", kwargs={"token": OptOutToken.objects.get(draft=approval.draft).token}))
    approval.refresh_from_db()
    assert approval.lapsed_at is not None
    assert services.open_deliveries(now=approval.lapsed_at) == 0


def test_an_unknown_token_says_what_to_do() -> None:
    answer = Client().post("/u/nobody-knows-this-token")
    assert answer.status_code == 404
    assert "Answer the message" in answer.text


def test_outbox_pages_cost_the_same_however_many_rows(django_assert_max_num_queries) -> None:
    first = a_delivery()
    for _ in range(4):
        a_delivery(campaign=first.draft.campaign)
    client = sender(first)
    with django_assert_max_num_queries(8):
        client.get(reverse("delivery:outbox", kwargs={"team": first.team.slug}))
