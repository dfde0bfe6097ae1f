"""How a campaign is doing: the few things that somebody should look at."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Numbers:
    """People and messages of one campaign, each counted up to a cap."""

    enrolled: int = 0
    active: int = 0
    waiting: int = 0
    ready: int = 0
    blocked: int = 0
    approved: int = 0
    sent: int = 0
    replied: int = 0
    failed: int = 0
    unconfirmed: int = 0
    expired_proof_points: int = 0


@dataclass(frozen=True, slots=True)
class Sign:
    """code names the sentence. late: somebody must act, else it only deserves a look."""

    code: str
    count: int
    late: bool


def signs(*, numbers: Numbers, running: bool = True) -> tuple[Sign, ...]:
    """Nothing when all is well. More than half of the unsent drafts blocked is a campaign without evidence.

    running: people are written to now; otherwise nobody in it is nothing to look at.
    """
    found = [
        Sign("unconfirmed", numbers.unconfirmed, late=True),
        Sign("failed", numbers.failed, late=True),
        Sign("expired", numbers.expired_proof_points, late=True),
        Sign("blocked", numbers.blocked if numbers.blocked > numbers.ready + numbers.approved else 0, late=False),
    ]
    if running and numbers.active == 0:
        found.append(Sign("nobody", 1, late=False))
    return tuple(sign for sign in found if sign.count)
