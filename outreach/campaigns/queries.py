"""Reading campaigns."""

from __future__ import annotations

from datetime import datetime

from django.db.models import QuerySet

from outreach.campaigns.domain.offer import CampaignOffer, Policy, ProofPoint, Sender
from outreach.campaigns.models import (
    Campaign,
    PolicyChange,
    PolicyChangeState,
    SenderIdentity,
    SendingAccount,
    TeamPolicy,
)
from outreach.teams.models import Team


def campaigns_of(*, team: Team) -> QuerySet[Campaign]:
    """All campaigns of a team with what a list shows; the caller pages them."""
    return Campaign.objects.filter(team=team).select_related("sender", "account")


def campaign_by_slug(*, team: Team, slug: str) -> Campaign | None:
    """The team's campaign of that slug, or None."""
    return campaigns_of(team=team).filter(slug=slug).first()


def senders_of(*, team: Team) -> QuerySet[SenderIdentity]:
    return SenderIdentity.objects.filter(team=team).order_by("full_name", "id")


def sender_by_id(*, team: Team, sender_id: int) -> SenderIdentity | None:
    return senders_of(team=team).filter(pk=sender_id).first()


def sender_value(*, row: SenderIdentity) -> Sender:
    return Sender(row.full_name, row.title, row.company, row.signature)


def all_accounts_of(*, team: Team) -> QuerySet[SendingAccount]:
    """Accounts in use and out of use; the caller pages them."""
    return SendingAccount.objects.filter(team=team)


def accounts_of(*, team: Team) -> QuerySet[SendingAccount]:
    """The accounts that may send."""
    return SendingAccount.objects.filter(team=team, active=True).order_by("address", "id")


def proof_points_of(*, campaign: Campaign) -> tuple[ProofPoint, ...]:
    """Every proof point, expired ones too, in the order they were entered."""
    return tuple(
        ProofPoint(key=row.key, text=row.text, source=row.source, date=row.date, expires_on=row.expires_on)
        for row in campaign.proof_points.order_by("id")
    )


def offer_of(*, campaign: Campaign) -> CampaignOffer:
    """The campaign as a plain value."""
    sender = campaign.sender
    return CampaignOffer(
        slug=campaign.slug,
        name=campaign.name,
        purpose=campaign.purpose,
        offer=campaign.offer,
        value_proposition=campaign.value_proposition,
        call_to_action=campaign.call_to_action,
        must_not_say=tuple(line.strip() for line in campaign.must_not_say.splitlines() if line.strip()),
        channel=campaign.channel,
        languages=tuple(campaign.languages),
        sender=Sender(sender.full_name, sender.title, sender.company, sender.signature),
        proof_points=proof_points_of(campaign=campaign),
    )


def policy_of(*, team: Team) -> Policy:
    """The team's policy; one that was never set is the safe default."""
    row = TeamPolicy.objects.filter(team=team).first()
    if row is None:
        return Policy()
    return Policy(
        four_eyes=row.four_eyes,
        self_approval_delay=row.self_approval_delay,
        undo_seconds=row.undo_seconds,
        send_by_days=row.send_by_days,
        observed_days_position=row.observed_days_position,
        review_target_hours=row.review_target_hours,
        postal_address=row.postal_address,
        lawful_basis=row.lawful_basis,
        quality_blocks=row.quality_blocks,
    )


def four_eyes_off_since(*, team: Team) -> datetime | None:
    """When the team gave up four eyes; None where it has them, or never had."""
    return TeamPolicy.objects.filter(team=team, four_eyes=False).values_list("four_eyes_off_at", flat=True).first()


def waiting_policy_change(*, team: Team) -> PolicyChange | None:
    """The weaker policy that waits for a second person, or for its time."""
    return (
        PolicyChange.objects.filter(team=team, state=PolicyChangeState.WAITING)
        .select_related("asked_by", "decided_by", "team")
        .first()
    )
