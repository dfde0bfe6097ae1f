"""The inbox, and the demonstration's mailbox whose answers are real mail."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from messaging.delivery.channels.catchall.server import keep
from messaging.models import CaughtMail, Delivery, Reply
from tests.people import a_member, signed_in
from tests.services.replies.scenes import a_mail, a_sent, answered, came

pytestmark = pytest.mark.django_db


def writer(delivery: Delivery) -> Client:
    return signed_in(user=a_member(team=delivery.team, role="writer").user)


def url(name: str, delivery: Delivery, **values: object) -> str:
    return reverse(name, kwargs={"team": delivery.team.slug, **values})


def caught_of(delivery: Delivery, front: bytes = b"Date: Tue, 01 Dec 2026 09:00:00 +0000\r\n") -> CaughtMail:
    keep(sender=delivery.account.address, recipients=[delivery.payload.recipient], content=front + bytes(delivery.payload.content))
    return CaughtMail.objects.get()


def test_replies_are_listed_by_intent() -> None:
    delivery = a_sent()
    answered(delivery=delivery, text="Sounds good, send me a price.")
    client = writer(delivery)
    assert "Sounds good" in client.get(url("replies:inbox", delivery)).text
    assert "Sounds good" in client.get(url("replies:inbox", delivery), {"lane": "interested"}).text
    assert "Sounds good" not in client.get(url("replies:inbox", delivery), {"lane": "question"}).text


def test_a_thread_shows_what_was_sent_and_what_came_back() -> None:
    delivery = a_sent()
    reply = answered(delivery=delivery, text="<script>alert(1)</script> fine").reply
    assert reply is not None
    shown = writer(delivery).get(url("replies:thread", delivery, pk=reply.pk)).text
    assert "Head of Platform Engineering at Pipewren" in shown
    assert "&lt;script&gt;alert(1)" in shown


def test_a_reading_is_corrected_and_a_reply_closed() -> None:
    delivery = a_sent()
    reply = answered(delivery=delivery, text="Hmm.").reply
    assert reply is not None
    client = writer(delivery)
    client.post(url("replies:correct", delivery, pk=reply.pk), {"intent": "referral"})
    client.post(url("replies:set_state", delivery, pk=reply.pk), {"state": "closed"})
    reply.refresh_from_db()
    assert (reply.intent, reply.state) == ("referral", "closed")
    assert client.post(url("replies:correct", delivery, pk=reply.pk), {"intent": "nonsense"}).status_code == 422


def test_unmatched_mail_is_matched_by_a_person() -> None:
    delivery = a_sent()
    reply = came(delivery=delivery, raw=a_mail(text="Hello")).reply
    assert reply is not None
    client = writer(delivery)
    assert delivery.prospect.full_name in client.get(url("replies:thread", delivery, pk=reply.pk)).text
    client.post(url("replies:assign", delivery, pk=reply.pk), {"delivery": delivery.pk})
    assert Reply.objects.get().delivery == delivery


def test_raw_mail_is_shown_as_text_only() -> None:
    delivery = a_sent()
    reply = answered(delivery=delivery, text="<b>hi</b>").reply
    assert reply is not None
    answer = writer(delivery).get(url("replies:raw", delivery, pk=reply.pk))
    assert answer["Content-Type"].startswith("text/plain")


def test_the_mailbox_says_that_the_bytes_are_the_approved_ones(settings) -> None:
    settings.CATCHALL = True
    delivery = a_sent()
    caught_of(delivery)
    assert "equals the approved bytes" in writer(delivery).get(url("mailbox:mailbox", delivery)).text


def test_the_mailbox_says_when_they_differ(settings) -> None:
    settings.CATCHALL = True
    delivery = a_sent()
    caught_of(delivery, front=b"X-Added: on the way\r\n")
    assert "differs" in writer(delivery).get(url("mailbox:mailbox", delivery)).text


def test_the_mailbox_shows_no_mail_of_another_team(settings) -> None:
    settings.CATCHALL = True
    delivery, other = a_sent(), a_sent()
    mail = caught_of(other)
    assert writer(delivery).get(url("mailbox:caught", delivery, pk=mail.pk)).status_code == 404


def test_the_mailbox_exists_only_with_the_catch_all(settings) -> None:
    settings.CATCHALL = False
    delivery = a_sent()
    assert writer(delivery).get(url("mailbox:mailbox", delivery)).status_code == 404


@pytest.mark.parametrize(("quick", "kind", "intent"), [
    ("interested", "human", "interested"), ("not_now", "human", "not_now"), ("unsubscribe", "unsubscribe", "unsubscribe"),
    ("out_of_office", "auto_reply", "other"),
])
def test_answering_as_the_prospect_goes_through_the_front_door(quick: str, kind: str, intent: str, settings) -> None:
    settings.CATCHALL = True
    delivery = a_sent()
    mail = caught_of(delivery)
    answer = writer(delivery).post(url("mailbox:caught", delivery, pk=mail.pk), {"quick": quick})
    reply = Reply.objects.get()
    assert answer["Location"] == url("replies:thread", delivery, pk=reply.pk)
    assert (reply.delivery, reply.matched_by, reply.kind, reply.intent) == (delivery, "in-reply-to", kind, intent)


def test_a_reviewer_may_not_open_the_inbox() -> None:
    delivery = a_sent()
    client = signed_in(user=a_member(team=delivery.team, role="reviewer").user)
    assert client.get(url("replies:inbox", delivery)).status_code == 403


def test_the_inbox_costs_the_same_however_many_replies(django_assert_max_num_queries) -> None:
    delivery = a_sent()
    for number in range(6):
        answered(delivery=delivery, text=f"Question {number}?")
    client = writer(delivery)
    with django_assert_max_num_queries(8):
        client.get(url("replies:inbox", delivery))
