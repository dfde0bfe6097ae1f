"""Making campaigns, out of nothing, out of an entry, out of another one. Each is in the audit trail."""

from __future__ import annotations

from datetime import datetime

from django.db import IntegrityError, transaction
from django.utils.text import slugify

from outreach.campaigns.domain.entry import LONGEST_SLUG, RESERVED, CampaignEntry, OfferEntry, faults_of, offer_faults
from outreach.campaigns.models import Campaign, ProofPoint, SequenceStep
from outreach.campaigns.ports import rooms
from outreach.campaigns.services.changing import Changed, refused_for, told
from outreach.campaigns.services.sections import put_offer, put_proof, put_sending, put_steps
from outreach.teams.access import Member, gate
from outreach.teams.audit import record
from outreach.teams.domain.capabilities import Capability
from outreach.teams.domain.refusal import Refusal
from outreach.teams.models import Team, User

_COPIED = (
    "purpose", "offer", "value_proposition", "call_to_action", "must_not_say", "tone", "channel", "languages", "sender_id",
    "account_id", "other_account_id", "no_proof_needed", "budget", "drafts_per_day",
)  # fmt: skip


class _Refused(Exception):
    def __init__(self, refusal: Refusal) -> None:
        super().__init__(refusal.message)
        self.refusal = refusal


def begin_campaign(*, member: Member, name: str, purpose: str, now: datetime) -> Campaign | Refusal:
    """An empty draft with a name; everything else is filled in later. Its short name is made of the name."""
    refused = gate(member=member, capability=Capability.MANAGE)
    if refused is not None:
        return refused
    refused = told(offer_faults(entry=OfferEntry(name=name, purpose=purpose), unfinished=True))
    if refused is not None:
        return refused
    with transaction.atomic():
        _in_turn(member.team)
        campaign = _new(team=member.team, by=member.user, slug=_free_slug(team=member.team, name=name), now=now)
        put_offer(campaign=campaign, entry=OfferEntry(name=name.strip(), purpose=purpose.strip()))
        record(team=member.team, actor=member.user, action="campaign.created", target=campaign)
    return campaign


def _in_turn(team: Team) -> None:
    """Campaigns of a team are made one after another, so that no two of them find the same short name free."""
    Team.objects.select_for_update(no_key=True).get(pk=team.pk)


def _new(*, team: Team, by: User | None, slug: str, now: datetime) -> Campaign:
    return Campaign.objects.create(team=team, created_by=by, created_at=now, slug=slug, name=slug)


def _free_slug(*, team: Team, name: str) -> str:
    base = slugify(name)[:LONGEST_SLUG].strip("-") or "campaign"
    taken = (
        set(Campaign.objects.filter(team=team, slug__startswith=base[:40]).values_list("slug", flat=True)) | RESERVED
    )
    found, number = base, 1
    while found in taken:
        number += 1
        found = f"{base[: LONGEST_SLUG - 6].strip('-')}-{number}"
    return found


def create_campaign(*, member: Member, entry: CampaignEntry, now: datetime) -> Campaign | Refusal:
    """A whole campaign in draft; whoever makes it answers for its proof points. All of it or nothing."""
    refused = gate(member=member, capability=Capability.MANAGE)
    return refused or _create(team=member.team, by=member.user, entry=entry, now=now)


def _or_stop(done: Changed | Refusal) -> None:
    if isinstance(done, Refusal):
        raise _Refused(done)


def create_for_team(*, team: Team, entry: CampaignEntry, now: datetime) -> Campaign | Refusal:
    """The same for whoever runs the installation: nobody answers for the proof points yet, so a person approves them."""
    return _create(team=team, by=None, entry=entry, now=now)


def _create(*, team: Team, by: User | None, entry: CampaignEntry, now: datetime) -> Campaign | Refusal:
    refused = told(faults_of(entry=entry, today=now.date()))
    if refused is not None:
        return refused
    try:
        with transaction.atomic():
            _in_turn(team)
            campaign = _new(team=team, by=by, slug=entry.slug, now=now)
            for done in (
                put_offer(campaign=campaign, entry=entry.offer),
                put_steps(campaign=campaign, steps=entry.steps),
                put_sending(campaign=campaign, entry=entry.sending),
                put_proof(
                    campaign=campaign, points=entry.proof_points, no_proof_needed=entry.no_proof_needed, approver=by,
                    now=now,
                ),
            ):  # fmt: skip
                _or_stop(done)
            record(team=team, actor=by, action="campaign.created", target=campaign, content=campaign.offer)
    except _Refused as stopped:
        return stopped.refusal
    except IntegrityError:
        return Refusal("slug-taken", f"slug: your team has a campaign {entry.slug!r} already; choose another.")
    return campaign


def clone_campaign(*, member: Member, campaign: Campaign, name: str, now: datetime) -> Campaign | Refusal:
    """A draft with everything of another campaign but its people, its dates and its past."""
    refused = refused_for(member=member, campaign=campaign)
    if refused is not None:
        return refused
    refused = told(offer_faults(entry=OfferEntry(name=name), unfinished=True))
    if refused is not None:
        return refused
    with transaction.atomic():
        _in_turn(member.team)
        clone = Campaign.objects.create(
            team=member.team, created_by=member.user, created_at=now, name=name.strip(), cloned_from=campaign,
            slug=_free_slug(team=member.team, name=name), **{field: getattr(campaign, field) for field in _COPIED},
        )  # fmt: skip
        for step in campaign.steps.order_by("position"):
            values = {
                "channel": step.channel, "wait_days": step.wait_days, "condition": step.condition,
                "instruction": step.instruction,
            }  # fmt: skip
            SequenceStep.objects.update_or_create(campaign=clone, position=step.position, defaults=values)
        ProofPoint.objects.bulk_create(
            ProofPoint(
                campaign=clone, key=one.key, text=one.text, source=one.source, date=one.date, expires_on=one.expires_on,
                approved_by_id=one.approved_by_id, approved_at=one.approved_at,
            )
            for one in campaign.proof_points.order_by("id")
        )  # fmt: skip
        rooms().copy(source=campaign, target=clone)
        record(
            team=member.team, actor=member.user, action="campaign.cloned", target=clone, details={"from": campaign.pk},
            content=clone.offer,
        )  # fmt: skip
    return clone
