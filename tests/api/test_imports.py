"""Handing in JSON: any shape that files have, by those who may, for their own team."""

from __future__ import annotations

import json

import pytest
from django.test import Client
from django.urls import reverse

from outreach.teams.models import Team
from prospects.models import ImportBatch, Prospect
from prospects.tasks import run_imports
from tests.files import DOSSIERS, SAMPLES
from tests.people import a_member, signed_in

JSON_FILES = sorted(path for path in SAMPLES.rglob("*.json") if "error" not in path.name)


def address(team: Team, pk: int | None = None) -> str:
    kwargs: dict[str, object] = {"team": team.slug}
    return reverse("api-imports", kwargs=kwargs) if pk is None else reverse("api-import", kwargs=kwargs | {"pk": pk})


@pytest.fixture
def client(team: Team) -> Client:
    return signed_in(user=a_member(team=team, role="writer").user)


@pytest.mark.parametrize("path", JSON_FILES, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_every_json_shape_is_taken(client: Client, team: Team, path: object) -> None:
    answer = client.post(address(team) + "?name=crm.json", path.read_bytes(), content_type="application/json")  # type: ignore[attr-defined]
    assert answer.status_code == 202, answer.content
    run_imports()
    told = client.get(answer.json()["url"]).json()
    assert (told["state"], told["file"]) == ("done", "crm.json")
    assert told["created"] == len(told["prospects"]) == Prospect.objects.filter(team=team).count() > 0


def test_json_lines_are_taken_with_the_reasons_for_what_was_not_used(client: Client, team: Team) -> None:
    lines = [*DOSSIERS.read_text().splitlines()[:2], "{broken"]
    answer = client.post(address(team), "\n".join(lines), content_type="application/x-ndjson")
    assert answer.status_code == 202, answer.content
    run_imports()
    told = client.get(address(team, answer.json()["id"])).json()
    assert (told["format"], told["created"]) == ("footnote", 2)
    assert [entry["row"] for entry in told["skipped"]] == [3]
    assert client.get(address(team)).json()["imports"][0]["id"] == told["id"]


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        (b"", 422, "empty"), (b"   ", 422, "empty"), (b"First Name,Last Name\nA,B\n", 422, "not-json"), (b"{", 422, "unreadable"),
        (b'{"some": "thing"}', 422, "unreadable"), (b"[]", 422, "unreadable"), (b'"x"', 422, "not-json"), (b"\x00\xff", 422, "not-json"),
        (b"[" + b" " * 20_000_001, 413, "too-large"),
    ],
    ids=lambda value: "" if isinstance(value, bytes) else str(value),
)  # fmt: skip
def test_what_cannot_be_used_is_refused_and_nothing_is_kept(
    client: Client, team: Team, body: bytes, status: int, code: str
) -> None:
    answer = client.post(address(team), body, content_type="application/json")
    assert (answer.status_code, answer.json()["code"]) == (status, code)
    assert answer.json()["detail"]
    assert not ImportBatch.objects.exists()


def test_another_kind_of_body_is_refused(client: Client, team: Team) -> None:
    assert client.post(address(team), b"a,b", content_type="text/csv").status_code == 415


def test_only_members_with_the_right_hand_in(team: Team, other_team: Team) -> None:
    body = json.dumps({"dossier_id": "d", "prospect": {"full_name": "Ada Lind"}})
    outsider = signed_in(user=a_member(team=other_team, role="admin").user)
    analyst = signed_in(user=a_member(team=team, role="analyst").user)
    for client, status in ((outsider, 404), (analyst, 403), (Client(), 403)):
        assert client.post(address(team), body, content_type="application/json").status_code == status
        assert client.get(address(team)).status_code == status
    assert not ImportBatch.objects.exists()


def test_imports_of_others_do_not_exist(client: Client, team: Team, other_team: Team) -> None:
    body = json.dumps({"dossier_id": "d", "prospect": {"full_name": "Ada Lind"}})
    theirs = signed_in(user=a_member(team=other_team, role="writer").user)
    pk = theirs.post(address(other_team), body, content_type="application/json").json()["id"]
    assert client.get(address(team, pk)).status_code == 404
    assert client.get(address(team)).json()["imports"] == []


def test_a_page_elsewhere_cannot_hand_in_for_somebody(team: Team) -> None:
    user = a_member(team=team, role="writer").user
    strict = Client(enforce_csrf_checks=True)
    strict.force_login(user, backend="django.contrib.auth.backends.ModelBackend")
    assert strict.post(address(team), b"{}", content_type="application/json").status_code == 403
