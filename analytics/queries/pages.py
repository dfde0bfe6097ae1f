"""What the pages of the loop read: the newest computation, the open proposal, what is stopped, what was in force."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.db.models import QuerySet

from analytics.models import AppliedWeights, Computation, FrozenArm, Proposal, ProposalState
from messaging.models import Strategy
from outreach.teams.models import Team

DECISIONS_SHOWN = 10


@dataclass(frozen=True)
class Newest:
    """done: the last computation with a result, None before the first; waiting: one that is asked for or under way."""

    done: Computation | None
    waiting: Computation | None

    @property
    def result(self) -> Mapping[str, Any]:
        return self.done.result if self.done else {}


def newest(*, team: Team) -> Newest:
    """One query: what waits is always the newest."""
    rows = list(Computation.objects.filter(team=team).order_by("-pk")[:2])
    return Newest(
        next((row for row in rows if row.done_at is not None), None),
        next((row for row in rows if row.done_at is None), None),
    )


def proposals(*, team: Team) -> tuple[Proposal | None, tuple[Proposal, ...]]:
    """The open one, and those that a person decided, the newest first. One query."""
    told = [ProposalState.OPEN, ProposalState.APPROVED, ProposalState.DECLINED]
    rows = Proposal.objects.filter(team=team, state__in=told).select_related("decided_by").order_by("-pk")
    found = list(rows[: DECISIONS_SHOWN + 1])
    waits = next((row for row in found if row.state == ProposalState.OPEN), None)
    return waits, tuple(row for row in found if row is not waits)


def stopped(*, team: Team) -> tuple[FrozenArm, ...]:
    frozen = FrozenArm.objects.filter(team=team, lifted_at=None)
    return tuple(frozen.select_related("strategy").order_by("-frozen_at"))


def applied(*, team: Team) -> QuerySet[AppliedWeights]:
    return AppliedWeights.objects.filter(team=team).select_related("applied_by", "returns_to")


def strategy_names(*, team: Team) -> dict[str, str]:
    rows = Strategy.objects.filter(team=team).order_by("pk").values_list("pk", "name", "version")
    return {str(pk): f"{name} v{version}" for pk, name, version in rows}
