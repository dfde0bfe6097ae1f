"""Strategies as data: versions that never change, retiring, restricting, and draws whose odds are on every draft."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest
from django.db import DatabaseError, transaction
from pytest_django.fixtures import DjangoAssertNumQueries
from scipy.stats import chisquare

from analytics.models import Exposure
from analytics.reading import read_exposures
from messaging.models import Draft, Strategy, StrategyWeight
from messaging.writing.domain.strategy import StrategyParameters, as_json, read_parameters
from messaging.writing.services import write_due
from messaging.writing.strategies import draw_for, ensure_weights
from messaging.writing.tuning import (
    bring_back_strategy,
    restrict_campaign,
    retire_strategy,
    save_strategy,
    strategies_of,
    weights_of,
)
from outreach.campaigns.models import Campaign
from outreach.teams.access import Member
from outreach.teams.domain.refusal import Refusal
from outreach.teams.models import AuditEvent, Team
from prospects.models import Company
from tests.factories import NOW, a_campaign, a_policy, a_prospect, an_unwritten_draft
from tests.people import a_member, a_team

pytestmark = pytest.mark.django_db


@pytest.fixture
def mara(team: Team) -> Member:
    return a_member(team=team, role="manager")


@pytest.fixture
def campaign(team: Team) -> Campaign:
    campaign = a_campaign(team=team)
    ensure_weights(campaign=campaign)
    return campaign


def code(result: object) -> str:
    assert isinstance(result, Refusal), result
    return result.code


def saved(member: Member, **changes: object) -> Strategy:
    values: dict[str, object] = {"name": "Short and warm", "parameters": {"tone": "warm", "depth": 1}, **changes}
    row = save_strategy(member=member, now=NOW, **values)  # type: ignore[arg-type]
    assert isinstance(row, Strategy), row
    return row


def shipped(team: Team, key: str = "balanced") -> Strategy:
    return strategies_of(team=team).get(key=key, version=1)


def test_an_edit_is_a_new_version_that_takes_the_place_of_the_old_one(mara: Member, campaign: Campaign) -> None:
    old = shipped(mara.team)
    StrategyWeight.objects.filter(strategy=old).update(weight=3)
    new = saved(mara, name="Balanced", earlier_id=old.pk)
    old.refresh_from_db()
    assert (new.key, new.version, new.created_by) == (old.key, 2, mara.user)
    assert (old.parameters, old.retired_at) == (as_json(StrategyParameters()), NOW)
    assert StrategyWeight.objects.get(strategy=new, campaign=campaign).weight == 3
    assert old.pk not in {one.strategy_id for one in weights_of(campaign=campaign)}
    actions = AuditEvent.objects.filter(team=mara.team).order_by("pk").values_list("action", flat=True)
    assert list(actions) == ["strategy.saved", "strategy.retired"]


def test_both_versions_can_be_compared(mara: Member, campaign: Campaign) -> None:
    old = shipped(mara.team)
    new = saved(mara, earlier_id=old.pk, keep_earlier=True)
    assert {old.pk, new.pk} <= {one.strategy_id for one in weights_of(campaign=campaign)}


def test_a_strategy_of_ones_own_starts_with_the_mean_weight_and_a_key_of_its_own(mara: Member, campaign: Campaign) -> None:
    first, second = saved(mara), saved(mara)
    assert (first.key, second.key) == ("short-and-warm", "short-and-warm-2")
    assert StrategyWeight.objects.get(strategy=first, campaign=campaign).weight == 1
    assert read_parameters(first.parameters) == StrategyParameters(tone="warm", depth=1)


def test_the_database_keeps_what_a_version_says(team: Team) -> None:
    row = shipped(team)
    for change in ({"parameters": {}}, {"name": "Other"}, {"version": 7}, {"key": "other"}):
        with pytest.raises(DatabaseError), transaction.atomic():
            Strategy.objects.filter(pk=row.pk).update(**change)


@pytest.mark.parametrize(
    ("parameters", "told"),
    [({"tone": "shrill"}, "tone"), ({"depth": 9}, "depth"), ({"layers": []}, "layers"), ({"few_shot": "x"}, "few_shot"),
     ({"nonsense": 1}, "Unknown"), ({"bands": {"fax": {}}}, "no such channel"), ({"prompt": -1}, "prompt")],
)  # fmt: skip
def test_parameters_that_cannot_be_read_are_refused_in_words(mara: Member, parameters: dict[str, object], told: str) -> None:
    refused = save_strategy(member=mara, name="x", parameters=parameters, now=NOW)
    assert isinstance(refused, Refusal)
    assert told in refused.message


def test_retired_ones_are_drawn_no_more_until_they_are_brought_back(mara: Member, campaign: Campaign) -> None:
    row = shipped(mara.team)
    assert isinstance(retire_strategy(member=mara, strategy_id=row.pk, now=NOW), Strategy)
    drawn, _rows = draw_for(campaign=campaign, rng=Random(1))
    assert drawn.propensities[str(row.pk)] == 0
    assert sum(drawn.propensities.values()) == pytest.approx(1)
    bring_back_strategy(member=mara, strategy_id=row.pk)
    assert draw_for(campaign=campaign, rng=Random(1))[0].propensities[str(row.pk)] == pytest.approx(0.2)


def test_the_last_strategy_of_a_team_or_a_campaign_is_not_retired(mara: Member, campaign: Campaign) -> None:
    only, *rest = weights_of(campaign=campaign)
    restrict_campaign(member=mara, campaign=campaign, strategy_ids=[only.strategy_id])
    refused = retire_strategy(member=mara, strategy_id=only.strategy_id, now=NOW)
    assert code(refused) == "last"
    assert campaign.name in str(refused)
    restrict_campaign(member=mara, campaign=campaign, strategy_ids=[one.strategy_id for one in (only, *rest)])
    for one in rest:
        assert isinstance(retire_strategy(member=mara, strategy_id=one.strategy_id, now=NOW), Strategy)
    assert code(retire_strategy(member=mara, strategy_id=only.strategy_id, now=NOW)) == "last"


def test_a_campaign_may_do_with_some_of_them(mara: Member, campaign: Campaign) -> None:
    chosen = [one.strategy_id for one in weights_of(campaign=campaign)][:2]
    assert restrict_campaign(member=mara, campaign=campaign, strategy_ids=chosen) == campaign
    odds = draw_for(campaign=campaign, rng=Random(1))[0].propensities
    assert {int(key) for key, odd in odds.items() if odd} == set(chosen)
    assert len(odds) == 5
    assert code(restrict_campaign(member=mara, campaign=campaign, strategy_ids=[])) == "invalid"
    assert AuditEvent.objects.get(action="campaign.strategies").details["allowed"] == sorted(chosen)
    new = saved(mara)
    assert not StrategyWeight.objects.get(strategy=new, campaign=campaign).allowed


def test_who_does_not_manage_and_who_is_of_another_team_changes_nothing(team: Team, campaign: Campaign) -> None:
    row = shipped(team)
    writer, stranger = a_member(team=team, role="writer"), a_member(team=a_team(), role="manager")
    for member, expected in ((writer, "not-allowed"), (stranger, "not-found")):
        assert code(retire_strategy(member=member, strategy_id=row.pk, now=NOW)) == expected
        assert code(bring_back_strategy(member=member, strategy_id=row.pk)) == expected
        assert code(save_strategy(member=member, name="x", parameters={}, earlier_id=row.pk, now=NOW)) == expected
        assert code(restrict_campaign(member=member, campaign=campaign, strategy_ids=[row.pk])) == expected
    assert not Strategy.objects.filter(team=team, version=2).exists()


def test_two_thousand_assignments_follow_the_stored_weights(campaign: Campaign) -> None:
    for weight, row in enumerate(campaign.strategy_weights.order_by("pk"), 1):
        StrategyWeight.objects.filter(pk=row.pk).update(weight=weight)
    rng = Random(20261201)
    odds = dict(draw_for(campaign=campaign, rng=Random(0))[0].propensities)
    counts = Counter(draw_for(campaign=campaign, rng=rng)[0].key for _ in range(2_000))
    assert sum(odds.values()) == pytest.approx(1)
    assert chisquare([counts[key] for key in odds], [2_000 * odd for odd in odds.values()]).pvalue > 0.01


def test_every_draft_logs_its_odds_and_what_it_was_eligible_for(team: Team) -> None:
    a_policy(team=team)
    campaign = a_campaign(team=team)
    for number in range(6):
        company = Company.objects.create(team=team, normalized_name=f"works{number}", name="Pipewren")
        an_unwritten_draft(campaign=campaign, prospect=a_prospect(team=team, company=company))
    write_due(model=None, now=NOW, rng=Random(3), limit=6, clock=lambda: NOW)
    read_exposures()
    exposures = list(Exposure.objects.filter(team=team))
    assert {one.draft_id for one in exposures} == set(Draft.objects.filter(team=team).values_list("pk", flat=True))
    for one in exposures:
        assert sum(one.propensities.values()) == pytest.approx(1)
        assert one.propensities[str(one.strategy_id)] > 0
        assert {"length", "hook", "tone", "depth", "layers", "eligible", "short"} <= set(one.attributes)
        assert set(one.attributes["layers"]) <= set(one.eligible) | {"contextual"}
        assert one.eligible == one.attributes["eligible"]


def test_a_draw_costs_one_query(campaign: Campaign, django_assert_num_queries: DjangoAssertNumQueries) -> None:
    with django_assert_num_queries(1):
        draw_for(campaign=campaign, rng=Random(1))
