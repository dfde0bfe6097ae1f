"""The outbox sends what was approved, once, or says why not."""

from __future__ import annotations

from datetime import timedelta
from random import Random

import pytest
from django.db import IntegrityError, transaction

from messaging.delivery import services
from messaging.delivery.channels.smtp.transport import date_header
from messaging.delivery.domain.rules import CLAIM_LEASE, MAX_ATTEMPTS
from messaging.delivery.ports import Accepted, Ambiguous, RefusedPermanent, RefusedTemporary
from messaging.models import Approval, Delivery, DeliveryState, Draft, Enrolment, EnrolmentState
from messaging.replies.domain.mail import parse
from messaging.review import services as review
from outreach.campaigns.models import Campaign, SendingAccount
from prospects import suppression
from prospects.models import Suppression
from tests.factories import NOW, a_campaign
from tests.people import a_member, a_team
from tests.services.delivery.scenes import DUE, Fake, a_delivery, an_approval, over_smtp, send

pytestmark = pytest.mark.django_db

ACCEPTED = Accepted("<x@y.example>", "250 OK")


def fresh(delivery: Delivery) -> Delivery:
    return Delivery.objects.select_related("draft").get(pk=delivery.pk)


def test_an_approval_enters_the_outbox_after_its_undo_time() -> None:
    approval = an_approval()
    services.open_deliveries(now=approval.approved_at + timedelta(seconds=59))
    assert not Delivery.objects.exists()
    services.open_deliveries(now=approval.approved_at + timedelta(seconds=60))
    assert Delivery.objects.get().payload_id == approval.payload_id


def test_opening_twice_makes_one_delivery() -> None:
    an_approval()
    assert [services.open_deliveries(now=DUE), services.open_deliveries(now=DUE)] == [1, 0]


def test_the_channel_gets_the_approved_bytes_and_a_date() -> None:
    delivery = a_delivery()
    fake = Fake(ACCEPTED)
    send(transport=fake)
    assert fake.taken[0].content == bytes(delivery.payload.content)
    assert [name for name, _ in fake.taken[0].headers] == ["Date"]


def test_what_was_accepted_is_sent_and_its_draft_done() -> None:
    delivery = a_delivery()
    send(transport=Fake(ACCEPTED))
    row = fresh(delivery)
    assert (row.state, row.transport_id, row.draft.state, row.sent_at) == ("sent", "<x@y.example>", "sent", DUE)
    assert [event.kind for event in row.events.order_by("id")] == ["opened", "claimed", "sent"]


def test_it_is_sent_once() -> None:
    a_delivery()
    fake = Fake(ACCEPTED)
    send(transport=fake)
    send(transport=fake, now=DUE + timedelta(days=1))
    assert len(fake.taken) == 1


def test_an_ambiguous_end_is_never_repeated_by_itself() -> None:
    delivery = a_delivery()
    fake = Fake(Ambiguous("the line went dead"))
    send(transport=fake)
    send(transport=fake, now=DUE + timedelta(days=2))
    assert (fresh(delivery).state, len(fake.taken)) == (DeliveryState.UNCONFIRMED, 1)


def test_a_temporary_refusal_is_retried_later_and_not_for_ever() -> None:
    delivery, fake, now = a_delivery(), Fake(RefusedTemporary("451 busy")), DUE
    send(transport=fake, now=now)
    send(transport=fake, now=now + timedelta(seconds=30))
    assert len(fake.taken) == 1
    for _ in range(MAX_ATTEMPTS + 3):
        now += timedelta(hours=5)
        send(transport=fake, now=now)
    row = fresh(delivery)
    assert (len(fake.taken), row.state, row.error_permanent) == (MAX_ATTEMPTS, "failed", False)


def test_a_dead_address_fails_for_good_and_is_suppressed() -> None:
    delivery = a_delivery()
    send(transport=Fake(RefusedPermanent("550 5.1.1 no such user", address_dead=True)))
    row = fresh(delivery)
    assert (row.state, row.error_permanent, row.draft.state) == ("failed", True, "cancelled")
    assert suppression.find(team=row.team, email=row.payload.recipient) is not None


def test_a_killed_worker_leaves_its_message_to_a_person() -> None:
    delivery = a_delivery()
    services.claim_due(now=DUE)
    services.mark_interrupted(now=DUE + CLAIM_LEASE - timedelta(seconds=1))
    assert fresh(delivery).state == "claimed"
    services.mark_interrupted(now=DUE + CLAIM_LEASE + timedelta(seconds=1))
    assert fresh(delivery).state == "unconfirmed"
    assert services.claim_due(now=DUE + timedelta(days=1)) == []


def test_a_late_answer_settles_what_was_given_up_as_interrupted() -> None:
    delivery = a_delivery()
    claimed = services.claim_due(now=DUE)[0]
    services.mark_interrupted(now=DUE + timedelta(hours=1))
    services.hand_over(claimed=claimed, transport=Fake(ACCEPTED), now=DUE + timedelta(hours=1))
    assert fresh(delivery).state == "sent"


def test_an_outcome_with_a_foreign_token_changes_nothing() -> None:
    delivery = a_delivery()
    claimed = services.claim_due(now=DUE)[0]
    assert not services.settle(delivery_id=delivery.pk, token=delivery.idempotency_key, outcome=ACCEPTED, now=DUE)
    assert services.settle(delivery_id=delivery.pk, token=claimed.token, outcome=ACCEPTED, now=DUE)


def suppress(delivery: Delivery) -> None:
    suppression.suppress(team=delivery.team, actor=None, kind=Suppression.Kind.EMAIL, value=delivery.prospect.email, reason="asked", now=NOW)


def suppress_old_address(delivery: Delivery) -> None:
    suppress(delivery)
    type(delivery.prospect).objects.filter(pk=delivery.prospect_id).update(email="new@elsewhere.example")


def lapse(delivery: Delivery) -> None:
    Approval.objects.filter(pk=delivery.approval_id).update(lapsed_at=NOW, lapse_reason="evidence retracted")


def replied(delivery: Delivery) -> None:
    Enrolment.objects.filter(pk=delivery.draft.enrolment_id).update(state=EnrolmentState.REPLIED)


def removed(delivery: Delivery) -> None:
    Enrolment.objects.filter(pk=delivery.draft.enrolment_id).update(state=EnrolmentState.REMOVED)


@pytest.mark.parametrize(
    ("event", "draft"),
    [(suppress, "cancelled"), (suppress_old_address, "cancelled"), (replied, "cancelled"), (removed, "cancelled"), (lapse, "approved")],
)
def test_what_may_no_longer_be_sent_is_cancelled_in_the_claim(event, draft: str) -> None:
    delivery, fake = a_delivery(), Fake(ACCEPTED)
    event(delivery)
    send(transport=fake)
    row = fresh(delivery)
    assert (fake.taken, row.state, row.draft.state) == ([], "cancelled", draft)
    assert row.error


def test_nothing_leaves_after_its_send_by_date() -> None:
    delivery, fake = a_delivery(), Fake(ACCEPTED)
    send(transport=fake, now=DUE + timedelta(days=9))
    assert (fresh(delivery).state, fake.taken) == ("cancelled", [])


def paused_campaign(delivery: Delivery) -> None:
    Campaign.objects.filter(pk=delivery.draft.campaign_id).update(status="paused")


def idle_account(delivery: Delivery) -> None:
    SendingAccount.objects.filter(pk=delivery.account_id).update(active=False)


def away(delivery: Delivery) -> None:
    Enrolment.objects.filter(pk=delivery.draft.enrolment_id).update(state="paused", paused_until=(DUE + timedelta(days=3)).date())


@pytest.mark.parametrize("event", [paused_campaign, idle_account, away])
def test_what_only_has_to_wait_waits_with_its_reason(event) -> None:
    delivery, fake = a_delivery(), Fake(ACCEPTED)
    event(delivery)
    send(transport=fake)
    row = fresh(delivery)
    assert (fake.taken, row.state, row.due_at > DUE, bool(row.error)) == ([], "waiting", True, True)


def test_who_is_back_gets_the_message() -> None:
    delivery, fake = a_delivery(), Fake(ACCEPTED)
    away(delivery)
    send(transport=fake)
    send(transport=fake, now=DUE + timedelta(days=3, hours=15))
    assert fresh(delivery).state == "sent"


def test_the_cap_rolls_over_24_hours() -> None:
    campaign = a_campaign(team=a_team())
    SendingAccount.objects.filter(pk=campaign.account_id).update(daily_cap=2)
    for _ in range(3):
        a_delivery(campaign=campaign)
    fake = Fake(ACCEPTED)
    send(transport=fake)
    assert len(fake.taken) == 2
    send(transport=fake, now=DUE + timedelta(hours=23, minutes=59))
    assert len(fake.taken) == 2
    send(transport=fake, now=DUE + timedelta(hours=24, minutes=1))
    assert len(fake.taken) == 3


def test_what_waits_for_the_same_account_is_put_off_together() -> None:
    campaign, other = (a_campaign(team=a_team()) for _ in range(2))
    SendingAccount.objects.filter(pk=campaign.account_id).update(daily_cap=0)
    for _ in range(3):
        a_delivery(campaign=campaign)
    free = a_delivery(campaign=other)
    claimed = services.claim_due(now=DUE)
    assert [row.delivery_id for row in claimed] == [free.pk]
    assert Delivery.objects.filter(account=campaign.account_id, due_at__gt=DUE).count() == 3


def test_attempts_that_sent_nothing_use_no_cap() -> None:
    campaign = a_campaign(team=a_team())
    SendingAccount.objects.filter(pk=campaign.account_id).update(daily_cap=1)
    a_delivery(campaign=campaign)
    send(transport=Fake(RefusedTemporary("busy")))
    fake = Fake(ACCEPTED)
    send(transport=fake, now=DUE + timedelta(minutes=2))
    assert len(fake.taken) == 1


def test_the_database_refuses_a_claim_without_a_standing_approval() -> None:
    delivery = a_delivery()
    lapse(delivery)
    with pytest.raises(IntegrityError, match="no standing approval"), transaction.atomic():
        Delivery.objects.filter(pk=delivery.pk).update(state="claimed")


def test_an_undone_approval_never_leaves() -> None:
    approval, fake = an_approval(), Fake(ACCEPTED)
    member = a_member(team=approval.draft.team, role="manager")
    undone = review.undo(member=member, draft_id=approval.draft_id, now=approval.approved_at + timedelta(seconds=30))
    assert isinstance(undone, Draft)
    services.open_deliveries(now=DUE)
    send(transport=fake)
    assert fake.taken == []


def test_whatever_the_server_does_nothing_is_doubled_and_nothing_lost() -> None:
    campaign = a_campaign(team=a_team())
    messages = [a_delivery(campaign=campaign) for _ in range(12)]
    chance, now = Random(7), DUE
    with over_smtp() as (server, transport):
        for _ in range(30):
            server.behaviour = chance.choice(["accept", "accept", "drop-rcpt", "drop-data", "451"])
            services.send_due(transport=transport, clock=lambda at=now: at, date_header=date_header, limit=1)
            now += timedelta(hours=3)
    ids = [parse(raw).message_id for raw in server.received]
    assert len(ids) == len(set(ids))
    states = {row.payload.message_id: row.state for row in Delivery.objects.select_related("payload")}
    assert len(states) == len(messages)
    assert set(states.values()) <= {"sent", "failed", "waiting", "unconfirmed"}
    assert {state for message_id, state in states.items() if message_id in ids} <= {"sent", "unconfirmed"}
    assert all(message_id in ids for message_id, state in states.items() if state == "sent")
