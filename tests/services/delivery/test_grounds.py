"""Nothing leaves whose ground has gone since it was approved, however short ago."""

from datetime import timedelta

import pytest

from messaging.delivery import services
from messaging.models import Approval, Delivery
from messaging.review import services as review
from outreach.campaigns.models import Campaign, ProofPoint, SenderIdentity
from prospects.models import Evidence
from tests.factories import BODY, NOW, TODAY, a_campaign, a_draft, a_policy
from tests.people import a_member, a_team
from tests.services.delivery.scenes import DUE, Fake, send
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
