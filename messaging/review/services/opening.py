"""Opening a draft: a lease of ten minutes, the opt-out link of its message, and everything the screen shows."""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from datetime import datetime

from django.db import transaction

from messaging.models import DecisionKind, Draft, OptOutToken, ReviewLease
from messaging.review.domain.leases import LEASE, Lease, LeaseChange, change_of
from messaging.review.queries.facts import lease_of
from messaging.review.queries.queue import Filters, Lane
from messaging.review.queries.screen import Screen, screen_of
from messaging.review.services.locking import decided, locked
from outreach.campaigns.models import Channel
from outreach.teams.access import Member
from outreach.teams.domain.capabilities import Capability
from outreach.teams.domain.refusal import Refusal


@dataclass(frozen=True)
class Opened:
    """token: of the draft's opt-out link, "" for a channel without links."""

    draft: Draft
    lease: Lease | None
    change: LeaseChange | None
    token: str


@transaction.atomic
def open_draft(*, member: Member, draft_id: int, now: datetime, take_over: bool = False) -> Opened | Refusal:
    """Lease the draft to whoever may approve it; a writer looks on without keeping reviewers out.

    Taking over somebody else's lease is recorded; mere leases are not.
    """
    draft = locked(member=member, draft_id=draft_id, capability=Capability.WRITE)
    if isinstance(draft, Refusal):
        return draft
    token = opt_out_token(draft=draft)
    lease = lease_of(draft=draft)
    if not member.may(Capability.REVIEW) and not take_over:
        return Opened(draft, lease if lease and lease.runs(now=now) else None, None, token)
    change = change_of(lease=lease, user_id=member.user.pk, take_over=take_over, now=now)
    if change is LeaseChange.REFUSED:
        return Opened(draft, lease, change, token)
    row, _created = ReviewLease.objects.update_or_create(
        draft=draft, defaults={"user": member.user, "until": now + LEASE}
    )
    draft.review_lease = row
    if change is LeaseChange.TAKEN_OVER and lease:
        decided(draft=draft, member=member, kind=DecisionKind.TAKEN_OVER, now=now, details={"from_user": lease.user_id})
    return Opened(draft, Lease(member.user.pk, str(member.user), now + LEASE), change, token)


def opt_out_token(*, draft: Draft) -> str:
    """The random token of the draft's opt-out link, made once; "" for a channel without links. Call with the row locked."""
    if draft.channel != Channel.EMAIL:
        return ""
    row = OptOutToken.objects.filter(draft=draft).order_by("id").first()
    if row is None:
        row = OptOutToken.objects.create(
            token=secrets.token_urlsafe(24), team=draft.team, prospect=draft.prospect, draft=draft
        )
    return row.token


@dataclass(frozen=True)
class Reviewed:
    """screen None: there is no text yet."""

    opened: Opened
    screen: Screen | None


def review(
    *,
    member: Member,
    draft_id: int,
    lane: Lane,
    filters: Filters,
    now: datetime,
    done: int | None = None,
    take_over: bool = False,
) -> Reviewed | Refusal:
    """Open the draft and read what the screen shows. done: the draft decided just before, which `z` may undo."""
    opened = open_draft(member=member, draft_id=draft_id, now=now, take_over=take_over)
    if isinstance(opened, Refusal):
        return opened
    screen = screen_of(
        draft=opened.draft, token=opened.token, member=member, lane=lane, filters=filters, done=done, now=now
    )
    return Reviewed(opened, screen)
