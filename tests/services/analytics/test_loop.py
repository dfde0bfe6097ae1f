"""The loop against the database: what happened becomes counts, counts become a proposal, a person decides."""

from __future__ import annotations

import json
import random
from datetime import date, datetime, timedelta
from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.db import DatabaseError, transaction
from scipy.stats import chisquare

from analytics import services
from analytics.domain.attributes import odds_key
from analytics.models import AppliedWeights, DayCell, Exposure, FrozenArm, Outcome, Proposal
from analytics.reading import kinds_of, read_everything
from analytics.rollup import roll_up
from messaging.delivery.ports import Accepted
from messaging.models import Delivery, Draft, Reply, Strategy, StrategyWeight
from messaging.writing.domain.strategy import draw_strategy
from messaging.writing.strategies import ensure_weights
from outreach.teams.domain.refusal import Refusal
from outreach.teams.models import AuditEvent, Team
from tests.factories import NOW, a_campaign
from tests.people import a_member, a_team
from tests.services.delivery.scenes import DUE, Fake, a_delivery, send
from tests.services.replies.scenes import answered

pytestmark = pytest.mark.django_db
TODAY = date(2026, 11, 20)
NOON = datetime.fromisoformat("2026-11-20T12:00:00+00:00")


def a_market(
    *, team: Team, rates: dict[str, float], weekly: int = 600, weeks: int = 30, optouts: dict[str, float] | None = None
) -> list[Strategy]:
    """Whole months of outcomes at exact rates, under equal odds."""
    campaign = a_campaign(team=team)
    ensure_weights(campaign=campaign)
    strategies = [Strategy.objects.get(team=team, key=key) for key in rates]
    StrategyWeight.objects.filter(campaign=campaign).exclude(strategy__in=strategies).delete()
    odds = {str(one.pk): 1 / len(strategies) for one in strategies}
    for one in strategies:
        for week in range(weeks):
            sent = weekly // len(strategies)
            replied = round(sent * rates[one.key])
            ages = [replied // 2, replied - replied // 2, *[0] * 27]
            DayCell.objects.create(
                team=team,
                sent_on=TODAY - timedelta(days=30 + 7 * week),
                strategy=one,
                campaign=campaign,
                channel="email",
                language="en",
                persona="manager",
                fallback=False,
                edited=False,
                alike=f"{one.pk}",
                odds=odds_key(odds),
                propensities=odds,
                attributes={"hook": "milestone" if one == strategies[0] else "profile", "depth": 2, "layers": []},
                sent=sent,
                replied=replied,
                positive=replied // 2,
                meetings=replied // 6,
                optouts=round(sent * (optouts or {}).get(one.key, 0.0)),
                ages=ages,
            )
    return strategies


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
    assert isinstance(services.approve(member=a_member(team=a_team(), role="manager"), proposal_id=proposal.pk, now=NOON), Refusal)
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
    assert any("weeks at this rate" in arm.needs for arm in computed.judgement.arms)
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
