"""The loop: read what happened, compute what should change, and let a manager decide."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from datetime import date, datetime, timedelta

import numpy as np
from django.db import transaction
from django.db.models import Max, Sum

from analytics.domain.arms import Arm, Day, Judgement, Record, judge
from analytics.domain.attributes import EFFECTS, flags
from analytics.domain.learning.allocation import Policy
from analytics.domain.learning.delay import WINDOW
from analytics.domain.learning.effects import Cells, Effect, fit
from analytics.models import AppliedWeights, DayCell, FrozenArm, Proposal, ProposalState
from analytics.reading import read_everything
from analytics.rollup import roll_up
from messaging.models import Strategy, StrategyWeight
from messaging.writing.strategies import apply_shares
from outreach.teams.access import Member, gate
from outreach.teams.audit import record
from outreach.teams.domain.capabilities import Capability
from outreach.teams.domain.refusal import Refusal
from outreach.teams.models import Team

#: How far back outcomes are used, in days.
MEMORY = 365
#: The most that shares may move by themselves from what a person last approved (half the sum of all moves).
BUDGET = 0.40
#: Smaller moves than this are not worth a decision.
WORTH = 0.02
_ROUNDS = 200
#: Ages of replies are read of so many days: older messages have all theirs.
_AGES = 2 * WINDOW


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


def present_shares(*, team: Team) -> dict[str, float]:
    """Shares of new drafts as they are, by strategy id: the mean over the team's campaigns."""
    rows = (
        StrategyWeight.objects.filter(campaign__team=team).exclude(campaign__status="finished")
        .values("strategy_id").annotate(weight=Sum("weight")).order_by("strategy_id")
    )  # fmt: skip
    weights = {str(row["strategy_id"]): float(row["weight"]) for row in rows}
    whole = sum(weights.values())
    return {key: weight / whole for key, weight in weights.items()} if whole else {}


def incumbent_of(*, team: Team, shares: Mapping[str, float]) -> str:
    """The strategy that others are compared with: the last one promoted, or the one with the largest share."""
    last = AppliedWeights.objects.filter(team=team, incumbent__isnull=False).order_by("-number").first()
    if last is not None and str(last.incumbent_id) in shares:
        return str(last.incumbent_id)
    return max(shares, key=lambda key: (shares[key], -int(key)), default="")


def judgement_of(*, team: Team, today: date) -> Judgement | None:
    """What the rollup says of the team's strategies; None when there are none."""
    shares = present_shares(team=team)
    if not shares:
        return None
    strategies = {str(row.pk): row for row in Strategy.objects.filter(team=team, pk__in=shares)}
    frozen = set(FrozenArm.objects.filter(team=team, lifted_at=None).values_list("strategy_id", flat=True))
    records = {
        key: Record(key, f"{row.name} v{row.version}", frozen=row.pk in frozen) for key, row in strategies.items()
    }
    recent = 0
    for key, day in _days(team=team, strategies=[int(key) for key in records], today=today):
        recent += day.sent if day.age < WINDOW else 0
        records[key].days.append(day)
    return judge(
        records=list(records.values()), incumbent=incumbent_of(team=team, shares=shares), weekly=recent / WINDOW * 7,
        policy=Policy(), seed=today.toordinal(),
    )  # fmt: skip


def _days(*, team: Team, strategies: list[int], today: date) -> Iterator[tuple[str, Day]]:
    """What was sent by day, strategy and odds. Four queries' worth of sums; no message is read."""
    cells = DayCell.objects.filter(team=team, strategy__in=strategies, fallback=False)
    vectors = dict(cells.order_by("odds").distinct("odds").values_list("odds", "propensities"))
    ages: dict[tuple[date, int, str], list[int]] = {}
    young = cells.filter(sent_on__gt=today - timedelta(days=_AGES)).values_list(
        "sent_on", "strategy_id", "odds", "ages"
    )
    for sent_on, strategy, odds, counted in young:
        summed = ages.setdefault((sent_on, strategy, odds), [0] * (WINDOW + 1))
        for at, count in enumerate(counted):
            summed[at] += count
    rows = (
        cells.filter(sent_on__gt=today - timedelta(days=MEMORY))
        .values("sent_on", "strategy_id", "odds")
        .annotate(n=Sum("sent"), y=Sum("replied"), p=Sum("positive"), m=Sum("meetings"), o=Sum("optouts"))
        .order_by("sent_on", "strategy_id", "odds")
    )
    for row in rows:
        yield (
            str(row["strategy_id"]),
            Day(
                age=(today - row["sent_on"]).days,
                sent=row["n"],
                replied=row["y"],
                positive=row["p"],
                meetings=row["m"],
                optouts=row["o"],
                vector=row["odds"],
                propensities=vectors[row["odds"]],
                ages=ages.get((row["sent_on"], row["strategy_id"], row["odds"]), ()),
            ),
        )


def effects_of(*, team: Team, today: date) -> tuple[tuple[Effect, ...], int]:
    """Effects of attributes on replies, from matured messages as assigned, and how many messages they rest on."""
    rows = (
        DayCell.objects.filter(
            team=team,
            sent_on__gt=today - timedelta(days=MEMORY),
            sent_on__lte=today - timedelta(days=WINDOW),
            fallback=False,
        )
        .values("strategy_id", "language", "channel", "persona", "attributes")
        .annotate(n=Sum("sent"), y=Sum("replied"))
    )
    table: dict[tuple[str, int, tuple[bool, ...]], list[float]] = {}
    for row in rows.order_by():
        key = (
            f"{row['language']}/{row['channel']}/{row['persona']}", row["strategy_id"],
            tuple(flags(row["attributes"])[name] for name, _ in EFFECTS),
        )  # fmt: skip
        cell = table.setdefault(key, [0.0, 0.0])
        cell[0] += row["n"]
        cell[1] += min(row["y"], row["n"])
    return _fitted(table)


def _fitted(table: Mapping[tuple[str, int, tuple[bool, ...]], list[float]]) -> tuple[tuple[Effect, ...], int]:
    if not table:
        return (), 0
    values = np.asarray([key[2] for key in table], dtype=float)
    varied = [at for at in range(values.shape[1]) if values[:, at].min() < values[:, at].max()]
    segments = {name: at for at, name in enumerate(sorted({key[0] for key in table}))}
    strategies = {key: at for at, key in enumerate(sorted({key[1] for key in table}))}
    trials = np.asarray([cell[0] for cell in table.values()])
    if not varied:
        return (), int(trials.sum())
    cells = Cells(
        np.asarray([segments[key[0]] for key in table]), np.asarray([strategies[key[1]] for key in table]),
        values[:, varied], trials, np.asarray([cell[1] for cell in table.values()]),
    )  # fmt: skip
    return fit(cells, [EFFECTS[at][0] for at in varied]).effects, int(trials.sum())


def retune(*, team: Team, now: datetime, apply: bool = True) -> Computed | None:
    """Compute what should change. Freezes arms that people leave over; moves within the approved budget apply
    themselves; a promotion or a larger move waits as a proposal. With apply=False nothing is written but the proposal's
    figures are returned. None when the team has no strategies in use."""
    judgement = judgement_of(team=team, today=now.date())
    if judgement is None:
        return None
    effects, messages = effects_of(team=team, today=now.date())
    if not apply:
        return Computed(judgement, effects, messages)
    with transaction.atomic():
        Team.objects.select_for_update().get(pk=team.pk)
        _freeze(team=team, judgement=judgement, now=now)
        present = present_shares(team=team)
        move = _distance(judgement.weights, present)
        promoted = any(arm.state == "confirmed" for arm in judgement.arms)
        if move < WORTH and not promoted:
            return Computed(judgement, effects, messages)
        if not promoted and _distance(judgement.weights, _approved(team=team, present=present)) <= BUDGET:
            applied = _apply(team=team, weights=judgement.weights, why="Exploration within the approved budget")
            return Computed(judgement, effects, messages, applied=applied)
        Proposal.objects.filter(team=team, state=ProposalState.OPEN).update(state=ProposalState.REPLACED)
        proposal = Proposal.objects.create(
            team=team, weights=judgement.weights, present=present, created_at=now,
            snapshot=snapshot(judgement=judgement, effects=effects, messages=messages, today=now.date()),
        )  # fmt: skip
    return Computed(judgement, effects, messages, proposal=proposal)


def snapshot(*, judgement: Judgement, effects: tuple[Effect, ...], messages: int, today: date) -> dict[str, object]:
    """The evidence of a proposal as plain JSON: it stays as it was."""
    gain = sum(arm.share * arm.rate for arm in judgement.arms)
    return {
        "as_of": today.isoformat(), "window_days": WINDOW, "messages": messages,
        "arms": [asdict(arm) for arm in judgement.arms], "effects": [asdict(effect) for effect in effects],
        "guardrails": guardrails_of(judgement.arms), "forecast_rate": round(gain, 6),
    }  # fmt: skip


def guardrails_of(arms: tuple[Arm, ...]) -> list[dict[str, object]]:
    """Opt-outs of each arm: whether it is frozen, and whether a promotion would be allowed."""
    return [
        {"strategy": arm.key, "name": arm.name, "optouts": arm.optouts, "frozen": arm.frozen,
         "too_many_chance": round(arm.freeze, 4), "no_worse_chance": round(arm.no_worse, 4)}
        for arm in arms
    ]  # fmt: skip


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
    for key, reason in judgement.freeze.items():
        made, new = FrozenArm.objects.get_or_create(
            team=team, strategy_id=int(key), lifted_at=None, defaults={"reason": reason, "frozen_at": now}
        )
        if new:
            record(team=team, actor=None, action="strategy.frozen", target=made, details={"strategy": int(key)})


def _apply(
    *, team: Team, weights: Mapping[str, float], why: str, member: Member | None = None,
    proposal: Proposal | None = None, returns_to: AppliedWeights | None = None, incumbent: str = "",
) -> AppliedWeights:  # fmt: skip
    number = (AppliedWeights.objects.filter(team=team).aggregate(last=Max("number"))["last"] or 0) + 1
    if number == 1:  # what was in force before the loop first changed it, so that there is a way back
        AppliedWeights.objects.create(team=team, number=1, weights=present_shares(team=team), why="In force before")
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
    arms = proposal.snapshot.get("arms", [])
    winner = max((arm for arm in arms if arm["state"] == "confirmed"), key=lambda arm: arm["best"], default=None)
    if winner is not None and winner["no_worse"] < 0.8:
        winner = None  # the guardrail on opt-outs does not let it be promoted yet; it gets its share all the same
    proposal.state, proposal.decided_by, proposal.decided_at = ProposalState.APPROVED, member.user, now
    proposal.save(update_fields=["state", "decided_by", "decided_at"])
    return _apply(
        team=member.team, weights={key: share / whole for key, share in wanted.items()}, member=member,
        proposal=proposal, incumbent=winner["key"] if winner else "",
        why="Proposal approved" if weights is None else "Proposal approved with other shares",
    )  # fmt: skip


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
        team=member.team, weights=earlier.weights, member=member, returns_to=earlier,
        incumbent=str(earlier.incumbent_id or ""), why=f"Back to the weights of {earlier.applied_at:%d %b %Y %H:%M}",
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
