"""The queue: lanes with capped counts, filters, and pages that cost the same however long the queue is."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any

from django.db import connection
from django.db.models import OuterRef, QuerySet, Subquery

from messaging.models import Check, Decision, DecisionKind, Draft, DraftState
from messaging.review.queries.rows import Row, row_of
from messaging.review.queries.undoable import Undoable, undoable_of
from outreach.campaigns.models import Campaign, Channel
from outreach.campaigns.queries import policy_of
from outreach.teams.access import Member
from outreach.teams.models import Team
from outreach.teams.paging import Page, page_after

CAP = 1000
PAGE = 50
MOST_EXPORTED = 10_000
CHUNK = 500
#: Campaigns offered as a filter; a team with more searches for one on the campaign page.
MOST_CAMPAIGNS = 100


class Lane(StrEnum):
    REVIEW = "review"
    MINE = "mine"
    OVERDUE = "overdue"
    BLOCKED = "blocked"
    REJECTED = "rejected"
    DECIDED = "decided"


#: What a person may still do something about.
OPEN = (DraftState.READY, DraftState.BLOCKED, DraftState.CHANGES)
#: A rejected message comes back when it is changed; an approved one is undone first.
CHANGEABLE = (*OPEN, DraftState.REJECTED)
_DECIDED = (DecisionKind.APPROVED, DecisionKind.REJECTED, DecisionKind.CHANGES)
_STATES = {
    Lane.REVIEW: (DraftState.READY,),
    Lane.OVERDUE: (DraftState.READY,),
    Lane.MINE: OPEN,
    Lane.BLOCKED: (DraftState.BLOCKED, DraftState.CHANGES),
    Lane.REJECTED: (DraftState.REJECTED,),
}


@dataclass(frozen=True)
class Filters:
    """ "" is no limit. An unknown value finds nothing rather than everything."""

    campaign: str = ""
    channel: str = ""
    language: str = ""

    def apply(self, drafts: QuerySet[Draft]) -> QuerySet[Draft]:
        if self.campaign:
            drafts = drafts.filter(campaign__slug=self.campaign)
        if self.channel:
            drafts = drafts.filter(channel=self.channel)
        if self.language:
            drafts = drafts.filter(language=self.language)
        return drafts


@dataclass(frozen=True)
class Queue:
    lane: Lane
    page: Page[Row]
    counts: dict[Lane, int]
    campaigns: tuple[tuple[str, str], ...]
    target_hours: int
    undoable: Undoable | None


def drafts_in(*, member: Member, lane: Lane, now: datetime) -> QuerySet[Draft]:
    drafts = Draft.objects.filter(team=member.team)
    if lane is Lane.DECIDED:
        return drafts.filter(pk__in=Decision.objects.filter(user=member.user, kind__in=_DECIDED).values("draft_id"))
    drafts = drafts.filter(state__in=_STATES[lane])
    if lane is Lane.MINE:
        drafts = drafts.filter(review_lease__user=member.user, review_lease__until__gt=now)
    if lane is Lane.OVERDUE:
        drafts = drafts.filter(review_due_at__lt=now)
    return drafts


def order_of(lane: Lane) -> tuple[str, ...]:
    return ("-id",) if lane in (Lane.REJECTED, Lane.DECIDED) else ("review_due_at", "id")


def with_rows(drafts: QuerySet[Draft]) -> QuerySet[Draft]:
    """What a row shows, in one query: person, campaign, text, who has it open, how long its claims stay true."""
    newest = Check.objects.filter(revision=OuterRef("current")).order_by("-id")
    return drafts.select_related("campaign", "prospect__company", "current", "review_lease__user", "team").annotate(
        valid_until=Subquery(newest.values("valid_until")[:1])
    )


def queue_of(
    *,
    member: Member,
    lane: Lane,
    filters: Filters,
    after: str,
    now: datetime,
    done: int | None = None,
    size: int = PAGE,
) -> Queue:
    """One page of a lane with the counts of all lanes: five queries, however long the queue is.

    The page is found on an index first and its rows are joined after that: in one statement the planner may join
    the whole lane before it sorts.

    done: the draft approved just before, which may be taken back here too; two queries more.
    """
    drafts = filters.apply(drafts_in(member=member, lane=lane, now=now)).only("pk", "review_due_at")
    page = page_after(queryset=drafts, order=order_of(lane), after=after, size=size)
    policy = policy_of(team=member.team)
    loaded = with_rows(Draft.objects.all()).in_bulk([draft.pk for draft in page.rows])
    shown = (loaded[draft.pk] for draft in page.rows if draft.pk in loaded)
    rows = tuple(row_of(draft=draft, member=member, policy=policy, now=now) for draft in shown)
    return Queue(
        lane=lane,
        page=Page(rows=rows, next=page.next, previous=page.previous),
        counts=lane_counts(member=member, now=now),
        campaigns=tuple(
            Campaign.objects.filter(team=member.team).order_by("-id").values_list("slug", "name")[:MOST_CAMPAIGNS]
        ),
        target_hours=policy.review_target_hours,
        undoable=undoable_of(member=member, draft_id=done, now=now) if done else None,
    )


def exported(*, member: Member, lane: Lane, filters: Filters, now: datetime) -> Iterator[Row]:
    """The lane from its beginning, MOST_EXPORTED rows at most, a page of rows in memory at a time."""
    policy = policy_of(team=member.team)
    drafts = filters.apply(drafts_in(member=member, lane=lane, now=now)).order_by(*order_of(lane))
    ids = list(drafts.values_list("pk", flat=True)[:MOST_EXPORTED])
    for start in range(0, len(ids), CHUNK):
        loaded = with_rows(Draft.objects.all()).in_bulk(ids[start : start + CHUNK])
        for pk in ids[start : start + CHUNK]:
            if pk in loaded:
                yield row_of(draft=loaded[pk], member=member, policy=policy, now=now)


def lane_counts(*, member: Member, now: datetime) -> dict[Lane, int]:
    """Counted up to CAP and one more, all lanes in one query."""
    parts: list[str] = []
    values: list[Any] = []
    for lane in Lane:
        # Ordered by nothing: how many, not which.
        sql, params = drafts_in(member=member, lane=lane, now=now).values("pk")[: CAP + 1].query.sql_with_params()
        parts.append(f"(SELECT count(*) FROM ({sql}) AS lane_{lane.value})")  # noqa: S608
        values.extend(params)
    with connection.cursor() as cursor:
        # Only the ORM's own SQL and lane names of ours are joined; every value is a parameter.
        cursor.execute("SELECT " + ", ".join(parts), values)
        return dict(zip(Lane, cursor.fetchone(), strict=True))


def first_free(*, member: Member, lane: Lane, filters: Filters, now: datetime) -> int | None:
    """Where reviewing one by one begins: the lane's first draft that nobody else has open."""
    drafts = filters.apply(drafts_in(member=member, lane=lane, now=now))
    taken = _open_elsewhere(team=member.team, member=member, now=now)
    return drafts.exclude(pk__in=taken).order_by(*order_of(lane)).values_list("pk", flat=True).first()


def _open_elsewhere(*, team: Team, member: Member, now: datetime) -> QuerySet[Any]:
    leased = Draft.objects.filter(team=team, state__in=OPEN, review_lease__until__gt=now)
    return leased.exclude(review_lease__user=member.user).values("pk")


def channels() -> tuple[tuple[str, str], ...]:
    return tuple((value, str(label)) for value, label in Channel.choices)
