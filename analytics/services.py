"""The loop: read what happened, compute what should change, and let a manager decide."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from celery import current_app
from django.db import transaction
from django.db.models import Max, Q
from django.utils import timezone
from kombu.exceptions import OperationalError

from analytics.domain.arms import Judgement
from analytics.domain.learning.effects import Effect
from analytics.domain.learning.guardrails import PROMOTE_AT
from analytics.domain.told import Matured, guardrails_of, snapshot, tables
from analytics.models import AppliedWeights, Computation, FrozenArm, Proposal, ProposalState
from analytics.queries.judgement import (
    effects_of,
    incumbent_of,
    judgement_of,
    matured_of,
    present_shares,
    weeks_of,
)
from analytics.reading import read_everything
from analytics.rollup import roll_up
from messaging.writing.strategies import apply_shares
from outreach.teams.access import Member, gate
from outreach.teams.audit import record
from outreach.teams.domain.capabilities import Capability
from outreach.teams.domain.refusal import Refusal
from outreach.teams.models import Team

__all__ = [
    "Computed", "approve", "ask", "compute_waiting", "decline", "guardrails_of", "judgement_of", "lift_freeze",
    "present_shares", "retune", "roll_back", "sync",
]  # fmt: skip

#: The most that shares may move by themselves from what a person last approved (half the sum of all moves).
BUDGET = 0.40
#: Smaller moves than this are not worth a decision.
WORTH = 0.02
#: A worker that has not finished within this time is taken to be gone.
LEASE = timedelta(minutes=10)
#: Weeks of the allocation that are shown.
WEEKS = 26
_ROUNDS = 200


@dataclass(frozen=True)
class Computed:
    """What a retune found. proposal: None when nothing is worth changing, or it was applied within the budget."""

    judgement: Judgement
    effects: tuple[Effect, ...]
    messages: int
    proposal: Proposal | None = None
    applied: AppliedWeights | None = None


def sync(*, now: datetime) -> int:
    """Read and count everything that is new. Safe to run at any time and twice at once. Returns the rows read."""
    read = 0
    for _ in range(_ROUNDS):
        found = read_everything(now=now)
        while roll_up():
            pass
        read += found
        if not found:
            break
    return read


def ask(*, member: Member, now: datetime) -> Computation | Refusal:
    """Have the team's shares computed now. Asking twice is asking once."""
    refused = gate(member=member, capability=Capability.MANAGE)
    if refused is not None:
        return refused
    with transaction.atomic():
        Team.objects.select_for_update().get(pk=member.team.pk)
        asked, new = Computation.objects.get_or_create(
            team=member.team, done_at=None, defaults={"asked_by": member.user, "asked_at": now}
        )
        if new:
            record(team=member.team, actor=member.user, action="weights.asked", target=asked)
        transaction.on_commit(_nudge)
    return asked


def _nudge() -> None:
    """Wake the workers now. Without a broker the next sweep finds the row all the same."""
    with suppress(OperationalError):
        current_app.send_task("analytics.tasks.compute", expires=30)


def compute_waiting(*, now: datetime) -> int:
    """Do what was asked for. Returns how many teams were computed."""
    done = 0
    free = Q(started_at=None) | Q(started_at__lt=now - LEASE)
    for waiting in Computation.objects.filter(free, done_at=None).order_by("pk").select_related("team"):
        if Computation.objects.filter(free, pk=waiting.pk, done_at=None).update(started_at=now):
            sync(now=now)
            retune(team=waiting.team, now=now)
            done += 1
    return done


def retune(*, team: Team, now: datetime, apply: bool = True) -> Computed | None:
    """Compute what should change. Freezes arms that people leave over; moves within the approved budget apply
    themselves; a promotion or a larger move waits as a proposal. With apply=False nothing is written but the proposal's
    figures are returned. None when the team has no strategies in use."""
    judgement = judgement_of(team=team, today=now.date())
    if judgement is None:
        if apply:
            _publish(team=team, result={}, now=now)
        return None
    matured = matured_of(team=team, today=now.date())
    effects, messages = effects_of(matured=matured)
    computed = Computed(judgement, effects, messages)
    return _decide(team=team, computed=computed, matured=matured, now=now) if apply else computed


@transaction.atomic
def _decide(*, team: Team, computed: Computed, matured: tuple[Matured, ...], now: datetime) -> Computed:
    judgement, today = computed.judgement, now.date()
    told = snapshot(judgement=judgement, effects=computed.effects, messages=computed.messages, today=today)
    Team.objects.select_for_update().get(pk=team.pk)
    _publish(
        team=team, now=now,
        result={**told, "tables": tables(matured), "weeks": weeks_of(team=team, today=today, weeks=WEEKS)},
    )  # fmt: skip
    _freeze(team=team, judgement=judgement, now=now)
    present = present_shares(team=team)
    confirmed = any(arm.state == "confirmed" for arm in judgement.arms)
    promotes = bool(promoted_by(snapshot=told, weights=judgement.weights))
    if _distance(judgement.weights, present) < WORTH and not promotes:
        return computed
    approved = _without_frozen(team=team, weights=_approved(team=team, present=present))
    if not confirmed and _distance(judgement.weights, approved) <= BUDGET:
        applied = _apply(team=team, weights=judgement.weights, why="Exploration within the approved budget")
        return Computed(judgement, computed.effects, computed.messages, applied=applied)
    Proposal.objects.filter(team=team, state=ProposalState.OPEN).update(state=ProposalState.REPLACED)
    proposal = Proposal.objects.create(
        team=team, weights=judgement.weights, present=present, created_at=now, snapshot=told
    )
    return Computed(judgement, computed.effects, computed.messages, proposal=proposal)


def _publish(*, team: Team, result: Mapping[str, Any], now: datetime) -> None:
    """What the pages show from now on; settles what was asked for."""
    done = {"result": dict(result), "done_at": timezone.now()}
    if not Computation.objects.filter(team=team, done_at=None).update(**done):
        Computation.objects.create(team=team, asked_at=now, started_at=now, **done)


def _distance(one: Mapping[str, float], other: Mapping[str, float]) -> float:
    """Half the sum of all moves: 0 the same, 1 entirely different."""
    return sum(abs(one.get(key, 0.0) - other.get(key, 0.0)) for key in {*one, *other}) / 2


def _approved(*, team: Team, present: Mapping[str, float]) -> Mapping[str, float]:
    """What a person last decided; before anybody did, what is in force."""
    last = AppliedWeights.objects.filter(team=team, applied_by__isnull=False).order_by("-number").first()
    first = AppliedWeights.objects.filter(team=team).order_by("number").first()
    chosen = last or first
    return chosen.weights if chosen is not None else present


def _freeze(*, team: Team, judgement: Judgement, now: datetime) -> None:
    """Stop strategies at once: they get no new messages from here on, whatever else waits for a decision."""
    for key, reason in judgement.freeze.items():
        made, new = FrozenArm.objects.get_or_create(
            team=team, strategy_id=int(key), lifted_at=None, defaults={"reason": reason, "frozen_at": now}
        )
        if new:
            record(team=team, actor=None, action="strategy.frozen", target=made, details={"strategy": int(key)})
    present = present_shares(team=team)
    left = _without_frozen(team=team, weights=present)
    if _distance(left, present) > 0:
        _apply(team=team, weights=left, why="Stopped what too many people leave over")


def _without_frozen(*, team: Team, weights: Mapping[str, float]) -> dict[str, float]:
    """The same shares with nothing for frozen strategies; what they lose goes to the others in proportion."""
    frozen = FrozenArm.objects.filter(team=team, lifted_at=None).values_list("strategy_id", flat=True)
    stopped = {str(key) for key in frozen}
    whole = sum(share for key, share in weights.items() if key not in stopped)
    if not stopped & weights.keys() or whole <= 0:
        return dict(weights)
    return {key: 0.0 if key in stopped else share / whole for key, share in weights.items()}


def _apply(
    *, team: Team, weights: Mapping[str, float], why: str, member: Member | None = None,
    proposal: Proposal | None = None, returns_to: AppliedWeights | None = None, incumbent: str = "",
) -> AppliedWeights:  # fmt: skip
    number = (AppliedWeights.objects.filter(team=team).aggregate(last=Max("number"))["last"] or 0) + 1
    if number == 1:  # what was in force before the loop first changed it, so that there is a way back
        before = present_shares(team=team)
        first = incumbent_of(team=team, shares=before)
        AppliedWeights.objects.create(
            team=team, number=1, weights=before, why="In force before", incumbent_id=int(first) if first else None
        )
        number = 2
    apply_shares(team=team, shares={int(key): share for key, share in weights.items()})
    applied = AppliedWeights.objects.create(
        team=team, number=number, weights=dict(weights), proposal=proposal, returns_to=returns_to, why=why,
        applied_by=member.user if member else None, incumbent_id=int(incumbent) if incumbent else None,
    )  # fmt: skip
    record(
        team=team, actor=member.user if member else None, action="weights.applied", target=applied,
        details={"number": number, "weights": dict(weights)},
    )  # fmt: skip
    return applied


def _open(member: Member, proposal_id: int) -> Proposal | Refusal:
    refused = gate(member=member, capability=Capability.MANAGE)
    if refused is not None:
        return refused
    Team.objects.select_for_update().get(pk=member.team.pk)
    proposal = Proposal.objects.select_for_update().filter(team=member.team, pk=proposal_id).first()
    if proposal is None:
        return Refusal("not-found", "There is no such proposal in this team.")
    if proposal.state != ProposalState.OPEN:
        return Refusal("settled", f"This proposal is already: {proposal.get_state_display()}. Reload the page.")
    return proposal


@transaction.atomic
def approve(
    *, member: Member, proposal_id: int, now: datetime, weights: Mapping[str, float] | None = None
) -> AppliedWeights | Refusal:
    """Put a proposal, or a manager's edit of its weights, into force. A confirmed arm becomes the incumbent."""
    proposal = _open(member, proposal_id)
    if isinstance(proposal, Refusal):
        return proposal
    wanted = dict(weights) if weights is not None else dict(proposal.weights)
    if set(wanted) != set(proposal.weights) or any(not 0 <= share <= 1 for share in wanted.values()):
        return Refusal("weights", "Give every strategy of the proposal a share from 0 to 1.")
    whole = sum(wanted.values())
    if whole <= 0:
        return Refusal("weights", "At least one strategy needs a share above 0.")
    stopped = FrozenArm.objects.filter(team=member.team, lifted_at=None).values_list("strategy_id", "strategy__name")
    for key, name in stopped:
        if wanted.get(str(key), 0) > 0:
            return Refusal("frozen", f"“{name}” is stopped: give it 0, or take the stop back first.")
    winner = promoted_by(snapshot=proposal.snapshot, weights=wanted)
    proposal.state, proposal.decided_by, proposal.decided_at = ProposalState.APPROVED, member.user, now
    proposal.save(update_fields=["state", "decided_by", "decided_at"])
    return _apply(
        team=member.team, weights={key: share / whole for key, share in wanted.items()}, member=member,
        proposal=proposal, incumbent=winner,
        why="Proposal approved" if weights is None else "Proposal approved with other shares",
    )  # fmt: skip


def promoted_by(*, snapshot: Mapping[str, Any], weights: Mapping[str, float]) -> str:
    """The strategy that these shares would make the incumbent, "" for none: the best confirmed one, if people do not
    leave over it more, and if it is not given less than the present incumbent."""
    arms = snapshot.get("arms", [])
    held = max((weights.get(arm["key"], 0) for arm in arms if arm["incumbent"]), default=0)
    able = [
        arm for arm in arms
        if arm["state"] == "confirmed" and arm["no_worse"] >= PROMOTE_AT and weights.get(arm["key"], 0) >= max(held, 1e-9)
    ]  # fmt: skip
    return str(max(able, key=lambda arm: arm["best"])["key"]) if able else ""


@transaction.atomic
def decline(*, member: Member, proposal_id: int, reason: str, now: datetime) -> Proposal | Refusal:
    proposal = _open(member, proposal_id)
    if isinstance(proposal, Refusal):
        return proposal
    if not reason.strip():
        return Refusal("reason", "Say why, in a few words: the next proposal is read beside it.")
    proposal.state, proposal.decided_by, proposal.decided_at = ProposalState.DECLINED, member.user, now
    proposal.reason = reason.strip()[:2000]
    proposal.save(update_fields=["state", "decided_by", "decided_at", "reason"])
    record(team=member.team, actor=member.user, action="proposal.declined", target=proposal, content=proposal.reason)
    return proposal


@transaction.atomic
def roll_back(*, member: Member, number: int) -> AppliedWeights | Refusal:
    """Put an earlier set of weights into force again, as a new one."""
    refused = gate(member=member, capability=Capability.MANAGE)
    if refused is not None:
        return refused
    Team.objects.select_for_update().get(pk=member.team.pk)
    earlier = AppliedWeights.objects.filter(team=member.team, number=number).first()
    if earlier is None:
        return Refusal("not-found", "There is no such set of weights in this team.")
    return _apply(
        team=member.team, weights=_without_frozen(team=member.team, weights=earlier.weights), member=member,
        returns_to=earlier, incumbent=incumbent_of(team=member.team, shares=earlier.weights, until=number), why=f"Back to the weights of {earlier.applied_at:%d %b %Y %H:%M}",
    )  # fmt: skip


@transaction.atomic
def lift_freeze(*, member: Member, frozen_id: int, now: datetime) -> FrozenArm | Refusal:
    refused = gate(member=member, capability=Capability.MANAGE)
    if refused is not None:
        return refused
    frozen = FrozenArm.objects.select_for_update().filter(team=member.team, pk=frozen_id, lifted_at=None).first()
    if frozen is None:
        return Refusal("not-found", "This strategy is not frozen any more. Reload the page.")
    frozen.lifted_at, frozen.lifted_by = now, member.user
    frozen.save(update_fields=["lifted_at", "lifted_by"])
    record(team=member.team, actor=member.user, action="strategy.unfrozen", target=frozen)
    return frozen
