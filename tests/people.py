"""Invented teams and people, made in one line."""

from __future__ import annotations

from itertools import count

from django.test import Client

from outreach.teams.access import Member, member_of
from outreach.teams.models import Membership, Team, User

_number = count(1)
PASSWORD = "correct horse battery"


def a_team(*, slug: str = "") -> Team:
    slug = slug or f"team-{next(_number)}"
    return Team.objects.create(slug=slug, name=slug.title())


def a_user(*, email: str = "", full_name: str = "Nadia Ferrante") -> User:
    return User.objects.create_user(email or f"person{next(_number)}@people.example", None, full_name=full_name)


def a_member(*, team: Team, role: str = "writer", user: User | None = None) -> Member:
    user = user or a_user()
    Membership.objects.create(team=team, user=user, role=role)
    member = member_of(team=team, user=user)
    assert isinstance(member, Member)
    return member


def signed_in(*, user: User) -> Client:
    client = Client()
    client.force_login(user, backend="django.contrib.auth.backends.ModelBackend")
    return client
