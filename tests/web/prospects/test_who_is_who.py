"""The pages of who is who, by role and by team."""

from __future__ import annotations

import pytest
from django.test import Client

from outreach.teams.access import Member
from outreach.teams.models import Team
from prospects.models import Doubt, Merge, MergeSuggestion, Prospect
from tests.people import a_member, a_team, signed_in
from tests.services.prospects.imports import connections, imported
from tests.services.prospects.test_identities import MAREN, PAOLO, pair
from tests.web.prospects.test_pages import url


@pytest.fixture
def writer(team: Team) -> Member:
    return a_member(team=team, role="writer")


@pytest.fixture
def client(writer: Member) -> Client:
    return signed_in(user=writer.user)


@pytest.fixture
def suggestion(team: Team, writer: Member) -> MergeSuggestion:
    first, second = pair(team)
    return MergeSuggestion.objects.get(first=first, second=second)


def test_a_question_is_asked_on_the_list_and_answered_on_the_persons_page(
    client: Client, team: Team, writer: Member
) -> None:
    imported(team=team, data=connections(MAREN))
    imported(team=team, data=connections(PAOLO))
    assert "1 question" in client.get(url(team, "list")).content.decode()
    assert "Paolo Conti" in client.get(url(team, "who")).content.decode()
    doubt = Doubt.objects.get()
    page = client.get(url(team, "detail", pk=doubt.prospect_id)).content.decode()
    assert "nothing is written to this person" in page
    client.post(url(team, "decide", pk=doubt.pk), {"answer": "other"})
    assert "nothing is written" not in client.get(url(team, "detail", pk=doubt.prospect_id)).content.decode()
    assert "Nothing to decide" in client.get(url(team, "who")).content.decode()


def test_both_records_stand_side_by_side(client: Client, team: Team, suggestion: MergeSuggestion) -> None:
    page = client.get(url(team, "pair", pk=suggestion.pk)).content.decode()
    assert "m@tarnhelm.example" in page
    assert "o@tarnhelm.example" in page
    assert "differs" in page


def test_merging_leads_to_the_kept_record_and_the_other_address_leads_there_too(
    client: Client, team: Team, suggestion: MergeSuggestion
) -> None:
    answer = client.post(url(team, "merge", pk=suggestion.pk), {"keep": "second"})
    kept = url(team, "detail", pk=suggestion.second_id)
    assert answer["Location"] == kept
    assert client.get(url(team, "detail", pk=suggestion.first_id))["Location"] == kept
    names = [row.pk for row in client.get(url(team, "list")).context["page"].rows]
    assert names == [suggestion.second_id]
    client.post(url(team, "unmerge", pk=Merge.objects.get().pk))
    assert Prospect.objects.filter(team=team, state="active").count() == 2


def test_two_people_are_declined(client: Client, team: Team, suggestion: MergeSuggestion) -> None:
    assert client.post(url(team, "decline", pk=suggestion.pk))["Location"] == url(team, "who")
    assert client.get(url(team, "pair", pk=suggestion.pk)).status_code == 404


def test_a_person_names_the_other_record(client: Client, team: Team, suggestion: MergeSuggestion) -> None:
    MergeSuggestion.objects.all().delete()
    answer = client.post(url(team, "twin", pk=suggestion.first_id), {"other": str(suggestion.second_id)})
    assert answer["Location"] == url(team, "pair", pk=MergeSuggestion.objects.get().pk)
    nobody = client.post(url(team, "twin", pk=suggestion.first_id), {"other": "nobody-here"}, follow=True)
    assert "No prospect of this team" in nobody.content.decode()


@pytest.mark.parametrize("name", ["merge", "decline", "unmerge", "decide"])
def test_what_is_another_teams_does_not_exist(team: Team, suggestion: MergeSuggestion, name: str) -> None:
    other = a_team()
    stranger = signed_in(user=a_member(team=other, role="admin").user)
    assert stranger.post(url(other, name, pk=suggestion.pk)).status_code == 404
    assert stranger.get(url(team, "pair", pk=suggestion.pk)).status_code in {403, 404}


@pytest.mark.parametrize("name", ["merge", "decline", "unmerge", "decide"])
def test_who_may_not_write_decides_nothing(team: Team, suggestion: MergeSuggestion, name: str) -> None:
    analyst = signed_in(user=a_member(team=team, role="analyst").user)
    assert analyst.get(url(team, "pair", pk=suggestion.pk)).status_code == 200
    assert analyst.post(url(team, name, pk=suggestion.pk)).status_code == 403
