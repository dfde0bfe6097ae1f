"""Changing who is in a team and what they may do. Each change needs its right and is in the audit trail."""

from __future__ import annotations

from dataclasses import dataclass

from django.core.exceptions import ValidationError
from django.core.validators import validate_email, validate_slug
from django.db import IntegrityError, transaction

from outreach.teams.access import Member, gate
from outreach.teams.audit import record
from outreach.teams.domain.capabilities import Capability
from outreach.teams.domain.membership import administers, leaving_refusal
from outreach.teams.domain.refusal import Refusal
from outreach.teams.models import Membership, Role, Team, User
from outreach.teams.ports import Invitations
from outreach.teams.queries import membership_of, memberships_of, user_by_email

NAME_LENGTH = 200
SLUG_LENGTH = 50
_UNKNOWN = Refusal("not-found", "There is no such person in your team. Reload the page.")


@dataclass(frozen=True)
class Invited:
    """mail_problem: "" when the invitation was handed over, else why it was not; the person is in the team anyway."""

    membership: Membership
    mail_problem: str


def invite(*, member: Member, email: str, full_name: str, role: str, invitations: Invitations) -> Invited | Refusal:
    """Let somebody in. An account that exists is used as it is; a new one gets a link to set a password."""
    refused = gate(member=member, capability=Capability.ADMIN) or _role_refusal(role)
    if refused is not None:
        return refused
    with transaction.atomic():
        membership = _let_in(member=member, email=email.strip(), full_name=full_name.strip(), role=role)
    if isinstance(membership, Refusal):
        return membership
    problem = invitations.send(user=membership.user, team=member.team, invited_by=member.user)
    return Invited(membership=membership, mail_problem=problem)


def _let_in(*, member: Member, email: str, full_name: str, role: str) -> Membership | Refusal:
    Team.objects.select_for_update().get(pk=member.team.pk)
    user = user_by_email(email=email) or _new_user(email=email, full_name=full_name)
    membership = memberships_of(team=member.team).filter(user=user).first()
    if membership is not None and membership.active:
        return Refusal("already-member", f"{email} is in the team already, as {membership.get_role_display().lower()}.")
    if membership is None:
        membership = Membership(team=member.team, user=user)
    membership.role, membership.active = role, True
    membership.save()
    record(
        team=member.team, actor=member.user, action="member.invited", target=membership, details={"role": role},
        content=email,
    )  # fmt: skip
    return membership


def _new_user(*, email: str, full_name: str) -> User:
    try:
        with transaction.atomic():
            return User.objects.create_user(email, None, full_name=full_name)
    except IntegrityError:  # another team has just invited the same person
        return User.objects.get(email__iexact=email)


def invite_again(*, member: Member, membership_id: int, invitations: Invitations) -> Invited | Refusal:
    """Send the invitation once more to somebody who has not set a password yet."""
    refused = gate(member=member, capability=Capability.ADMIN)
    if refused is not None:
        return refused
    membership = membership_of(team=member.team, membership_id=membership_id)
    if membership is None or not membership.active:
        return _UNKNOWN
    if membership.user.has_usable_password():
        return Refusal(
            "has-password", f"{membership.user} has set a password and can sign in; no invitation is needed."
        )
    problem = invitations.send(user=membership.user, team=member.team, invited_by=member.user)
    record(team=member.team, actor=member.user, action="member.invited_again", target=membership)
    return Invited(membership=membership, mail_problem=problem)


def change_role(*, member: Member, membership_id: int, role: str) -> Membership | Refusal:
    """Takes effect with the person's next click."""
    refused = gate(member=member, capability=Capability.ADMIN) or _role_refusal(role)
    if refused is not None:
        return refused
    with transaction.atomic():
        membership = _locked(member=member, membership_id=membership_id, stays_admin=administers(role=role))
        if isinstance(membership, Refusal) or membership.role == role:
            return membership
        details = {"from": membership.role, "to": role}
        membership.role = role
        membership.save(update_fields=["role"])
        record(team=member.team, actor=member.user, action="member.role_changed", target=membership, details=details)
    return membership


def set_active(*, member: Member, membership_id: int, active: bool) -> Membership | Refusal:
    """Shut somebody out, or let them back in with the role they had. What they did stays theirs."""
    refused = gate(member=member, capability=Capability.ADMIN)
    if refused is not None:
        return refused
    with transaction.atomic():
        membership = _locked(member=member, membership_id=membership_id, stays_admin=active)
        if isinstance(membership, Refusal) or membership.active == active:
            return membership
        membership.active = active
        membership.save(update_fields=["active"])
        action = "member.reactivated" if active else "member.deactivated"
        record(team=member.team, actor=member.user, action=action, target=membership)
    return membership


def change_account(*, member: Member, full_name: str, timezone: str) -> User:
    """One's own name and time zone, in all teams."""
    with transaction.atomic():
        user = User.objects.select_for_update().get(pk=member.user.pk)
        user.full_name, user.timezone = full_name, timezone
        user.save(update_fields=["full_name", "timezone"])
        record(team=member.team, actor=user, action="account.changed", target=user)
    return user


def _locked(*, member: Member, membership_id: int, stays_admin: bool) -> Membership | Refusal:
    """The membership to change. The team's row is the lock: two administrators cannot remove each other."""
    Team.objects.select_for_update().get(pk=member.team.pk)
    membership = membership_of(team=member.team, membership_id=membership_id)
    if membership is None:
        return _UNKNOWN
    active = memberships_of(team=member.team).filter(
        active=True, role__in=[r for r in Role.values if administers(role=r)]
    )
    admins = set(active.values_list("pk", flat=True))
    refused = leaving_refusal(admins=admins, membership_id=membership_id, stays_admin=stays_admin)
    return refused or membership


def _role_refusal(role: str) -> Refusal | None:
    return (
        None if role in Role.values else Refusal("unknown-role", f"There is no role {role!r}; choose one of the list.")
    )


@dataclass(frozen=True)
class Founded:
    team: Team
    administrator: User


def found_team(*, slug: str, name: str, email: str, full_name: str) -> Founded | Refusal:
    """Make a team; an account that exists becomes its administrator as it is, a new one has no password yet."""
    slug, name, email, full_name = slug.strip(), name.strip(), email.strip().lower(), full_name.strip()
    fault = _fault(slug=slug, name=name, email=email, full_name=full_name)
    if fault is not None:
        return fault
    with transaction.atomic():
        team, created = Team.objects.get_or_create(slug=slug, defaults={"name": name})
        if not created:
            return Refusal("taken", f"There is a team “{slug}” already; choose another short name.")
        user = user_by_email(email=email) or User.objects.create_user(email, None, full_name=full_name)
        membership = Membership.objects.create(team=team, user=user, role=Role.ADMIN)
        record(
            team=team, actor=None, action="team.founded", target=membership, details={"role": Role.ADMIN},
            content=email,
        )  # fmt: skip
    return Founded(team, user)


def _fault(*, slug: str, name: str, email: str, full_name: str) -> Refusal | None:
    for value, length, what in ((slug, SLUG_LENGTH, "short name"), (name, NAME_LENGTH, "name of the team"),
                                (full_name, NAME_LENGTH, "name of the administrator")):  # fmt: skip
        if not value or len(value) > length:
            return Refusal("name", f"The {what} needs 1 to {length} characters.")
    try:
        validate_slug(slug)
    except ValidationError:
        return Refusal("slug", f"“{slug}” cannot stand in addresses: use letters, digits, hyphens and underscores.")
    try:
        validate_email(email)
    except ValidationError:
        return Refusal("email", f"“{email}” is no e-mail address.")
    return None
