"""Draft, ready, running, paused, finished: each move is one decision of a manager."""

from __future__ import annotations

from datetime import datetime

from django.db import transaction

from outreach.campaigns.domain.checklist import missing
from outreach.campaigns.domain.lifecycle import MOVES, Step
from outreach.campaigns.models import Campaign, CampaignStatus
from outreach.campaigns.queries import checklist_of
from outreach.campaigns.services.changing import refused_for
from outreach.teams.access import Member
from outreach.teams.audit import record
from outreach.teams.domain.refusal import Refusal


def move_campaign(*, member: Member, campaign: Campaign, step: Step, now: datetime) -> Campaign | Refusal:
    """Take a step. What may lack nothing is refused with everything that is missing.

    Enrolments of a finished campaign are released by the enrolment stage.
    """
    refused = refused_for(member=member, campaign=campaign)
    if refused is not None:
        return refused
    move = MOVES[step]
    with transaction.atomic():
        locked = Campaign.objects.select_for_update().get(pk=campaign.pk)
        if locked.status not in move.allowed_from:
            return Refusal("wrong-state", move.otherwise)
        lacking = missing(checklist_of(campaign=locked, today=now.date())) if move.complete else ()
        if lacking:
            return Refusal("incomplete", " ".join(["Something is missing:", *(point.says for point in lacking)]))
        if move.to == CampaignStatus.RUNNING and locked.status == CampaignStatus.DRAFT:
            Campaign.objects.filter(pk=locked.pk).update(status=CampaignStatus.READY)
        before, locked.status = locked.status, move.to
        locked.save(update_fields=["status"])
        record(
            team=member.team, actor=member.user, action=f"campaign.{step}", target=locked,
            details={"changed": {"status": [before, move.to]}, "at": now.isoformat()},
        )  # fmt: skip
    return locked


def start_campaign(*, member: Member, campaign: Campaign, now: datetime) -> Campaign | Refusal:
    return move_campaign(member=member, campaign=campaign, step=Step.START, now=now)
