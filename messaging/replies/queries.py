"""Reading the inbox: lists by intent, threads with everything sent, and the demonstration's mailbox."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import Exists, OuterRef, Q, QuerySet

from messaging.delivery.queries import ANSWERABLE
from messaging.models import CaughtMail, Delivery, Payload, Reply, ReplyState
from outreach.teams.models import Team
from outreach.teams.paging import CappedCount

#: The inbox's lanes: key, and which replies it holds.
LANES: dict[str, Q] = {
    "interested": Q(kind="human", intent="interested"),
    "question": Q(kind="human", intent="question"),
    "meeting_booked": Q(kind="human", intent="meeting_booked"),
    "referral": Q(kind="human", intent="referral"),
    "not_now": Q(kind="human", intent="not_now"),
    "wrong_person": Q(kind="human", intent="wrong_person"),
    "not_interested": Q(kind="human", intent="not_interested"),
    "other": Q(kind="human", intent__in=["other", ""]),
    "opt_out": Q(kind__in=["unsubscribe", "complaint"]),
    "automatic": Q(kind__in=["auto_reply", "bounce"]),
}
THREAD_CAP = 50


@dataclass(frozen=True)
class Entry:
    """One thing in a thread, sent or received."""

    at: datetime
    delivery: Delivery | None = None
    reply: Reply | None = None


def lane_counts(*, team: Team) -> dict[str, int]:
    """What waits in each lane, capped; the automatic ones need no answer, so all of them count. One query."""
    replies = Reply.objects.filter(team=OuterRef("pk"))
    new = replies.filter(state=ReplyState.NEW)
    counted = {
        "all": CappedCount(new.filter(kind="human")),
        **{lane: CappedCount((replies if lane == "automatic" else new).filter(rule)) for lane, rule in LANES.items()},
        "unmatched": CappedCount(replies.filter(state=ReplyState.UNMATCHED)),
    }
    columns = {f"n_{key}": count for key, count in counted.items()}
    row: dict[str, Any] = dict(Team.objects.filter(pk=team.pk).values(**columns).get())
    return {key: row[f"n_{key}"] for key in counted}


def _lane(team: Team, lane: str) -> QuerySet[Reply]:
    return Reply.objects.filter(LANES[lane], team=team).exclude(state=ReplyState.UNMATCHED)


def inbox(*, team: Team, lane: str) -> QuerySet[Reply]:
    """Newest first, for paging by id. "all" holds what people wrote and nobody closed yet."""
    if lane == "unmatched":
        rows = Reply.objects.filter(team=team, state=ReplyState.UNMATCHED)
    elif lane in LANES:
        rows = _lane(team, lane)
    else:
        rows = Reply.objects.filter(team=team, kind="human", state=ReplyState.NEW)
    return rows.select_related("prospect__company", "delivery__draft__campaign").defer("raw")


def reply_of(*, team: Team, reply_id: int) -> Reply | None:
    return (
        Reply.objects.select_related(
            "team", "prospect__company", "corrected_by", "delivery__draft__campaign", "delivery__draft__enrolment"
        )
        .filter(team=team, pk=reply_id)
        .first()
    )


def thread(*, reply: Reply) -> list[Entry]:
    """Everything sent to this person and everything heard from them, oldest first."""
    if reply.prospect_id is None:
        return [Entry(reply.received_at, reply=reply)]
    sent = (
        Delivery.objects.filter(team=reply.team, prospect=reply.prospect_id, state__in=ANSWERABLE)
        .select_related("approval__approved_by", "approval__revision", "draft__campaign__sender", "draft")
        .order_by("-id")[:THREAD_CAP]
    )
    heard = Reply.objects.filter(team=reply.team, prospect=reply.prospect_id).order_by("-id")[:THREAD_CAP]
    entries = [Entry(delivery.sent_at or delivery.created_at, delivery=delivery) for delivery in sent]
    entries += [Entry(other.received_at, reply=other) for other in heard]
    return sorted(entries, key=lambda entry: entry.at)


def answerable(*, team: Team) -> QuerySet[Delivery]:
    """What an unmatched mail may be an answer to, newest first."""
    return (
        Delivery.objects.filter(team=team, state__in=ANSWERABLE)
        .select_related("prospect", "draft__campaign")
        .order_by("-id")
    )


def caught(*, team: Team) -> QuerySet[CaughtMail]:
    """What the catch-all received of this team: the Message-ID is one of the team's payloads."""
    ours = Payload.objects.filter(message_id=OuterRef("message_id"), draft__team=team)
    return CaughtMail.objects.filter(Exists(ours)).exclude(message_id="")


def caught_mail(*, team: Team, pk: int) -> CaughtMail | None:
    return caught(team=team).filter(pk=pk).first()


def approved_payloads(*, team: Team, message_ids: tuple[str, ...]) -> dict[str, Payload]:
    """The approved payload behind each Message-ID."""
    rows = Payload.objects.filter(draft__team=team, message_id__in=message_ids, approval__isnull=False).select_related(
        "draft__prospect"
    )
    return {payload.message_id: payload for payload in rows}
