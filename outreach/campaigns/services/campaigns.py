"""Changing campaigns, senders and accounts. Each change needs its right and is in the audit trail."""

from __future__ import annotations

from dataclasses import asdict
from datetime import datetime

from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.db import IntegrityError, transaction

from outreach.campaigns.domain.entry import CampaignEntry, account_kind_for, faults_of
from outreach.campaigns.domain.letterhead import signature_fault
from outreach.campaigns.domain.lifecycle import MOVES, Step
from outreach.campaigns.domain.offer import Sender
from outreach.campaigns.models import AccountKind, Campaign, CampaignStatus, ProofPoint, SenderIdentity, SendingAccount
from outreach.teams.access import Member, gate
from outreach.teams.audit import record
from outreach.teams.domain.capabilities import Capability
from outreach.teams.domain.refusal import Refusal
from outreach.teams.models import Membership

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
            ProofPoint.objects.create(campaign=campaign, key=point.key, approved_by=member.user, approved_at=now, **said)
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


def save_sender(
    *, member: Member, sender: Sender, sender_id: int | None = None, user_id: int | None = None
) -> SenderIdentity | Refusal:
    """A person messages come from, new (no sender_id) or changed. Approved messages keep the words they have."""
    refused = gate(member=member, capability=Capability.MANAGE) or _sender_refusal(
        member=member, sender=sender, user_id=user_id
    )
    if refused is not None:
        return refused
    with transaction.atomic():
        row = SenderIdentity(team=member.team)
        if sender_id is not None:
            found = SenderIdentity.objects.select_for_update().filter(team=member.team, pk=sender_id).first()
            if found is None:
                return Refusal("not-found", "There is no such sender in your team.")
            row = found
        for name, value in {**asdict(sender), "user_id": user_id}.items():
            setattr(row, name, value)
        row.save()
        action = "sender.created" if sender_id is None else "sender.changed"
        record(team=member.team, actor=member.user, action=action, target=row, content=sender.signature)
    return row


def _sender_refusal(*, member: Member, sender: Sender, user_id: int | None) -> Refusal | None:
    if not (sender.full_name.strip() and sender.company.strip()):
        return Refusal("invalid", "full_name, company: a message says who writes and for which company; give both.")
    if not (sender.full_name + sender.title + sender.company).isprintable():
        return Refusal("invalid", "full_name, title, company: leave out line breaks and control characters.")
    fault = signature_fault(sender=sender)
    if fault:
        return Refusal("invalid", f"signature: {fault}")
    if user_id and not Membership.objects.filter(team=member.team, user_id=user_id, active=True).exists():
        return Refusal("invalid", "user: choose somebody of your team, or nobody.")
    return None


def create_account(
    *, member: Member, kind: str, address: str, display_name: str = "", note_limit: int = 200, daily_cap: int = 50
) -> SendingAccount | Refusal:
    """A place messages leave from: kind "smtp" or "linkedin". note_limit in characters, daily_cap in messages."""
    address = address.strip()
    refused = gate(member=member, capability=Capability.ADMIN) or _account_refusal(
        kind=kind, address=address, display_name=display_name
    )
    if refused is not None:
        return refused
    try:
        with transaction.atomic():
            row = SendingAccount.objects.create(
                team=member.team,
                kind=kind,
                address=address,
                display_name=display_name,
                note_limit=note_limit,
                daily_cap=daily_cap,
            )
            record(team=member.team, actor=member.user, action="account.created", target=row)
    except IntegrityError:
        return Refusal("account-taken", f"address: {address} is one of your team's accounts already.")
    return row


def edit_account(
    *, member: Member, account_id: int, display_name: str, note_limit: int, daily_cap: int, active: bool
) -> SendingAccount | Refusal:
    """Kind and address stay as they are: messages have left from it."""
    refused = gate(member=member, capability=Capability.ADMIN)
    if refused is not None:
        return refused
    with transaction.atomic():
        row = SendingAccount.objects.select_for_update().filter(team=member.team, pk=account_id).first()
        if row is None:
            return Refusal("not-found", "There is no such account in your team.")
        refused = _account_refusal(kind=row.kind, address=row.address, display_name=display_name)
        if refused is not None:
            return refused
        changes = {"display_name": display_name, "note_limit": note_limit, "daily_cap": daily_cap, "active": active}
        changed = {name: [getattr(row, name), value] for name, value in changes.items() if getattr(row, name) != value}
        for name, value in changes.items():
            setattr(row, name, value)
        row.save()
        record(team=member.team, actor=member.user, action="account.changed", target=row, details={"changed": changed})
    return row


def _account_refusal(*, kind: str, address: str, display_name: str) -> Refusal | None:
    """An address that cannot stand in a header is found here, not when the first message is handed over."""
    if kind not in AccountKind.values:
        return Refusal("invalid", "kind: choose a mailbox or a LinkedIn account.")
    if not (address + display_name).isprintable():
        return Refusal("invalid", "display_name: leave out line breaks and control characters.")
    if not address:
        return Refusal("invalid", "address: give the e-mail address, or the LinkedIn profile name.")
    if kind == AccountKind.SMTP:
        try:
            validate_email(address)
        except ValidationError:
            return Refusal("invalid", f"address: {address} is no e-mail address; write it as name@company.example.")
    return None
