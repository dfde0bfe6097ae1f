"""Every sample through the command, twice: the format, the people, what stays, and a suppression that nothing touches."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from outreach.teams.models import Team
from prospects.models import IdentityKey, Prospect, Suppression
from prospects.suppression import suppress
from tests.domain.prospects.expected import TABLE, files, name_of
from tests.files import MESSY, table
from tests.people import a_member
from tests.services.prospects.imports import NOW, imported

EXPECTED = json.loads(TABLE.read_text(encoding="utf-8"))
FILES = {name_of(path): path for path in files()}
REFUSED = {"empty.csv", "header_only.csv", "dates_hard.csv", "Profile Summary.csv"}


def run(path: Path, team: Team) -> tuple[dict[str, Any], int]:
    """(the object printed, exit status)."""
    out, status = io.StringIO(), 0
    try:
        call_command("import_prospects", str(path), team=team.slug, json=True, stdout=out, stderr=io.StringIO())
    except SystemExit as ended:
        status = int(str(ended.code))
    except CommandError as error:
        status = error.returncode
    return json.loads(out.getvalue()), status


@pytest.mark.parametrize("name", FILES)
def test_a_sample_comes_in_once_and_again_changes_nothing(team: Team, name: str) -> None:
    a_member(team=team, role="writer")
    suppress(team=team, actor=None, kind="email", value="nobody@elsewhere.example", reason="asked", now=NOW)
    before = list(Suppression.objects.values())
    first, status = run(FILES[name], team)
    expected = EXPECTED[name]
    assert first["format"] == (expected["format"] or None)
    if "refused" in expected:
        assert (status, first["rows"], FILES[name].name in REFUSED) == (2, 0, True)
        assert first["warnings"] == [expected["refused"]]
        return
    assert [entry["row"] for entry in first["skipped"]] == [int(line.split(":")[0]) for line in expected["skipped"]]
    people = {person["name"].split(" / ")[0] for person in expected["people"]}
    assert set(Prospect.objects.filter(pk__in=first["prospects"]).values_list("full_name", flat=True)) <= people
    keys = {tuple(key.split(" ", 1)) for person in expected["people"] for key in person["keys"]}
    assert set(IdentityKey.objects.values_list("kind", "value")) == keys
    assert first["created"] == len(first["prospects"]) == Prospect.objects.count()
    again, _ = run(FILES[name], team)
    assert (again["created"], again["updated"]) == (0, 0)
    assert again["unchanged"] == first["created"] + first["updated"] + first["unchanged"]
    assert list(Suppression.objects.values()) == before


def test_whoever_is_suppressed_stays_out_of_every_sample(team: Team) -> None:
    a_member(team=team, role="writer")
    barred = {
        "profile": "https://www.linkedin.com/in/maren-oduya-lindqvist-ex1", "email": "maren.oduya@tarnhelm.example", "domain": "vexelle.example",
    }  # fmt: skip
    for kind, value in barred.items():
        suppress(team=team, actor=None, kind=kind, value=value, reason="asked", now=NOW)
    before = list(Suppression.objects.values())
    for path in [*FILES.values(), *FILES.values()]:
        run(path, team)
    assert list(Suppression.objects.values()) == before
    assert not IdentityKey.objects.filter(
        value__in=["maren-oduya-lindqvist-ex1", "maren.oduya@tarnhelm.example"]
    ).exists()
    assert not IdentityKey.objects.filter(value__endswith="@vexelle.example").exists()


def test_hard_names_come_in_as_expected(team: Team) -> None:
    """At least 95% is asked for; here it is all of them."""
    imported(team=team, data=(MESSY / "names_hard.csv").read_bytes(), name="names_hard.csv")
    found = {
        tuple(row.fields.get(name, "") for name in ("first_name", "last_name", "suffix"))
        for prospect in Prospect.objects.all()
        for row in prospect.evidence.filter(kind="name")
    }
    wanted = {
        (row["Expected First"], row["Expected Last"], row["Expected Suffix"])
        for row in table("names_hard.csv")
        if row["Expected First"]
    }
    assert found == wanted
    assert len(wanted) == 12
