"""Strategies of a team and their weights in a campaign: made when first needed, drawn with the odds kept."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random

from django.db import transaction

from messaging.models import Draft, Strategy, StrategyWeight
from messaging.writing.domain.strategy import SHIPPED, Drawn, as_json, draw_strategy
from messaging.writing.sharing import shared
from outreach.campaigns.models import Campaign
from outreach.teams.models import Team

#: Strategies that are drawn from at once; each needs messages to be learned about.
MOST_STRATEGIES = 40


def ensure_strategies(*, team: Team) -> tuple[Strategy, ...]:
    """What the team draws from: its own strategies and the shipped ones, without retired ones.

    The shipped ones are made when they are missing; those that are there stay as they are.
    """
    Strategy.objects.bulk_create(
        (
            Strategy(team=team, key=one.key, version=1, name=one.name, parameters=as_json(one.parameters))
            for one in SHIPPED
        ),
        ignore_conflicts=True,
    )
    return tuple(Strategy.objects.filter(team=team, retired_at=None).order_by("id")[:MOST_STRATEGIES])


def ensure_weights(*, campaign: Campaign) -> None:
    """A campaign without weights starts with equal ones over the team's strategies that are not retired."""
    if campaign.strategy_weights.exists():
        return
    StrategyWeight.objects.bulk_create(
        (StrategyWeight(campaign=campaign, strategy=one) for one in ensure_strategies(team=campaign.team)),
        ignore_conflicts=True,
    )


def apply_shares(*, team: Team, shares: Mapping[int, float]) -> int:
    """Give these strategies these weights in every campaign of the team that is not finished, all others none.

    Call it inside a transaction. Returns the number of campaigns. New drafts follow; drafts already drawn stay.
    """
    campaigns = list(Campaign.objects.filter(team=team).exclude(status="finished").order_by("pk"))
    known = set(Strategy.objects.filter(team=team, pk__in=shares).values_list("pk", flat=True))
    StrategyWeight.objects.select_for_update().filter(campaign__in=campaigns).exclude(strategy__in=known).update(
        weight=0.0
    )
    StrategyWeight.objects.bulk_create(
        (
            StrategyWeight(campaign=campaign, strategy_id=key, weight=shares[key])
            for campaign in campaigns
            for key in sorted(known)
        ),
        update_conflicts=True, unique_fields=["campaign", "strategy"], update_fields=["weight"],
    )  # fmt: skip
    return len(campaigns)


def _colleagues_draft(*, draft: Draft) -> Draft | None:
    """A draft of the campaign to someone of the same company: colleagues compare what they get."""
    if draft.prospect.company_id is None:
        return None
    return (
        Draft.objects.filter(
            campaign_id=draft.campaign_id, prospect__company_id=draft.prospect.company_id, strategy__isnull=False
        )
        .exclude(pk=draft.pk)
        .select_related("strategy")
        .order_by("pk")
        .first()
    )


def assign(*, draft: Draft, rng: Random) -> Draft:
    """Give the draft a strategy, once. Propensities are by strategy id, as they were in this draw."""
    if draft.strategy_id is not None:
        return draft
    colleague = _colleagues_draft(draft=draft)
    if colleague is not None:
        draft.strategy, draft.propensities = colleague.strategy, colleague.propensities
    else:
        _draw(draft=draft, rng=rng)
    with transaction.atomic():
        Draft.objects.filter(pk=draft.pk, strategy__isnull=True).update(
            strategy=draft.strategy, propensities=draft.propensities
        )
    return draft


def _draw(*, draft: Draft, rng: Random) -> None:
    shared(("weights-there", draft.campaign_id), lambda: ensure_weights(campaign=draft.campaign))
    drawn, rows = draw_for(campaign=draft.campaign, rng=rng)
    draft.strategy, draft.propensities = rows[drawn.key], dict(drawn.propensities)


def draw_for(*, campaign: Campaign, rng: Random) -> tuple[Drawn, dict[str, Strategy]]:
    """Draw one of the campaign's strategies by the stored weights. One query.

    Propensities name every strategy of the campaign: those that are retired, or that the campaign does without, with 0.
    """
    weighted = campaign.strategy_weights.select_related("strategy")
    rows = shared(("weights", campaign.pk), lambda: list(weighted))
    open_ids = {row.strategy_id for row in rows if row.allowed and row.strategy.retired_at is None}
    if not open_ids:
        # Every one it allowed was retired since: better any of the others than none.
        open_ids = {row.strategy_id for row in rows if row.strategy.retired_at is None} or {one.strategy_id for one in rows}
    weights = {str(row.strategy_id): row.weight if row.strategy_id in open_ids else 0.0 for row in rows}
    if not any(weights.values()):
        weights = {key: float(int(key) in open_ids) for key in weights}
    return draw_strategy(weights=weights, rng=rng), {str(row.strategy_id): row.strategy for row in rows}
