"""What every change of a campaign has in common: the right, the lock, the log, and that a running one stays whole."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from celery import current_app
from django.db import transaction
from kombu.exceptions import OperationalError

from outreach.campaigns.domain.checklist import missing
from outreach.campaigns.domain.entry import Fault
from outreach.campaigns.domain.lifecycle import STARTED
from outreach.campaigns.models import Campaign, CampaignStatus, OfferChange
from outreach.campaigns.queries import checklist_of, newest_change
from outreach.teams.access import Member, gate
from outreach.teams.audit import record
from outreach.teams.domain.capabilities import Capability
from outreach.teams.domain.refusal import Refusal
from outreach.teams.models import User

#: Long texts are logged by name only; these also by value.
_LOGGED = frozenset(
    [
        "name", "slug", "tone", "languages", "sender", "account", "other_account", "starts_on", "ends_on", "budget",
        "drafts_per_day", "no_proof_needed",
    ]
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Changed:
    """What a change did. fields: name to [before, after]; said: names of what messages say that is different now."""

    fields: Mapping[str, list[Any]]
    said: tuple[str, ...] = ()


class _Refused(Exception):
    """Carries a refusal out of a transaction that must leave nothing behind."""

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(refusal.message)
        self.refusal = refusal


def refused_for(*, member: Member, campaign: Campaign) -> Refusal | None:
    """Whether the member may not manage, or the campaign is another team's."""
    refused = gate(member=member, capability=Capability.MANAGE)
    if refused is None and campaign.team_id != member.team.pk:
        return Refusal("not-found", "There is no such campaign in your team.")
    return refused


def told(faults: Iterable[Fault]) -> Refusal | None:
    """The faults as one refusal, a line each; None when there is none."""
    lines = [str(fault) for fault in faults]
    return Refusal("invalid", "\n".join(lines)) if lines else None


def change(
    *,
    campaign: Campaign,
    by: User | None,
    section: str,
    now: datetime,
    apply: Callable[[Campaign], Changed | Refusal],
    seen: int | None = None,
) -> Campaign | Refusal:
    """Apply a change under the campaign's lock, log it, and see what follows: all of it or nothing.

    seen: the change of this section that whoever saves had before them (0: none yet); a newer one by somebody else refuses.
    None: whatever was there.
    A ready campaign that lacks something afterwards is a draft again; one that runs may lack nothing it had before;
    where it says something else than before, what waits is verified again.
    """
    try:
        with transaction.atomic():
            locked = Campaign.objects.select_for_update().get(pk=campaign.pk)
            return _overtaken(locked, by=by, section=section, seen=seen) or _changed(
                locked=locked, by=by, section=section, now=now, apply=apply
            )
    except _Refused as stopped:
        return stopped.refusal


def _overtaken(campaign: Campaign, *, by: User | None, section: str, seen: int | None) -> Refusal | None:
    """Nobody takes back what a colleague saved while their own page was open, without having been told."""
    newest = newest_change(campaign=campaign, section=section) if seen is not None else None
    if newest is None or newest.pk <= (seen or 0) or newest.actor == by:
        return None
    who = newest.actor.full_name if newest.actor else "Somebody"
    return Refusal(
        "overtaken",
        f"{who} saved this page while you had it open, so nothing of yours is saved yet. Look at it in another tab; "
        "save again to put this in its place.",
    )


def _changed(
    *, locked: Campaign, by: User | None, section: str, now: datetime, apply: Callable[[Campaign], Changed | Refusal]
) -> Campaign | Refusal:
    status = locked.status
    if status == CampaignStatus.FINISHED:
        return Refusal("finished", "The campaign is finished; clone it to go on.")
    before = _lacks(locked, now.date()) if status in STARTED else frozenset()
    if status == CampaignStatus.READY:
        _set_status(locked, CampaignStatus.DRAFT)
    done = apply(locked)
    if isinstance(done, Refusal):
        raise _Refused(done)
    if done.fields:
        record(
            team=locked.team, actor=by, action=f"campaign.{section}", target=locked,
            details={"changed": logged(done.fields)}, content=locked.offer,
        )  # fmt: skip
    _settle(locked, status=status, before=before, done=done, by=by, now=now)
    return locked


def logged(fields: Mapping[str, list[Any]]) -> dict[str, Any]:
    """For the log: short values from and to, of long texts that they changed."""
    return {
        name: [None if value is None else str(value) for value in pair] if name in _LOGGED else True
        for name, pair in fields.items()
    }


def _settle(
    campaign: Campaign, *, status: str, before: frozenset[str], done: Changed, by: User | None, now: datetime
) -> None:
    if status == CampaignStatus.READY and not _lacks(campaign, now.date()):
        _set_status(campaign, CampaignStatus.READY)
    if status not in STARTED:
        return
    points = [point for point in missing(checklist_of(campaign=campaign, today=now.date())) if point.key not in before]
    if points:
        raise _Refused(
            Refusal(
                "incomplete",
                "\n".join(["The campaign is running, so nothing may be missing.", *(one.says for one in points)]),
            )
        )
    if done.said:
        OfferChange.objects.create(campaign=campaign, by=by, at=now, fields=list(done.said))
        transaction.on_commit(_nudge)


def _nudge() -> None:
    """Wake the worker now. Without a broker the next sweep finds the row all the same."""
    try:
        current_app.send_task("messaging.review.tasks.recheck_texts", expires=30)
    except OperationalError:
        return


def _set_status(campaign: Campaign, status: CampaignStatus) -> None:
    campaign.status = status
    campaign.save(update_fields=["status"])


def _lacks(campaign: Campaign, today: date) -> frozenset[str]:
    return frozenset(point.key for point in missing(checklist_of(campaign=campaign, today=today)))
