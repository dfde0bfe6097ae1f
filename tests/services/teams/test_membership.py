"""Letting people in, changing what they may do, shutting them out."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field

import pytest
from django.db import connection

from outreach.teams.access import Member, member_of
from outreach.teams.domain.refusal import Refusal
from outreach.teams.models import AuditEvent, Membership, Team, User
from outreach.teams.services import Invited, change_role, invite, invite_again, set_active
from tests.people import PASSWORD, a_member, a_team, a_user


@dataclass
class Postbox:
    """Invitations that are kept instead of sent."""

    problem: str = ""
    sent: list[str] = field(default_factory=list)

    def send(self, *, user: User, team: Team, invited_by: User) -> str:
        self.sent.append(user.email)
        return self.problem


def let_in(
    admin: Member, email: str = "ines@people.example", role: str = "writer", box: Postbox | None = None
) -> Invited | Refusal:
    return invite(member=admin, email=email, full_name="Ines Novak", role=role, invitations=box or Postbox())


def test_a_new_person_gets_an_account_without_a_password_and_an_invitation(admin: Member) -> None:
    box = Postbox()
    invited = let_in(admin, email="Ines@People.example ", box=box)
    assert isinstance(invited, Invited)
    assert box.sent == ["ines@people.example"]
    assert not invited.membership.user.has_usable_password()
    assert AuditEvent.objects.get(action="member.invited").details == {"role": "writer"}


def test_an_account_that_exists_keeps_its_name_and_password(admin: Member) -> None:
    user = a_user(email="ines@people.example", full_name="Ines Original")
    user.set_password(PASSWORD)
    user.save()
    let_in(admin, email="INES@people.example")
    user.refresh_from_db()
    assert user.full_name == "Ines Original"
    assert user.check_password(PASSWORD)
    assert user.memberships.get().team == admin.team


def test_nobody_is_invited_twice(admin: Member) -> None:
    let_in(admin)
    second = let_in(admin, role="admin")
    assert isinstance(second, Refusal)
    assert second.code == "already-member"


def test_a_person_whose_invitation_could_not_be_sent_is_in_the_team_and_the_reason_is_told(admin: Member) -> None:
    invited = let_in(admin, box=Postbox(problem="connection refused"))
    assert isinstance(invited, Invited)
    assert invited.mail_problem == "connection refused"
    assert invited.membership.pk


def test_somebody_shut_out_is_let_back_in_by_an_invitation(admin: Member) -> None:
    first = let_in(admin)
    assert isinstance(first, Invited)
    set_active(member=admin, membership_id=first.membership.pk, active=False)
    assert isinstance(let_in(admin, role="analyst"), Invited)
    first.membership.refresh_from_db()
    assert (first.membership.active, first.membership.role) == (True, "analyst")


def test_only_somebody_without_a_password_is_invited_again(admin: Member) -> None:
    first = let_in(admin)
    assert isinstance(first, Invited)
    again = {"member": admin, "membership_id": first.membership.pk, "invitations": Postbox()}
    assert isinstance(invite_again(**again), Invited)
    first.membership.user.set_password(PASSWORD)
    first.membership.user.save()
    refused = invite_again(**again)
    assert isinstance(refused, Refusal)
    assert refused.code == "has-password"


@pytest.mark.parametrize("role", ["writer", "reviewer", "manager", "analyst"])
def test_nobody_but_an_administrator_changes_who_is_in_the_team(team: Team, role: str) -> None:
    member, other = a_member(team=team, role=role), a_member(team=team, role="admin")
    pk = Membership.objects.get(user=other.user).pk
    results = [
        let_in(member),
        invite_again(member=member, membership_id=pk, invitations=Postbox()),
        change_role(member=member, membership_id=pk, role="writer"),
        set_active(member=member, membership_id=pk, active=False),
    ]
    assert [result.code for result in results if isinstance(result, Refusal)] == ["not-allowed"] * 4


def test_people_of_another_team_are_out_of_reach(admin: Member, other_team: Team) -> None:
    stranger = Membership.objects.get(user=a_member(team=other_team, role="writer").user)
    for result in (
        change_role(member=admin, membership_id=stranger.pk, role="analyst"),
        set_active(member=admin, membership_id=stranger.pk, active=False),
    ):
        assert isinstance(result, Refusal)
        assert result.code == "not-found"


@pytest.mark.parametrize("change", ["role", "shut out"])
def test_the_last_administrator_stays(admin: Member, change: str) -> None:
    a_member(team=admin.team, role="manager")
    pk = Membership.objects.get(user=admin.user).pk
    result = (
        change_role(member=admin, membership_id=pk, role="manager")
        if change == "role"
        else set_active(member=admin, membership_id=pk, active=False)
    )
    assert isinstance(result, Refusal)
    assert result.code == "last-admin"


@pytest.mark.django_db(transaction=True)
def test_two_administrators_cannot_remove_each_other_at_the_same_time() -> None:
    team = a_team()
    admins = [a_member(team=team, role="admin") for _ in range(2)]
    ready = threading.Barrier(2)

    def remove(actor: Member, victim: Member) -> object:
        ready.wait(timeout=10)
        try:
            pk = Membership.objects.get(team=team, user=victim.user).pk
            return set_active(member=actor, membership_id=pk, active=False)
        finally:
            connection.close()

    with ThreadPoolExecutor(2) as pool:
        results = list(pool.map(remove, admins, reversed(admins)))
    assert sum(isinstance(result, Refusal) for result in results) == 1
    assert Membership.objects.filter(team=team, role="admin", active=True).count() == 1


def test_a_member_who_was_shut_out_is_no_member(admin: Member) -> None:
    Membership.objects.filter(user=admin.user).update(active=False)
    refused = member_of(team=admin.team, user=admin.user)
    assert isinstance(refused, Refusal)
    assert refused.code == "not-a-member"
