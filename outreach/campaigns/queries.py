"""Reading campaigns."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, fields, replace
from datetime import date, datetime
from typing import Any

from django.db.models import Count, QuerySet

from outreach.campaigns.domain.budget import Budget, ModelAccess
from outreach.campaigns.domain.checklist import Facts, Point, checklist
from outreach.campaigns.domain.health import Numbers, Sign, signs
from outreach.campaigns.domain.mail_server import MailServer
from outreach.campaigns.domain.offer import CampaignOffer, Policy, ProofPoint, Sender
from outreach.campaigns.domain.sequence import Step
from outreach.campaigns.models import (
    Campaign,
    CampaignStatus,
    ClosedDay,
    OfferChange,
    PolicyChange,
    PolicyChangeState,
    Secret,
    SecretKind,
    SenderIdentity,
    SendingAccount,
    TeamPolicy,
)
from outreach.campaigns.models import ProofPoint as ProofPointRow
from outreach.campaigns.ports import rooms
from outreach.teams.models import AuditEvent, Team
from outreach.vault import Closed, Opened, unseal


def campaigns_of(*, team: Team) -> QuerySet[Campaign]:
    """All campaigns of a team with what a list shows; the caller pages them."""
    return Campaign.objects.filter(team=team).select_related("sender", "account", "other_account")


def campaign_by_slug(*, team: Team, slug: str) -> Campaign | None:
    """The team's campaign of that slug, or None."""
    return campaigns_of(team=team).filter(slug=slug).first()


def senders_of(*, team: Team) -> QuerySet[SenderIdentity]:
    return SenderIdentity.objects.filter(team=team).order_by("full_name", "id")


def sender_by_id(*, team: Team, sender_id: int) -> SenderIdentity | None:
    return senders_of(team=team).filter(pk=sender_id).first()


def sender_value(*, row: SenderIdentity | None) -> Sender:
    """The sender as a plain value; of a campaign that names nobody yet, nobody."""
    if row is None:
        return Sender("")
    return Sender(row.full_name, row.title, row.company, row.signature, row.signatures, row.calendar_url)


def all_accounts_of(*, team: Team) -> QuerySet[SendingAccount]:
    """Accounts in use and out of use; the caller pages them."""
    return SendingAccount.objects.filter(team=team)


def accounts_of(*, team: Team) -> QuerySet[SendingAccount]:
    """The accounts that may send."""
    return SendingAccount.objects.filter(team=team, active=True).order_by("address", "id")


def proof_points_of(*, campaign: Campaign) -> tuple[ProofPoint, ...]:
    """Every proof point, expired and unapproved ones too, in the order they were entered."""
    return tuple(
        ProofPoint(row.key, row.text, row.source, row.date, row.expires_on, approved=row.approved_at is not None)
        for row in campaign.proof_points.order_by("id")
    )


def sequence_of(*, campaign: Campaign) -> tuple[Step, ...]:
    """The steps in which people are written to, first one first; there is always one. One query."""
    rows = campaign.steps.order_by("position")
    return tuple(Step(row.position, row.channel, row.wait_days, row.condition, row.instruction) for row in rows)


def offer_of(*, campaign: Campaign) -> CampaignOffer:
    """The campaign as a plain value."""
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
        sender=sender_value(row=campaign.sender),
        proof_points=proof_points_of(campaign=campaign),
    )


def checklist_of(*, campaign: Campaign, today: date) -> tuple[Point, ...]:
    """What the campaign has and lacks, as it is stored now."""
    row = campaigns_of(team=campaign.team).get(pk=campaign.pk)
    accounts = {str(one.kind): one.active for one in (row.account, row.other_account) if one is not None}
    facts = Facts(
        offer=offer_of(campaign=row),
        no_proof_needed=row.no_proof_needed,
        steps=sequence_of(campaign=row),
        accounts=accounts,
        postal_address=policy_of(team=row.team).postal_address,
        ends_on=row.ends_on,
        today=today,
        beyond=rooms().beyond(campaign=row),
    )
    return checklist(facts=facts)


@dataclass(frozen=True, slots=True)
class Listed:
    """A campaign of the list, with what somebody should look at."""

    campaign: Campaign
    numbers: Numbers
    signs: tuple[Sign, ...]


def listed(*, campaigns: Sequence[Campaign], today: date) -> tuple[Listed, ...]:
    """The campaigns of one page with their numbers: two queries, however many."""
    ids = [campaign.pk for campaign in campaigns]
    numbers = rooms().numbers(campaign_ids=ids)
    lapsed = ProofPointRow.objects.filter(campaign__in=ids, expires_on__lte=today)
    expired = dict(lapsed.values_list("campaign").annotate(number=Count("pk")).order_by())
    found = []
    for campaign in campaigns:
        of_it = replace(numbers.get(campaign.pk, Numbers()), expired_proof_points=expired.get(campaign.pk, 0))
        running = campaign.status == CampaignStatus.RUNNING
        shown = signs(numbers=of_it, running=running) if campaign.status != CampaignStatus.FINISHED else ()
        found.append(Listed(campaign, of_it, shown))
    return tuple(found)


def story_of(*, campaign: Campaign, today: date) -> dict[str, Any]:
    """A campaign as plain JSON, with what is missing and how far its people have come."""
    row = campaigns_of(team=campaign.team).get(pk=campaign.pk)
    offer = offer_of(campaign=row)
    points = checklist_of(campaign=row, today=today)
    numbers = rooms().numbers(campaign_ids=[row.pk]).get(row.pk, Numbers())
    accounts = {str(one.kind): one.address for one in (row.account, row.other_account) if one is not None}
    return {
        "id": row.pk, "slug": row.slug, "name": row.name, "status": row.status, "purpose": row.purpose,
        "offer": row.offer, "value_proposition": row.value_proposition, "call_to_action": row.call_to_action,
        "must_not_say": list(offer.must_not_say), "tone": row.tone, "languages": list(offer.languages),
        "sender": offer.sender.full_name, "mailbox": accounts.get("smtp", ""), "linkedin": accounts.get("linkedin", ""),
        "starts_on": row.starts_on and row.starts_on.isoformat(), "ends_on": row.ends_on and row.ends_on.isoformat(),
        "budget": None if row.budget is None else str(row.budget), "drafts_per_day": row.drafts_per_day,
        "steps": [asdict(step) for step in sequence_of(campaign=row)],
        "proof_points": [
            {**asdict(point), "expires_on": point.expires_on and point.expires_on.isoformat()}
            for point in offer.proof_points
        ],
        "no_proof_needed": row.no_proof_needed,
        "missing": [{"key": one.key, "says": one.says, "page": one.page} for one in points if not one.done],
        "numbers": asdict(numbers),
    }  # fmt: skip


def log_of(*, campaign: Campaign) -> QuerySet[AuditEvent]:
    """Who changed what; the caller pages it."""
    return AuditEvent.objects.filter(
        team=campaign.team_id, target_type=campaign._meta.label_lower, target_id=campaign.pk
    ).select_related("actor")


def newest_change(*, campaign: Campaign, section: str) -> AuditEvent | None:
    """Who changed that part of the campaign last; section as in the log: offer, proof, steps or sending."""
    return log_of(campaign=campaign).filter(action=f"campaign.{section}").order_by("-id").first()


def offer_changes_of(*, campaign: Campaign) -> QuerySet[OfferChange]:
    """Changes of what is said, and how far texts have been verified again because of them, newest first."""
    return campaign.offer_changes.select_related("by").order_by("-id")


def policy_of(*, team: Team) -> Policy:
    """The team's policy; one that was never set is the safe default."""
    row = TeamPolicy.objects.filter(team=team).first()
    if row is None:
        return Policy()
    return Policy(**{one.name: getattr(row, one.name) for one in fields(Policy)})


def budget_of(*, policy: Policy) -> Budget:
    """What the team spends on a language model at most."""
    return Budget(daily=policy.model_daily_budget, monthly=policy.model_monthly_budget)


def model_access_of(*, team: Team, policy: Policy) -> ModelAccess:
    """The model the team named for itself; all empty where it uses the installation's. One query where it has its own."""
    if not policy.model_base_url:
        return ModelAccess()
    key = open_secret(team=team, kind=SecretKind.MODEL)
    if isinstance(key, Closed):
        return ModelAccess(base_url=policy.model_base_url, name=policy.model_name, fault=key.reason)
    return ModelAccess(base_url=policy.model_base_url, name=policy.model_name, key=key.value)


def open_secret(*, team: Team, kind: str, account: SendingAccount | None = None) -> Opened | Closed:
    """The password or key in the clear, for the call that needs it; "" where none is kept."""
    token = Secret.objects.filter(team=team, kind=kind, account=account).values_list("token", flat=True).first()
    if token is None:
        return Opened("")
    return unseal(
        purpose=secret_purpose(team_id=team.pk, kind=kind, account_id=account.pk if account else None), token=token
    )


def secret_purpose(*, team_id: int, kind: str, account_id: int | None) -> str:
    """What a secret is sealed for: the token of another team or mailbox opens nothing."""
    return f"team {team_id} {kind} {account_id or ''}".strip()


def secrets_kept(*, team: Team) -> dict[tuple[int | None, str], datetime]:
    """Which secrets there are and since when, by account id and kind; never what they are."""
    rows = Secret.objects.filter(team=team).values_list("account_id", "kind", "set_at")
    return {(account_id, kind): set_at for account_id, kind, set_at in rows}


def mail_server_of(*, account: SendingAccount) -> MailServer | Closed | None:
    """Where the mailbox's messages leave, with the password in the clear; None: the installation's own server."""
    if not account.smtp_host:
        return None
    secret = open_secret(team=account.team, kind=SecretKind.SMTP, account=account)
    if isinstance(secret, Closed):
        return secret
    return MailServer(account.smtp_host, account.smtp_port, account.smtp_security, account.smtp_user, secret.value)


def mailbox_of(*, account: SendingAccount) -> MailServer | Closed | None:
    """Where the mailbox is read; None where it is not."""
    if not account.imap_host:
        return None
    secret = open_secret(team=account.team, kind=SecretKind.IMAP, account=account)
    if isinstance(secret, Closed):
        return secret
    return MailServer(account.imap_host, account.imap_port, account.imap_security, account.imap_user, secret.value)


def closed_days_of(*, team: Team, since: date) -> QuerySet[ClosedDay]:
    """Days on which the team sends nothing, from that day on; the caller pages them."""
    return ClosedDay.objects.filter(team=team, day__gte=since)


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
