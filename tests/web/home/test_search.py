"""Search over people and campaigns."""

from __future__ import annotations

import pytest
from django.urls import reverse

from outreach.home.queries import FOUND_SHOWN, search
from outreach.teams.models import Team
from tests.messages import a_campaign, a_draft, a_prospect, a_reply
from tests.people import a_member, signed_in


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("ida", ["Ida O'Brien"]),
        ("IDA o'br", ["Ida O'Brien"]),
        ("brien", ["Ida O'Brien"]),
        ("head plat", ["Jon Mørk"]),
        ("jon@mork", ["Jon Mørk"]),
        ("da", []),
        ("ida jon", []),
        ("", []),
        ("'", []),
        ("\\ :* & | ! ( <->", []),
        ("ida\x00", ["Ida O'Brien"]),
        ("a " * 500, []),
    ],
)
def test_every_word_must_begin_a_word_of_name_title_or_address(team: Team, text: str, found: list[str]) -> None:
    a_prospect(team=team, full_name="Ida O'Brien")
    a_prospect(team=team, full_name="Jon Mørk", title="Head of Platform", email="jon@mork.example")
    assert [prospect.full_name for prospect in search(team=team, text=text).prospects] == found


def test_other_teams_and_erased_people_are_not_found(team: Team, other_team: Team) -> None:
    a_prospect(team=other_team, full_name="Ida South")
    a_prospect(team=team, full_name="Ida Gone", state="erased")
    assert not search(team=team, text="ida").prospects


def test_campaigns_are_found_by_any_part_of_their_name(team: Team) -> None:
    campaign = a_campaign(team=team, name="Query profiling")
    assert search(team=team, text="PROFIL").campaigns == (campaign,)


def test_no_more_is_shown_than_fits_and_the_page_says_so(team: Team) -> None:
    for _ in range(FOUND_SHOWN + 1):
        a_prospect(team=team, full_name="Ida")
    page = signed_in(user=a_member(team=team).user).get(reverse("home:search", kwargs={"team": "north"}), {"q": "ida"})
    assert page.text.count("<b>Ida</b>") + page.text.count(">Ida</a>") == FOUND_SHOWN
    assert "There are more" in page.text


def test_the_exchange_with_a_prospect_shows_what_was_written_and_what_came_back(team: Team) -> None:
    prospect = a_prospect(team=team)
    a_draft(prospect=prospect, state="ready", verdicts="vv", body="Hi Ida, <b>bold</b>")
    a_reply(prospect=prospect, text="Tell me more")
    url = reverse("home:prospect_messages", kwargs={"team": "north", "pk": prospect.pk})
    page = signed_in(user=a_member(team=team, role="analyst").user).get(url, headers={"HX-Request": "true"}).text
    assert "Tell me more" in page
    assert "2 verified" in page
    assert "&lt;b&gt;bold" in page
    assert "<html" not in page


def test_the_exchange_of_another_team_does_not_exist(team: Team, other_team: Team) -> None:
    prospect = a_prospect(team=other_team)
    url = reverse("home:prospect_messages", kwargs={"team": "north", "pk": prospect.pk})
    assert signed_in(user=a_member(team=team).user).get(url).status_code == 404
