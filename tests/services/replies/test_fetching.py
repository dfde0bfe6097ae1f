"""Answers are fetched from a mailbox over IMAP: once, without a trace in it, and nothing that is not ours."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest

from messaging.models import Delivery, Mailbox, RawMail, Reply
from messaging.replies import services
from messaging.replies.adapters.imap import ImapReader
from outreach.campaigns.models import SendingAccount
from outreach.campaigns.services import edit_account
from outreach.egress import Guard
from tests.mailservers import PASSWORD, USER, imap_server
from tests.mailservers import Mailbox as Box
from tests.people import a_member
from tests.services.replies.scenes import LATER, a_mail, a_sent

pytestmark = pytest.mark.django_db


def a_mailbox(delivery: Delivery, port: int, password: str = PASSWORD) -> ImapReader:
    """The account that the message left from reads its answers at this port."""
    done = edit_account(
        member=a_member(team=delivery.team, role="admin"), account_id=delivery.account_id, imap_host="127.0.0.1",
        imap_port=port, imap_security="none", imap_user=USER, passwords={"imap_password": password},
    )  # fmt: skip
    assert isinstance(done, SendingAccount), done
    return ImapReader(largest=100_000, guard=Guard(allow=frozenset({("127.0.0.1", port)})), timeout=5)


def fetch(delivery: Delivery, reader: ImapReader, at: datetime) -> services.Fetched | None:
    assert services.mailboxes_due(now=at) == [delivery.account_id]
    return services.read_mailbox(account_id=delivery.account_id, reader=reader, now=at)


def test_answers_are_taken_in_once_and_other_mail_is_left() -> None:
    delivery = a_sent()
    box = Box(messages=[a_mail(text="An old letter.")], first_uid=40)
    with imap_server(box) as port:
        reader = a_mailbox(delivery, port)
        assert fetch(delivery, reader, LATER) == services.Fetched()
        box.messages += [
            a_mail(text="Dinner on Friday?", sender="friend@home.example"),
            a_mail(text="Yes, tell me more.", sender=delivery.payload.recipient, answers=delivery.payload.message_id),
            b"From: <x@y.example>\r\nSubject: huge\r\n\r\n" + b"x" * 200_000,
        ]
        minute = timedelta(minutes=1)
        assert fetch(delivery, reader, LATER + minute) == services.Fetched(taken=1, left=2)
        assert fetch(delivery, reader, LATER + 2 * minute) == services.Fetched()
        assert services.mailboxes_due(now=LATER + 2 * minute) == []
        assert services.read_mailbox(account_id=delivery.account_id, reader=reader, now=LATER + 2 * minute) is None
        box.validity = 8
        assert fetch(delivery, reader, LATER + 3 * minute) == services.Fetched(taken=1, left=3)
    reply = Reply.objects.get()
    assert (reply.delivery_id, reply.intent) == (delivery.pk, "interested")
    assert [bytes(one.content)[:20] for one in RawMail.objects.all()] == [box.messages[2][:20]]
    mailbox = Mailbox.objects.get()
    assert (mailbox.uid_validity, mailbox.last_uid, mailbox.error) == (8, 43, "")
    assert {"SELECT", "STORE", "EXPUNGE", "COPY"}.isdisjoint(box.commands)


def test_a_mailbox_that_cannot_be_read_says_why_and_is_tried_again() -> None:
    delivery = a_sent()
    with imap_server(Box()) as port:
        reader = a_mailbox(delivery, port, password="not this one")
        failed = fetch(delivery, reader, LATER)
        assert failed is not None
        assert "refuses the login" in failed.error
        assert "not this one" not in Mailbox.objects.get().error
        reader = a_mailbox(delivery, port)
        assert fetch(delivery, reader, LATER + timedelta(minutes=1)) == services.Fetched()
        assert Mailbox.objects.get().error == ""


def test_only_accounts_in_use_that_name_a_server_are_read() -> None:
    delivery = a_sent()
    assert services.mailboxes_due(now=LATER) == []
    a_mailbox(delivery, 143)
    assert services.mailboxes_due(now=LATER) == [delivery.account_id]
    SendingAccount.objects.update(active=False)
    assert services.mailboxes_due(now=LATER) == []
