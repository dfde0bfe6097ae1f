"""What managers do with strategies: look, make a new version, retire, restrict a campaign. Each is audited."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from datetime import datetime
from typing import Any

from django.db import transaction
from django.db.models import QuerySet
from django.utils.text import slugify

from messaging.models import Strategy, StrategyWeight
from messaging.writing.domain.strategy import SHIPPED, Unreadable, as_json, read_parameters
from messaging.writing.strategies import MOST_STRATEGIES, ensure_strategies, ensure_weights
from outreach.campaigns.models import Campaign, CampaignStatus
from outreach.teams.access import Member, gate
from outreach.teams.audit import record
from outreach.teams.domain.capabilities import Capability
from outreach.teams.domain.refusal import Refusal
from outreach.teams.models import Team

_NOT_FOUND = Refusal("not-found", "There is no such strategy in your team.")


def strategies_of(*, team: Team) -> QuerySet[Strategy]:
    """Every version, retired ones too; the caller pages them by name and version."""
    ensure_strategies(team=team)
    return Strategy.objects.filter(team=team).select_related("created_by")


@transaction.atomic
def save_strategy(
    *, member: Member, name: str, parameters: Mapping[str, Any], earlier_id: int | None = None, keep_earlier: bool = False,
    now: datetime,
) -> Strategy | Refusal:  # fmt: skip
    """A new strategy, or a new version of an earlier one; nothing is edited in place, so drafts keep what they had.

    A new version takes the weights of the earlier one, which is retired unless both are kept to be compared. One of its
    own starts with the mean weight of each campaign that is not finished.
    """
    refused = gate(member=member, capability=Capability.MANAGE)
    if refused is not None:
        return refused
    read = read_parameters(parameters)
    if isinstance(read, Unreadable):
        return Refusal("invalid", read.reason)
    Team.objects.select_for_update().get(pk=member.team.pk)
    earlier = Strategy.objects.filter(team=member.team, pk=earlier_id).first() if earlier_id else None
    if earlier_id and earlier is None:
        return _NOT_FOUND
    retire = earlier is not None and earlier.retired_at is None and not keep_earlier
    if not retire and Strategy.objects.filter(team=member.team, retired_at=None).count() >= MOST_STRATEGIES:
        return Refusal("invalid", f"There are {MOST_STRATEGIES} strategies already. Retire one first.")
    key = earlier.key if earlier else _free_key(team=member.team, name=name)
    newest = Strategy.objects.filter(team=member.team, key=key).order_by("-version").first()
    row = Strategy.objects.create(
        team=member.team, key=key, version=newest.version + 1 if newest else 1, name=name.strip(),
        parameters=as_json(read), created_by=member.user, created_at=now,
    )  # fmt: skip
    _weigh(row=row, earlier=earlier)
    record(
        team=member.team, actor=member.user, action="strategy.saved", target=row,
        details={"key": key, "version": row.version, **({"earlier": earlier.pk} if earlier else {})},
    )  # fmt: skip
    if retire and earlier is not None:
        _retired(member=member, row=earlier, now=now)
    return row


def _free_key(*, team: Team, name: str) -> str:
    base = slugify(name)[:40] or "strategy"
    taken = set(Strategy.objects.filter(team=team, key__startswith=base).values_list("key", flat=True))
    taken |= {one.key for one in SHIPPED}
    return next(key for key in (base, *(f"{base}-{n}" for n in range(2, len(taken) + 3))) if key not in taken)


def _weigh(*, row: Strategy, earlier: Strategy | None) -> None:
    """A weight in each campaign that has weights and is not finished."""
    found: dict[int, list[StrategyWeight]] = {}
    weights = StrategyWeight.objects.filter(campaign__team=row.team).exclude(campaign__status=CampaignStatus.FINISHED)
    for weight in weights.select_related("strategy"):
        found.setdefault(weight.campaign_id, []).append(weight)
    fresh = []
    for campaign_id, rows in found.items():
        before = next((one for one in rows if earlier is not None and one.strategy_id == earlier.pk), None)
        mean = sum(one.weight for one in rows) / len(rows)
        restricted = not all(one.allowed for one in rows if one.strategy.retired_at is None)
        fresh.append(
            StrategyWeight(
                campaign_id=campaign_id, strategy=row, weight=before.weight if before else mean,
                allowed=before.allowed if before else not restricted,
            )
        )  # fmt: skip
    StrategyWeight.objects.bulk_create(fresh)


def _retired(*, member: Member, row: Strategy, now: datetime) -> None:
    Strategy.objects.filter(pk=row.pk).update(retired_at=now)
    record(team=member.team, actor=member.user, action="strategy.retired", target=row, details={"version": row.version})


@transaction.atomic
def retire_strategy(*, member: Member, strategy_id: int, now: datetime) -> Strategy | Refusal:
    """No new draft draws it. Drafts that have it keep it, and what was learned of it stays."""
    row = _of_team(member=member, strategy_id=strategy_id)
    if isinstance(row, Refusal):
        return row
    if row.retired_at is None:
        others = Strategy.objects.filter(team=member.team, retired_at=None).exclude(pk=row.pk)
        if not others.exists():
            return Refusal("last", "It is the only strategy left. Make another one first.")
        alone = _campaign_left_alone(row=row)
        if alone is not None:
            return Refusal("last", f"The campaign “{alone}” allows no other strategy. Let it use others first.")
        _retired(member=member, row=row, now=now)
        row.refresh_from_db()
    return row


def _campaign_left_alone(*, row: Strategy) -> str | None:
    using = StrategyWeight.objects.filter(strategy=row, allowed=True).exclude(campaign__status=CampaignStatus.FINISHED)
    served = StrategyWeight.objects.filter(allowed=True, strategy__retired_at=None).exclude(strategy=row)
    return using.exclude(campaign__in=served.values("campaign")).values_list("campaign__name", flat=True).first()


@transaction.atomic
def bring_back_strategy(*, member: Member, strategy_id: int) -> Strategy | Refusal:
    """A retired one may be drawn again, by the weight that is stored for it."""
    row = _of_team(member=member, strategy_id=strategy_id)
    if isinstance(row, Refusal):
        return row
    if row.retired_at is not None:
        Strategy.objects.filter(pk=row.pk).update(retired_at=None)
        record(
            team=member.team,
            actor=member.user,
            action="strategy.brought_back",
            target=row,
            details={"version": row.version},
        )
        row.refresh_from_db()
    return row


def _of_team(*, member: Member, strategy_id: int) -> Strategy | Refusal:
    refused = gate(member=member, capability=Capability.MANAGE)
    if refused is not None:
        return refused
    Team.objects.select_for_update().get(pk=member.team.pk)
    return Strategy.objects.filter(team=member.team, pk=strategy_id).first() or _NOT_FOUND


def weights_of(*, campaign: Campaign) -> tuple[StrategyWeight, ...]:
    """The strategies a campaign may use, with weight and whether it does; without retired ones."""
    ensure_weights(campaign=campaign)
    rows = campaign.strategy_weights.filter(strategy__retired_at=None).select_related("strategy")
    return tuple(rows.order_by("strategy__name", "-strategy__version", "pk")[:MOST_STRATEGIES])


@transaction.atomic
def restrict_campaign(*, member: Member, campaign: Campaign, strategy_ids: Collection[int]) -> Campaign | Refusal:
    """Let a campaign draw from these strategies only. Drafts that have drawn already keep theirs."""
    refused = gate(member=member, capability=Capability.MANAGE)
    if refused is not None:
        return refused
    if campaign.team_id != member.team.pk:
        return Refusal("not-found", "There is no such campaign in your team.")
    rows = weights_of(campaign=campaign)
    chosen = {row.strategy_id for row in rows} & set(strategy_ids)
    if not chosen:
        return Refusal("invalid", "strategies: choose at least one.")
    before = {row.strategy_id for row in rows if row.allowed}
    if chosen != before:
        campaign.strategy_weights.filter(strategy__in=chosen).update(allowed=True)
        campaign.strategy_weights.exclude(strategy__in=chosen).update(allowed=False)
        record(
            team=member.team, actor=member.user, action="campaign.strategies", target=campaign,
            details={"allowed": sorted(chosen), "before": sorted(before)},
        )  # fmt: skip
    return campaign
