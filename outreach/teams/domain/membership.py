"""Rules about who is in a team."""

from __future__ import annotations

from collections.abc import Collection

from outreach.teams.domain.capabilities import CAPABILITIES, Capability
from outreach.teams.domain.refusal import Refusal


def administers(*, role: str) -> bool:
    return Capability.ADMIN in CAPABILITIES.get(role, frozenset())


def leaving_refusal(*, admins: Collection[int], membership_id: int, stays_admin: bool) -> Refusal | None:
    """A team always has somebody who can let others in. admins: active memberships that administer."""
    if stays_admin or set(admins) != {membership_id}:
        return None
    return Refusal(
        "last-admin",
        "This is the team's last administrator. Make somebody else an administrator first, then try again.",
    )
