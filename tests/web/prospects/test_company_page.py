"""The page of a company, by role and by team."""

from __future__ import annotations

import pytest
from django.test import Client

from outreach.teams.models import Team
from prospects import suppression
from prospects.domain.evidence import Actor, Kind
from prospects.models import Company, Evidence, Prospect
from tests.factories import a_campaign, a_draft, a_prospect, evidence
from tests.people import a_member, a_team, signed_in
from tests.web.prospects.test_pages import url


@pytest.fixture
def client(team: Team) -> Client:
    return signed_in(user=a_member(team=team, role="writer").user)


@pytest.fixture
def company(team: Team) -> Company:
    """Pipewren with two people, one of whom was written to, facts and news."""
    prospect = a_prospect(team=team)
    a_prospect(team=team, full_name="Ada Lindgren")
    a_draft(campaign=a_campaign(team=team), prospect=prospect)
    for kind, text, fields in (
        (Kind.COMPANY_FACT, "Banking", {"attribute": "industry", "value": "Banking"}),
        (Kind.COMPANY_FACT, "Pipewren Labs", {"attribute": "alias", "value": "Pipewren Labs"}),
        (Kind.COMPANY_NEWS, "Pipewren opens an office in Bern.", {"title": "An office in Bern"}),
    ):
        row = evidence(
            prospect=prospect, kind=kind, text=text, fields=fields, actor=Actor.COMPANY, occurred="2026-11-10"
        )
        Evidence.objects.create(
            team=team, company_id=prospect.company_id, kind=row.kind, actor=row.actor, text=row.text, fields=row.fields,
            occurred_first=row.occurred_first, occurred_last=row.occurred_last, observed_at=row.observed_at,
            source=row.source, content_hash=row.content_hash,
        )  # fmt: skip
    return Company.objects.get(pk=prospect.company_id)


def test_it_shows_facts_news_people_messages_and_suppression(client: Client, team: Team, company: Company) -> None:
    page = client.get(url(team, "company", pk=company.pk)).content.decode()
    for words in ("Pipewren", "also Pipewren Labs", "Banking", "An office in Bern", "Ada Lindgren", "not suppressed"):
        assert words in page
    exchange = client.get(f"/t/{team.slug}/at/{company.pk}/", headers={"HX-Request": "true"}).content.decode()
    assert "Diego Armenta Ruiz" in exchange


def test_it_costs_the_same_with_many_people(
    client: Client, team: Team, company: Company, django_assert_max_num_queries
) -> None:
    Prospect.objects.bulk_create(
        [Prospect(team=team, full_name=f"Person {number}", company=company) for number in range(60)]
    )
    with django_assert_max_num_queries(3 + 4):
        page = client.get(url(team, "company", pk=company.pk))
    assert len(page.context["card"].people.rows) == 25


def test_nobody_at_a_suppressed_company_is_written_to(client: Client, team: Team, company: Company) -> None:
    people = list(Prospect.objects.filter(company=company).values_list("pk", flat=True))
    client.post(url(team, "suppress_company", pk=company.pk), {"reason": "a partner"})
    assert set(suppression.of_prospects(team=team, prospect_ids=people)) == set(people)
    assert suppression.find(team=team, email="new@pipewren.example") is not None
    assert "suppressed: a partner" in client.get(url(team, "company", pk=company.pk)).content.decode()
    assert client.post(url(team, "suppress_company", pk=company.pk), {"reason": ""}).status_code == 422


def test_other_teams_and_roles_do_not_get_there(team: Team, company: Company) -> None:
    other = a_team()
    stranger = signed_in(user=a_member(team=other, role="admin").user)
    assert stranger.get(url(other, "company", pk=company.pk)).status_code == 404
    assert stranger.post(url(other, "suppress_company", pk=company.pk), {"reason": "x"}).status_code == 404
    assert stranger.get(f"/t/{other.slug}/at/{company.pk}/").status_code == 404
    analyst = signed_in(user=a_member(team=team, role="analyst").user)
    assert analyst.get(url(team, "company", pk=company.pk)).status_code == 200
    assert analyst.post(url(team, "suppress_company", pk=company.pk), {"reason": "x"}).status_code == 403
