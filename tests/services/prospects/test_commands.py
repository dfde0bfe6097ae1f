"""`import_prospects` and `show_prospect`, as scripts rely on them."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from outreach.teams.models import Team
from prospects.models import Prospect
from tests.files import ARCHIVE, DOSSIERS
from tests.people import a_member

KEYS = ["file", "format", "rows", "created", "updated", "unchanged", "skipped", "warnings", "prospects"]


def ran(*arguments: object) -> tuple[int, list[dict[str, Any]], str]:
    out, err, status = io.StringIO(), io.StringIO(), 0
    try:
        call_command(*map(str, arguments), "--json", stdout=out, stderr=err)
    except SystemExit as stop:
        status = int(stop.code or 0)
    return status, [json.loads(line) for line in out.getvalue().splitlines()], err.getvalue()


@pytest.fixture(autouse=True)
def writer(team: Team) -> None:
    a_member(team=team, role="writer")


def test_each_file_is_one_line_with_the_fixed_keys(team: Team) -> None:
    status, lines, errors = ran("import_prospects", ARCHIVE, DOSSIERS, "--team", team.slug)
    assert (status, errors) == (0, "")
    assert [list(line) for line in lines] == [KEYS, KEYS]
    assert [(line["format"], line["created"]) for line in lines] == [("linkedin_archive", 8), ("footnote", 15)]
    assert set(lines[0]["skipped"][0]) == {"row", "reason"}


def test_a_second_time_nothing_is_created_or_updated(team: Team) -> None:
    ran("import_prospects", ARCHIVE, DOSSIERS, "--team", team.slug)
    _, lines, _ = ran("import_prospects", ARCHIVE, DOSSIERS, "--team", team.slug)
    assert [(line["created"], line["updated"]) for line in lines] == [(0, 0), (0, 0)]


@pytest.mark.parametrize(("content", "status"), [(b"", 2), (b"PK\x03\x04", 2), (b"hello", 2)])
def test_input_that_cannot_be_read_exits_with_two(team: Team, tmp_path: Path, content: bytes, status: int) -> None:
    path = tmp_path / "x.csv"
    path.write_bytes(content)
    code, lines, errors = ran("import_prospects", path, "--team", team.slug)
    assert (code, lines[0]["rows"]) == (status, 0)
    assert errors


def test_a_missing_file_exits_with_two_and_the_others_are_imported(team: Team, tmp_path: Path) -> None:
    code, lines, errors = ran("import_prospects", tmp_path / "none.csv", DOSSIERS, "--team", team.slug)
    assert (code, len(lines)) == (2, 1)
    assert "none.csv" in errors


def test_a_file_without_anything_usable_exits_with_one(team: Team, tmp_path: Path) -> None:
    path = tmp_path / "Connections.csv"
    path.write_text("First Name,Last Name,URL,Email Address,Company,Position,Connected On\n,,,,,,30 Apr 2024\n")
    assert ran("import_prospects", path, "--team", team.slug)[0] == 1


@pytest.mark.parametrize(
    "arguments",
    [
        ("import_prospects", DOSSIERS, "--team", "nowhere"),
        ("import_prospects", DOSSIERS, "--team", "north", "--owner", "no@body.example"),
        ("import_prospects", ARCHIVE, "--team", "north", "--prospect", "77"),
        ("show_prospect", "77"),
        ("show_prospect", "abc"),
    ],
)
def test_what_is_not_there_is_refused_with_a_message(team: Team, arguments: tuple[object, ...]) -> None:
    with pytest.raises(CommandError) as refused:
        ran(*arguments)
    assert refused.value.returncode == 1
    assert str(refused.value)


def test_an_owner_of_another_team_is_refused(team: Team, other_team: Team) -> None:
    stranger = a_member(team=other_team)
    code, _, errors = ran("import_prospects", ARCHIVE, "--team", team.slug, "--owner", stranger.user.email)
    assert code == 1
    assert "not an active member" in errors


def test_a_prospect_is_shown_with_all_evidence(team: Team) -> None:
    ran("import_prospects", DOSSIERS, "--team", team.slug)
    _, [shown], _ = ran("show_prospect", Prospect.objects.get(full_name="Rohan Deshmukh").pk)
    fields = ["id", "full_name", "emails", "linkedin", "headline", "language", "positions", "evidence", "derived"]
    assert list(shown) == fields
    assert set(shown["language"]) == {"code", "confidence", "signals"}
    assert (shown["language"]["code"], bool(shown["language"]["signals"])) == ("en", True)
    assert {"title", "company", "start", "end"} <= set(shown["positions"][0])
    news = next(item for item in shown["evidence"] if item["kind"] == "company_news")
    assert (news["actor"], news["occurred"]) == ("company", ["2026-08-27", "2026-08-27"])
    assert set(news) == {"id", "kind", "actor", "text", "fields", "occurred", "source", "observed_at"}
    ids = {item["id"] for item in shown["evidence"] if item["kind"] in {"position", "post", "comment"}}
    for item in (*shown["derived"]["career"], *shown["derived"]["style"]):
        assert set(item) == {"name", "value", "text", "evidence"}
        assert item["evidence"]
        assert set(item["evidence"]) <= ids
    assert {"years_in_role", "length", "emoji", "register"} <= {
        item["name"] for item in (*shown["derived"]["career"], *shown["derived"]["style"])
    }
