"""check_invariants finds what the promises forbid, and nothing where they hold."""

from __future__ import annotations

import json
from datetime import timedelta
from io import StringIO

import pytest
from django.core.management import call_command

from messaging.delivery.channels.catchall.server import keep
from messaging.models import Approval, CaughtMail, Delivery, Draft, Reply
from outreach.home.management.commands.check_invariants import every_invariant
from prospects import suppression
from tests.people import a_member
from tests.services.delivery.scenes import DUE
from tests.services.replies.scenes import a_sent, answered

pytestmark = pytest.mark.django_db


def broken() -> set[str]:
    return {invariant.name for invariant in every_invariant() if list(invariant.broken())}


def test_a_clean_database_breaks_nothing() -> None:
    delivery = a_sent()
    a_member(team=delivery.team, role="admin")
    answered(delivery=delivery, text="Please take me off your list.")
    keep(sender="a@b.example", recipients=[delivery.payload.recipient], content=b"Date: x\r\n" + bytes(delivery.payload.content))
    assert broken() == set()


def lapsed_before(delivery: Delivery) -> None:
    Approval.objects.filter(pk=delivery.approval_id).update(lapsed_at=DUE - timedelta(hours=1))


def sent_too_late(delivery: Delivery) -> None:
    Delivery.objects.filter(pk=delivery.pk).update(claimed_at=DUE + timedelta(days=30))


def suppressed_before(delivery: Delivery) -> None:
    row = suppression.suppress(team=delivery.team, actor=None, kind="email", value=delivery.payload.recipient, reason="x", now=DUE)
    type(row).objects.filter(pk=row.pk).update(created_at=DUE - timedelta(days=1))  # type: ignore[union-attr]


def draft_back(delivery: Delivery) -> None:
    Draft.objects.filter(pk=delivery.draft_id).update(state="ready")


def other_bytes_arrived(delivery: Delivery) -> None:
    keep(sender="a@b.example", recipients=["x@y.example"], content=bytes(delivery.payload.content) + b"P.S.\r\n")


def arrived_twice(delivery: Delivery) -> None:
    for _ in range(2):
        keep(sender="a@b.example", recipients=["x@y.example"], content=bytes(delivery.payload.content))
    assert CaughtMail.objects.count() == 2


def reply_across_teams(delivery: Delivery) -> None:
    reply = answered(delivery=delivery, text="Sounds good, call me.").reply
    Reply.objects.filter(pk=reply.pk).update(delivery=a_sent())  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("breaks", "name"),
    [
        (lapsed_before, "sent_under_a_standing_approval"), (sent_too_late, "sent_by_its_date"),
        (suppressed_before, "nothing_sent_after_suppression"), (draft_back, "gone_out_draft_is_sent"),
        (other_bytes_arrived, "received_equals_approved"), (arrived_twice, "received_equals_approved"),
        (reply_across_teams, "replies_stay_in_their_team"),
    ],
)
def test_a_broken_promise_is_found(breaks, name: str) -> None:
    breaks(a_sent())
    assert name in broken()


def test_the_command_prints_one_object_and_fails_where_one_is_broken() -> None:
    delivery, out = a_sent(), StringIO()
    draft_back(delivery)
    with pytest.raises(SystemExit) as ended:
        call_command("check_invariants", "--json", stdout=out, stderr=StringIO())
    printed = json.loads(out.getvalue())
    assert ended.value.code == 1
    assert printed["checked"]["payload_hash"] == 1
    assert {"invariant": "gone_out_draft_is_sent", "id": delivery.draft_id, "detail": "A delivery went out, but its draft is not sent."} in printed["violations"]
