"""Files of campaigns that no page of the wizard could send: each is refused in words, and nothing is kept."""

from __future__ import annotations

import json
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from outreach.campaigns.models import Campaign, SenderIdentity
from outreach.teams.models import Team
from tests.services.campaigns.test_commands import WHOLE

pytestmark = pytest.mark.django_db
POINT = {"key": "free", "text": "The first year is free.", "source": "Price list"}


@pytest.fixture(autouse=True)
def _sender(team: Team) -> None:
    SenderIdentity.objects.create(team=team, full_name="Naledi Mokoena", company="Hearthdesk")


def told(folder: Path, content: str) -> str:
    """What the command says of a file that it refuses."""
    file, err = folder / "campaign.json", StringIO()
    file.write_text(content)
    with pytest.raises((CommandError, SystemExit)) as stopped:
        call_command("create_campaign", str(file), "--team", "north", stdout=StringIO(), stderr=err)
    assert not Campaign.objects.exists()
    return f"{stopped.value}\n{err.getvalue()}"


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"name": "x" * 201}, "$.name: use at most 200 characters; this has 201"),
        ({"purpose": "x" * 201}, "$.purpose: use at most 200"),
        ({"call_to_action": "x" * 400 + "?"}, "$.call_to_action: use at most 300"),
        ({"slug": "x" * 51}, "$.slug: use at most 50"),
        ({"offer": "x" * 5_001}, "$.offer: use at most 5,000"),
        ({"must_not_say": ["x"] * 6_000}, "$.must_not_say: use at most 10,000"),
        ({"name": "a\0b"}, "$.name: character 2 is U+0000"),
        ({"offer": "a\0b"}, "$.offer: character 2 is U+0000"),
        ({"name": "a\ud800b"}, "$.name: character 2 is U+D800"),
        ({"name": "two\nlines"}, "$.name: character 4 is U+000A"),
        ({"name": "\u202egnirpS"}, "$.name: character 1 is U+202E, which turns"),
        ({"\ud800": 1}, "$.\\ud800: is not known here"),
        ({"budget": 1e12}, "$.budget: write at most 99999999.99"),
        ({"budget": 10**40}, "$.budget: write an amount"),
        ({"budget": "NaN"}, "$.budget: write an amount"),
        ({"budget": 0}, "$.budget: write an amount above nought"),
        ({"drafts_per_day": 10**12}, "$.drafts_per_day: write at most 1000000"),
        ({"steps": [{"channel": "email"}] * 200}, "$.steps: give between one and 12 steps"),
        ({"steps": [{"channel": "email", "instruction": "a\0"}]}, "$.steps[0].instruction: character 2"),
        ({"steps": [{"channel": "email"}, {"channel": "email", "wait_days": 10**9}]}, "$.steps[1].wait_days: wait between"),
        ({"proof_points": [{**POINT, "key": str(n)} for n in range(31)]}, "$.proof_points: give at most 30"),
        ({"proof_points": [{**POINT, "key": "k" * 33}]}, "$.proof_points[0].key: use at most 32"),
        ({"proof_points": [{**POINT, "source": "k" * 301}]}, "$.proof_points[0].source: use at most 300"),
        ({"proof_points": [{**POINT, "text": "Free\0."}]}, "$.proof_points[0].text: character 5"),
        ({"proof_points": [{**POINT, "date": "2026-02-31"}]}, "$.proof_points[0].date: use YYYY"),
    ],
)  # fmt: skip
def test_what_no_column_holds_is_refused_by_its_path(
    changes: dict[str, object], says: str, team: Team, tmp_path: Path
) -> None:
    base = {name: value for name, value in WHOLE.items() if name not in ("mailbox", "linkedin")}
    assert says in told(tmp_path, json.dumps(base | changes))


@pytest.mark.parametrize(
    ("content", "says"),
    [
        ('{"name": "Once", "name": "Twice"}', "'name' is given twice"),
        ('{"name": "Once", "steps": [{"channel": "email", "channel": "inmail"}]}', "'channel' is given twice"),
        ('{"name": "Once", "budget": NaN}', "NaN is no number of JSON"),
        ('{"budget": ' + "1" * 5_000 + "}", "limit"),
        ("[" * 100_000, "brackets stand in brackets too deep"),
        ('{"offer": "' + "x" * 10_000_000 + '"}', "larger than 1,000,000 bytes"),
    ],
    ids=["twice", "twice within", "no number", "digits", "deep", "large"],
)
def test_a_file_that_is_no_campaign_is_refused_before_it_is_read(
    content: str, says: str, team: Team, tmp_path: Path
) -> None:
    assert says in told(tmp_path, content)
