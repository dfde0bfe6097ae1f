"""A team is made with its first administrator, by whoever runs the installation."""

from __future__ import annotations

from io import StringIO

import pytest
from django.core.management import call_command
from django.test import Client

from outreach.teams.domain.refusal import Refusal
from outreach.teams.models import AuditEvent, Membership, Team
from outreach.teams.services import Founded, found_team
from tests.people import a_team, a_user

pytestmark = pytest.mark.django_db
GOOD = {"slug": "acme", "name": "Acme", "email": "Ada@Acme.example", "full_name": "Ada Acme"}


def test_the_first_person_administers_the_team_and_has_no_password() -> None:
    founded = found_team(**GOOD)
    assert isinstance(founded, Founded)
    assert not founded.administrator.has_usable_password()
    assert Membership.objects.get(team=founded.team).role == "admin"
    assert AuditEvent.objects.get(team=founded.team).action == "team.founded"


def test_an_account_that_exists_is_used_as_it_is() -> None:
    user = a_user(email="ada@acme.example", full_name="Ada Already")
    founded = found_team(**GOOD)
    assert isinstance(founded, Founded)
    assert (founded.administrator, founded.administrator.full_name) == (user, "Ada Already")


@pytest.mark.parametrize(
    ("field", "value", "code"),
    [
        ("slug", "two words", "slug"),
        ("slug", "", "name"),
        ("slug", "a" * 51, "name"),
        ("name", " ", "name"),
        ("full_name", "", "name"),
        ("email", "nobody", "email"),
    ],
)
def test_what_cannot_stand_is_refused_and_nothing_is_made(field: str, value: str, code: str) -> None:
    refused = found_team(**{**GOOD, field: value})
    assert isinstance(refused, Refusal)
    assert refused.code == code
    assert not Team.objects.exists()


def test_a_short_name_is_given_once() -> None:
    a_team(slug="acme")
    refused = found_team(**GOOD)
    assert isinstance(refused, Refusal)
    assert refused.code == "taken"
    assert not Membership.objects.exists()


def test_the_command_prints_a_link_that_sets_the_password() -> None:
    out = StringIO()
    call_command("create_team", "acme", name="Acme", admin="ada@acme.example", admin_name="Ada Acme", stdout=out)
    address = out.getvalue().split("password here: ")[1].strip()
    page = Client().get("/" + address.split("/", 3)[3], follow=True)
    assert page.status_code == 200
    assert b'name="password1"' in page.content


def test_the_command_refuses_with_a_message(capsys: pytest.CaptureFixture[str]) -> None:
    a_team(slug="acme")
    with pytest.raises(SystemExit) as ended:
        call_command("create_team", "acme", name="Acme", admin="ada@acme.example", admin_name="Ada Acme")
    assert ended.value.code == 1
    assert "already" in capsys.readouterr().err
