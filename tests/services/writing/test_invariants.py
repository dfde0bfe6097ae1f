"""The invariants of writing hold after writing, and notice what would break them."""

from __future__ import annotations

from random import Random

import pgtrigger
import pytest
from django.db.models import Value
from django.db.models.functions import Concat

from messaging.models import Draft, DraftState, Revision
from messaging.writing.invariants import invariants
from messaging.writing.services import write_due
from tests.factories import FALSE_BODY, NOW, a_campaign, a_draft, a_policy, a_prospect, an_unwritten_draft
from tests.people import a_team

pytestmark = pytest.mark.django_db


def broken() -> set[str]:
    return {rule.name for rule in invariants() if list(rule.broken())}


@pytest.fixture
def draft(db: None) -> Draft:
    team = a_team()
    a_policy(team=team)
    draft = an_unwritten_draft(campaign=a_campaign(team=team))
    write_due(model=None, now=NOW, rng=Random(7), clock=lambda: NOW)
    return draft


def test_they_hold_for_what_the_product_writes(draft: Draft) -> None:
    a_draft(campaign=draft.campaign, prospect=a_prospect(team=draft.team), body=FALSE_BODY)
    assert broken() == set()
    assert all(rule.rows() > 0 for rule in invariants())


@pytest.mark.parametrize(
    ("changes", "name"),
    [
        ({"state": DraftState.WRITING}, "lease_where_work_is"),
        ({"current": None, "state": DraftState.READY}, "shown_has_text"),
        ({"propensities": {"1": 0.4}}, "propensities"),
    ],
)
def test_a_broken_draft_is_found(draft: Draft, changes: dict[str, object], name: str) -> None:
    Draft.objects.filter(pk=draft.pk).update(**changes)
    assert name in broken()


def test_a_ready_draft_with_an_unverified_text_is_found(draft: Draft) -> None:
    false = a_draft(campaign=draft.campaign, prospect=a_prospect(team=draft.team), body=FALSE_BODY)
    Draft.objects.filter(pk=false.pk).update(state=DraftState.READY)
    assert broken() == {"ready_is_verified"}


def test_a_text_changed_behind_the_trigger_is_found(draft: Draft) -> None:
    with pgtrigger.ignore("messaging.Revision:immutable"):
        Revision.objects.filter(draft=draft).update(body=Concat("body", Value("!")))
    assert broken() == {"revision_hash"}
