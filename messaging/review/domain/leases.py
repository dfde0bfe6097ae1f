"""Who has a draft open. A lease keeps two people from working on one draft unseen; it can be taken over."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum

LEASE = timedelta(minutes=10)


@dataclass(frozen=True, slots=True)
class Lease:
    user_id: int
    name: str
    until: datetime

    def runs(self, *, now: datetime) -> bool:
        return self.until > now

    def keeps_out(self, *, user_id: int, now: datetime) -> bool:
        """Whether somebody else has the draft open."""
        return self.user_id != user_id and self.runs(now=now)


class LeaseChange(StrEnum):
    TAKEN = "taken"  # free or expired: now mine
    KEPT = "kept"  # mine already: prolonged
    REFUSED = "refused"  # somebody else's, and not asked to take it over
    TAKEN_OVER = "taken over"  # somebody else's until now; recorded


def change_of(*, lease: Lease | None, user_id: int, take_over: bool, now: datetime) -> LeaseChange:
    """What opening a draft does to its lease."""
    if lease is not None and lease.keeps_out(user_id=user_id, now=now):
        return LeaseChange.TAKEN_OVER if take_over else LeaseChange.REFUSED
    if lease is not None and lease.user_id == user_id and lease.runs(now=now):
        return LeaseChange.KEPT
    return LeaseChange.TAKEN
