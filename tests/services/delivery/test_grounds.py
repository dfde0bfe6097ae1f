"""Nothing leaves whose ground has gone since it was approved, however short ago."""

from datetime import timedelta
from hashlib import sha256

import pytest
from django.db import DatabaseError, transaction

from messaging.delivery import services
from messaging.models import Approval, Delivery
from messaging.review import services as review
from outreach.campaigns.models import Campaign, ProofPoint, SenderIdentity, SendingAccount, TeamPolicy
from prospects.models import Evidence, Prospect
from tests.factories import BODY, NOW, TODAY, a_campaign, a_draft, a_policy
from tests.people import a_member, a_team
from tests.services.delivery.scenes import DUE, Fake, a_delivery, send
from tests.services.delivery.test_outbox import ACCEPTED
from tests.services.review.scenes import approve, approved, code, state

pytestmark = pytest.mark.django_db
PROOF = BODY.replace("Would a short", "Hearthdesk is free in the first year.\n\nWould a short")


def a_promise(**proof: object) -> Delivery:
    """In the outbox: a message that repeats the offer and a proof point."""
    team = a_team()
    a_policy(team=team)
    campaign = a_campaign(team=team)
    ProofPoint.objects.filter(campaign=campaign).update(**(proof or {"expires_on": None}))
    draft = a_draft(campaign=campaign, body=PROOF)
    approval = approved(member=a_member(team=team, role="reviewer"), draft=draft)
    services.open_deliveries(now=DUE)
    return Delivery.objects.get(approval=approval)


def retract(delivery: Delivery) -> None:
    Evidence.objects.filter(pk=delivery.approval.evidence_ids[-1]).update(state="retracted")


def change_proof(delivery: Delivery) -> None:
    ProofPoint.objects.filter(campaign=delivery.draft.campaign).update(text="Hearthdesk is free for a month.")


def expire_proof(delivery: Delivery) -> None:
    ProofPoint.objects.filter(campaign=delivery.draft.campaign).update(expires_on=TODAY)


def remove_proof(delivery: Delivery) -> None:
    ProofPoint.objects.filter(campaign=delivery.draft.campaign).delete()


def change_offer(delivery: Delivery) -> None:
    Campaign.objects.filter(pk=delivery.draft.campaign_id).update(offer="Hearthdesk is a telephone.")


GONE = [retract, change_proof, expire_proof, remove_proof, change_offer]


@pytest.mark.parametrize("event", GONE)
def test_it_stays_in_and_the_draft_returns_to_review(event) -> None:
    delivery, fake = a_promise(), Fake(ACCEPTED)
    event(delivery)
    send(transport=fake)
    assert fake.taken == []
    review.lapse_due(now=DUE)
    assert Approval.objects.get(pk=delivery.approval_id).lapsed_at == DUE
    assert state(delivery.draft) == "blocked"


def test_what_still_stands_leaves() -> None:
    a_promise()
    fake = Fake(ACCEPTED)
    send(transport=fake)
    assert len(fake.taken) == 1


def test_a_changed_sender_ends_an_approval_that_names_them_only_where_they_are_claimed() -> None:
    delivery, fake = a_promise(), Fake(ACCEPTED)
    SenderIdentity.objects.filter(campaigns=delivery.draft.campaign).update(title="Chief of Nothing")
    send(transport=fake)
    assert len(fake.taken) == 1


@pytest.mark.parametrize("days", [0, 1, 6])
def test_a_statement_that_expires_before_the_send_by_date_is_not_approved(days: int) -> None:
    team = a_team()
    a_policy(team=team)
    campaign = a_campaign(team=team)
    draft = a_draft(campaign=campaign, body=PROOF)
    ProofPoint.objects.filter(campaign=campaign).update(expires_on=TODAY + timedelta(days=days))
    assert code(approve(member=a_member(team=team, role="reviewer"), draft=draft)) == "evidence"


def test_a_text_is_not_checked_against_evidence_that_was_taken_back() -> None:
    team = a_team()
    a_policy(team=team)
    draft = a_draft(campaign=a_campaign(team=team))
    Evidence.objects.filter(prospect=draft.prospect, kind="position").update(state="retracted")
    review.edit(
        member=a_member(team=team), draft_id=draft.pk, revision_id=draft.current_id, subject="Pipewren",
        body=BODY.replace("short", "brief"), now=NOW,
    )
    assert state(draft) == "blocked"


#: What somebody could edit between approval and sending, and what becomes of the message.
EDITS = {
    "the sender's name": lambda d: SenderIdentity.objects.update(full_name="Mallory Mokoena", signature="Mallory"),
    "the sender's title and company": lambda d: SenderIdentity.objects.update(title="CEO", company="Elsewhere"),
    "the account's name": lambda d: SendingAccount.objects.update(display_name="Mallory"),
    "the prospect's name": lambda d: Prospect.objects.update(full_name="Mallory Armenta"),
    "the campaign's sender": lambda d: Campaign.objects.update(sender=_another_sender(d)),
    "the campaign's account": lambda d: Campaign.objects.update(account=_another_account(d)),
    "the postal address": lambda d: TeamPolicy.objects.update(postal_address="1 Other Road, Elsewhere"),
}  # fmt: skip


def _another_sender(delivery: Delivery) -> SenderIdentity:
    return SenderIdentity.objects.create(team=delivery.team, full_name="Mallory", company="Elsewhere")


def _another_account(delivery: Delivery) -> SendingAccount:
    return SendingAccount.objects.create(team=delivery.team, kind="smtp", address="mallory@elsewhere.example")


@pytest.mark.parametrize("edit", EDITS.values(), ids=EDITS)
def test_edits_after_approval_change_nothing_of_what_leaves(edit):
    """Exactly the approved bytes, from the approved account, to the approved address."""
    delivery = a_promise()
    edit(delivery)
    channel = Fake(ACCEPTED)
    assert send(transport=channel) == [ACCEPTED]
    (parcel,) = channel.taken
    assert sha256(parcel.content).hexdigest() == delivery.approval.payload_sha256
    assert (parcel.sender, parcel.recipient) == (delivery.account.address, delivery.payload.recipient)
    assert b"Mallory" not in parcel.content
    assert b"Elsewhere" not in parcel.content


@pytest.mark.parametrize("channel", ["email", "linkedin_message"])
def test_another_address_takes_the_approval_away(channel):
    """Neither to the new address, which nobody approved, nor to the old one, which is not theirs any more."""
    delivery = a_delivery(channel=channel)
    changed = {"email": "mallory@elsewhere.example", "linkedin_url": "https://www.linkedin.com/in/mallory"}
    Prospect.objects.filter(pk=delivery.prospect_id).update(**changed)
    transport = Fake(ACCEPTED)
    send(transport=transport)
    services.sweep(now=DUE)
    assert transport.taken == []
    review.lapse_due(now=DUE)
    delivery.refresh_from_db()
    assert (delivery.state, state(delivery.draft)) == ("cancelled", "ready")
    assert "not the prospect's any more" in Approval.objects.get(pk=delivery.approval_id).lapse_reason


@pytest.mark.parametrize("gone", [{"email": ""}, {"email": "DIEGO@PIPEWREN.EXAMPLE"}])
def test_an_address_that_is_missing_or_only_spelt_otherwise_is_no_other_one(gone):
    delivery = a_promise()
    Prospect.objects.filter(pk=delivery.prospect_id).update(
        **{name: value and delivery.payload.recipient.upper() for name, value in gone.items()}
    )
    channel = Fake(ACCEPTED)
    assert send(transport=channel) == [ACCEPTED]


@pytest.mark.parametrize("change", [{"address": "mallory@elsewhere.example"}, {"kind": "linkedin"}])
def test_an_account_keeps_the_address_that_messages_were_approved_with(change):
    delivery = a_promise()
    with pytest.raises(DatabaseError, match="Cannot update"), transaction.atomic():
        SendingAccount.objects.filter(pk=delivery.account_id).update(**change)
