"""Budgets stop the model, say so, and let it go on the next day; the ledger equals what was asked."""

from __future__ import annotations

import json
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timedelta
from decimal import Decimal
from random import Random
from threading import Barrier

import pytest
from django.db import connection
from django.db.models import Sum

from messaging.models import Draft, ModelCall, ModelSpend
from messaging.writing.adapters.openai_model import Prices
from messaging.writing.domain.spending import Limits
from messaging.writing.services import Written, write_due
from messaging.writing.spending import Purse
from tests.factories import NOW, a_campaign, a_policy, an_unwritten_draft
from tests.people import a_team
from tests.services.writing.model_server import ModelServer, failing, model_server
from tests.services.writing.models import ANALYSIS, FAITHFUL, message, model_at, plain

pytestmark = pytest.mark.django_db
PRICES = Prices(prompt=Decimal(2), cached=Decimal(1), completion=Decimal(10))
#: 600 fresh, 400 cached and 200 completed tokens, as the test server counts them.
ONE_CALL = Decimal("0.0036")


@pytest.fixture
def server() -> Iterator[ModelServer]:
    with model_server() as running:
        yield running


def a_waiting_draft(**policy: object) -> Draft:
    team = a_team()
    a_policy(team=team, **policy)
    return an_unwritten_draft(campaign=a_campaign(team=team))


def write(draft: Draft, server: ModelServer, at: datetime = NOW) -> Written:
    model = model_at(server, prices=PRICES)
    (written,) = write_due(only=[draft.pk], model=model, now=at, rng=Random(7), clock=lambda: at)
    draft.refresh_from_db()
    return written


def ledger() -> tuple[Decimal, Decimal]:
    sums = ModelSpend.objects.aggregate(spent=Sum("spent"), aside=Sum("aside"))
    return sums["spent"], sums["aside"]


def test_what_is_asked_stands_in_the_ledger_whatever_comes_back(server: ModelServer) -> None:
    draft = a_waiting_draft()
    server.will(ANALYSIS, message(plain("glue", "You are Chief of All at Pipewren. ")), failing(500), FAITHFUL)
    written = write(draft, server)
    assert (written.outcome, draft.fallback) == ("ready", False)
    assert ledger() == (3 * ONE_CALL, 0)
    assert ModelCall.objects.aggregate(cost=Sum("cost"))["cost"] == written.usage.cost == 3 * ONE_CALL


def test_a_used_up_budget_stops_the_model_says_so_and_goes_on_the_next_day(server: ModelServer) -> None:
    draft = a_waiting_draft(model_daily_budget=Decimal("0.05"))
    ModelSpend.objects.create(team=draft.team, campaign=draft.campaign, day=NOW.date(), spent=Decimal("0.04"))
    server.will(ANALYSIS, FAITHFUL)
    written = write(draft, server)
    assert (written.outcome, draft.state, server.requests) == ("waiting", "waiting", [])
    assert "budget of 0.05 a day is used up" in draft.state_reason
    tomorrow = datetime.combine(NOW.date() + timedelta(days=1), datetime.min.time(), NOW.tzinfo)
    assert draft.lease_until == tomorrow
    assert write(draft, server, at=tomorrow).outcome == "ready"
    assert not draft.fallback


def test_a_budget_of_nought_leaves_the_writing_to_the_composer(server: ModelServer) -> None:
    draft = a_waiting_draft(model_daily_budget=Decimal(0))
    written = write(draft, server)
    assert (written.outcome, draft.fallback, server.requests) == ("ready", True, [])
    assert "budget is nought" in written.fallback_reason


def test_a_campaigns_own_budget_stops_it_and_raising_it_lets_it_go_on(server: ModelServer) -> None:
    draft = a_waiting_draft()
    yesterday = NOW.date() - timedelta(days=1)
    ModelSpend.objects.create(team=draft.team, campaign=draft.campaign, day=yesterday, spent=Decimal(5))
    type(draft.campaign).objects.update(budget=Decimal(5))
    server.will(ANALYSIS, FAITHFUL)
    assert write(draft, server).outcome == "waiting"
    assert "for this campaign" in draft.state_reason
    assert draft.attempts == 0
    type(draft.campaign).objects.update(budget=Decimal(6))
    assert draft.lease_until is not None
    assert write(draft, server, at=draft.lease_until).outcome == "ready"


def test_another_campaigns_spending_counts_for_the_team(server: ModelServer) -> None:
    draft = a_waiting_draft(model_daily_budget=Decimal("0.05"))
    other = a_campaign(team=draft.team)
    ModelSpend.objects.create(team=draft.team, campaign=other, day=NOW.date(), spent=Decimal("0.04"))
    assert write(draft, server).outcome == "waiting"


def test_another_teams_spending_does_not(server: ModelServer) -> None:
    draft = a_waiting_draft(model_daily_budget=Decimal("0.05"))
    stranger = a_campaign(team=a_team())
    ModelSpend.objects.create(team=stranger.team, campaign=stranger, day=NOW.date(), spent=Decimal(40))
    server.will(ANALYSIS, FAITHFUL)
    assert write(draft, server).outcome == "ready"


@pytest.mark.django_db(transaction=True)
def test_many_at_once_never_set_aside_more_than_there_is() -> None:
    draft = a_waiting_draft()
    purse = Purse(draft.team_id, draft.campaign_id, Limits(daily=Decimal(5)), lambda: NOW)
    start = Barrier(8)

    def ask(_number: int) -> bool:
        try:
            start.wait(30)
            return purse.set_aside(Decimal(1)) is None
        finally:
            connection.close()

    with ThreadPoolExecutor(8) as pool:
        assert sum(pool.map(ask, range(8))) == 5
    assert ledger() == (0, 5)


def test_a_team_writes_with_the_model_it_named(server: ModelServer) -> None:
    draft = a_waiting_draft(model_base_url=server.url, model_name="their-own")
    server.will(ANALYSIS, FAITHFUL)
    asked: list[str] = []

    def own(access: object) -> object:
        asked.append(repr(access))
        return model_at(server)

    (written,) = write_due(only=[draft.pk], model=None, own=own, now=NOW, rng=Random(7), clock=lambda: NOW)
    assert (written.outcome, written.fallback, len(server.requests)) == ("ready", False, 2)
    assert "their-own" in asked[0]
    assert json.dumps(asked).count("key=") == 0
