"""The pages of the loop: what they say, who may act on them, what they cost."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from analytics import services
from analytics.models import AppliedWeights, Computation, FrozenArm, Proposal
from tests.people import a_member, a_team, signed_in
from tests.services.analytics.scenes import a_market

pytestmark = pytest.mark.django_db
RATES = {"three-layers": 0.10, "context-only": 0.05}
PAGES = (
    "insights",
    "truth",
    "effects",
    "strategies",
    "plan",
    "effects_csv",
    "counts_csv",
    "strategies_csv",
    "allocation_csv",
)


def a_proposal(**market):
    """A team with a confirmed challenger that waits for a manager."""
    team = a_team()
    better, other = a_market(
        team=team, rates=RATES, today=timezone.now().date(), optouts=dict.fromkeys(RATES, 0.005), **market
    )
    weights = {str(better.pk): 0.2, str(other.pk): 0.8}
    services._apply(team=team, weights=weights, why="Start", incumbent=str(other.pk))
    services.retune(team=team, now=timezone.now())
    return Proposal.objects.get(team=team, state="open")


def page(client, team, name="strategies", **where):
    return client.get(reverse(f"analytics:{name}", kwargs={"team": team.slug, **where}))


def post(client, team, name, data=None, **where):
    return client.post(reverse(f"analytics:{name}", kwargs={"team": team.slug, **where}), data or {})


def as_(role, team):
    return signed_in(user=a_member(team=team, role=role).user)


@pytest.mark.parametrize("name", PAGES)
def test_every_page_is_for_members_alone(name):
    team = a_team()
    assert page(as_("analyst", team), team, name).status_code == 200
    assert page(as_("admin", a_team()), team, name).status_code == 404


@pytest.mark.parametrize("name", ["strategies", "effects", "plan", "strategies_csv", "counts_csv"])
def test_a_page_costs_the_same_however_much_there_is(name, django_assert_max_num_queries):
    proposal = a_proposal()
    for number in range(3, 30):
        AppliedWeights.objects.create(team=proposal.team, number=number, weights=proposal.weights, why="Before")
    client = as_("manager", proposal.team)
    with django_assert_max_num_queries(10):
        assert page(client, proposal.team, name).status_code == 200


def test_an_empty_team_is_told_what_to_do():
    team = a_team()
    client = as_("manager", team)
    assert "Nothing was computed yet" in page(client, team).text
    assert "Open the strategies" in page(client, team, "effects").text
    post(client, team, "compute")
    assert "Being computed" in page(client, team).text
    services.compute_waiting(now=timezone.now())
    assert "No campaign of this team uses strategies" in page(client, team).text


def test_the_page_tells_what_is_known_and_what_it_rests_on():
    proposal = a_proposal()
    shown = page(as_("analyst", proposal.team), proposal.team).text
    for words in (
        "confirmed", "incumbent", "replies where it was an even draw", "A proposal waits", "becomes the incumbent",
        "A manager approves or declines it", "28 days", "<svg", "In force before",
    ):  # fmt: skip
        assert words in shown, words
    assert "Approve with" not in shown
    assert "Go back to it" not in shown


def test_little_is_called_little():
    team = a_team()
    a_market(team=team, rates=RATES, weekly=40, weeks=4, today=timezone.now().date())
    services.retune(team=team, now=timezone.now())
    client = as_("analyst", team)
    assert "at this rate" in page(client, team).text
    assert "too little to tell" in page(client, team).text
    effects = page(client, team, "effects").text
    assert "Too little to tell: 160 messages" in effects
    assert "<figure" not in effects


def test_effects_are_shown_with_their_tables():
    proposal = a_proposal()
    client = as_("analyst", proposal.team)
    shown = page(client, proposal.team, "effects").text
    assert "Milestone over other openings" in shown
    assert 'id="by-hook"' in shown
    lines = page(client, proposal.team, "counts_csv").text.splitlines()
    assert lines[0].lstrip("\ufeff") == "By,Value,Matured messages,Replied,Positive,Meetings,Opt-outs"
    assert "Hook type,milestone,9000,900,450,150,60" in lines
    assert page(client, proposal.team, "effects_csv").text.splitlines()[1].startswith("Milestone over")
    assert len(page(client, proposal.team, "strategies_csv").text.splitlines()) == 3
    assert "Week from,Strategy,Messages sent" in page(client, proposal.team, "allocation_csv").text


def test_who_does_not_manage_sees_and_cannot_act():
    proposal = a_proposal()
    team = proposal.team
    frozen = FrozenArm.objects.create(team=team, strategy_id=next(iter(proposal.weights)), reason="Too many left.")
    acts = (("compute", {}), ("approve", {"pk": proposal.pk}), ("decline", {"pk": proposal.pk}), ("roll_back", {"number": 1}),
            ("lift", {"pk": frozen.pk}))  # fmt: skip
    for role in ("analyst", "writer", "reviewer"):
        client = as_(role, team)
        assert "Too many left." in page(client, team).text
        assert [post(client, team, name, **where).status_code for name, where in acts] == [403] * 5
    stranger = as_("manager", a_team())
    assert [post(stranger, team, name, **where).status_code for name, where in acts] == [404] * 5
    elsewhere = a_team()
    own = as_("manager", elsewhere)
    assert [post(own, elsewhere, name, **where).status_code for name, where in acts[1:]] == [404] * 4
    proposal.refresh_from_db()
    assert proposal.state == "open"
    assert AppliedWeights.objects.filter(team=team).count() == 2


def test_a_manager_approves_with_other_shares_and_hears_what_does_not_add_up():
    proposal = a_proposal()
    better, other = proposal.weights
    client = as_("manager", proposal.team)
    wrong = post(client, proposal.team, "approve", {better: "70", other: "70"}, pk=proposal.pk)
    assert wrong.status_code == 422
    assert "The shares make 140%; they have to make 100%." in wrong.text
    assert 'value="70"' in wrong.text
    missing = post(client, proposal.team, "approve", {better: "x", other: "50"}, pk=proposal.pk)
    assert "Enter a number." in missing.text
    assert post(client, proposal.team, "approve", {better: "70", other: "30"}, pk=proposal.pk).status_code == 302
    assert services.present_shares(team=proposal.team) == pytest.approx({better: 0.7, other: 0.3})
    last = AppliedWeights.objects.latest("number")
    assert (last.why, str(last.incumbent_id)) == ("Proposal approved with other shares", better)
    again = post(client, proposal.team, "approve", {better: "70", other: "30"}, pk=proposal.pk)
    assert again.status_code == 422
    assert "already: Approved" in again.text


def test_shares_left_as_proposed_are_the_proposal():
    proposal = a_proposal()
    typed = {key: f"{100 * share:.1f}" for key, share in proposal.weights.items()}
    assert post(as_("manager", proposal.team), proposal.team, "approve", typed, pk=proposal.pk).status_code == 302
    assert AppliedWeights.objects.latest("number").weights == proposal.weights


def test_a_decline_needs_its_reason_and_shows_it():
    proposal = a_proposal()
    client = as_("manager", proposal.team)
    assert "Say why" in post(client, proposal.team, "decline", {"reason": " "}, pk=proposal.pk).text
    assert post(client, proposal.team, "decline", {"reason": "The offer changes."}, pk=proposal.pk).status_code == 302
    assert "The offer changes." in page(client, proposal.team).text
    assert "A proposal waits" not in page(client, proposal.team).text


def test_what_waits_for_long_is_told_and_what_is_done_reloads():
    team = a_team()
    client = as_("manager", team)
    post(client, team, "compute")
    assert "longer than usual" not in page(client, team, "waiting").text
    Computation.objects.update(asked_at=timezone.now() - timedelta(minutes=5))
    assert "longer than usual" in page(client, team, "waiting").text
    services.compute_waiting(now=timezone.now())
    assert page(client, team, "waiting")["HX-Refresh"] == "true"


def test_a_plan_is_answered_in_words_and_bad_figures_are_named():
    team = a_team()
    client = as_("analyst", team)
    here = reverse("analytics:plan", kwargs={"team": team.slug})
    found = client.get(here, {"weekly": 2000, "base": 5, "lift": 60, "strategies": 2}).text
    assert "weeks" in found
    assert "until a strategy with 8% replies is confirmed against one with 5%" in found
    small = client.get(here, {"weekly": 50, "base": 1, "lift": 10, "strategies": 2}).text
    assert "more than a year" in small
    wrong = client.get(here, {"weekly": 3, "base": 5, "lift": 60, "strategies": 2})
    assert wrong.status_code == 422
    assert "greater than or equal to 10" in wrong.text
