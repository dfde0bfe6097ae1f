"""Enrolling a whole audience in the background: claimed under a lease, chunk by chunk, cancelled and resumed.

Each chunk is one transaction that enrols and moves the cursor: killed at any point, nothing is lost or done twice.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID, uuid4

from celery import current_app
from django.db import IntegrityError, connection, transaction
from django.db.models import Max, Q
from kombu.exceptions import OperationalError

from messaging.enrolment.domain.audience import Audience, stored_audience
from messaging.enrolment.queries.audience import everyone, people_of
from messaging.enrolment.services import release_finished
from messaging.enrolment.services.audiences import limits_of, read_texts, refusal_to_enrol, screen_for
from messaging.models import EnrolmentRun, RunState
from outreach.campaigns.models import Campaign, CampaignStatus
from outreach.teams.access import Member
from outreach.teams.audit import record
from outreach.teams.domain.refusal import Refusal

LEASE = timedelta(minutes=1)
#: People of the team looked at in one transaction.
CHUNK = 5_000
OPEN = (RunState.WAITING, RunState.RUNNING)
_LOCK = 4_217


@dataclass(frozen=True, slots=True)
class Lease:
    """A run that this process may work on; the token proves it."""

    run: EnrolmentRun
    token: UUID


def start_run(*, member: Member, campaign: Campaign, audience: Audience, now: datetime) -> EnrolmentRun | Refusal:
    """Leave a waiting run over everybody the team has now. One at a time for a campaign."""
    refused = refusal_to_enrol(member=member, campaign=campaign)
    if refused is not None:
        return refused
    people = everyone(team=member.team)
    try:
        with transaction.atomic():
            run = EnrolmentRun.objects.create(
                team=member.team,
                campaign=campaign,
                filters=audience.as_json(),
                upto=people.aggregate(last=Max("pk"))["last"] or 0,
                total=people.count(),
                created_by=member.user,
                created_at=now,
            )
            record(
                team=member.team, actor=member.user, action="enrolment_run.started", target=run,
                details={"campaign": campaign.pk, "filters": sorted(run.filters)},
            )  # fmt: skip
            transaction.on_commit(_nudge)
    except IntegrityError:
        return Refusal("running", "People are being enrolled in this campaign already; wait, or cancel that first.")
    return run


def _nudge() -> None:
    with suppress(OperationalError):
        current_app.send_task("messaging.enrolment.tasks.run_enrolments", expires=30)


def cancel_run(*, member: Member, campaign: Campaign, run_id: int, now: datetime) -> EnrolmentRun | Refusal:
    """Stop before the next chunk. Who is enrolled stays enrolled."""
    return _move(
        member=member, campaign=campaign, run_id=run_id, sources=OPEN, action="enrolment_run.cancelled",
        otherwise="It is not running any more.",
        to={"state": RunState.CANCELLED, "finished_at": now, "lease_token": None, "lease_until": None},
    )  # fmt: skip


def resume_run(*, member: Member, campaign: Campaign, run_id: int) -> EnrolmentRun | Refusal:
    """Go on where a cancelled run stopped."""
    refused = refusal_to_enrol(member=member, campaign=campaign)
    if refused is not None:
        return refused
    try:
        with transaction.atomic():
            return _move(
                member=member, campaign=campaign, run_id=run_id, sources=(RunState.CANCELLED,),
                action="enrolment_run.resumed", otherwise="Only a cancelled run is resumed.",
                to={"state": RunState.WAITING, "finished_at": None, "message": "", "claimed_at": None},
            )  # fmt: skip
    except IntegrityError:
        return Refusal("running", "People are being enrolled in this campaign already; wait, or cancel that first.")


def _move(
    *,
    member: Member,
    campaign: Campaign,
    run_id: int,
    sources: tuple[RunState, ...],
    to: dict[str, object],
    action: str,
    otherwise: str,
) -> EnrolmentRun | Refusal:
    refused = refusal_to_enrol(member=member, campaign=campaign)
    if refused is not None and refused.code != "finished":
        return refused
    with transaction.atomic():
        rows = EnrolmentRun.objects.select_for_update(of=("self",)).filter(team=member.team, campaign=campaign)
        run = rows.filter(pk=run_id).first()
        if run is None:
            return Refusal("not-found", "There is no such run in this campaign.")
        if run.state not in sources:
            return Refusal("not-open", otherwise)
        for name, value in to.items():
            setattr(run, name, value)
        run.save(update_fields=list(to))
        record(team=member.team, actor=member.user, action=action, target=run, details={"looked_at": run.looked_at})
        if run.state == RunState.WAITING:
            transaction.on_commit(_nudge)
    return run


def claim_run(*, now: datetime, only: int | None = None) -> Lease | None:
    """The next run that waits, or that a worker left behind; None when there is none."""
    free = Q(state=RunState.WAITING) | Q(state=RunState.RUNNING, lease_until__lte=now)
    with transaction.atomic():
        due = EnrolmentRun.objects.filter(free).order_by("pk")
        if only is not None:
            due = due.filter(pk=only)
        rows = due.select_for_update(skip_locked=True, of=("self",)).select_related("team", "campaign")
        run = rows.first()
        if run is None:
            return None
        lease = Lease(run, uuid4())
        run.state, run.lease_token, run.lease_until = RunState.RUNNING, lease.token, now + LEASE
        run.claimed_at, run.claimed_looked_at = now, run.looked_at
        run.save(update_fields=["state", "lease_token", "lease_until", "claimed_at", "claimed_looked_at"])
    release_finished(team_id=run.team_id)
    return lease


def work_run(*, lease: Lease, clock: Callable[[], datetime], chunk: int = CHUNK) -> EnrolmentRun:
    """Chunk after chunk until all were looked at, somebody cancels, or another worker has taken over."""
    while _next_chunk(lease=lease, now=clock(), size=chunk):
        pass
    return EnrolmentRun.objects.get(pk=lease.run.pk)


def _next_chunk(*, lease: Lease, now: datetime, size: int) -> bool:
    """Whether there is another one. The rules are asked as of when the run began, so that a day's end changes nothing."""
    with transaction.atomic():
        rows = EnrolmentRun.objects.select_for_update(of=("self",)).select_related("campaign", "team")
        run = rows.filter(pk=lease.run.pk, state=RunState.RUNNING, lease_token=lease.token).first()
        if run is None:
            return False
        if run.campaign.status == CampaignStatus.FINISHED:
            return _end(run, RunState.CANCELLED, now, "The campaign was finished.")
        walked = everyone(team=run.team).filter(pk__gt=run.cursor, pk__lte=run.upto).order_by("pk")
        ids = list(walked.values_list("pk", flat=True)[:size])
        if not ids:
            return _end(run, RunState.DONE, now)
        _enrol_chunk(run=run, ids=ids, now=now)
        run.cursor, run.looked_at, run.lease_until = ids[-1], run.looked_at + len(ids), now + LEASE
        run.save(update_fields=["cursor", "looked_at", "lease_until", "enrolled", "excluded"])
        return True


def _enrol_chunk(*, run: EnrolmentRun, ids: list[int], now: datetime) -> None:
    audience = stored_audience(run.filters)[0]
    with connection.cursor() as cursor:
        # The limit for a company holds for the whole team, so its runs take turns.
        cursor.execute("SELECT pg_advisory_xact_lock(%s, %s)", [_LOCK, run.team_id])
    if audience.narrows:
        of_chunk = everyone(team=run.team).filter(pk__gt=run.cursor, pk__lte=ids[-1])
        read_texts(people=of_chunk, audience=audience)
        matching = people_of(team=run.team, audience=audience, now=run.created_at)
        ids = list(matching.filter(pk__gt=run.cursor, pk__lte=ids[-1]).order_by("pk").values_list("pk", flat=True))
    if not ids:
        return
    limits = limits_of(audience=audience, now=run.created_at)
    enrolled, excluded = screen_for(campaign=run.campaign, ids=ids, limits=limits, now=now).enrol(ids, now=now)
    run.enrolled += enrolled
    run.excluded = dict(Counter(run.excluded) + Counter({str(why): number for why, number in excluded.items()}))


def _end(run: EnrolmentRun, state: RunState, now: datetime, message: str = "") -> bool:
    run.state, run.finished_at, run.message = state, now, message
    run.lease_token = run.lease_until = None
    run.save(update_fields=["state", "finished_at", "message", "lease_token", "lease_until"])
    record(
        team=run.team, actor=run.created_by, action="campaign.enrolled", target=run.campaign,
        details={"run": run.pk, "enrolled": run.enrolled, "excluded": run.excluded},
    )  # fmt: skip
    return False
