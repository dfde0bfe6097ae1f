"""What the teams room needs of the outside world."""

from __future__ import annotations

from typing import Protocol

from outreach.teams.models import Team, User


class Invitations(Protocol):
    def send(self, *, user: User, team: Team, invited_by: User) -> str:
        """Tell somebody that they are in a team; with a link to set a password when they have none.

        Returns "" when it was handed over, else what went wrong.
        """
