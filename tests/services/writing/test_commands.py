"""The draft and show_draft commands: one JSON object, and statuses scripts can rely on."""

from __future__ import annotations

import io
import json
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from messaging.models import Draft
from outreach.campaigns.models import Campaign
from outreach.teams.models import Team
from tests.factories import a_campaign, a_policy, a_prospect
from tests.services.writing.model_server import failing, model_server

pytestmark = pytest.mark.django_db


@pytest.fixture
def campaign(team: Team) -> Campaign:
    a_policy(team=team)
    for _ in range(4):
        a_prospect(team=team)
    return a_campaign(team=team, slug="spring")


def run(*arguments: str) -> tuple[dict[str, Any], str]:
    out, err = io.StringIO(), io.StringIO()
    call_command(*arguments, "--json", stdout=out, stderr=err)
    return json.loads(out.getvalue()), err.getvalue()


def test_draft_enrols_what_is_due_and_writes_it(campaign: Campaign) -> None:
    done, _ = run("draft", "--campaign", "spring", "--team", "north", "--limit", "3", "--wait")
    assert set(done) == {
        "requested", "ready", "blocked", "failed", "fallback", "model", "tokens", "cost", "seconds", "drafts",
    }  # fmt: skip
    assert (done["requested"], done["ready"], done["model"], len(done["drafts"])) == (3, 3, "composer", 3)
    again, _ = run("draft", "--campaign", "spring", "--team", "north", "--limit", "3", "--wait")
    assert (again["requested"], again["ready"]) == (1, 1)


def test_draft_without_waiting_leaves_the_writing_to_workers(campaign: Campaign) -> None:
    done, _ = run("draft", "--campaign", "spring", "--team", "north")
    assert (done["requested"], done["ready"]) == (4, 0)
    assert set(Draft.objects.values_list("state", flat=True)) == {"waiting"}


def test_draft_tells_what_is_wrong_with_the_model(campaign: Campaign, settings: Any) -> None:
    with model_server() as server:
        server.will(failing(401))
        settings.OPENAI_BASE_URL, settings.OPENAI_API_KEY, settings.OPENAI_MODEL = server.url, "wrong", "tester"
        settings.OPENAI_CONCURRENCY = 1  # the transaction of this test is on one connection
        done, told = run("draft", "--campaign", "spring", "--team", "north", "--wait")
    assert (done["ready"], done["fallback"], done["model"]) == (4, 4, "tester")
    assert "OPENAI_API_KEY" in told


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("--campaign", "spring", "--team", "nowhere"), "no team"),
        (("--campaign", "autumn", "--team", "north"), "no campaign"),
        (("--campaign", "spring", "--team", "north", "--limit", "0"), "1 or more"),
    ],
)
def test_draft_refuses_what_does_not_exist(campaign: Campaign, arguments: tuple[str, ...], says: str) -> None:
    with pytest.raises(CommandError, match=says):
        run("draft", *arguments)


def test_draft_refuses_a_campaign_that_is_not_running(campaign: Campaign) -> None:
    Campaign.objects.update(status="paused")
    with pytest.raises(CommandError, match="is paused; start it"):
        run("draft", "--campaign", "spring", "--team", "north")


def test_show_draft_tells_everything(campaign: Campaign) -> None:
    drafted, _ = run("draft", "--campaign", "spring", "--team", "north", "--limit", "1", "--wait")
    shown, _ = run("show_draft", str(drafted["drafts"][0]))
    (revision,) = shown["revisions"]
    assert (shown["state"], revision["author"], shown["approval"], shown["delivery"]) == (
        "ready",
        "composer",
        None,
        None,
    )
    assert len(revision["hash"]) == 64
    known = {item["evidence_id"] for item in shown["dossier"]}
    assert revision["claims"]
    for claim in revision["claims"]:
        text = revision[claim["field"]]
        assert text[claim["start"] : claim["end"]] == claim["span"]
        assert claim["verdict"] == "verified"
        assert set(claim["evidence"]) <= known


def test_show_draft_refuses_an_unknown_id(db: None) -> None:
    with pytest.raises(CommandError, match="no draft 7"):
        run("show_draft", "7")
