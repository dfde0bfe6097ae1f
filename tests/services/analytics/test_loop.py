"""The loop against the database: what happened becomes counts, counts become a proposal, a person decides."""

from __future__ import annotations

import json
import random
from datetime import datetime, timedelta
from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.db import DatabaseError, transaction
from scipy.stats import chisquare

from analytics import services
from analytics.models import AppliedWeights, Computation, DayCell, Exposure, FrozenArm, Outcome, Proposal
from analytics.reading import kinds_of, read_everything
from analytics.rollup import roll_up
from messaging.delivery.ports import Accepted
from messaging.models import Delivery, Draft, Reply, StrategyWeight
from messaging.writing.domain.strategy import draw_strategy
from messaging.writing.strategies import ensure_weights
from outreach.teams.domain.refusal import Refusal
from outreach.teams.models import AuditEvent
from tests.factories import NOW
from tests.people import a_member, a_team
from tests.services.analytics.scenes import TODAY, a_market
from tests.services.delivery.scenes import DUE, Fake, a_delivery, send
from tests.services.replies.scenes import answered

pytestmark = pytest.mark.django_db
NOON = datetime.fromisoformat("2026-11-20T12:00:00+00:00")


def a_drawn_delivery() -> Delivery:
    """In the outbox, written under a strategy that was drawn."""
    delivery = a_delivery()
    ensure_weights(campaign=delivery.draft.campaign)
    weights = StrategyWeight.objects.filter(campaign=delivery.draft.campaign)
    odds = {str(row.strategy_id): 1 / weights.count() for row in weights}
    Draft.objects.filter(pk=delivery.draft_id).update(strategy=weights[0].strategy, propensities=odds)
    return delivery


def sent(delivery: Delivery) -> Delivery:
    send(transport=Fake(Accepted(delivery.payload.message_id)))
    delivery.refresh_from_db()
    return delivery


def test_a_message_is_exposed_sent_and_answered_and_a_correction_is_counted_anew():
    delivery = sent(a_drawn_delivery())
    answered(delivery=delivery, text="Sounds good, send me a price.", at=DUE + timedelta(days=2, hours=1))
    assert services.sync(now=NOW) > 0
    cell = DayCell.objects.get()
    assert (cell.sent, cell.replied, cell.positive, cell.meetings, cell.optouts) == (1, 1, 1, 0, 0)
    assert cell.ages[2] == 1
    assert services.sync(now=NOW) == 0, "what was read is not read again"
    person = a_member(team=delivery.team).user
    Reply.objects.update(intent="not_interested", read_as="interested", corrected_by=person)
    services.sync(now=DUE + timedelta(days=3))
    cell.refresh_from_db()
    assert (cell.sent, cell.replied, cell.positive, cell.meetings) == (1, 1, 0, 0)
    Reply.objects.update(intent="meeting_booked")
    services.sync(now=DUE + timedelta(days=3))
    cell.refresh_from_db()
    assert (cell.replied, cell.positive, cell.meetings) == (1, 1, 1)


def test_a_reply_after_the_window_is_no_outcome_of_it():
    delivery = sent(a_drawn_delivery())
    answered(delivery=delivery, text="Sounds good, send me a price.", at=DUE + timedelta(days=40))
    services.sync(now=NOW)
    cell = DayCell.objects.get()
    assert (cell.sent, cell.replied, cell.positive, cell.ages[28]) == (1, 0, 0, 1)


def test_an_outcome_waits_for_its_sending():
    delivery = a_drawn_delivery()
    read_everything(now=NOW)
    exposure = Exposure.objects.get(draft=delivery.draft)
    Outcome.objects.create(exposure=exposure, kind="reply", at=DUE + timedelta(days=1), source="early")
    assert roll_up() == 0
    sent(delivery)
    services.sync(now=NOW)
    assert DayCell.objects.get().replied == 1
    assert not Outcome.objects.filter(counted=False).exists()


@pytest.mark.parametrize(
    ("kind", "intent", "counts"),
    [
        ("human", "interested", {"reply", "positive"}), ("human", "meeting_booked", {"reply", "positive", "meeting"}),
        ("human", "not_interested", {"reply"}), ("human", "unsubscribe", {"reply", "optout"}),
        ("unsubscribe", "", {"reply", "optout"}), ("complaint", "", {"complaint", "optout"}),
    ],
)  # fmt: skip
def test_what_a_reply_counts_as(kind, intent, counts):
    assert kinds_of(kind=kind, intent=intent) == counts


def test_exposures_and_outcomes_cannot_be_changed():
    sent(a_drawn_delivery())
    services.sync(now=NOW)
    for change in (lambda: Exposure.objects.update(persona="chief"), lambda: Outcome.objects.update(amount=-1)):
        with pytest.raises(DatabaseError, match="Cannot update"), transaction.atomic():
            change()


def test_a_better_strategy_is_confirmed_proposed_approved_followed_and_rolled_back():
    team = a_team()
    member = a_member(team=team, role="manager")
    keys = ["three-layers", "context-only"]
    strategies = a_market(team=team, rates=dict(zip(keys, (0.10, 0.05), strict=True)))
    better, other = strategies
    services._apply(team=team, weights={str(better.pk): 0.2, str(other.pk): 0.8}, why="Start", incumbent=str(other.pk))
    computed = services.retune(team=team, now=NOON)
    assert computed is not None
    proposal = computed.proposal
    assert proposal is not None, "a promotion waits for a person"
    arm = next(arm for arm in proposal.snapshot["arms"] if arm["key"] == str(better.pk))
    assert arm["state"] == "confirmed"
    assert arm["lift"][0] > 1
    assert services.present_shares(team=team)[str(better.pk)] == pytest.approx(0.2), "nothing was applied"
    assert isinstance(
        services.approve(member=a_member(team=team, role="writer"), proposal_id=proposal.pk, now=NOON), Refusal
    )
    assert isinstance(
        services.approve(member=a_member(team=a_team(), role="manager"), proposal_id=proposal.pk, now=NOON), Refusal
    )
    applied = services.approve(member=member, proposal_id=proposal.pk, now=NOON)
    assert isinstance(applied, AppliedWeights)
    assert services.present_shares(team=team) == pytest.approx(applied.weights)
    assert isinstance(services.approve(member=member, proposal_id=proposal.pk, now=NOON), Refusal), "once"
    shares = services.present_shares(team=team)
    rng = random.Random(4)
    drawn = [draw_strategy(weights=shares, rng=rng).key for _ in range(2000)]
    counts = [drawn.count(key) for key in shares]
    assert chisquare(counts, [2000 * share for share in shares.values()]).pvalue > 0.001
    back = services.roll_back(member=member, number=2)
    assert isinstance(back, AppliedWeights)
    assert services.present_shares(team=team)[str(better.pk)] == pytest.approx(0.2)
    assert AuditEvent.objects.filter(team=team, action="weights.applied").count() == 3


def test_too_few_outcomes_lead_to_no_claim_and_say_how_long_it_takes():
    team = a_team()
    a_market(team=team, rates={"three-layers": 0.06, "context-only": 0.05}, weekly=40, weeks=4)
    computed = services.retune(team=team, now=NOON, apply=False)
    assert computed is not None
    states = {arm.state for arm in computed.judgement.arms}
    assert "confirmed" not in states
    assert any("at this rate" in arm.needs for arm in computed.judgement.arms)
    assert all(arm.lift is None for arm in computed.judgement.arms)


def test_an_arm_that_people_leave_over_is_frozen_told_and_lifted_by_a_manager():
    team = a_team()
    strategies = a_market(
        team=team,
        rates={"three-layers": 0.05, "context-only": 0.05},
        weeks=8,
        optouts={"three-layers": 0.03, "context-only": 0.003},
    )
    bad, good = strategies
    services._apply(team=team, weights={str(bad.pk): 0.5, str(good.pk): 0.5}, why="Start", incumbent=str(good.pk))
    services.retune(team=team, now=NOON)
    frozen = FrozenArm.objects.get()
    assert frozen.strategy == bad
    assert "asked to be left alone" in frozen.reason
    assert AuditEvent.objects.filter(team=team, action="strategy.frozen").exists()
    judged = services.judgement_of(team=team, today=TODAY)
    assert judged is not None
    assert judged.weights[str(bad.pk)] == 0
    assert isinstance(
        services.lift_freeze(member=a_member(team=team, role="writer"), frozen_id=frozen.pk, now=NOON), Refusal
    )
    assert isinstance(
        services.lift_freeze(member=a_member(team=team, role="manager"), frozen_id=frozen.pk, now=NOON), FrozenArm
    )


def test_a_decline_needs_a_reason_and_a_newer_proposal_replaces_an_older_one():
    team = a_team()
    better, other = a_market(team=team, rates={"three-layers": 0.10, "context-only": 0.05})
    services._apply(team=team, weights={str(better.pk): 0.2, str(other.pk): 0.8}, why="Start", incumbent=str(other.pk))
    member = a_member(team=team, role="manager")
    first = services.retune(team=team, now=NOON)
    second = services.retune(team=team, now=NOON)
    assert first is not None
    assert second is not None
    assert first.proposal is not None
    assert second.proposal is not None
    assert [row.state for row in Proposal.objects.order_by("pk")] == ["replaced", "open"]
    assert isinstance(services.decline(member=member, proposal_id=second.proposal.pk, reason=" ", now=NOON), Refusal)
    declined = services.decline(
        member=member, proposal_id=second.proposal.pk, reason="We change the offer first.", now=NOON
    )
    assert isinstance(declined, Proposal)
    assert declined.state == "declined"


def test_small_moves_apply_themselves_within_the_budget():
    team = a_team()
    better, other = a_market(team=team, rates={"three-layers": 0.06, "context-only": 0.05}, weekly=200, weeks=10)
    services._apply(team=team, weights={str(better.pk): 0.5, str(other.pk): 0.5}, why="Start", incumbent=str(other.pk))
    computed = services.retune(team=team, now=NOON)
    assert computed is not None
    assert computed.proposal is None
    assert computed.applied is not None
    assert computed.applied.applied_by is None
    assert services.present_shares(team=team) == pytest.approx(computed.judgement.weights)


def test_the_command_proposes_and_applies_nothing():
    team = a_team()
    a_market(team=team, rates={"three-layers": 0.10, "context-only": 0.05})
    before = services.present_shares(team=team)
    out = StringIO()
    call_command("retune", "--team", team.slug, "--json", stdout=out)
    found = json.loads(out.getvalue())
    assert {"proposal", "effects", "guardrails"} <= set(found)
    assert [effect["name"] for effect in found["effects"]] == ["milestone"]
    assert services.present_shares(team=team) == before
    assert not Proposal.objects.exists()
    with pytest.raises(CommandError, match="There is no team 'nobody'"):
        call_command("retune", "--team", "nobody")


def test_a_draft_without_a_drawn_strategy_is_no_exposure():
    a_delivery()
    read_everything(now=NOW)
    assert not Exposure.objects.exists()


def _weigh(team, strategies, shares, incumbent):
    weights = {str(one.pk): share for one, share in zip(strategies, shares, strict=True)}
    services._apply(team=team, weights=weights, why="Start", incumbent=str(incumbent.pk))


def test_a_stopped_strategy_gets_nothing_at_once_and_stays_out_of_what_is_put_into_force():
    team = a_team()
    keys = ["three-layers", "context-only", "milestone-short"]
    rates = dict(zip(keys, (0.05, 0.05, 0.12), strict=True))
    bad, good, best = a_market(team=team, rates=rates, weekly=1200, weeks=20, optouts={keys[0]: 0.03, keys[1]: 0.003})
    _weigh(team, (bad, good, best), (0.3, 0.4, 0.3), good)
    member = a_member(team=team, role="manager")
    computed = services.retune(team=team, now=NOON)
    assert computed is not None
    assert computed.proposal is not None, "the confirmed one waits for a person"
    assert services.present_shares(team=team) == pytest.approx(
        {str(bad.pk): 0, str(good.pk): 4 / 7, str(best.pk): 3 / 7}
    ), "the stop does not"
    wanted = {str(bad.pk): 0.2, str(good.pk): 0.2, str(best.pk): 0.6}
    refused = services.approve(member=member, proposal_id=computed.proposal.pk, now=NOON, weights=wanted)
    assert isinstance(refused, Refusal)
    assert refused.code == "frozen"
    back = services.roll_back(member=member, number=2)
    assert isinstance(back, AppliedWeights)
    assert services.present_shares(team=team)[str(bad.pk)] == 0


def test_what_was_sent_before_a_stop_was_lifted_does_not_stop_it_again():
    team = a_team()
    keys = ["three-layers", "context-only"]
    bad, good = a_market(team=team, rates=dict.fromkeys(keys, 0.05), weeks=8, optouts={keys[0]: 0.03, keys[1]: 0.003})
    _weigh(team, (bad, good), (0.5, 0.5), good)
    services.retune(team=team, now=NOON)
    lifted = services.lift_freeze(
        member=a_member(team=team, role="manager"), frozen_id=FrozenArm.objects.get().pk, now=NOON
    )
    assert isinstance(lifted, FrozenArm)
    services.retune(team=team, now=NOON + timedelta(days=1))
    assert FrozenArm.objects.count() == 1
    newest = DayCell.objects.filter(strategy=bad).latest("sent_on")
    DayCell.objects.filter(pk=newest.pk).update(complaints=1, optouts=0, sent_on=TODAY + timedelta(days=1))
    services.retune(team=team, now=NOON + timedelta(days=2))
    assert "complaint" in FrozenArm.objects.get(lifted_at=None).reason


def test_exploration_promotes_nobody():
    """A challenger that grows beyond the incumbent by itself stays a challenger until a person approves it."""
    team = a_team()
    better, other = a_market(team=team, rates={"three-layers": 0.075, "context-only": 0.05}, weekly=200, weeks=10)
    StrategyWeight.objects.filter(strategy=other).update(weight=1.1)
    computed = services.retune(team=team, now=NOON)
    assert computed is not None
    assert computed.applied is not None
    assert services.present_shares(team=team)[str(better.pk)] > 0.5
    judged = services.judgement_of(team=team, today=TODAY)
    assert judged is not None
    assert {arm.key: arm.incumbent for arm in judged.arms} == {str(better.pk): False, str(other.pk): True}


def test_going_back_behind_a_promotion_takes_it_back():
    team = a_team()
    keys = ["three-layers", "context-only"]
    better, other = a_market(
        team=team, rates=dict(zip(keys, (0.10, 0.05), strict=True)), optouts=dict.fromkeys(keys, 0.005)
    )
    _weigh(team, (better, other), (0.2, 0.8), other)
    member = a_member(team=team, role="manager")
    computed = services.retune(team=team, now=NOON)
    assert computed is not None
    assert computed.proposal is not None
    approved = services.approve(member=member, proposal_id=computed.proposal.pk, now=NOON)
    assert isinstance(approved, AppliedWeights)
    assert approved.incumbent_id == better.pk
    back = services.roll_back(member=member, number=2)
    assert isinstance(back, AppliedWeights)
    assert back.incumbent_id == other.pk


def test_a_computation_is_asked_for_once_done_by_a_worker_and_shown():
    team = a_team()
    a_market(team=team, rates={"three-layers": 0.10, "context-only": 0.05})
    assert isinstance(services.ask(member=a_member(team=team, role="writer"), now=NOON), Refusal)
    member = a_member(team=team, role="manager")
    services.ask(member=member, now=NOON)
    services.ask(member=member, now=NOON)
    waiting = Computation.objects.get()
    Computation.objects.update(started_at=NOON)
    assert services.compute_waiting(now=NOON + timedelta(minutes=5)) == 0, "somebody is at it"
    assert services.compute_waiting(now=NOON + timedelta(minutes=11)) == 1, "who has gone is replaced"
    waiting.refresh_from_db()
    assert waiting.done_at is not None
    assert len(waiting.result["arms"]) == 2
    assert waiting.result["tables"]["hook"][0]["sent"] == 300 * 30
    assert services.compute_waiting(now=NOON) == 0
