"""The team's policy. Making it stricter is one person's decision, making it weaker is two people's, or takes a day."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, fields, replace
from datetime import datetime
from decimal import Decimal
from typing import Any

from django.db import transaction

from outreach.campaigns.domain.offer import Policy
from outreach.campaigns.domain.policy import policy_fault
from outreach.campaigns.domain.setting import TEAM_SETTINGS, setting
from outreach.campaigns.domain.weakening import ALONE_DELAY, outdated, weakened
from outreach.campaigns.models import PolicyChange, PolicyChangeState, TeamPolicy
from outreach.campaigns.queries import policy_of
from outreach.teams.access import Member, gate
from outreach.teams.audit import record
from outreach.teams.domain.capabilities import Capability, roles_with
from outreach.teams.domain.refusal import Refusal
from outreach.teams.models import Membership, Team, User

_NOT_WAITING = Refusal("not-found", "This change does not wait any more; look at the policies as they are now.")
#: Settings after which drafts in the queue are checked again.
_QUALITY = frozenset({"quality_blocks", "quality_levels"})


@dataclass(frozen=True)
class PolicySaved:
    """policy: what holds from now on. waiting: what of it was asked for and waits for a second person or its time."""

    policy: Policy
    waiting: PolicyChange | None = None


def change_policy(*, member: Member, policy: Policy, now: datetime) -> PolicySaved | Refusal:
    """Set the team's policy as a whole. What weakens approval waits; everything else holds at once.

    What waited before is withdrawn by a new wish to weaken, and left alone by anything else.
    """
    return change_settings(
        member=member, values={one.name: getattr(policy, one.name) for one in fields(policy)}, now=now
    )


def change_settings(*, member: Member, values: Mapping[str, Any], now: datetime) -> PolicySaved | Refusal:
    """Set some of the team's settings, by their keys; the others stay as they are, whoever changes them meanwhile."""
    unknown = [key for key in values if key not in {one.key for one in TEAM_SETTINGS}]
    if unknown:
        return Refusal("invalid", f"{unknown[0]}: there is no such setting.")
    with transaction.atomic():
        row = _locked(team=member.team)
        before = policy_of(team=member.team)
        policy = replace(before, **values)
        changed = _changed(before, policy)
        refused = _not_allowed(member=member, keys=changed) or policy_fault(policy)
        if refused is not None:
            return refused
        weaker = weakened(before=before, after=policy)
        at_once = replace(policy, **{name: getattr(before, name) for name in weaker})
        changed = _changed(before, at_once)
        if changed:
            _write(row=row, values={name: getattr(at_once, name) for name in changed}, now=now)
            record(
                team=member.team, actor=member.user, action="policy.changed", target=row, details={"changed": changed}
            )
        waiting = (
            _ask(member=member, row=row, changes=_changed(before, policy, only=weaker), now=now) if weaker else None
        )
    return PolicySaved(policy=at_once, waiting=waiting)


def _not_allowed(*, member: Member, keys: Iterable[str]) -> Refusal | None:
    """The right that a changed setting needs; nobody without the right to manage changes any."""
    needed = [Capability.MANAGE, *(setting(key).needs for key in keys)]
    return next((refused for one in needed if (refused := gate(member=member, capability=one))), None)


def _locked(*, team: Team) -> TeamPolicy:
    TeamPolicy.objects.get_or_create(team=team)
    return TeamPolicy.objects.select_for_update().get(team=team)


def _changed(before: Policy, after: Policy, *, only: tuple[str, ...] | None = None) -> dict[str, list[Any]]:
    was, becomes = asdict(before), asdict(after)
    names = was if only is None else only
    return {name: [_plain(was[name]), _plain(becomes[name])] for name in names if was[name] != becomes[name]}


def _plain(value: Any) -> Any:
    """As the audit trail keeps it: sums of money are texts, so that no digit changes."""
    return str(value) if isinstance(value, Decimal) else value


def _write(*, row: TeamPolicy, values: Mapping[str, Any], now: datetime) -> None:
    moment: dict[str, datetime | None] = (
        {"four_eyes_off_at": None if values["four_eyes"] else now} if "four_eyes" in values else {}
    )
    if not _QUALITY.isdisjoint(values):
        moment["quality_changed_at"] = now
    TeamPolicy.objects.filter(pk=row.pk).update(**values, **moment)


def _ask(*, member: Member, row: TeamPolicy, changes: dict[str, list[Any]], now: datetime) -> PolicyChange:
    earlier = PolicyChange.objects.select_for_update().filter(team=member.team, state=PolicyChangeState.WAITING).first()
    if earlier is not None:
        if earlier.changes == changes and earlier.asked_by_id == member.user.pk:
            return earlier
        _close(change=earlier, state=PolicyChangeState.WITHDRAWN, by=member.user, now=now)
    alone = not _others(member=member)
    change = PolicyChange.objects.create(
        team=member.team,
        asked_by=member.user,
        asked_at=now,
        changes=changes,
        effective_at=now + ALONE_DELAY if alone else None,
    )
    record(
        team=member.team,
        actor=member.user,
        action="policy.asked",
        target=row,
        details={
            "changed": changes,
            "change": change.pk,
            **({"effective_at": change.effective_at.isoformat()} if change.effective_at else {}),
        },
    )
    return change


def _others(*, member: Member) -> bool:
    """Whether somebody else could confirm what this member asks for."""
    return (
        Membership.objects.filter(
            team=member.team, active=True, user__is_active=True, role__in=roles_with(capability=Capability.MANAGE)
        )
        .exclude(user=member.user)
        .exists()
    )


@transaction.atomic
def confirm_policy(*, member: Member, change_id: int, now: datetime) -> Policy | Refusal:
    """Put a weaker policy that somebody else asked for into force."""
    change = _waiting(member=member, change_id=change_id)
    if isinstance(change, Refusal):
        return change
    if change.asked_by_id == member.user.pk:
        return Refusal(
            "own-change", "You asked for this change yourself. Another manager or administrator confirms it."
        )
    return _applied(change=change, by=member.user, now=now)


@transaction.atomic
def decline_policy(*, member: Member, change_id: int, now: datetime) -> PolicyChange | Refusal:
    """Refuse what somebody asked for; whoever asked takes it back so. The policy stays as it is."""
    change = _waiting(member=member, change_id=change_id)
    if isinstance(change, Refusal):
        return change
    own = change.asked_by_id == member.user.pk
    _close(
        change=change, state=PolicyChangeState.WITHDRAWN if own else PolicyChangeState.DECLINED, by=member.user, now=now
    )
    return change


def _waiting(*, member: Member, change_id: int) -> PolicyChange | Refusal:
    refused = gate(member=member, capability=Capability.MANAGE)
    if refused is not None:
        return refused
    _locked(team=member.team)
    change = (
        PolicyChange.objects.select_for_update(of=("self",))
        .filter(team=member.team, pk=change_id, state=PolicyChangeState.WAITING)
        .first()
    )
    return change or _NOT_WAITING


def _applied(*, change: PolicyChange, by: User | None, now: datetime) -> Policy | Refusal:
    """The caller holds the locks of policy and change. by: who confirmed; None when its time came."""
    row = _locked(team=change.team)
    stale = outdated(policy=policy_of(team=change.team), changes=change.changes)
    if stale:
        _close(change=change, state=PolicyChangeState.WITHDRAWN, by=by, now=now)
        return Refusal("outdated", "The policy was changed since this was asked for, so it was withdrawn. Ask again.")
    # The database looks for who confirmed, so that is written down first.
    change.decided_by, change.decided_at = by, now
    change.save(update_fields=["decided_by", "decided_at"])
    _write(row=row, values={name: after for name, (_was, after) in change.changes.items()}, now=now)
    change.state = PolicyChangeState.APPLIED
    change.save(update_fields=["state"])
    record(
        team=change.team,
        actor=by,
        action="policy.weakened",
        target=row,
        details={"changed": change.changes, "change": change.pk, "asked_by": change.asked_by_id},
    )
    return policy_of(team=change.team)


def _close(*, change: PolicyChange, state: PolicyChangeState, by: User | None, now: datetime) -> None:
    change.state, change.decided_by, change.decided_at = state, by, now
    change.save(update_fields=["state", "decided_by", "decided_at"])
    record(
        team=change.team,
        actor=by,
        action=f"policy.{state.value}",
        target=change,
        details={"changed": change.changes, "change": change.pk},
    )


def apply_due(*, now: datetime) -> int:
    """Put into force what was asked for where nobody else could confirm it, and has waited its time. One by one."""
    due = PolicyChange.objects.filter(state=PolicyChangeState.WAITING, effective_at__lte=now).order_by("id")
    return sum(_due_applied(change_id=pk, now=now) for pk in due.values_list("pk", flat=True)[:200])


@transaction.atomic
def _due_applied(*, change_id: int, now: datetime) -> bool:
    team = Team.objects.get(policy_changes=change_id)
    _locked(team=team)
    change = (
        PolicyChange.objects.select_for_update(of=("self",), skip_locked=True)
        .filter(pk=change_id, state=PolicyChangeState.WAITING, effective_at__lte=now)
        .first()
    )
    return change is not None and not isinstance(_applied(change=change, by=None, now=now), Refusal)
