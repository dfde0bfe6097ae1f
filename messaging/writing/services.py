"""Writing drafts: asked for, claimed, written outside any transaction, stored in one short one.

Killing a worker at any point loses nothing: the row stays, its lease ends, the next worker begins again.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from datetime import datetime, timedelta
from decimal import Decimal
from random import Random

from celery import current_app
from django.db import transaction
from django.utils import timezone
from kombu.exceptions import OperationalError

from messaging.enrolment.services import release_finished
from messaging.models import (
    Authorship,
    AuthorshipKind,
    Draft,
    DraftState,
    Enrolment,
    EnrolmentState,
    ModelCall,
    Revision,
)
from messaging.verification.judge import Judge
from messaging.writing.domain.spending import Limits, Stop
from messaging.writing.generation import Call, Postponed, Story, write_text
from messaging.writing.ports import AtDesk, LanguageModel, OwnModel, Usage, Value
from messaging.writing.preparing import Job, prepare, stop_of
from messaging.writing.queue import (
    LEASE,
    MOST_ATTEMPTS,
    ClaimedDraft,
    claim_drafts,
    due_ids,
    give_back,
    locked_if_ours,
    postpone,
    renew,
    request_drafts,
    request_follow_ups,
)
from messaging.writing.revisions import append, settle, sign, with_relations
from messaging.writing.spending import Purse
from outreach.campaigns.models import Campaign, CampaignStatus, OfferChange
from outreach.teams.access import Member, gate
from outreach.teams.audit import record
from outreach.teams.domain.capabilities import Capability
from outreach.teams.domain.refusal import Refusal

__all__ = ["claim_drafts", "request_drafts", "start_drafting", "sweep", "write_draft", "write_due"]

#: Hooks kept with a draft for people to see; the best ones.
MOST_HOOKS = 20
#: Drafts announced to the workers by one sweep.
MOST_IN_A_SWEEP = 100


def _here(work: Callable[[], Value]) -> Value:
    return work()


_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Written:
    """How the writing of one draft ended.

    outcome: ready, blocked, cancelled, waiting (put off, with the reason), lost (someone else has it) or failed (it will
    be tried again)
    """

    draft_id: int
    outcome: str
    reason: str = ""
    model: str = ""
    fallback: bool = False
    usage: Usage = field(default_factory=Usage)
    #: why the composer wrote it although there is a model; "" where the model did, or where there is none
    fallback_reason: str = ""


def start_drafting(*, member: Member, campaign: Campaign, limit: int, now: datetime) -> tuple[int, ...] | Refusal:
    """A person asks for drafts. Returns the new drafts' ids; workers write them."""
    refused = gate(member=member, capability=Capability.WRITE)
    if refused is not None:
        return refused
    if campaign.team_id != member.team.pk:
        return Refusal("not-found", "There is no such campaign in your team.")
    if campaign.status != CampaignStatus.RUNNING:
        return Refusal("not-running", "The campaign is not running; start it first.")
    with transaction.atomic():
        asked = request_drafts(campaign=campaign, limit=limit, now=now)
        record(
            team=member.team, actor=member.user, action="drafts.requested", target=campaign,
            details={"drafts": len(asked)},
        )  # fmt: skip
        transaction.on_commit(_nudge)
    return asked


def _nudge() -> None:
    """Wake the workers now. Without a broker the next sweep finds the rows all the same."""
    with suppress(OperationalError):
        current_app.send_task("messaging.writing.tasks.sweep_drafts", expires=30)


def write_draft(
    *,
    claimed: ClaimedDraft,
    model: LanguageModel | None,
    judge: Judge | None = None,
    now: datetime,
    rng: Random,
    clock: Callable[[], datetime] = timezone.now,
    at_desk: AtDesk = _here,
    own: OwnModel | None = None,
) -> Written:
    """Write one claimed draft. Model calls happen outside transactions; the result is stored only while it is ours.

    own: makes the model of a team that named one; model is the installation's. at_desk: does what needs the
    database, perhaps in another thread.
    """
    job = at_desk(lambda: _begun(claimed=claimed, now=now, rng=rng))
    if isinstance(job, Written):
        return job
    if job.access.own:
        model = own(job.access) if own is not None and not job.access.fault else None
    lease = lease_of(model=model, judge=judge)
    purse = Purse(job.draft.team_id, job.draft.campaign_id, job.limits, clock)
    story = write_text(
        brief=job.brief,
        model=model,
        still_ours=lambda told: at_desk(lambda: renew(claimed=claimed, now=clock(), lease=lease, progress=told)),
        judge=judge,
        may_wait=claimed.attempt < MOST_ATTEMPTS,
        funds=_FundsAtDesk(purse, at_desk),
    )
    story.fallback = story.fallback or job.access.fault
    return at_desk(lambda: _ended(claimed=claimed, job=job, story=story, model=model, now=now))


@dataclass(frozen=True, slots=True)
class _FundsAtDesk:
    """A purse that is opened where the database is."""

    purse: Purse
    at_desk: AtDesk

    def set_aside(self, price: Decimal) -> Stop | None:
        return self.at_desk(lambda: self.purse.set_aside(price)) if price else self.purse.set_aside(price)

    def settle(self, *, price: Decimal, cost: Decimal) -> None:
        if price or cost:
            self.at_desk(lambda: self.purse.settle(price=price, cost=cost))


def _begun(*, claimed: ClaimedDraft, now: datetime, rng: Random) -> Job | Written:
    """Everything read that the writing needs; or why nothing is written."""
    draft = with_relations(draft_id=claimed.draft_id)
    stopped = stop_of(draft=draft)
    if stopped is not None:
        return _stop(claimed=claimed, state=stopped[0], reason=stopped[1])
    return prepare(draft=draft, now=now, rng=rng)


def _ended(*, claimed: ClaimedDraft, job: Job, story: Story, model: LanguageModel | None, now: datetime) -> Written:
    """What was asked is kept, and the texts while the draft is ours."""
    if model is not None:
        keep_calls(draft=job.draft, model=model.name, calls=story.calls, now=now)
    if story.postponed is not None:
        return _put_off(claimed=claimed, story=story, postponed=story.postponed, now=now)
    if story.lost or not story.texts:
        return Written(claimed.draft_id, "lost", "Another worker has the draft.", usage=_sum(story))
    return _stored(claimed=claimed, job=job, story=story, model=model, now=now)


def _put_off(*, claimed: ClaimedDraft, story: Story, postponed: Postponed, now: datetime) -> Written:
    until = now + timedelta(seconds=postponed.seconds)
    kept = postpone(claimed=claimed, reason=postponed.reason, until=until, counts=postponed.counts)
    outcome = DraftState.WAITING if kept else "lost"
    return Written(claimed.draft_id, outcome, postponed.reason, usage=_sum(story))


def lease_of(*, model: LanguageModel | None, judge: Judge | None = None) -> timedelta:
    """How long a draft is ours before its worker must speak again: the longer of the calls it may wait for."""
    return LEASE + timedelta(seconds=max((one.longest for one in (model, judge) if one is not None), default=0.0))


def write_due(
    *,
    model: LanguageModel | None,
    judge: Judge | None = None,
    now: datetime,
    rng: Random,
    only: Sequence[int] | None = None,
    limit: int = 1,
    clock: Callable[[], datetime] = timezone.now,
    own: OwnModel | None = None,
) -> tuple[Written, ...]:
    """Claim up to `limit` due drafts and write them. One that breaks is given back and does not stop the rest."""
    return tuple(
        write_or_give_back(claimed=one, model=model, judge=judge, now=now, rng=rng, clock=clock, own=own)
        for one in claim_drafts(now=now, limit=limit, only=only, lease=lease_of(model=model, judge=judge))
    )


def write_or_give_back(
    *,
    claimed: ClaimedDraft,
    model: LanguageModel | None,
    judge: Judge | None,
    now: datetime,
    rng: Random,
    clock: Callable[[], datetime],
    at_desk: AtDesk = _here,
    own: OwnModel | None = None,
) -> Written:
    """Write one claimed draft; one that breaks is given back with the reason."""
    try:
        return write_draft(
            claimed=claimed, model=model, judge=judge, now=now, rng=rng, clock=clock, at_desk=at_desk, own=own
        )
    except Exception as error:  # noqa: BLE001 - one poisonous draft must not stop the others
        _log.exception("draft %s could not be written", claimed.draft_id)
        reason = f"Writing failed: {type(error).__name__}."
        at_desk(lambda: give_back(claimed=claimed, reason=reason, now=clock()))
        return Written(claimed.draft_id, "failed", reason)


def sweep(*, now: datetime) -> tuple[int, ...]:
    """What a regular wake-up does: release the people of finished campaigns, ask for the follow-ups that are due; the
    ids of drafts to be written."""
    release_finished()
    request_follow_ups(now=now)
    return due_ids(now=now, limit=MOST_IN_A_SWEEP)


def _stop(*, claimed: ClaimedDraft, state: str, reason: str) -> Written:
    with transaction.atomic():
        draft = locked_if_ours(claimed=claimed)
        if draft is None:
            return Written(claimed.draft_id, "lost", "Another worker has the draft.")
        draft.state, draft.state_reason = state, reason
        draft.lease_token = draft.lease_until = None
        draft.save(update_fields=["state", "state_reason", "lease_token", "lease_until"])
    return Written(claimed.draft_id, state, reason)


def keep_calls(*, draft: Draft, model: str, calls: Sequence[Call], now: datetime) -> None:
    """What was asked was paid for, whether or not the draft is still ours."""
    ModelCall.objects.bulk_create(
        ModelCall(
            draft=draft,
            stage=call.stage,
            model=call.model or model,
            outcome=call.outcome,
            detail=call.detail,
            prompt_tokens=call.usage.prompt_tokens,
            cached_tokens=call.usage.cached_tokens,
            completion_tokens=call.usage.completion_tokens,
            cost=call.usage.cost,
            milliseconds=call.usage.milliseconds,
            created_at=now,
        )
        for call in calls
    )
    judged = sum((call.usage.cost for call in calls if call.stage == "judge"), Decimal(0))
    # The writer's own requests were settled one by one; what a judge costs is known only afterwards.
    Purse(draft.team_id, draft.campaign_id, Limits(), lambda: now).settle(price=Decimal(0), cost=judged)


def _sum(story: Story) -> Usage:
    calls = [call.usage for call in story.calls]
    return Usage(
        sum(one.prompt_tokens for one in calls),
        sum(one.cached_tokens for one in calls),
        sum(one.completion_tokens for one in calls),
        sum((one.cost for one in calls), Usage().cost),
        sum(one.milliseconds for one in calls),
        sum(one.requests for one in calls),
    )


def _stored(*, claimed: ClaimedDraft, job: Job, story: Story, model: LanguageModel | None, now: datetime) -> Written:
    """The one short transaction: every text in order, the last one current, the lease given up."""
    with transaction.atomic():
        locked = locked_if_ours(claimed=claimed)
        if locked is None:
            return Written(claimed.draft_id, "lost", "Another worker has the draft.", usage=_sum(story))
        frozen = job.frozen
        if frozen is not job.draft.dossier:
            frozen.save()
        last = story.texts[-1]
        for text in story.texts:
            revision = append(
                draft=locked,
                frozen=frozen,
                author_kind=text.author_kind,
                subject=text.subject,
                body=text.body,
                declared=text.declared,
                checked=text.checked,
                now=now,
            )
            _sign(draft=locked, revision=revision)
        _note(draft=locked, job=job, story=story, model=model)
        settle(draft=locked, revision=revision, checked=last.checked, now=now)
        _cancel_if_ended(draft=locked)
        _verify_again_if_changed(draft=locked, begun_at=now)
    return Written(
        claimed.draft_id,
        locked.state,
        locked.state_reason,
        model=locked.model,
        fallback=locked.fallback,
        usage=_sum(story),
        fallback_reason=story.fallback,
    )


def _cancel_if_ended(*, draft: Draft) -> None:
    """Whoever answered or was removed while the text was written is not put into the queue; who is paused goes on later."""
    enrolment = Enrolment.objects.get(pk=draft.enrolment_id)
    if enrolment.state not in (EnrolmentState.ACTIVE, EnrolmentState.PAUSED):
        draft.state = DraftState.CANCELLED
        draft.state_reason = f"The enrolment is {enrolment.get_state_display().lower()}."
        draft.save(update_fields=["state", "state_reason"])


def _verify_again_if_changed(*, draft: Draft, begun_at: datetime) -> None:
    """A text that was begun before the campaign said something else was checked by what it said then."""
    OfferChange.objects.filter(campaign=draft.campaign_id, at__gt=begun_at, settled_at__isnull=False).update(
        settled_at=None
    )


def _sign(*, draft: Draft, revision: Revision) -> None:
    """Who asked for this writing, and everyone whose evidence it may rest on."""
    authors = {}
    if draft.instructed_by is not None:
        authors[draft.instructed_by] = AuthorshipKind.PROMPTED
    sign(revision=revision, authors=authors)
    evidenced = (
        Authorship.objects.filter(revision__draft=draft, kind=AuthorshipKind.EVIDENCED)
        .exclude(revision=revision)
        .values_list("user_id", flat=True)
        .distinct()
    )
    Authorship.objects.bulk_create(
        Authorship(revision=revision, user_id=user_id, kind=AuthorshipKind.EVIDENCED) for user_id in evidenced
    )


def _note(*, draft: Draft, job: Job, story: Story, model: LanguageModel | None) -> None:
    """Stamp the draft with how it came about; saved with the settlement."""
    last = story.texts[-1]
    draft.hooks = [{**asdict(hook), "layer": str(hook.layer)} for hook in job.hooks[:MOST_HOOKS]]
    draft.layers = [str(layer) for layer in last.layers]
    draft.dropped_layers = list(last.dropped_layers)
    draft.prompt_version = job.prompt
    draft.model = model.name if model is not None else "composer"
    draft.fallback = bool(story.fallback)
    draft.analysis, draft.progress = story.analysis, ""
    draft.instruction, draft.instructed_by = "", None
    draft.attempts = 0
    draft.lease_token = draft.lease_until = None
    draft.ready_at = draft.review_due_at = None
