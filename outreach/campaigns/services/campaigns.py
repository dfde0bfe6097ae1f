"""Changing campaigns. Each change needs its right and is in the audit trail."""

from __future__ import annotations

from datetime import datetime

from django.db import IntegrityError, transaction

from outreach.campaigns.domain.entry import CampaignEntry, account_kind_for, faults_of
from outreach.campaigns.domain.lifecycle import MOVES, Step
from outreach.campaigns.models import Campaign, CampaignStatus, ProofPoint, SenderIdentity, SendingAccount
from outreach.teams.access import Member, gate
from outreach.teams.audit import record
from outreach.teams.domain.capabilities import Capability
from outreach.teams.domain.refusal import Refusal

_PLAIN_FIELDS = (
    "slug",
    "name",
    "purpose",
    "offer",
    "value_proposition",
    "call_to_action",
    "must_not_say",
    "channel",
    "sender_id",
    "account_id",
)


def _rows_refusal(*, member: Member, entry: CampaignEntry) -> Refusal | None:
    """Whether the entry points to a sender and an account of the same team that serve its channel."""
    if not SenderIdentity.objects.filter(team=member.team, pk=entry.sender_id).exists():
        return Refusal("unknown-sender", "sender: choose one of your team's senders.")
    account = SendingAccount.objects.filter(team=member.team, pk=entry.account_id, active=True).first()
    if account is None:
        return Refusal("unknown-account", "account: choose one of your team's active accounts.")
    if account.kind != account_kind_for(entry.channel):
        wanted = "a mailbox" if entry.channel == "email" else "a LinkedIn account"
        return Refusal("wrong-account", f"account: {account.address} cannot send this channel; choose {wanted}.")
    return None


def _refusal(*, member: Member, entry: CampaignEntry, now: datetime) -> Refusal | None:
    refused = gate(member=member, capability=Capability.MANAGE)
    if refused is not None:
        return refused
    faults = faults_of(entry=entry, today=now.date())
    if faults:
        return Refusal("invalid", "\n".join(str(fault) for fault in faults))
    return _rows_refusal(member=member, entry=entry)


def _keep_proof_points(*, member: Member, campaign: Campaign, entry: CampaignEntry, now: datetime) -> None:
    campaign.proof_points.exclude(key__in=[point.key for point in entry.proof_points]).delete()
    for point in entry.proof_points:
        said = {"text": point.text, "source": point.source, "date": point.date, "expires_on": point.expires_on}
        kept = campaign.proof_points.filter(key=point.key).first()
        if kept is None:
            ProofPoint.objects.create(
                campaign=campaign, key=point.key, approved_by=member.user, approved_at=now, **said
            )
        elif any(getattr(kept, name) != value for name, value in said.items()):
            # Whoever changes a statement vouches for it.
            ProofPoint.objects.filter(pk=kept.pk).update(**said, approved_by=member.user, approved_at=now)


def create_campaign(*, member: Member, entry: CampaignEntry, now: datetime) -> Campaign | Refusal:
    """A new campaign in draft; nobody is written to before it is started."""
    refused = _refusal(member=member, entry=entry, now=now)
    if refused is not None:
        return refused
    try:
        with transaction.atomic():
            campaign = Campaign.objects.create(
                team=member.team,
                created_by=member.user,
                created_at=now,
                languages=list(entry.languages),
                **{name: getattr(entry, name) for name in _PLAIN_FIELDS},
            )
            _keep_proof_points(member=member, campaign=campaign, entry=entry, now=now)
            record(team=member.team, actor=member.user, action="campaign.created", target=campaign, content=entry.offer)
    except IntegrityError:
        return Refusal("slug-taken", f"slug: your team has a campaign {entry.slug!r} already; choose another.")
    return campaign


def edit_campaign(*, member: Member, campaign: Campaign, entry: CampaignEntry, now: datetime) -> Campaign | Refusal:
    """Change a campaign. Drafts already written keep the dossier they were written from."""
    refused = _refusal(member=member, entry=entry, now=now) or _foreign(member=member, campaign=campaign)
    if refused is not None:
        return refused
    try:
        with transaction.atomic():
            locked = Campaign.objects.select_for_update().get(pk=campaign.pk)
            if locked.channel != entry.channel and locked.status != "draft":
                return Refusal(
                    "channel-fixed", "channel: a campaign that was started keeps its channel; make a new one."
                )
            changed = [name for name in _PLAIN_FIELDS if getattr(locked, name) != getattr(entry, name)]
            for name in _PLAIN_FIELDS:
                setattr(locked, name, getattr(entry, name))
            locked.languages = list(entry.languages)
            locked.save()
            _keep_proof_points(member=member, campaign=locked, entry=entry, now=now)
            record(
                team=member.team,
                actor=member.user,
                action="campaign.edited",
                target=locked,
                details={"fields": changed},
                content=entry.offer,
            )
    except IntegrityError:
        return Refusal("slug-taken", f"slug: your team has a campaign {entry.slug!r} already; choose another.")
    return locked


def _foreign(*, member: Member, campaign: Campaign) -> Refusal | None:
    if campaign.team_id != member.team.pk:
        return Refusal("not-found", "There is no such campaign in your team.")
    return None


def move_campaign(*, member: Member, campaign: Campaign, step: Step, now: datetime) -> Campaign | Refusal:
    """Start, pause or finish. Enrolments of a finished campaign are released by the enrolment stage."""
    refused = gate(member=member, capability=Capability.MANAGE) or _foreign(member=member, campaign=campaign)
    if refused is not None:
        return refused
    move = MOVES[step]
    with transaction.atomic():
        locked = Campaign.objects.select_for_update().get(pk=campaign.pk)
        if locked.status not in move.allowed_from:
            return Refusal("wrong-state", move.otherwise)
        if step is Step.START and locked.status == CampaignStatus.DRAFT:
            Campaign.objects.filter(pk=locked.pk).update(status=CampaignStatus.READY)
        locked.status = move.to
        locked.save(update_fields=["status"])
        record(
            team=member.team,
            actor=member.user,
            action=f"campaign.{step}",
            target=locked,
            details={"at": now.isoformat()},
        )
    return locked


def start_campaign(*, member: Member, campaign: Campaign, now: datetime) -> Campaign | Refusal:
    return move_campaign(member=member, campaign=campaign, step=Step.START, now=now)


def pause_campaign(*, member: Member, campaign: Campaign, now: datetime) -> Campaign | Refusal:
    return move_campaign(member=member, campaign=campaign, step=Step.PAUSE, now=now)


def finish_campaign(*, member: Member, campaign: Campaign, now: datetime) -> Campaign | Refusal:
    return move_campaign(member=member, campaign=campaign, step=Step.FINISH, now=now)
