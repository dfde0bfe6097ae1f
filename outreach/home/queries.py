"""Reading across the rooms, for the pages that join them. Every count is capped, every list bounded."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.db.models import Count, Exists, IntegerField, OuterRef, Prefetch, Q, QuerySet, Subquery
from django.db.models.functions import TruncDate

from messaging.enrolment.queries import LIVE
from messaging.models import Delivery, DeliveryState, Draft, DraftState, Enrolment, EnrolmentState, Reply, ReplyState
from messaging.writing.preparing import Opening, openings_of
from outreach.campaigns.domain.health import Numbers
from outreach.campaigns.models import Campaign, CampaignStatus, Channel, PolicyChange, PolicyChangeState, ProofPoint
from outreach.home.domain.search import plain, prefix_query
from outreach.home.domain.waiting import Counts
from outreach.teams.models import Membership, Team, User
from prospects.models import PROSPECT_SEARCH, Company, Prospect, ProspectState
from prospects.queries import SHOWN
from prospects.queries.identities import with_absorbed
from prospects.queries.listing import WordBeginnings

CAP = 1000
CAMPAIGNS_SHOWN = 12
FOUND_SHOWN = 20
#: Matches looked at before they are ordered: a search for "a" must not sort a million names.
MATCHES_READ = 200
MESSAGES_SHOWN = 30
REPLIES_SHOWN = 5
OPENINGS_SHOWN = 6
#: Lines of what leaves next: a day and a channel each.
DAYS_SHOWN = 8
HUMAN = "human"


class CappedCount(Subquery):
    """How many rows, counted up to the cap and one more, so that "1,000+" can be told from 1,000."""

    template = "(SELECT COUNT(*) FROM (%(subquery)s) capped)"
    output_field = IntegerField()

    def __init__(self, queryset: QuerySet[Any]) -> None:
        super().__init__(queryset.order_by().values("pk")[: CAP + 1])


def teams_of(*, user: User) -> tuple[Team, ...]:
    memberships = Membership.objects.filter(user=user, active=True).select_related("team").order_by("team__name")
    return tuple(membership.team for membership in memberships[:CAP])


def counts_of(*, team: Team, now: dt.datetime) -> Counts:
    """All that waits in a team, in one query."""
    drafts = Draft.objects.filter(team=OuterRef("pk"))
    deliveries = Delivery.objects.filter(team=OuterRef("pk"))
    replies = Reply.objects.filter(team=OuterRef("pk"))
    ready = drafts.filter(state=DraftState.READY)
    to_answer = replies.filter(state=ReplyState.NEW, kind=HUMAN)
    row = (
        Team.objects.filter(pk=team.pk)
        .values(
            to_answer=CappedCount(to_answer),
            unmatched=CappedCount(replies.filter(state=ReplyState.UNMATCHED)),
            policies=CappedCount(PolicyChange.objects.filter(team=OuterRef("pk"), state=PolicyChangeState.WAITING)),
            overdue=CappedCount(ready.filter(review_due_at__lt=now)),
            to_review=CappedCount(ready),
            changes=CappedCount(drafts.filter(state=DraftState.CHANGES)),
            blocked=CappedCount(drafts.filter(state=DraftState.BLOCKED)),
            by_hand=CappedCount(deliveries.filter(state=DeliveryState.TASK)),
            unconfirmed=CappedCount(deliveries.filter(state=DeliveryState.UNCONFIRMED)),
            failed=CappedCount(deliveries.filter(state=DeliveryState.FAILED)),
            being_written=CappedCount(drafts.filter(state__in=[DraftState.WAITING, DraftState.WRITING])),
            oldest_answer=Subquery(to_answer.order_by("id").values("received_at")[:1]),
            oldest_review=Subquery(ready.order_by("review_due_at", "id").values("ready_at")[:1]),
            has_people=Exists(Prospect.objects.filter(team=OuterRef("pk"))),
            has_campaigns=Exists(Campaign.objects.filter(team=OuterRef("pk"))),
            has_enrolments=Exists(Enrolment.objects.filter(campaign__team=OuterRef("pk"))),
        )
        .get()
    )
    return Counts(**row)


def people_of(*, team: Team) -> tuple[User, ...]:
    """Who is in the team now, for a choice."""
    found = User.objects.filter(memberships__team=team, memberships__active=True).order_by("full_name", "id")
    return tuple(found[:CAP])


@dataclass(frozen=True)
class RunningCampaign:
    slug: str
    name: str
    status: str
    numbers: Numbers


def running_campaigns(*, team: Team, today: dt.date) -> tuple[RunningCampaign, ...]:
    """The newest running and paused campaigns with their numbers, in one query."""
    drafts = Draft.objects.filter(campaign=OuterRef("pk"))
    people = Enrolment.objects.filter(campaign=OuterRef("pk"))
    deliveries = Delivery.objects.filter(team=team, draft__campaign=OuterRef("pk"))
    rows = (
        Campaign.objects.filter(team=team, status__in=[CampaignStatus.RUNNING, CampaignStatus.PAUSED])
        .order_by("-id")
        .values(
            "slug",
            "name",
            "status",
            active=CappedCount(people.filter(state=EnrolmentState.ACTIVE)),
            ready=CappedCount(drafts.filter(state=DraftState.READY)),
            blocked=CappedCount(drafts.filter(state=DraftState.BLOCKED)),
            approved=CappedCount(drafts.filter(state=DraftState.APPROVED)),
            sent=CappedCount(drafts.filter(state=DraftState.SENT)),
            replied=CappedCount(people.filter(state=EnrolmentState.REPLIED)),
            failed=CappedCount(deliveries.filter(state=DeliveryState.FAILED)),
            unconfirmed=CappedCount(deliveries.filter(state=DeliveryState.UNCONFIRMED)),
            expired_proof_points=CappedCount(ProofPoint.objects.filter(campaign=OuterRef("pk"), expires_on__lt=today)),
        )[:CAMPAIGNS_SHOWN]
    )
    return tuple(_running(row) for row in rows)


def _running(row: Mapping[str, Any]) -> RunningCampaign:
    numbers = dict(row)
    return RunningCampaign(
        slug=numbers.pop("slug"),
        name=numbers.pop("name"),
        status=CampaignStatus(numbers.pop("status")).label,
        numbers=Numbers(**numbers),
    )


def latest_replies(*, team: Team) -> tuple[Reply, ...]:
    found = Reply.objects.filter(team=team, kind=HUMAN).select_related("prospect").order_by("-id")
    return tuple(found[:REPLIES_SHOWN])


@dataclass(frozen=True)
class FrontPage:
    counts: Counts
    campaigns: tuple[RunningCampaign, ...]
    replies: tuple[Reply, ...]


def front_page(*, team: Team, now: dt.datetime, today: dt.date, with_replies: bool) -> FrontPage:
    """Three queries, however much there is."""
    return FrontPage(
        counts=counts_of(team=team, now=now),
        campaigns=running_campaigns(team=team, today=today),
        replies=latest_replies(team=team) if with_replies else (),
    )


@dataclass(frozen=True)
class Found:
    """more: whether there is more than is shown."""

    prospects: tuple[Prospect, ...] = ()
    campaigns: tuple[Campaign, ...] = ()
    more: bool = False


def search(*, team: Team, text: str) -> Found:
    """People by the beginnings of name, title and e-mail address; campaigns by any part of the name."""
    query = prefix_query(text=text)
    if not query:
        return Found()
    matches = (
        Prospect.objects.filter(team=team)
        .exclude(state__in=[ProspectState.ERASED, ProspectState.MERGED])
        .annotate(found=PROSPECT_SEARCH)
        .filter(found=WordBeginnings(query))
        .select_related("company")
        .only("full_name", "title", "email", "company__name", "team_id")
    )
    people = sorted(matches[:MATCHES_READ], key=lambda prospect: (prospect.full_name.casefold(), prospect.pk))
    campaigns = Campaign.objects.filter(team=team, name__icontains=plain(text=text)).order_by("-id")[:FOUND_SHOWN]
    return Found(prospects=tuple(people[:FOUND_SHOWN]), campaigns=tuple(campaigns), more=len(people) > FOUND_SHOWN)


@dataclass(frozen=True)
class Exchange:
    """What was written to a prospect and what came back, newest first."""

    prospect: Prospect
    entries: tuple[Draft | Reply, ...]
    more: bool


def exchange_with(*, team: Team, prospect_id: int) -> Exchange | None:
    """None when the team has no such prospect. With records that were merged into it; five queries at most."""
    prospect = Prospect.objects.filter(team=team, pk=prospect_id).first()
    if prospect is None:
        return None
    entries, more = _entries(team=team, whose=Q(prospect__in=with_absorbed(prospect_ids=[prospect.pk])))
    return Exchange(prospect=prospect, entries=entries, more=more)


def _entries(*, team: Team, whose: Q) -> tuple[tuple[Draft | Reply, ...], bool]:
    """The newest messages and answers, and whether there are more."""
    deliveries = Prefetch("deliveries", Delivery.objects.order_by("-id"), to_attr="latest_deliveries")
    drafts = list(
        Draft.objects.filter(whose, team=team)
        .select_related("campaign", "current", "prospect")
        .prefetch_related(deliveries)
        .order_by("-id")[: MESSAGES_SHOWN + 1]
    )
    replies = list(
        Reply.objects.filter(whose, team=team).select_related("prospect").order_by("-id")[: MESSAGES_SHOWN + 1]
    )
    entries: list[Draft | Reply] = sorted([*drafts, *replies], key=_when, reverse=True)
    return tuple(entries[:MESSAGES_SHOWN]), len(entries) > MESSAGES_SHOWN


@dataclass(frozen=True)
class CompanyExchange:
    """What was written to people of a company and what came back, newest first."""

    company: Company
    entries: tuple[Draft | Reply, ...]
    more: bool


def exchange_with_company(*, team: Team, company_id: int) -> CompanyExchange | None:
    """None when the team has no such company. Four queries at most."""
    company = Company.objects.filter(team=team, pk=company_id).first()
    if company is None:
        return None
    entries, more = _entries(team=team, whose=Q(prospect__company=company))
    return CompanyExchange(company=company, entries=entries, more=more)


def _when(entry: Draft | Reply) -> dt.datetime:
    """When it was said: a message counts from its sending, and before that from its writing."""
    if isinstance(entry, Reply):
        return entry.received_at
    latest = entry.latest_deliveries[:1]  # type: ignore[attr-defined]  # prefetched
    return (latest[0].sent_at if latest else None) or entry.ready_at or entry.created_at


@dataclass(frozen=True)
class Outlook:
    """What leaves next and what came back. upcoming: day, channel, number; by_hand: what waits for a person."""

    upcoming: tuple[tuple[dt.date, str, int], ...]
    by_hand: int
    replies: tuple[Reply, ...]


def outlook_of(*, campaign: Campaign, today: dt.date) -> Outlook:
    """Three queries; those that wait are looked at, and the newest answers."""
    waiting = Delivery.objects.filter(draft__campaign=campaign, team=campaign.team_id)
    days = (
        waiting.filter(state__in=[DeliveryState.WAITING, DeliveryState.CLAIMED])
        .annotate(day=TruncDate("due_at"))
        .values_list("day", "channel")
        .annotate(number=Count("pk"))
        .order_by("day", "channel")[:DAYS_SHOWN]
    )
    heard = Reply.objects.filter(delivery__draft__campaign=campaign, kind=HUMAN).select_related(
        "prospect", "delivery__draft"
    )
    return Outlook(
        upcoming=tuple((max(day, today), Channel(channel).label, number) for day, channel, number in days),
        by_hand=waiting.filter(state=DeliveryState.TASK).order_by()[: CAP + 1].count(),
        replies=tuple(heard.order_by("-id")[:REPLIES_SHOWN]),
    )


@dataclass(frozen=True)
class Openings:
    """What a message to a person could open with. campaign: whose offer ranks the hooks; None where none is running."""

    prospect: Prospect
    campaign: Campaign | None
    hooks: tuple[Opening, ...]
    theirs: bool


def openings_with(*, team: Team, prospect_id: int, now: dt.datetime) -> Openings | None:
    """Hooks of a person, ranked for the campaign they are in, else for the team's newest that runs."""
    prospect = (
        Prospect.objects.select_related("company", "team").filter(team=team, pk=prospect_id, state__in=SHOWN).first()
    )
    if prospect is None:
        return None
    complete = Campaign.objects.filter(team=team, sender__isnull=False, account__isnull=False).select_related(
        "team", "sender", "account"
    )
    live = complete.filter(enrolments__prospect=prospect, enrolments__state__in=LIVE).first()
    campaign = live or complete.filter(status=CampaignStatus.RUNNING).order_by("-pk").first()
    found = openings_of(prospect=prospect, campaign=campaign, now=now, most=OPENINGS_SHOWN) if campaign else ()
    return Openings(prospect, campaign, found, theirs=live is not None)
