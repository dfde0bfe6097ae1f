"""Where one begins."""

from __future__ import annotations

import re

import pytest
from django.test import Client
from django.urls import reverse
from pytest_django.fixtures import DjangoAssertNumQueries

from outreach.teams.access import Member
from outreach.teams.models import Team
from tests.messages import a_draft, a_prospect, a_reply
from tests.people import PASSWORD, a_member, a_user, signed_in


def test_somebody_in_one_team_lands_on_its_front_page(admin: Member) -> None:
    answer = signed_in(user=admin.user).get("/")
    assert answer["Location"] == reverse("home:front", kwargs={"team": "north"})


def test_somebody_in_several_teams_is_asked_which(admin: Member, other_team: Team) -> None:
    a_member(team=other_team, user=admin.user)
    page = signed_in(user=admin.user).get("/")
    assert "North" in page.text
    assert "South" in page.text


def test_somebody_in_no_team_is_told_what_to_do(db: None) -> None:
    page = signed_in(user=a_user(email="lone@people.example")).get("/")
    assert "lone@people.example" in page.text


def test_signing_in_with_e_mail_and_password_leads_to_the_team(admin: Member) -> None:
    admin.user.set_password(PASSWORD)
    admin.user.save()
    page = Client().post(
        reverse("account_login"), {"login": admin.user.email.upper(), "password": PASSWORD}, follow=True
    )
    assert "What waits for you" in page.text


def test_guessing_a_password_is_slowed_down(admin: Member) -> None:
    client = Client()
    pages = [
        client.post(reverse("account_login"), {"login": admin.user.email, "password": f"guess {n}"}) for n in range(7)
    ]
    assert "Too many" in pages[-1].text


def test_a_new_team_is_told_its_first_step(admin: Member) -> None:
    assert "Begin with the people" in front(admin)


def test_each_role_sees_what_it_can_act_on(team: Team) -> None:
    prospect = a_prospect(team=team)
    a_draft(prospect=prospect, state="ready")
    a_reply(prospect=prospect)
    pages = {role: front(a_member(team=team, role=role)) for role in ("writer", "reviewer", "analyst")}
    assert ["waits for review" in page for page in pages.values()] == [False, True, False]
    assert ["wants an answer" in page for page in pages.values()] == [True, False, False]


def test_nothing_of_another_team_is_counted(team: Team, other_team: Team) -> None:
    a_draft(prospect=a_prospect(team=other_team), state="ready")
    a_prospect(team=team)
    assert "review" not in front(a_member(team=team, role="reviewer")).split("<main")[1]


@pytest.mark.parametrize("much", [1, 5])
def test_the_front_page_costs_the_same_however_much_waits(
    admin: Member, django_assert_num_queries: DjangoAssertNumQueries, much: int
) -> None:
    for _ in range(much):
        prospect = a_prospect(team=admin.team)
        a_draft(prospect=prospect, state="ready")
        a_reply(prospect=prospect)
    client = signed_in(user=admin.user)
    with django_assert_num_queries(6):  # session, user, membership, counts, campaigns, replies
        client.get(reverse("home:front", kwargs={"team": "north"}))


def test_counts_of_the_navigation_are_swapped_in_for_rooms_the_role_sees(team: Team) -> None:
    a_draft(prospect=a_prospect(team=team), state="ready")
    url = reverse("home:counts", kwargs={"team": "north"})
    assert 'id="n-review"' not in signed_in(user=a_member(team=team, role="analyst").user).get(url).text


def test_pages_hold_no_inline_script_style_or_handler(admin: Member) -> None:
    a_draft(prospect=a_prospect(team=admin.team), state="blocked", verdicts="vjcuna")
    for page in (front(admin), Client().get(reverse("account_login")).text):
        assert not re.search(r"<style|<script(?![^>]*\ssrc=)|\sstyle=|\son[a-z]+=|javascript:", page)


def front(member: Member) -> str:
    return signed_in(user=member.user).get(reverse("home:front", kwargs={"team": member.team.slug})).text
