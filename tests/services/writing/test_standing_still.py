"""Drafts of people and campaigns that stand still: kept while paused, ended when finished, and holding no other up."""

from __future__ import annotations

from datetime import timedelta
from random import Random

import pytest

from messaging.enrolment.services import release_finished
from messaging.enrolment.services.sequences import Action, act_on, advance_due
from messaging.models import Draft, Enrolment
from messaging.review.services.lapsing import recheck_changed_offers
from messaging.writing.queue import claim_drafts, request_follow_ups
from messaging.writing.services import sweep, write_draft, write_due
from outreach.campaigns.domain.offer import ProofPoint
from outreach.campaigns.models import Campaign, OfferChange
from outreach.campaigns.services import save_proof
from outreach.teams.models import Team
from tests.factories import NOW, a_campaign, a_draft, a_policy, a_prospect, an_unwritten_draft
from tests.people import a_member
from tests.services.enrolment.test_sequences import sent, with_steps

pytestmark = pytest.mark.django_db


@pytest.fixture
def campaign(team: Team) -> Campaign:
    a_policy(team=team)
    return a_campaign(team=team)


def pause_or_resume(campaign: Campaign, draft: Draft, action: Action) -> None:
    member = a_member(team=campaign.team, role="writer")
    act_on(member=member, campaign=campaign, enrolment_ids=[draft.enrolment_id], action=action, now=NOW)


def test_who_is_paused_before_the_draft_is_written_has_it_written_afterwards(campaign: Campaign) -> None:
    draft = an_unwritten_draft(campaign=campaign)
    pause_or_resume(campaign, draft, Action.PAUSE)
    assert write_due(model=None, now=NOW, rng=Random(1), limit=5) == ()
    pause_or_resume(campaign, draft, Action.RESUME)
    assert [one.outcome for one in write_due(model=None, now=NOW, rng=Random(1), limit=5)] == ["ready"]


def test_who_is_paused_once_a_worker_has_the_draft_keeps_it_waiting(campaign: Campaign) -> None:
    draft = an_unwritten_draft(campaign=campaign)
    claimed = claim_drafts(now=NOW, limit=1)[0]
    pause_or_resume(campaign, draft, Action.PAUSE)
    assert write_draft(claimed=claimed, model=None, now=NOW, rng=Random(1)).outcome == "waiting"
    pause_or_resume(campaign, draft, Action.RESUME)
    assert [one.outcome for one in write_due(model=None, now=NOW, rng=Random(1))] == ["ready"]


def test_a_finished_campaign_leaves_nothing_to_write_or_to_read(campaign: Campaign) -> None:
    waits, read = an_unwritten_draft(campaign=campaign), a_draft(campaign=campaign)
    other = a_draft(campaign=a_campaign(team=campaign.team))
    Campaign.objects.filter(pk=campaign.pk).update(status="finished")
    assert release_finished() == 2
    told = {one.pk: (one.state, one.state_reason) for one in Draft.objects.all()}
    ended = ("cancelled", "The campaign was finished.")
    assert (told[waits.pk], told[read.pk], told[other.pk][0]) == (ended, ended, "ready")


@pytest.mark.parametrize("standing", ["over", "full", "without a message", "without the step"])
def test_people_nobody_may_write_to_hold_no_follow_up_up(standing: str, team: Team) -> None:
    stands = with_steps(a_campaign(team=team), ("email", 0, "always"))
    for _number in range(3):
        sent(stands, at=NOW - timedelta(days=9))
    advance_due(now=NOW - timedelta(days=5))
    changes: dict[str, object] = {
        "over": {"ends_on": NOW.date() - timedelta(days=2)}, "full": {"drafts_per_day": 1},
    }.get(standing, {})  # fmt: skip
    Campaign.objects.filter(pk=stands.pk).update(**changes)
    if standing == "full":
        an_unwritten_draft(campaign=stands, prospect=a_prospect(team=team), state="blocked")
    if standing == "without a message":
        Draft.objects.filter(campaign=stands).update(state="cancelled")
    if standing == "without the step":
        stands.steps.filter(position=2).delete()
    goes_on = with_steps(a_campaign(team=team), ("email", 0, "always"))
    enrolment = sent(goes_on, at=NOW - timedelta(days=1))
    advance_due(now=NOW)
    assert request_follow_ups(now=NOW, campaigns=1, people=2) == 1
    assert Draft.objects.get(enrolment=enrolment, step=2).state == "waiting"


def test_a_text_begun_before_a_change_is_verified_again_after_it(campaign: Campaign) -> None:
    manager = a_member(team=campaign.team, role="manager")
    an_unwritten_draft(campaign=campaign)
    claimed = claim_drafts(now=NOW, limit=1)[0]
    later = NOW + timedelta(seconds=20)
    save_proof(
        member=manager, campaign=campaign, points=[ProofPoint("new", "Hearthdesk is free.", "Price list")],
        no_proof_needed=False, now=later,
    )  # fmt: skip
    recheck_changed_offers(now=later)
    assert OfferChange.objects.get().settled_at is not None
    assert write_draft(claimed=claimed, model=None, now=NOW, rng=Random(1)).outcome == "ready"
    recheck_changed_offers(now=later + timedelta(seconds=20))
    change = OfferChange.objects.get()
    assert (change.checked, change.settled_at is not None) == (1, True)


def test_a_sweep_cancels_what_a_finished_campaign_left(campaign: Campaign) -> None:
    draft = an_unwritten_draft(campaign=campaign)
    Campaign.objects.filter(pk=campaign.pk).update(status="finished")
    assert sweep(now=NOW) == ()
    assert Draft.objects.get(pk=draft.pk).state == "cancelled"
    assert Enrolment.objects.get(pk=draft.enrolment_id).state == "finished"
