"""What comes back is kept, matched, read and acted upon, once."""

from __future__ import annotations

from datetime import date, timedelta

import pytest

from messaging.delivery.ports import Ambiguous
from messaging.models import Delivery, Enrolment, OptOutToken, RawMail, Reply, ReplyState
from messaging.replies import services
from messaging.replies.domain.reading import Intent
from outreach.teams.domain.refusal import Refusal
from prospects import suppression
from tests.people import a_member, a_team
from tests.services.delivery.scenes import DUE, Fake, a_delivery, send
from tests.services.replies.scenes import LATER, a_mail, a_sent, answered, came

pytestmark = pytest.mark.django_db


def enrolment(delivery: Delivery) -> Enrolment:
    return Enrolment.objects.get(pk=delivery.draft.enrolment_id)


def suppressed(delivery: Delivery, address: str = "") -> bool:
    return suppression.find(team=delivery.team, email=address or delivery.payload.recipient) is not None


def test_an_answer_is_matched_and_stops_the_sequence() -> None:
    delivery = a_sent()
    reply = answered(delivery=delivery, text="Sounds good, send me a price.").reply
    assert reply is not None
    assert (reply.delivery, reply.matched_by, reply.intent) == (delivery, "in-reply-to", "interested")
    assert enrolment(delivery).state == "replied"


def test_an_answer_cancels_what_still_waits_for_this_person() -> None:
    sent = a_sent()
    waiting = a_delivery(campaign=sent.draft.campaign)
    type(waiting).objects.filter(pk=waiting.pk)
    came(delivery=waiting, raw=a_mail(text="Thanks, tell me more.", sender=waiting.prospect.email))
    waiting.refresh_from_db()
    assert waiting.state == "cancelled"
    assert waiting.draft.state == "cancelled" or Delivery.objects.get(pk=waiting.pk).draft.state == "cancelled"


def test_the_same_bytes_twice_are_one_reply() -> None:
    delivery = a_sent()
    first, second = (answered(delivery=delivery, text="Sounds good, send it.") for _ in range(2))
    assert second.again
    assert (first.reply, Reply.objects.count(), RawMail.objects.count()) == (second.reply, 1, 1)


def by_reference(delivery: Delivery) -> bytes:
    return a_mail(text="Fine.", headers=(f"References: <older@x.example> {delivery.payload.message_id}",))


def by_token(delivery: Delivery) -> bytes:
    token = OptOutToken.objects.get(draft=delivery.draft).token
    return a_mail(text=f"Fine.\r\n\r\n> unsubscribe: http://localhost:8000/u/{token}")


def by_address(delivery: Delivery) -> bytes:
    return a_mail(text="Fine.", sender=delivery.payload.recipient.upper())


@pytest.mark.parametrize(("made", "by"), [(by_reference, "references"), (by_token, "token"), (by_address, "address")])
def test_unthreaded_answers_find_their_message(made, by: str) -> None:
    delivery = a_sent()
    reply = came(delivery=delivery, raw=made(delivery)).reply
    assert reply is not None
    assert (reply.delivery, reply.matched_by) == (delivery, by)


def test_mail_from_nobody_known_waits_for_a_person() -> None:
    delivery = a_sent()
    reply = came(delivery=delivery, raw=a_mail(text="Hello there")).reply
    assert reply is not None
    assert (reply.state, reply.delivery) == (ReplyState.UNMATCHED, None)
    member = a_member(team=delivery.team, role="writer")
    matched = services.assign(member=member, reply_id=reply.pk, delivery_id=delivery.pk, now=LATER)
    assert isinstance(matched, Reply)
    assert enrolment(delivery).state == "replied"


def test_an_answer_cannot_be_matched_across_teams() -> None:
    delivery, other = a_sent(), a_sent()
    reply = came(delivery=delivery, raw=a_mail(text="Hi", answers=other.payload.message_id)).reply
    assert reply is not None
    assert reply.state == ReplyState.UNMATCHED
    member = a_member(team=delivery.team, role="writer")
    assert isinstance(services.assign(member=member, reply_id=reply.pk, delivery_id=other.pk, now=LATER), Refusal)


def test_the_teams_own_mail_stops_nothing() -> None:
    delivery = a_sent()
    done = came(delivery=delivery, raw=a_mail(text="Just following up", sender=delivery.account.address, answers=delivery.payload.message_id))
    assert (done.own, done.reply, enrolment(delivery).state) == (True, None, "active")


def test_an_opt_out_in_words_suppresses() -> None:
    delivery = a_sent()
    reply = answered(delivery=delivery, text="Take me off your list.").reply
    assert reply is not None
    assert reply.kind == "unsubscribe"
    assert suppressed(delivery)
    assert enrolment(delivery).state == "removed"


def test_an_opt_out_from_an_unknown_address_suppresses_it_all_the_same() -> None:
    delivery = a_sent()
    came(delivery=delivery, raw=a_mail(text="unsubscribe", sender="alias@private.example"))
    assert suppressed(delivery, "alias@private.example")


AWAY = {"subject": "Automatic reply: hello", "headers": ("Auto-Submitted: auto-replied",)}


def test_an_absence_pauses_until_the_day_of_return_and_then_goes_on() -> None:
    delivery = a_sent()
    reply = answered(delivery=delivery, text="I am out of the office, back on 14 December.", **AWAY).reply
    assert reply is not None
    assert (reply.state, enrolment(delivery).state, enrolment(delivery).paused_until) == ("closed", "paused", date(2026, 12, 14))
    services.resume_due(now=LATER)
    assert enrolment(delivery).state == "paused"
    services.resume_due(now=LATER + timedelta(days=13))
    assert enrolment(delivery).state == "active"
    assert not suppressed(delivery)


def test_an_automatic_answer_that_they_left_ends_it() -> None:
    delivery = a_sent()
    answered(delivery=delivery, text="Ms Ruiz is no longer with the company.", **AWAY)
    assert enrolment(delivery).state == "removed"


BOUNCE = (
    "From: mailer-daemon@mx.example\r\nSubject: Undelivered Mail\r\nContent-Type: multipart/report; report-type=delivery-status; boundary=b\r\n\r\n"
    "--b\r\nContent-Type: message/delivery-status\r\n\r\nReporting-MTA: dns; mx\r\n\r\nFinal-Recipient: rfc822; {to}\r\nAction: failed\r\nStatus: {status}\r\n"
    "Diagnostic-Code: smtp; {reason}\r\n\r\n--b\r\nContent-Type: text/rfc822-headers\r\n\r\nMessage-ID: {id}\r\n\r\n--b--\r\n"
)


@pytest.mark.parametrize(
    ("status", "reason", "dead"),
    [("5.1.1", "550 5.1.1 user unknown", True), ("5.2.2", "552 mailbox full", False), ("4.4.1", "timed out", False)],
)
def test_a_bounce_suppresses_only_a_dead_address(status: str, reason: str, dead: bool) -> None:
    delivery = a_sent()
    raw = BOUNCE.format(to=delivery.payload.recipient, status=status, reason=reason, id=delivery.payload.message_id).encode()
    reply = came(delivery=delivery, raw=raw).reply
    assert reply is not None
    assert (reply.kind, reply.matched_by, suppressed(delivery)) == ("bounce", "returned", dead)
    assert delivery.events.filter(kind="bounced").exists()
    assert enrolment(delivery).state == ("removed" if dead else "active")


def test_an_answer_proves_that_an_unconfirmed_message_left() -> None:
    delivery = a_delivery()
    send(transport=Fake(Ambiguous("dead line")), now=DUE)
    answered(delivery=delivery, text="Sounds good, call me.")
    assert Delivery.objects.get(pk=delivery.pk).state == "sent"


def test_a_correction_is_kept_beside_the_reading_and_acted_upon() -> None:
    delivery = a_sent()
    reply = answered(delivery=delivery, text="Hmm.").reply
    assert reply is not None
    member = a_member(team=delivery.team, role="writer")
    services.correct(member=member, reply_id=reply.pk, intent=Intent.UNSUBSCRIBE, now=LATER)
    reply.refresh_from_db()
    assert (reply.intent, reply.read_as, reply.corrected_by, suppressed(delivery)) == ("unsubscribe", "other", member.user, True)


def test_reading_again_repairs_an_older_reading_but_not_a_persons() -> None:
    delivery = a_sent()
    old = answered(delivery=delivery, text="Please remove me from your list.").reply
    corrected = answered(delivery=delivery, text="What does it cost?").reply
    assert old is not None
    assert corrected is not None
    Reply.objects.filter(pk=old.pk).update(kind="human", intent="other", classifier_version="rules-0")
    user = a_member(team=delivery.team, role="writer").user
    Reply.objects.filter(pk=corrected.pk).update(intent="referral", corrected_by=user, classifier_version="rules-0")
    assert services.read_again(team=delivery.team, now=LATER) == 0
    assert list(Reply.objects.order_by("pk").values_list("intent", flat=True)) == ["unsubscribe", "referral"]


def test_only_who_may_reply_works_in_the_inbox() -> None:
    delivery = a_sent()
    reply = answered(delivery=delivery, text="Hmm.").reply
    assert reply is not None
    for member in (a_member(team=delivery.team, role="reviewer"), a_member(team=a_team(), role="admin")):
        assert isinstance(services.correct(member=member, reply_id=reply.pk, intent=Intent.OTHER, now=LATER), Refusal)


def test_a_pasted_answer_counts_like_a_mail() -> None:
    delivery = a_sent()
    member = a_member(team=delivery.team, role="writer")
    done = services.paste(member=member, delivery_id=delivery.pk, text="Gern, schicken Sie mir mehr!", now=LATER)
    assert not isinstance(done, Refusal)
    assert done.reply is not None
    assert (done.reply.matched_by, done.reply.intent, enrolment(delivery).state) == ("person", "interested", "replied")
