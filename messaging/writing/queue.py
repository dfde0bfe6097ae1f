"""The row is the queue: which drafts are due, who has one, and until when."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, time, timedelta
from itertools import islice
from uuid import UUID, uuid4
from zoneinfo import ZoneInfo

from django.db import transaction
from django.db.models import Exists, F, OuterRef, Q, QuerySet, Subquery

from messaging.enrolment.domain.exclusions import language_for
from messaging.models import Draft, DraftState, Enrolment, EnrolmentState
from outreach.campaigns.domain.sequence import Step as SequenceStep
from outreach.campaigns.models import Campaign, CampaignStatus
from outreach.campaigns.models import SequenceStep as SequenceStepRow
from outreach.campaigns.queries import sequence_of

#: A worker that is silent for so long has died; writing with a model takes longer, and renews before every call.
LEASE = timedelta(seconds=30)
#: Times a draft is begun before it is put aside: it breaks whoever takes it.
MOST_ATTEMPTS = 5
#: After a failure nobody writes the draft for so long, times the attempts made.
PAUSE = timedelta(seconds=20)
#: Characters of what a worker says of where it stands.
LONGEST_PROGRESS = 300
#: No campaign begins more at once.
MOST_DRAFTS = 1_000_000
#: Campaigns whose follow-ups are asked for in one sweep, and people of each.
MOST_CAMPAIGNS, MOST_FOLLOW_UPS = 20, 100


@dataclass(frozen=True, slots=True)
class ClaimedDraft:
    """A draft that is ours until the lease ends; the token proves it."""

    draft_id: int
    token: UUID
    attempt: int


def due(*, now: datetime, only: Sequence[int] | None = None) -> QuerySet[Draft]:
    """Drafts to be written now: waiting ones, and those whose worker fell silent. Those of paused people wait with them."""
    free = Q(lease_until__isnull=True) | Q(lease_until__lte=now)
    found = Draft.objects.filter(
        free,
        ~Q(enrolment__state=EnrolmentState.PAUSED),
        state__in=(DraftState.WAITING, DraftState.WRITING),
        campaign__status=CampaignStatus.RUNNING,
    )
    return found if only is None else found.filter(pk__in=only)


def due_ids(*, now: datetime, limit: int) -> tuple[int, ...]:
    """The oldest due drafts."""
    return tuple(due(now=now).order_by("pk").values_list("pk", flat=True)[:limit])


def claim_drafts(
    *, now: datetime, limit: int, only: Sequence[int] | None = None, lease: timedelta = LEASE
) -> tuple[ClaimedDraft, ...]:
    """Take up to `limit` due drafts. Nobody else can have them until the lease ends or they are written.

    A draft that was begun too often is put aside as blocked instead of being handed out again.
    """
    with transaction.atomic():
        rows = list(due(now=now, only=only).select_for_update(skip_locked=True, of=("self",)).order_by("pk")[:limit])
        poisoned = [row for row in rows if row.attempts >= MOST_ATTEMPTS]
        _put_aside(poisoned)
        claimed = [ClaimedDraft(row.pk, uuid4(), row.attempts + 1) for row in rows if row.attempts < MOST_ATTEMPTS]
        for one in claimed:
            Draft.objects.filter(pk=one.draft_id).update(
                state=DraftState.WRITING, lease_token=one.token, lease_until=now + lease, attempts=F("attempts") + 1
            )
    return tuple(claimed)


def _put_aside(rows: Sequence[Draft]) -> None:
    for row in rows:
        reason = f"Writing was begun {row.attempts} times and never finished. {row.state_reason}".strip()
        Draft.objects.filter(pk=row.pk).update(
            state=DraftState.BLOCKED, state_reason=reason, lease_token=None, lease_until=None
        )


def renew(*, claimed: ClaimedDraft, now: datetime, lease: timedelta = LEASE, progress: str = "") -> bool:
    """Keep a draft for another lease; False when it is no longer ours, and whatever was written must be dropped.

    progress: what is done next, for who watches.
    """
    return bool(_ours(claimed).update(lease_until=now + lease, progress=progress[:LONGEST_PROGRESS]))


def locked_if_ours(*, claimed: ClaimedDraft) -> Draft | None:
    """The draft's row locked for the one transaction that writes the result; None when the lease was lost."""
    return _ours(claimed).select_for_update(of=("self",)).first()


def give_back(*, claimed: ClaimedDraft, reason: str, now: datetime) -> bool:
    """Return a draft that could not be written; it is due again after a pause. False when it was not ours."""
    return postpone(claimed=claimed, reason=reason, until=now + PAUSE * claimed.attempt)


def postpone(*, claimed: ClaimedDraft, reason: str, until: datetime, counts: bool = True) -> bool:
    """Return a draft that is to be written later, and say why. False when it was not ours.

    counts: whether this was one of the times that it may be begun.
    """
    changes: dict[str, object] = {} if counts else {"attempts": F("attempts") - 1}
    return bool(
        _ours(claimed).update(
            state=DraftState.WAITING, state_reason=reason, lease_token=None, lease_until=until, **changes
        )
    )


def _ours(claimed: ClaimedDraft) -> QuerySet[Draft]:
    return Draft.objects.filter(pk=claimed.draft_id, state=DraftState.WRITING, lease_token=claimed.token)


def drafts_left(*, campaign: Campaign, now: datetime) -> int:
    """How many drafts may still be begun today: none outside the campaign's dates, else what its daily number leaves.

    Days are those of the team's time zone.
    """
    zone = ZoneInfo(campaign.team.timezone)
    today = now.astimezone(zone).date()
    if (campaign.starts_on and today < campaign.starts_on) or (campaign.ends_on and today > campaign.ends_on):
        return 0
    if campaign.drafts_per_day is None:
        return MOST_DRAFTS
    morning = datetime.combine(today, time.min, zone)
    return campaign.drafts_per_day - Draft.objects.filter(campaign=campaign, created_at__gte=morning).count()


def request_drafts(*, campaign: Campaign, limit: int, now: datetime, follow_ups_only: bool = False) -> tuple[int, ...]:
    """Leave a waiting draft for up to `limit` enrolments whose step is due. Returns the ids of the new drafts.

    A follow-up is written only where an earlier message was sent.
    """
    drafts_of = Draft.objects.filter(enrolment=OuterRef("pk"))
    has_draft = Exists(drafts_of.filter(step=OuterRef("step")))
    follows = Exists(drafts_of.filter(step__lt=OuterRef("step"), state=DraftState.SENT))
    begins = Q(pk__in=[]) if follow_ups_only else Q(step=1)
    with transaction.atomic():
        # Calls for one campaign follow each other: two that count at once would each use up what is left of the day.
        locked = Campaign.objects.select_for_update(no_key=True, of=("self",)).select_related("team")
        campaign = locked.get(pk=campaign.pk)
        limit = min(limit, drafts_left(campaign=campaign, now=now))
        if campaign.status != CampaignStatus.RUNNING or limit <= 0:
            return ()
        steps = {step.position: step for step in sequence_of(campaign=campaign)}
        due = list(
            Enrolment.objects.select_for_update(skip_locked=True, of=("self",))
            .filter(
                ~has_draft,
                begins | follows,
                campaign=campaign,
                state=EnrolmentState.ACTIVE,
                due_at__lte=now,
                step__in=list(steps),
            )
            .select_related("prospect")
            .order_by("due_at", "pk")[:limit]
        )
        drafts = Draft.objects.bulk_create(
            _waiting(campaign=campaign, enrolment=one, step=steps[one.step], now=now) for one in due
        )
    return tuple(draft.pk for draft in drafts)


def _waiting(*, campaign: Campaign, enrolment: Enrolment, step: SequenceStep, now: datetime) -> Draft:
    language = language_for(known=enrolment.prospect.language, allowed=tuple(campaign.languages))
    return Draft(
        team_id=campaign.team_id,
        campaign=campaign,
        enrolment=enrolment,
        prospect=enrolment.prospect,
        step=enrolment.step,
        channel=step.channel,
        language=language,
        created_at=now,
    )


def request_follow_ups(*, now: datetime, campaigns: int = MOST_CAMPAIGNS, people: int = MOST_FOLLOW_UPS) -> int:
    """Leave a waiting draft for everybody whose next step is due: the first message was asked for, the rest follows.

    A few campaigns at a time, those whose people have waited longest; one that may begin no draft today holds no other
    up. Returns how many drafts.
    """
    drafts_of = Draft.objects.filter(enrolment=OuterRef("pk"))
    waiting = Enrolment.objects.filter(
        ~Exists(drafts_of.filter(step=OuterRef("step"))),
        Exists(drafts_of.filter(step__lt=OuterRef("step"), state=DraftState.SENT)),
        campaign=OuterRef("pk"),
        step__in=SequenceStepRow.objects.filter(campaign=OuterRef("campaign")).values("position"),
        step__gt=1,
        state=EnrolmentState.ACTIVE,
        due_at__lte=now,
    )
    longest = Subquery(waiting.order_by("due_at").values("due_at")[:1])
    running = Campaign.objects.filter(status=CampaignStatus.RUNNING).select_related("team")
    found = running.annotate(waiting_since=longest).filter(waiting_since__isnull=False).order_by("waiting_since", "pk")
    free = (one for one in found.iterator() if drafts_left(campaign=one, now=now) > 0)
    asked = [
        request_drafts(campaign=one, limit=people, now=now, follow_ups_only=True)
        for one in list(islice(free, campaigns))
    ]
    return sum(map(len, asked))
