"""Pages on which managers tune writing: levels of quality rules, strategies, and what a campaign uses."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse
from pytest_django.fixtures import DjangoAssertNumQueries

from messaging.models import Strategy
from messaging.writing.forms import StrategyForm
from messaging.writing.tuning import strategies_of, weights_of
from outreach.campaigns.queries import policy_of
from outreach.teams.access import Member
from outreach.teams.models import Team
from tests.factories import a_campaign
from tests.people import a_member, signed_in


def url(name: str, **values: object) -> str:
    return reverse(name, kwargs={"team": "north", **values})


@pytest.fixture
def mara(team: Team) -> Member:
    return a_member(team=team, role="manager")


@pytest.fixture
def client(mara: Member) -> Client:
    return signed_in(user=mara.user)


PAGES = ["tuning:quality", "tuning:strategies", "tuning:new_strategy"]


@pytest.mark.parametrize("role", ["admin", "manager", "writer", "reviewer", "analyst"])
def test_managers_tune_and_nobody_else(team: Team, role: str) -> None:
    visitor = signed_in(user=a_member(team=team, role=role).user)
    expected = 200 if role in ("admin", "manager") else 403
    assert {name: visitor.get(url(name)).status_code for name in PAGES} == dict.fromkeys(PAGES, expected)


def entered(form: StrategyForm, **changes: object) -> dict[str, object]:
    values = {name: form.get_initial_for_field(field, name) for name, field in form.fields.items()}
    return {**{name: value for name, value in values.items() if value is not None}, **changes}


def test_levels_are_saved_and_shown(client: Client, team: Team) -> None:
    page = client.get(url("tuning:quality"))
    values = {name: field.initial for name, field in page.context["form"].fields.items()}
    assert client.post(url("tuning:quality"), {**values, "jargon": "block"}).status_code == 302
    assert policy_of(team=team).quality_levels == {"jargon": "block"}
    assert client.get(url("tuning:quality")).context["form"]["jargon"].value() == "block"
    assert client.post(url("tuning:quality"), {**values, "superlative": "warn"}).status_code == 302
    assert "wait for a second person" in client.get(url("tuning:quality")).text
    assert client.get(url("home:settings:policy")).status_code == 200
    wrong = client.post(url("tuning:quality"), {**values, "jargon": "off"})
    assert wrong.status_code == 422


def test_a_strategy_is_edited_as_a_new_version(client: Client, team: Team) -> None:
    old = strategies_of(team=team).get(key="balanced")
    form = client.get(url("tuning:strategy", pk=old.pk)).context["form"]
    values = entered(form, tone="warm", email_most=120, prefer_milestone=1.4)
    assert client.post(url("tuning:strategy", pk=old.pk), values).status_code == 302
    new = Strategy.objects.get(team=team, key="balanced", version=2)
    assert (new.parameters["tone"], new.parameters["bands"]["email"]["most"]) == ("warm", 120)
    assert new.parameters["hook_preference"]["milestone"] == 1.4
    page = client.get(url("tuning:strategies")).text
    assert page.count("Balanced: best hook") >= 2
    assert "retired" in page


def test_what_was_typed_stays_when_it_is_wrong(client: Client, team: Team) -> None:
    form = client.get(url("tuning:new_strategy")).context["form"]
    wrong = client.post(url("tuning:new_strategy"), entered(form, name="Mine", email_least=200, email_most=100))
    assert wrong.status_code == 422
    assert "must not be less" in wrong.text
    assert 'value="200"' in wrong.text
    assert client.post(url("tuning:new_strategy"), entered(form, name="Mine")).status_code == 302
    assert Strategy.objects.filter(team=team, key="mine").exists()


def test_retire_and_bring_back(client: Client, team: Team) -> None:
    row = strategies_of(team=team).get(key="balanced")
    assert client.post(url("tuning:retire", pk=row.pk)).status_code == 302
    row.refresh_from_db()
    assert row.retired_at
    client.post(url("tuning:bring_back", pk=row.pk))
    row.refresh_from_db()
    assert row.retired_at is None
    assert client.post(url("tuning:retire", pk=10**9)).status_code == 404
    assert client.get(url("tuning:strategy", pk=10**9)).status_code == 404


def test_a_campaign_chooses_its_strategies(client: Client, team: Team) -> None:
    campaign = a_campaign(team=team)
    first, *_rest = weights_of(campaign=campaign)
    address = url("writing:strategies", slug=campaign.slug)
    assert client.get(address).status_code == 200
    assert client.post(address, {"strategies": [first.strategy_id]}).status_code == 302
    assert [one.strategy_id for one in weights_of(campaign=campaign) if one.allowed] == [first.strategy_id]
    assert "at least one" in client.post(address, {}).text
    assert client.get(url("writing:strategies", slug="no-such")).status_code == 404


def test_the_list_costs_the_same_however_long(
    client: Client, team: Team, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    strategies_of(team=team)
    Strategy.objects.bulk_create(Strategy(team=team, key=f"s{n}", name=f"S {n}", parameters={}) for n in range(60))
    with django_assert_max_num_queries(12):
        assert client.get(url("tuning:strategies")).status_code == 200
