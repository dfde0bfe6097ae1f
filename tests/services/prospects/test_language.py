"""A person decides the language; signals come in and change nothing until the decision is given back."""

from __future__ import annotations

import pytest
from django.urls import reverse

from outreach.teams.access import Member
from outreach.teams.domain.refusal import Refusal
from outreach.teams.models import AuditEvent, Team
from prospects.models import Prospect
from prospects.services import choose_language
from tests.people import a_member, signed_in
from tests.services.prospects.imports import NOW, dossier, imported, only_prospect

GERMAN = {"location": "Hamburg, Germany"}


@pytest.fixture
def writer(team: Team) -> Member:
    return a_member(team=team, role="writer")


@pytest.fixture
def maren(team: Team, writer: Member) -> Prospect:
    imported(team=team, data=dossier(**GERMAN), name="d.json")
    prospect = only_prospect(team)
    assert prospect.language == "de"
    return prospect


def test_what_a_person_chose_holds_through_an_import(team: Team, maren: Prospect, writer: Member) -> None:
    choose_language(member=writer, prospect=maren, code="fr", now=NOW)
    imported(team=team, data=dossier(**GERMAN, headline="Neu"), name="d.json")
    maren.refresh_from_db()
    assert (maren.language, maren.language_chosen, maren.language_confidence, maren.headline) == (
        "fr",
        True,
        1.0,
        "Neu",
    )
    assert maren.language_signals  # the reasons stay to be seen
    assert (
        AuditEvent.objects.filter(action="prospect.language_chosen", actor=writer.user, details={"code": "fr"}).count()
        == 1
    )


def test_the_decision_is_given_back_to_the_signals(maren: Prospect, writer: Member) -> None:
    choose_language(member=writer, prospect=maren, code="fr", now=NOW)
    choose_language(member=writer, prospect=maren, code="", now=NOW)
    maren.refresh_from_db()
    assert (maren.language, maren.language_chosen) == ("de", False)
    assert maren.language_confidence < 1


@pytest.mark.parametrize("code", ["xx", "klingon", "<b>", "de de", "qqq"])
def test_what_is_no_language_is_refused(maren: Prospect, writer: Member, code: str) -> None:
    assert isinstance(choose_language(member=writer, prospect=maren, code=code, now=NOW), Refusal)


def test_a_language_that_is_not_written_yet_is_marked(team: Team, writer: Member) -> None:
    imported(team=team, data=dossier(location="Warsaw, Poland", profile_language="pl"), name="d.json")
    prospect = only_prospect(team)
    page = (
        signed_in(user=writer.user)
        .get(reverse("prospects:detail", kwargs={"team": team.slug, "pk": prospect.pk}))
        .content.decode()
    )
    assert prospect.language == "pl"
    assert "Polish" in page
    assert "not yet written" in page


def test_others_decide_nothing(maren: Prospect, other_team: Team) -> None:
    here = {"team": "north", "pk": maren.pk}
    for member, status in (
        (a_member(team=other_team, role="admin"), 404),
        (a_member(team=maren.team, role="analyst"), 403),
    ):
        assert (
            signed_in(user=member.user).post(reverse("prospects:language", kwargs=here), {"code": "fr"}).status_code
            == status
        )
    maren.refresh_from_db()
    assert maren.language == "de"
