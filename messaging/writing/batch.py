"""A whole batch of drafts for one campaign, written in the calling process: what the `draft` command does."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from decimal import Decimal
from random import Random

from messaging.enrolment.services import enrol_due
from messaging.enrolment.services.sequences import advance_due
from messaging.models import Draft, DraftState
from messaging.verification.judge import Judge
from messaging.writing.crew import Crew, write_many
from messaging.writing.ports import LanguageModel, OwnModel
from messaging.writing.queue import due
from messaging.writing.services import Written, request_drafts
from outreach.campaigns.models import Campaign, CampaignStatus
from outreach.campaigns.queries import campaign_by_slug
from outreach.teams.domain.refusal import Refusal
from outreach.teams.models import Team

#: Looks at drafts that another worker has, before the batch is given up.
MOST_PAUSES = 1_200


@dataclass(slots=True)
class Drafted:
    """What came of the batch: counts of drafts, tokens and cost of all model calls."""

    requested: int = 0
    ready: int = 0
    blocked: int = 0
    failed: int = 0
    fallback: int = 0
    model: str = "composer"
    tokens: int = 0
    cost: Decimal = Decimal(0)
    drafts: list[int] = field(default_factory=list)
    #: one sentence a draft that is not ready, and what is wrong with the model, for people
    notes: list[str] = field(default_factory=list)

    def add(self, written: Written) -> None:
        """Count one draft."""
        self.tokens += written.usage.prompt_tokens + written.usage.completion_tokens
        self.cost += written.usage.cost
        self.fallback += written.fallback
        if written.outcome == DraftState.READY:
            self.ready += 1
        elif written.outcome == DraftState.BLOCKED:
            self.blocked += 1
        else:
            self.failed += 1
        if written.outcome != DraftState.READY:
            self.notes.append(f"draft {written.draft_id} {written.outcome}: {written.reason}")
        if written.fallback_reason and written.fallback_reason not in self.notes:
            self.notes.append(written.fallback_reason)


def _runnable(*, team_slug: str, campaign_slug: str) -> Campaign | Refusal:
    team = Team.objects.filter(slug=team_slug).first()
    if team is None:
        return Refusal("no-such-team", f"There is no team {team_slug!r}.")
    campaign = campaign_by_slug(team=team, slug=campaign_slug)
    if campaign is None:
        return Refusal("no-such-campaign", f"The team {team_slug!r} has no campaign {campaign_slug!r}.")
    if campaign.status != CampaignStatus.RUNNING:
        status = campaign.get_status_display().lower()
        return Refusal("not-running", f"The campaign {campaign_slug!r} is {status}; start it on its page first.")
    return campaign


def _asked(*, campaign: Campaign, limit: int, now: datetime) -> list[int]:
    """Drafts that wait already, then people whose step is due, then people who may be enrolled."""
    advance_due(now=now, campaign=campaign)
    ids = list(due(now=now).filter(campaign=campaign).order_by("pk").values_list("pk", flat=True)[:limit])
    if len(ids) < limit:
        ids += request_drafts(campaign=campaign, limit=limit - len(ids), now=now)
    if len(ids) < limit and enrol_due(campaign=campaign, limit=limit - len(ids), now=now).enrolled:
        ids += request_drafts(campaign=campaign, limit=limit - len(ids), now=now)
    return ids


def draft_campaign(
    *,
    team_slug: str,
    campaign_slug: str,
    limit: int,
    wait: bool,
    model: LanguageModel | None,
    judge: Judge | None = None,
    rng: Random,
    clock: Callable[[], datetime],
    pause: Callable[[], None],
    crew: Crew,
    own: OwnModel | None = None,
) -> Drafted | Refusal:
    """Ask for up to `limit` drafts and, with `wait`, write them here; a worker may take some of them meanwhile.

    crew: writes as many at once as it has places. pause: called while only others' drafts are left, between looks at them.
    """
    campaign = _runnable(team_slug=team_slug, campaign_slug=campaign_slug)
    if isinstance(campaign, Refusal):
        return campaign
    ids = _asked(campaign=campaign, limit=limit, now=clock())
    result = Drafted(requested=len(ids), drafts=ids)
    if wait:
        _write_all(result=result, model=model, judge=judge, rng=rng, clock=clock, pause=pause, crew=crew, own=own)
    if model is not None:
        result.model = model.name
    return result


def _write_all(
    *,
    result: Drafted,
    model: LanguageModel | None,
    judge: Judge | None = None,
    rng: Random,
    clock: Callable[[], datetime],
    pause: Callable[[], None],
    crew: Crew,
    own: OwnModel | None,
) -> None:
    open_ids = set(result.drafts)
    patience = MOST_PAUSES
    while open_ids and patience:
        written = False
        for one in write_many(
            crew=crew,
            model=model,
            judge=judge,
            rng=rng,
            clock=clock,
            goes_on=lambda: True,
            only=sorted(open_ids),
            own=own,
        ):
            written = True
            if one.outcome != "lost":
                result.add(one)
                open_ids.discard(one.draft_id)
        if not written:
            open_ids -= _settled_elsewhere(result=result, ids=open_ids)
            if open_ids:
                patience -= 1
                pause()
    for draft_id in sorted(open_ids):
        result.add(Written(draft_id, "failed", "It still waits, or another worker has it."))


def _settled_elsewhere(*, result: Drafted, ids: set[int]) -> set[int]:
    """Drafts that another worker has finished, or that were put aside."""
    done = Draft.objects.filter(pk__in=ids).exclude(state__in=(DraftState.WAITING, DraftState.WRITING))
    for draft in done:
        result.add(Written(draft.pk, draft.state, draft.state_reason, draft.model, draft.fallback))
    return {draft.pk for draft in done}
