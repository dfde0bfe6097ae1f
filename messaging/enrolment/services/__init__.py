"""Putting people into campaigns: one purpose per person, everyone left out is told with the reason."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db import transaction

from messaging.enrolment.domain.exclusions import Candidate, Why, exclusion_of
from messaging.enrolment.queries import LIVE, Known, candidates_of, unenrolled
from messaging.enrolment.services.audiences import within_saved
from messaging.models import Draft, DraftState, Enrolment, EnrolmentState
from messaging.verification.language import resolve
from outreach.campaigns.models import Campaign, CampaignStatus
from outreach.teams.access import Member, gate
from outreach.teams.audit import record
from outreach.teams.domain.capabilities import Capability
from outreach.teams.domain.refusal import Refusal
from outreach.teams.models import Team
from prospects import suppression
from prospects.models import Prospect

#: People in one call; a longer list is enrolled in pieces.
MOST_AT_ONCE = 5_000
CAMPAIGN_FINISHED = "The campaign was finished."
REMOVED = "Removed from the campaign."
#: Drafts that end with the enrolment they were written for.
UNSENT = (DraftState.WAITING, DraftState.WRITING, DraftState.READY, DraftState.BLOCKED, DraftState.CHANGES)


@dataclass(frozen=True, slots=True)
class Exclusion:
    """Someone who was not enrolled."""

    prospect_id: int
    reason: Why


@dataclass(frozen=True, slots=True)
class Enrolled:
    """Who was enrolled (prospect ids) and who was not."""

    enrolled: tuple[int, ...]
    excluded: tuple[Exclusion, ...]

    def counted(self) -> dict[Why, int]:
        """How many were left out for each reason, most first."""
        return dict(Counter(exclusion.reason for exclusion in self.excluded).most_common())


def enrol(*, member: Member, campaign: Campaign, prospect_ids: Sequence[int], now: datetime) -> Enrolled | Refusal:
    """Enrol the people of this list who may be. Two concurrent calls never give one person two purposes."""
    refused = _refusal(member=member, campaign=campaign, prospect_ids=prospect_ids)
    if refused is not None:
        return refused
    wanted = tuple(dict.fromkeys(prospect_ids))
    release_finished(team_id=member.team.pk)
    with transaction.atomic():
        # Calls for one campaign follow each other; between campaigns the unique constraint decides.
        Campaign.objects.select_for_update(no_key=True).get(pk=campaign.pk)
        fit, excluded = _sorted_out(team=member.team, campaign=campaign, wanted=wanted)
        enrolled = _insert(campaign=campaign, prospects=fit, now=now)
        taken = [Exclusion(one.pk, Why.OTHER_PURPOSE) for one in fit if one.pk not in enrolled]
        result = Enrolled(
            tuple(sorted(enrolled)), tuple(sorted([*excluded, *taken], key=lambda exclusion: exclusion.prospect_id))
        )
        record(
            team=member.team,
            actor=member.user,
            action="campaign.enrolled",
            target=campaign,
            details={"enrolled": len(result.enrolled), "excluded": {str(k): v for k, v in result.counted().items()}},
        )
    return result


def enrol_due(*, campaign: Campaign, limit: int, now: datetime) -> Enrolled:
    """Enrol up to `limit` of the team's people who may be and are in no campaign: a rule does it, no person.

    Where an audience is saved with the campaign only who is in it, under its limits.
    """
    release_finished(team_id=campaign.team_id)
    with transaction.atomic():
        Campaign.objects.select_for_update(no_key=True).get(pk=campaign.pk)
        looked_at = within_saved(
            campaign=campaign, people=unenrolled(campaign=campaign), most=max(limit * 10, 200), now=now
        )
        fit, excluded = _sorted_out(team=campaign.team, campaign=campaign, wanted=tuple(looked_at))
        enrolled = _insert(campaign=campaign, prospects=fit[:limit], now=now)
        if enrolled:
            record(
                team=campaign.team, actor=None, action="campaign.enrolled", target=campaign,
                details={"enrolled": len(enrolled)},
            )  # fmt: skip
    return Enrolled(tuple(sorted(enrolled)), tuple(excluded))


def _refusal(*, member: Member, campaign: Campaign, prospect_ids: Sequence[int]) -> Refusal | None:
    refused = gate(member=member, capability=Capability.WRITE)
    if refused is not None:
        return refused
    if campaign.team_id != member.team.pk:
        return Refusal("not-found", "There is no such campaign in your team.")
    if campaign.status == CampaignStatus.FINISHED:
        return Refusal("finished", "The campaign is finished; nobody can be enrolled in it any more.")
    if len(prospect_ids) > MOST_AT_ONCE:
        return Refusal("too-many", f"Enrol at most {MOST_AT_ONCE:,} people at once.")
    return None


def _candidate(*, known: Known, suppressed: bool) -> Candidate:
    prospect = known.prospect
    return Candidate(
        state=prospect.state,
        suppressed=suppressed,
        enrolled_here=known.enrolled_here,
        active_elsewhere=known.active_elsewhere,
        has_email=bool(prospect.email),
        has_profile=bool(prospect.linkedin_url),
        first_degree=prospect.first_degree,
        language=prospect.language,
    )


def _sorted_out(*, team: Team, campaign: Campaign, wanted: Sequence[int]) -> tuple[list[Prospect], list[Exclusion]]:
    fit: list[Prospect] = []
    excluded: list[Exclusion] = []
    unseen = set(wanted)
    suppressed = suppression.of_prospects(team=team, prospect_ids=wanted)
    for known in candidates_of(team=team, campaign=campaign, prospect_ids=wanted):
        prospect = known.prospect
        unseen.discard(prospect.pk)
        why = exclusion_of(
            candidate=_candidate(known=known, suppressed=prospect.pk in suppressed),
            channel=campaign.channel,
            allowed=tuple(campaign.languages),
            can_be_checked=lambda code: bool(resolve(code)),
        )
        if why is None:
            fit.append(prospect)
        else:
            excluded.append(Exclusion(prospect.pk, why))
    return fit, excluded + [Exclusion(pk, Why.UNKNOWN) for pk in sorted(unseen)]


def _insert(*, campaign: Campaign, prospects: Iterable[Prospect], now: datetime) -> frozenset[int]:
    """Insert the people whom no other campaign took meanwhile. Returns their prospect ids."""
    rows = [
        Enrolment(team_id=campaign.team_id, campaign=campaign, prospect=prospect, due_at=now, created_at=now)
        for prospect in prospects
    ]
    Enrolment.objects.bulk_create(rows, ignore_conflicts=True)
    ids = [row.prospect_id for row in rows]
    return frozenset(
        Enrolment.objects.filter(campaign=campaign, prospect_id__in=ids).values_list("prospect_id", flat=True)
    )


def remove(*, member: Member, campaign: Campaign, enrolment_id: int, now: datetime) -> Enrolment | Refusal:
    """Take a person out of a campaign. What was drafted for them is cancelled; what was approved is undone first."""
    refused = gate(member=member, capability=Capability.WRITE)
    if refused is not None:
        return refused
    with transaction.atomic():
        enrolment = (
            Enrolment.objects.select_for_update(of=("self",))
            .filter(team=member.team, campaign=campaign, pk=enrolment_id, state__in=LIVE)
            .first()
        )
        if enrolment is None:
            return Refusal("not-found", "The person is not in this campaign, or no longer.")
        drafts = Draft.objects.select_for_update().filter(enrolment=enrolment)
        if any(draft.state == DraftState.APPROVED for draft in drafts):
            return Refusal("approved", "A message to this person is approved; take the approval back first.")
        Draft.objects.filter(enrolment=enrolment, state__in=UNSENT).update(
            state=DraftState.CANCELLED, state_reason=REMOVED, lease_token=None, lease_until=None
        )
        enrolment.state, enrolment.state_reason = EnrolmentState.REMOVED, REMOVED
        enrolment.save(update_fields=["state", "state_reason"])
        record(
            team=member.team, actor=member.user, action="enrolment.removed", target=enrolment,
            details={"at": now.isoformat()},
        )  # fmt: skip
    return enrolment


def release_finished(*, team_id: int | None = None) -> int:
    """End the enrolments of finished campaigns, so that their people may be written to again. Returns how many.

    Their drafts end too: nobody can approve one, so none is to be written or read any more.
    """
    live = Enrolment.objects.filter(state__in=LIVE, campaign__status=CampaignStatus.FINISHED)
    open_drafts = Draft.objects.filter(state__in=UNSENT, campaign__status=CampaignStatus.FINISHED)
    if team_id is not None:
        live, open_drafts = live.filter(team_id=team_id), open_drafts.filter(team_id=team_id)
    with transaction.atomic():
        released = live.update(state=EnrolmentState.FINISHED, state_reason=CAMPAIGN_FINISHED)
        open_drafts.update(
            state=DraftState.CANCELLED, state_reason=CAMPAIGN_FINISHED, lease_token=None, lease_until=None
        )
    return released
