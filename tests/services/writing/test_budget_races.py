"""Midnight between a request and its answer; two workers that hold the same draft one after the other."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from decimal import Decimal
from random import Random

import pytest

from messaging.models import DraftState, ModelSpend
from messaging.writing.adapters.openai_model import Prices
from messaging.writing.domain.spending import Limits
from messaging.writing.queue import claim_drafts
from messaging.writing.services import lease_of, write_draft
from messaging.writing.spending import Purse
from tests.factories import NOW, a_campaign, a_policy, an_unwritten_draft
from tests.people import a_team
from tests.services.writing.model_server import ModelServer, model_server
from tests.services.writing.models import ANALYSIS, FAITHFUL, model_at

PRICES = Prices(prompt=Decimal(2), cached=Decimal(1), completion=Decimal(10))


@pytest.fixture
def server() -> Iterator[ModelServer]:
    with model_server() as running:
        running.will(lambda asked: ANALYSIS if "hooks" in str(asked["response_format"]) else FAITHFUL)
        yield running


@pytest.mark.django_db
def test_what_was_set_aside_before_midnight_is_released_after_it() -> None:
    campaign = a_campaign(team=a_team())
    late = NOW.replace(hour=23, minute=59)
    times = iter([late, late + timedelta(minutes=2)])
    purse = Purse(campaign.team_id, campaign.pk, Limits(daily=Decimal(1)), lambda: next(times))
    assert purse.set_aside(Decimal("0.4")) is None
    purse.settle(price=Decimal("0.4"), cost=Decimal("0.1"))
    assert list(ModelSpend.objects.values_list("day", "spent", "aside")) == [(late.date(), Decimal("0.1"), Decimal(0))]


@pytest.mark.django_db(transaction=True)
def test_two_workers_at_one_draft_write_it_once(server: ModelServer) -> None:
    team = a_team()
    a_policy(team=team)
    draft = an_unwritten_draft(campaign=a_campaign(team=team))
    model = model_at(server, prices=PRICES)
    (first,) = claim_drafts(now=NOW, limit=1, only=[draft.pk], lease=lease_of(model=model))
    later = NOW + timedelta(seconds=400)
    (second,) = claim_drafts(now=later, limit=1, only=[draft.pk], lease=lease_of(model=model))
    new = write_draft(claimed=second, model=model, now=later, rng=Random(1), clock=lambda: later)
    old = write_draft(claimed=first, model=model, now=later, rng=Random(1), clock=lambda: later)
    assert (new.outcome, old.outcome) == (DraftState.READY, "lost")
    assert draft.revisions.count() == 1
