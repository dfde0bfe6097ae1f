"""What every test shares."""

from __future__ import annotations

import pytest

from outreach.teams.access import Member
from outreach.teams.models import Team
from tests.people import a_member, a_team


@pytest.fixture
def team(db: None) -> Team:
    return a_team(slug="north")


@pytest.fixture
def other_team(db: None) -> Team:
    return a_team(slug="south")


@pytest.fixture
def admin(team: Team) -> Member:
    return a_member(team=team, role="admin")
