"""Every page of campaigns and settings: for each role only what it may, and nothing of another team through a body."""

from __future__ import annotations

import pytest
from django.db import models
from django.test import Client

from messaging.models import CampaignAudience, Draft, Enrolment, EnrolmentRun, Strategy, StrategyWeight
from messaging.writing.strategies import ensure_strategies
from outreach.campaigns.models import Campaign, ProofPoint, SenderIdentity, SendingAccount, SequenceStep, TeamPolicy
from outreach.teams.models import Team
from tests.factories import a_campaign, a_policy, a_prospect, an_unwritten_draft
from tests.people import a_member, signed_in

pytestmark = pytest.mark.django_db
LOOK = {
    "analyst": {"view"},
    "reviewer": {"view", "write"},
    "writer": {"view", "write"},
    "manager": {"view", "write", "manage"},
}
#: Page below the team, the right it needs, and the methods it has.
PAGES = (
    *[(f"campaigns/{{slug}}/setup/{page}/", "manage", "gp") for page in ("offer", "proof", "steps", "sending")],
    ("campaigns/new/", "manage", "gp"), ("campaigns/{slug}/edit/", "manage", "g"), ("campaigns/{slug}/setup/check/", "manage", "g"),
    *[(f"campaigns/{{slug}}/move/{step}/", "manage", "p") for step in ("ready", "start", "pause", "finish")],
    ("campaigns/{slug}/clone/", "manage", "p"), ("campaigns/{slug}/strategies/", "manage", "gp"),
    ("campaigns/{slug}/audience/", "write", "gp"), ("campaigns/{slug}/audience/count/", "write", "g"),
    ("campaigns/{slug}/audience/explained/", "write", "g"), ("campaigns/{slug}/people/", "write", "gp"),
    ("campaigns/{slug}/people/{enrolment}/remove/", "write", "p"), ("campaigns/{slug}/drafts/start/", "write", "p"),
    ("campaigns/{slug}/hooks/", "write", "g"), ("campaigns/{slug}/stale/", "write", "gp"),
    ("campaigns/{slug}/stale.csv", "write", "g"), ("campaigns/{slug}/enrolling/{run}/", "write", "g"),
    ("campaigns/{slug}/enrolling/{run}/cancel/", "write", "p"), ("campaigns/{slug}/enrolling/{run}/resume/", "write", "p"),
    ("campaigns/{slug}/enrolling/{run}/left-out.csv", "write", "g"),
    *[(f"settings/{page}/", "manage", "gp") for page in ("policy", "privacy", "days", "reasons", "senders/new", "senders/{sender}")],
    ("settings/all/", "manage", "g"), ("settings/senders/", "manage", "g"), ("settings/days/add/", "manage", "p"),
    ("settings/quality/", "manage", "gp"), ("settings/strategies/", "manage", "g"), ("settings/strategies/new/", "manage", "gp"),
    ("settings/strategies/{strategy}/", "manage", "gp"), ("settings/strategies/{strategy}/retire/", "manage", "p"),
    ("settings/examples/", "manage", "g"), ("settings/examples/find/", "manage", "p"),
    ("settings/model/", "admin", "gp"), ("settings/model/test/", "admin", "p"), ("settings/accounts/", "admin", "g"),
    ("settings/accounts/new/", "admin", "gp"), ("settings/accounts/{account}/", "admin", "gp"),
    ("settings/accounts/{account}/test/", "admin", "p"),
)  # fmt: skip
WATCHED = (
    Campaign, SequenceStep, ProofPoint, SenderIdentity, SendingAccount, TeamPolicy, Strategy, Enrolment, Draft,
    EnrolmentRun, CampaignAudience,
)  # fmt: skip


def everything() -> dict[type[models.Model], list[dict[str, object]]]:
    return {model: list(model.objects.order_by("pk").values()) for model in WATCHED}


@pytest.fixture
def campaign(team: Team) -> Campaign:
    a_policy(team=team)
    ensure_strategies(team=team)
    return a_campaign(team=team)


@pytest.mark.parametrize("role", LOOK)
def test_a_role_without_the_right_sees_and_changes_nothing(role: str, team: Team, campaign: Campaign) -> None:
    enrolment = an_unwritten_draft(campaign=campaign).enrolment_id
    run = EnrolmentRun.objects.create(team=team, campaign=campaign, filters={}, upto=0, total=0)
    numbers = {
        "slug": campaign.slug, "enrolment": enrolment, "run": run.pk, "sender": campaign.sender_id,
        "account": campaign.account_id, "strategy": Strategy.objects.filter(team=team).latest("pk").pk,
    }  # fmt: skip
    client = signed_in(user=a_member(team=team, role=role).user)
    before = everything()
    for page, right, methods in PAGES:
        if right in LOOK[role]:
            continue
        address = f"/t/north/{page.format(**numbers)}"
        if "g" in methods:
            assert client.get(address).status_code == 403, address
        if "p" in methods:
            assert (
                client.post(address, {"name": "x", "limit": 5, "do": "remove", "enrolment": enrolment}).status_code
                == 403
            ), address
    client.post(f"/t/north/campaigns/{campaign.slug}/steps/", {"do": "remove", "enrolment": enrolment})
    if role == "analyst":
        assert everything() == before


@pytest.fixture
def theirs(other_team: Team) -> Campaign:
    a_policy(team=other_team)
    ensure_strategies(team=other_team)
    return a_campaign(team=other_team)


def test_numbers_of_another_team_in_a_body_change_nothing(team: Team, campaign: Campaign, theirs: Campaign) -> None:
    foreign = an_unwritten_draft(campaign=theirs, prospect=a_prospect(team=theirs.team, full_name="Zora Secretive"))
    outsider = a_member(team=theirs.team, role="writer")
    client = signed_in(user=a_member(team=team, role="admin").user)
    here = f"/t/north/campaigns/{campaign.slug}"
    strategy = Strategy.objects.filter(team=theirs.team).latest("pk").pk
    before = everything()
    tries: tuple[tuple[str, dict[str, object]], ...] = (
        (f"{here}/setup/sending/", {"sender_id": theirs.sender_id, "mailbox_id": campaign.account_id}),
        (f"{here}/setup/sending/", {"sender_id": campaign.sender_id, "mailbox_id": theirs.account_id}),
        (f"{here}/strategies/", {"strategies": [strategy]}),
        (f"{here}/audience/", {"limits": "1", "given": "1", "owner": outsider.user.pk, "save": "1"}),
        (f"{here}/steps/", {"do": "remove", "enrolment": foreign.enrolment_id}),
        (f"{here}/people/", {"prospect": foreign.prospect_id}),
        ("/t/north/settings/senders/new/", {"full_name": "A", "company": "B", "user": outsider.user.pk}),
    )
    for address, body in tries:
        answer = client.post(address, body, follow=True)
        assert answer.status_code in (200, 422), (address, answer.status_code)
        assert "Secretive" not in answer.content.decode(), address
    assert "Secretive" not in client.get(f"{here}/hooks/?p={foreign.prospect_id}").content.decode()
    after = everything()
    assert [model for model in WATCHED if before[model] != after[model] and model is not CampaignAudience] == []
    assert not StrategyWeight.objects.filter(allowed=False).exists()
    assert not StrategyWeight.objects.filter(campaign=campaign, strategy__team=theirs.team).exists()
    kept = CampaignAudience.objects.filter(campaign=campaign).first()
    assert kept is None or str(outsider.user.pk) not in str(kept.filters.get("owner", ""))


JUNK = (
    "",
    "\0",
    "-1",
    "9" * 18,
    "9" * 40,
    "٣",
    "NaN",
    "1e400",
    "x" * 20_000,
    "\u202ea",
    "<script>",
    "'",
    "2026-02-31",
    "%00",
)


@pytest.mark.parametrize("junk", JUNK)
def test_nothing_that_is_sent_breaks_a_page(junk: str, team: Team, campaign: Campaign) -> None:
    client = Client(raise_request_exception=False)
    client.force_login(a_member(team=team, role="admin").user)
    here = f"/t/north/campaigns/{campaign.slug}"
    point = {f"proof-0-{name}": junk for name in ("key", "text", "source", "date", "expires_on")}
    step = {f"step-1-{name}": junk for name in ("channel", "wait_days", "condition", "instruction", "ORDER")}
    rows = {
        f"{prefix}-{name}_FORMS": value
        for prefix in ("proof", "step")
        for name, value in (("TOTAL", 2), ("INITIAL", 0))
    }
    bodies: dict[str, dict[str, object]] = {
        f"{here}/setup/offer/": dict.fromkeys(("name", "purpose", "offer", "call_to_action", "must_not_say", "tone", "languages"), junk),
        f"{here}/setup/proof/": rows | point,
        f"{here}/setup/steps/": {**rows, **step, "step-0-channel": "email"},
        f"{here}/setup/sending/": dict.fromkeys(
            ("sender_id", "mailbox_id", "linkedin_id", "starts_on", "ends_on", "budget", "drafts_per_day"), junk
        ),
        f"{here}/clone/": {"name": junk},
        "/t/north/campaigns/new/": {"name": junk, "purpose": junk},
        f"{here}/people/": {"prospect": junk},
        f"{here}/steps/": {"do": "move", "enrolment": junk, "to": junk},
        f"{here}/strategies/": {"strategies": junk},
        f"{here}/drafts/start/": {"limit": junk},
        f"{here}/audience/": dict.fromkeys(("title", "countries", "languages", "owner", "batch", "rest_days", "sizes"), junk),
        "/t/north/settings/senders/new/": dict.fromkeys(("full_name", "title", "company", "signature", "calendar_url", "user"), junk),
        "/t/north/settings/accounts/new/": {
            "kind": "smtp", **dict.fromkeys(("address", "display_name", "daily_cap", "smtp_host", "smtp_port", "smtp_password"), junk)
        },
        "/t/north/settings/days/add/": {"day": junk, "label": junk},
        "/t/north/settings/strategies/new/": dict.fromkeys(("name", "depth", "threshold", "temperature", "prompt", "model"), junk),
        "/t/north/settings/model/": dict.fromkeys(("model_base_url", "model_name", "model_daily_budget", "model_key"), junk),
        "/t/north/settings/privacy/": dict.fromkeys(("postal_address", "lawful_basis"), junk),
        "/t/north/settings/policy/": dict.fromkeys(("send_by_days", "undo_seconds", "self_approval_delay"), junk),
    }  # fmt: skip
    broken = [address for address, body in bodies.items() if client.post(address, body).status_code >= 500]
    looked = (
        f"{here}/audience/", f"{here}/audience/count/", f"{here}/audience/explained/", f"{here}/people/", f"{here}/steps/",
        f"{here}/hooks/", f"{here}/log/", f"{here}/stale/", "/t/north/campaigns/", "/t/north/settings/accounts/",
    )  # fmt: skip
    names = (
        "after",
        "q",
        "p",
        "step",
        "state",
        "title",
        "owner",
        "batch",
        "countries",
        "rest_days",
        "seniority",
        "kind",
    )
    broken += [address for address in looked if client.get(address, dict.fromkeys(names, junk)).status_code >= 500]
    assert broken == []
