"""Whom a team must not write to."""

from __future__ import annotations

import pytest
from django.test import override_settings

from outreach.teams.access import Member
from outreach.teams.domain.refusal import Refusal
from outreach.teams.models import Team
from prospects import suppression
from prospects.models import Prospect, Suppression
from tests.services.prospects.imports import NOW, connections, counts, imported

MAREN = (
    "Maren,Oduya,https://www.linkedin.com/in/maren-oduya,maren@mail.tarnhelm.example,Tarnhelm GmbH,VP Sales,16 Dec 2024"
)


def suppressed(team: Team, kind: str, value: str) -> Suppression:
    row = suppression.suppress(team=team, actor=None, kind=kind, value=value, reason="asked", now=NOW)
    assert isinstance(row, Suppression)
    return row


@pytest.mark.parametrize(
    ("kind", "value"),
    [
        ("email", "MAREN@mail.tarnhelm.example"),
        ("domain", "https://www.tarnhelm.example/contact"),
        ("profile", "linkedin.com/in/Maren-Oduya/"),
        ("company", "TARNHELM"),
    ],
)
def test_a_suppressed_person_is_left_out_of_an_import(admin: Member, kind: str, value: str) -> None:
    suppressed(admin.team, kind, value)
    assert counts(imported(team=admin.team, data=connections(MAREN))) == (0, 0, 0, 1)
    assert Prospect.objects.count() == 0


@pytest.mark.parametrize(
    ("kind", "value"),
    [("email", "maren@tarnhelm"), ("domain", "not a domain"), ("profile", ""), ("company", "--"), ("x", "y")],
)
def test_a_value_that_names_nothing_is_refused(team: Team, kind: str, value: str) -> None:
    found = suppression.suppress(team=team, actor=None, kind=kind, value=value, reason="asked", now=NOW)
    assert isinstance(found, Refusal)


def test_a_suppression_is_found_by_what_a_person_writes(team: Team) -> None:
    suppressed(team, "domain", "tarnhelm.example")
    assert suppression.find(team=team, email="New@Tarnhelm.example") is not None
    assert suppression.find(team=team, email="new@nottarnhelm.example") is None


def test_a_suppression_holds_no_address(team: Team) -> None:
    row = suppressed(team, "email", "maren@tarnhelm.example")
    assert "maren" not in str(vars(row))


def test_the_same_twice_is_one(team: Team) -> None:
    assert suppressed(team, "email", "a@b.example") == suppressed(team, "email", "A@B.example")


def test_a_new_key_still_finds_what_the_old_one_wrote(team: Team) -> None:
    with override_settings(SUPPRESSION_KEYS={1: "first-key-of-this-test"}):
        suppressed(team, "email", "a@b.example")
    with override_settings(SUPPRESSION_KEYS={1: "first-key-of-this-test", 2: "second-key-of-this-test"}):
        assert suppression.find(team=team, email="a@b.example") is not None
        assert suppressed(team, "email", "c@d.example").key_version == 2


def test_other_teams_are_free_to_write(team: Team, other_team: Team) -> None:
    suppressed(team, "email", "a@b.example")
    assert suppression.find(team=other_team, email="a@b.example") is None


def test_known_prospects_are_found_in_one_go(admin: Member) -> None:
    batch = imported(team=admin.team, data=connections(MAREN, "Ada,Ek,https://www.linkedin.com/in/ada-ek,,X,CEO,"))
    suppressed(admin.team, "company", "Tarnhelm")
    blocked = suppression.of_prospects(team=admin.team, prospect_ids=batch.prospect_ids)
    assert [Prospect.objects.get(pk=pk).full_name for pk in blocked] == ["Maren Oduya"]


def test_a_person_is_suppressed_by_every_key_but_not_with_their_colleagues(admin: Member) -> None:
    batch = imported(team=admin.team, data=connections(MAREN))
    prospect = Prospect.objects.get(pk=batch.prospect_ids[0])
    assert suppression.suppress_prospect(prospect=prospect, actor=admin.user, reason="asked", now=NOW) == 2
    assert suppression.find(team=admin.team, email="other@mail.tarnhelm.example") is None


def test_a_suppression_is_lifted_with_a_reason_only(admin: Member) -> None:
    row = suppressed(admin.team, "email", "a@b.example")
    assert isinstance(suppression.lift(team=admin.team, actor=admin.user, suppression_id=row.pk, reason=" "), Refusal)
    assert suppression.lift(team=admin.team, actor=admin.user, suppression_id=row.pk, reason="typed by mistake") is True
    assert suppression.find(team=admin.team, email="a@b.example") is None
