"""Days on which the team sends nothing."""

from __future__ import annotations

from datetime import date, timedelta

from django.db import IntegrityError, transaction

from outreach.campaigns.models import ClosedDay
from outreach.teams.access import Member, gate
from outreach.teams.audit import record
from outreach.teams.domain.capabilities import Capability
from outreach.teams.domain.refusal import Refusal

#: Further ahead nobody plans, and a slip of the keyboard is likelier.
AHEAD = timedelta(days=3 * 366)
MOST = 200


def add_closed_day(*, member: Member, day: date, label: str, today: date) -> ClosedDay | Refusal:
    """E-mail waits on that day, wherever the prospect lives."""
    refused = gate(member=member, capability=Capability.MANAGE) or _fault(day=day, label=label, today=today)
    if refused is not None:
        return refused
    if ClosedDay.objects.filter(team=member.team, day__gte=today).count() >= MOST:
        return Refusal("too-many", f"day: a team has at most {MOST} closed days ahead.")
    try:
        with transaction.atomic():
            row = ClosedDay.objects.create(team=member.team, day=day, label=label.strip())
            record(
                team=member.team,
                actor=member.user,
                action="closed_day.added",
                target=row,
                details={"day": day.isoformat()},
            )
    except IntegrityError:
        return Refusal("known", f"day: {day.isoformat()} is a closed day already.")
    return row


def _fault(*, day: date, label: str, today: date) -> Refusal | None:
    if not today <= day <= today + AHEAD:
        return Refusal("invalid", "day: choose a day from today to three years ahead.")
    if len(label) > 100 or not label.isprintable():
        return Refusal("invalid", "label: one line of at most 100 characters.")
    return None


@transaction.atomic
def remove_closed_day(*, member: Member, day_id: int) -> Refusal | None:
    """What waits for that day is looked at again when it is due."""
    refused = gate(member=member, capability=Capability.MANAGE)
    if refused is not None:
        return refused
    row = ClosedDay.objects.select_for_update().filter(team=member.team, pk=day_id).first()
    if row is None:
        return Refusal("not-found", "This day is not closed any more.")
    record(
        team=member.team,
        actor=member.user,
        action="closed_day.removed",
        target=row,
        details={"day": row.day.isoformat()},
    )
    row.delete()
    return None
