"""Campaigns out of JSON files: what is said when something is wrong, and what is printed when nothing is."""

from __future__ import annotations

import json
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from outreach.campaigns.models import Campaign, SenderIdentity, SendingAccount
from outreach.teams.models import Team
from tests.people import a_member, a_user

pytestmark = pytest.mark.django_db
WHOLE: dict[str, Any] = {
    "name": "Spring launch", "purpose": "Support tooling", "offer": "Hearthdesk is a shared support inbox.",
    "call_to_action": "Would a short call be useful?", "languages": ["en"], "must_not_say": ["best in class"],
    "tone": "warm", "sender": "Naledi Mokoena", "mailbox": "n@hearthdesk.example", "linkedin": "naledi",
    "budget": 12.5, "drafts_per_day": 20, "starts_on": "2026-12-01",
    "steps": [
        {"channel": "linkedin_connection"},
        {"channel": "email", "wait_days": 4, "condition": "not_connected", "instruction": "Say that a note came before."},
    ],
    "proof_points": [{"key": "free", "text": "The first year is free.", "source": "Price list", "date": "2026-09"}],
}  # fmt: skip


@pytest.fixture(autouse=True)
def _rows(team: Team) -> None:
    SenderIdentity.objects.create(team=team, full_name="Naledi Mokoena", company="Hearthdesk")
    SendingAccount.objects.create(team=team, kind="smtp", address="n@hearthdesk.example")
    SendingAccount.objects.create(team=team, kind="linkedin", address="naledi")


def created(folder: Path, value: object, *options: str) -> dict[str, Any]:
    file, out = folder / "campaign.json", StringIO()
    file.write_text(value if isinstance(value, str) else json.dumps(value))
    call_command("create_campaign", str(file), "--team", "north", "--json", *options, stdout=out, stderr=StringIO())
    told: dict[str, Any] = json.loads(out.getvalue())
    return told


def test_a_file_becomes_a_campaign_whose_statements_wait_for_a_person(team: Team, tmp_path: Path) -> None:
    told = created(tmp_path, WHOLE)
    assert (told["slug"], told["status"], told["tone"], told["budget"]) == ("spring-launch", "draft", "warm", "12.50")
    assert [(step["channel"], step["wait_days"]) for step in told["steps"]] == [
        ("linkedin_connection", 0),
        ("email", 4),
    ]
    assert [one["key"] for one in told["missing"]] == ["proof", "audience", "address"]
    out = StringIO()
    call_command("show_campaign", "spring-launch", "--team", "north", "--json", stdout=out)
    assert json.loads(out.getvalue()) == told


def test_somebody_may_answer_for_the_statements(team: Team, tmp_path: Path) -> None:
    user = a_user(email="mara@people.example")
    a_member(team=team, role="manager", user=user)
    told = created(tmp_path, WHOLE, "--by", "mara@people.example")
    assert "proof" not in [one["key"] for one in told["missing"]]


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"steps": [{"channel": "email"}, {"channel": "fax"}]}, "$.steps[1].channel: choose one of"),
        (
            {"steps": [{"channel": "email"}, {"channel": "email", "wait_days": "4"}]},
            "$.steps[1].wait_days: write a whole",
        ),
        ({"steps": [{"channel": "email", "after": 3}]}, "$.steps[0].after: is not known here"),
        ({"steps": "email"}, "$.steps: write a list in brackets"),
        ({"proof_points": [{"key": "a", "text": "Free.", "source": ""}]}, "$.proof_points[0].source: say where"),
        (
            {"proof_points": [{"key": "a", "text": "F.", "source": "s", "expires_on": "May"}]},
            "$.proof_points[0].expires_on",
        ),
        ({"call_to_action": "Call me."}, "$.call_to_action: ask exactly one question"),
        ({"languages": ["english"]}, "$.languages: 'english' is no language code"),
        ({"languages": [1]}, "$.languages[0]: write a text"),
        ({"sender": "Nobody"}, "$.sender: 'Nobody' is not there; the team has: Naledi Mokoena"),
        ({"mailbox": "naledi"}, "$.mailbox: 'naledi' is not there"),
        ({"starts_on": "1.12."}, "$.starts_on: write a day as YYYY-MM-DD"),
        ({"budget": "much"}, "$.budget: write an amount"),
        ({"no_proof_needed": "yes"}, "$.no_proof_needed: write true or false"),
        ({"slug": "new"}, "$.slug: 'new' is an address of the site"),
        ({"offers": "x"}, "$.offers: is not known here"),
    ],
)
def test_a_fault_is_told_with_its_path_and_nothing_is_made(
    tmp_path: Path, changes: dict[str, object], says: str
) -> None:
    with pytest.raises(CommandError) as refused:
        created(tmp_path, {**WHOLE, **changes})
    assert says in str(refused.value)
    assert not Campaign.objects.exists()


@pytest.mark.parametrize("text", ['{"name": "Spring",', "\x00"])
def test_what_is_no_json_ends_with_two(tmp_path: Path, text: str) -> None:
    with pytest.raises(SystemExit) as ended:
        created(tmp_path, text)
    assert ended.value.code == 2


def test_a_name_is_taken_once_and_others_find_nothing(tmp_path: Path) -> None:
    created(tmp_path, WHOLE)
    with pytest.raises(CommandError, match="has a campaign"):
        created(tmp_path, WHOLE)
    with pytest.raises(CommandError, match="has no campaign"):
        call_command("show_campaign", "autumn", "--team", "north")
    with pytest.raises(CommandError, match="no team"):
        call_command("show_campaign", "autumn", "--team", "south")
