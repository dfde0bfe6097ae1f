"""What every test shares."""

from __future__ import annotations

import pytest
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.backends.signals import connection_created

from outreach.teams.access import Member
from outreach.teams.models import Team
from tests.people import a_member, a_team


def _may_truncate(*, connection: BaseDatabaseWrapper, **_about: object) -> None:
    """The flush after a test of several connections is the one TRUNCATE that the database lets through."""
    with connection.cursor() as cursor:
        cursor.execute("SET footnote.truncate = 'tests'")


connection_created.connect(_may_truncate)


@pytest.fixture
def team(db: None) -> Team:
    return a_team(slug="north")


@pytest.fixture
def other_team(db: None) -> Team:
    return a_team(slug="south")


@pytest.fixture
def admin(team: Team) -> Member:
    return a_member(team=team, role="admin")
