"""Reading who is in which campaign."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from django.db.models import Count, Exists, OuterRef, Prefetch, Q, QuerySet, Subquery
from django.db.models.functions import Greatest

from messaging.enrolment.domain.pipeline import Counts
from messaging.models import (
    Approval,
    Check,
    Claim,
    Delivery,
    Draft,
    DraftState,
    Enrolment,
    EnrolmentState,
    Reply,
    ReplyState,
)
from messaging.verification.contract import APPROVABLE
from outreach.campaigns.models import Campaign, Channel
from outreach.teams.models import Team
from prospects.domain.evidence import Kind
from prospects.domain.staleness import role_limit, words_limit
from prospects.models import Evidence, EvidenceState, Prospect
from prospects.queries.identities import with_absorbed

#: While in one of these a person is being written to, or will be.
LIVE = (EnrolmentState.ACTIVE, EnrolmentState.PAUSED)


@dataclass(frozen=True, slots=True)
class Known:
    """A prospect, whether they are enrolled here, and whether another campaign is writing to them."""

    prospect: Prospect
    enrolled_here: bool
    active_elsewhere: bool


def candidates_of(*, team: Team, campaign: Campaign, prospect_ids: Sequence[int]) -> list[Known]:
    """The named prospects of the team, each with the records that were merged into it. Four queries."""
    record_of = with_absorbed(prospect_ids=prospect_ids)
    enrolments = Enrolment.objects.filter(prospect__in=record_of)
    here = {record_of[pk] for pk in enrolments.filter(campaign=campaign).values_list("prospect_id", flat=True)}
    elsewhere = enrolments.filter(state__in=LIVE, prospect__in=prospect_ids).exclude(campaign=campaign)
    taken = set(elsewhere.values_list("prospect_id", flat=True))
    people = Prospect.objects.filter(team=team, pk__in=prospect_ids).select_related("company").order_by("pk")
    return [Known(one, one.pk in here, one.pk in taken) for one in people]


def enrolments_of(*, campaign: Campaign) -> QuerySet[Enrolment]:
    """Everyone in the campaign with the drafts of theirs, newest first, as `newest`; the caller pages them."""
    drafts = Prefetch("drafts", queryset=Draft.objects.order_by("-step"), to_attr="newest")
    people = Enrolment.objects.filter(campaign=campaign).select_related("prospect", "prospect__company")
    return people.prefetch_related(drafts)


def enrollable(*, team: Team, campaign: Campaign) -> QuerySet[Prospect]:
    """Active prospects who are not in this campaign yet; other exclusions are told when enrolling."""
    here = Enrolment.objects.filter(prospect=OuterRef("pk"), campaign=campaign)
    return Prospect.objects.filter(~Exists(here), team=team, state="active").select_related("company")


def unenrolled(*, campaign: Campaign) -> QuerySet[Prospect]:
    """Active people the channel reaches who were never in this campaign and are in no other now, oldest first."""
    taken = Enrolment.objects.filter(Q(campaign=campaign) | Q(state__in=LIVE), prospect=OuterRef("pk"))
    people = Prospect.objects.filter(~Exists(taken), team=campaign.team_id, state="active").order_by("pk")
    if campaign.channel == Channel.EMAIL:
        return people.exclude(email="")
    people = people.exclude(linkedin_url="")
    if campaign.channel == Channel.INMAIL:
        return people
    return people.filter(first_degree=campaign.channel == Channel.LINKEDIN_MESSAGE)


def _by_state(rows: QuerySet[Any]) -> dict[str, int]:
    return dict(rows.values_list("state").annotate(number=Count("pk")).order_by())


def counts_of(*, campaign: Campaign) -> Counts:
    """The pipeline's numbers, in a fixed number of queries."""
    drafts = Draft.objects.filter(campaign=campaign)
    deliveries = Delivery.objects.filter(draft__campaign=campaign)
    replies = Reply.objects.filter(delivery__draft__campaign=campaign, kind="human")
    written = drafts.aggregate(
        written=Count("pk", filter=Q(current__isnull=False)), fallback=Count("pk", filter=Q(fallback=True))
    )
    answered = replies.aggregate(
        replied=Count("prospect", distinct=True), to_answer=Count("pk", filter=Q(state=ReplyState.NEW))
    )
    lapsed = Approval.objects.filter(draft__campaign=campaign, draft__state=DraftState.READY, lapsed_at__isnull=False)
    return Counts(
        enrolments=_by_state(Enrolment.objects.filter(campaign=campaign)),
        drafts=_by_state(drafts),
        findings=_findings(drafts),
        deliveries=_by_state(deliveries),
        lapsed=lapsed.values("draft").distinct().count(),
        **written,
        **answered,
    )


def _findings(drafts: QuerySet[Draft]) -> dict[str, int]:
    """Blocked drafts by the verdict that blocks them, of the newest check of their current text."""
    newest = Check.objects.filter(revision=OuterRef("current")).order_by("-pk").values("pk")[:1]
    blocked = drafts.filter(state=DraftState.BLOCKED).annotate(check_id=Subquery(newest)).values("check_id")
    found = (
        Claim.objects.filter(checked__in=blocked)
        .exclude(verdict__in=APPROVABLE)
        .values_list("verdict")
        .annotate(number=Count("checked", distinct=True))
        .order_by("-number")
    )
    return dict(found)


#: Drafts of which the page tells where they stand while they are written.
MOST_SHOWN = 8


def drafting_of(*, campaign: Campaign) -> dict[str, Any]:
    """How many drafts are waiting or being written, where the first of them stand, and how many people could still be
    asked for. Three queries."""
    active = Draft.objects.filter(campaign=campaign, state__in=(DraftState.WAITING, DraftState.WRITING))
    has_draft = Exists(Draft.objects.filter(enrolment=OuterRef("pk"), step=OuterRef("step")))
    due = Enrolment.objects.filter(~has_draft, campaign=campaign, state=EnrolmentState.ACTIVE)
    # Those at work before those that wait, and of those the ones that say what for.
    shown = (
        active.exclude(state=DraftState.WAITING, state_reason="")
        .select_related("prospect")
        .only("state", "state_reason", "progress", "lease_until", "prospect__full_name")
        .order_by("-state", "pk")[:MOST_SHOWN]
    )
    return {"open": active.count(), "due": due.count(), "shown": list(shown)}


def stale_enrolments(*, campaign: Campaign, today: date) -> QuerySet[Enrolment]:
    """People due for a draft of whom what is known has grown old, with `role_seen` and `words_on`; the caller pages them."""
    known = Evidence.objects.filter(prospect=OuterRef("prospect"), state=EvidenceState.CURRENT)
    seen = known.filter(kind=Kind.POSITION.value).exclude(fields__has_key="end").annotate(
        seen=Greatest("observed_at", "last_seen_at")
    )  # fmt: skip
    words = known.filter(kind__in=[Kind.POST.value, Kind.COMMENT.value], occurred_last__isnull=False)
    has_draft = Exists(Draft.objects.filter(enrolment=OuterRef("pk"), step=OuterRef("step")))
    due = Enrolment.objects.filter(~has_draft, campaign=campaign, state=EnrolmentState.ACTIVE)
    return due.annotate(
        role_seen=Subquery(seen.order_by("-seen").values("seen")[:1]),
        words_on=Subquery(words.order_by("-occurred_last").values("occurred_last")[:1]),
    ).filter(Q(role_seen__isnull=True) | Q(role_seen__lt=role_limit(today)) | Q(words_on__lt=words_limit(today)))


def stale_count(*, campaign: Campaign, today: date, cap: int = 100) -> int:
    """How many of them, counted up to the cap."""
    return stale_enrolments(campaign=campaign, today=today).order_by()[:cap].count()
