"""The pages of industry notes, by role and by team."""

from __future__ import annotations

import pytest
from django.test import Client

from outreach.teams.models import Team
from prospects.models import IndustryNote
from tests.people import a_member, a_team, signed_in
from tests.web.prospects.test_pages import url


@pytest.fixture
def manager(team: Team) -> Client:
    return signed_in(user=a_member(team=team, role="manager").user)


def test_starters_are_taken_over_read_approved_changed_and_retired(manager: Client, team: Team) -> None:
    assert "Fintech" in manager.get(url(team, "industries")).content.decode()
    shelf = url(team, "industry", key="fintech")
    assert "Take over 5 starters" in manager.get(shelf).content.decode()
    manager.post(url(team, "take_starters", key="fintech"))
    note = IndustryNote.objects.order_by("pk").last()
    assert note is not None
    assert note.text.split("'")[0][:30] in manager.get(shelf).content.decode()
    manager.post(url(team, "approve_note", pk=note.pk))
    form = {"text": "Fintech companies are audited often.", "kind": "practice", "source": "Audit calendars"}
    assert manager.post(url(team, "revise_note", pk=note.pk), form)["Location"] == shelf
    assert "v2" in manager.get(shelf).content.decode()
    manager.post(url(team, "retire_note", pk=note.pk))
    assert note.text[:30] in manager.get(shelf + "?show=retired").content.decode()


def test_a_note_of_ones_own_is_refused_where_it_speaks_to_somebody(manager: Client, team: Team) -> None:
    form = {
        "industry": "Bakeries",
        "text": "You bake at night.",
        "kind": "practice",
        "source": "Opening hours",
        "language": "en",
    }
    answer = manager.post(url(team, "write_note"), form)
    assert answer.status_code == 422
    assert "without you" in answer.content.decode()
    manager.post(url(team, "write_note"), form | {"text": "Bakeries bake at night."})
    assert "Bakeries" in manager.get(url(team, "industries")).content.decode()


@pytest.mark.parametrize("name", ["approve_note", "retire_note"])
def test_who_does_not_manage_reviews_nothing(team: Team, manager: Client, name: str) -> None:
    manager.post(url(team, "take_starters", key="banking"))
    note = IndustryNote.objects.all()[0]
    writer = signed_in(user=a_member(team=team, role="writer").user)
    assert writer.post(url(team, name, pk=note.pk)).status_code == 403
    other = a_team()
    stranger = signed_in(user=a_member(team=other, role="manager").user)
    assert stranger.post(url(other, name, pk=note.pk)).status_code == 404
    assert stranger.get(url(other, "revise_note", pk=note.pk)).status_code == 404


def test_the_shelves_cost_one_query_beside_the_frame(
    manager: Client, team: Team, django_assert_max_num_queries
) -> None:
    with django_assert_max_num_queries(3 + 1):
        manager.get(url(team, "industries"))
