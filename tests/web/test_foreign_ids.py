"""Numbers of another team's records inside the addresses of one's own team lead nowhere and change nothing."""

from __future__ import annotations

import pytest
from django.db import models
from django.urls import reverse

from analytics.models import AppliedWeights, FrozenArm, Proposal
from messaging.delivery import services
from messaging.models import Delivery, Draft, FewShotExample, RawMail, Reply
from messaging.writing.strategies import ensure_strategies
from outreach.campaigns.models import Campaign, PolicyChange, SenderIdentity, SendingAccount, TeamPolicy
from outreach.teams.models import Membership, Team
from prospects.models import (
    ColumnMapping,
    CompanySource,
    Doubt,
    Evidence,
    ImportBatch,
    IndustryNote,
    Merge,
    MergeSuggestion,
    Prospect,
    Suppression,
)
from prospects.services import queue_import
from prospects.suppression import suppress
from tests.factories import a_campaign, a_draft, a_policy, a_prospect
from tests.people import a_member, a_team, signed_in
from tests.services.delivery.scenes import DUE
from tests.services.prospects.imports import connections
from tests.services.review.scenes import approved
from tests.web.test_isolation import PAGES

pytestmark = pytest.mark.django_db
BATCHES = {"batch", "cancel", "resume", "start", "progress", "problems", "columns", "read_by_format", "sender"}
WATCHED = (
    Doubt,
    IndustryNote,
    Merge,
    MergeSuggestion,
    ColumnMapping,
    CompanySource,
    Draft,
    Delivery,
    Reply,
    Membership,
    Suppression,
    Evidence,
    SendingAccount,
    SenderIdentity,
    ImportBatch,
    Prospect,
    Campaign,
    PolicyChange,
    TeamPolicy,
    Proposal,
    AppliedWeights,
    FrozenArm,
)


@pytest.fixture
def theirs() -> dict[str, int | str]:
    """A team with one of everything; the number or slug of each by what an address calls it."""
    team = a_team()
    a_policy(team=team)
    reviewer = a_member(team=team, role="reviewer")
    draft = a_draft(campaign=a_campaign(team=team))
    approved(member=reviewer, draft=draft)
    services.open_deliveries(now=DUE)
    delivery = Delivery.objects.get()
    raw = RawMail.objects.create(team=team, sha256="0" * 64, source="paste", content=b"x", received_at=DUE)
    reply = Reply.objects.create(
        team=team,
        raw=raw,
        delivery=delivery,
        prospect=draft.prospect,
        matched_by="person",
        state="new",
        received_at=DUE,
        kind="human",
        intent="positive",
        classifier_version="1",
    )
    batch = queue_import(team=team, actor=None, file_name="Connections.csv", data=connections().encode(), now=DUE)
    barred = suppress(team=team, actor=None, kind="email", value="x@y.example", reason="asked", now=DUE)
    assert isinstance(batch, ImportBatch)
    assert isinstance(barred, Suppression)
    company = draft.prospect.company_id
    source = CompanySource.objects.create(team=team, company_id=company, url="https://pipewren.example/feed")
    mapping = ColumnMapping.objects.create(team=team, fingerprint="0" * 64, labels=["Name"], columns={"name": "full"})
    twin = a_prospect(team=team)
    pair = MergeSuggestion.objects.create(
        team=team, first=draft.prospect, second=twin, reason=MergeSuggestion.Reason.BY_HAND
    )
    merge = Merge.objects.create(
        team=team, kept=draft.prospect, absorbed=a_prospect(team=team), absorbed_state="active"
    )
    doubt = Doubt.objects.create(
        team=team, prospect=twin, said_name="Paolo Conti", folded_name="paolo conti", place="row 2"
    )
    note = IndustryNote.objects.create(
        team=team, industry="fintech", text="Banks are audited.", kind="practice", source="x"
    )
    strategy = ensure_strategies(team=team)[0]
    shares = {str(strategy.pk): 1.0}
    proposal = Proposal.objects.create(team=team, weights=shares, present=shares, snapshot={})
    applied = AppliedWeights.objects.create(team=team, number=7, weights=shares, why="Start")
    example = FewShotExample.objects.create(
        team=team, source=draft.current, prospect=draft.prospect, channel="email", language="en", body="x",
        outcome="positive", rate=0.1,
    )  # fmt: skip
    stop = FrozenArm.objects.create(team=team, strategy=strategy, reason="Too many left.")
    weaker = PolicyChange.objects.create(team=team, asked_by=reviewer.user, changes={"four_eyes": [True, False]})
    return {
        **dict.fromkeys(("confirm_policy", "decline_policy"), weaker.pk),
        "tuning": strategy.pk,
        **dict.fromkeys(("use_example", "decline_example"), example.pk),
        "analytics": proposal.pk,
        "roll_back": applied.number,
        "analytics:lift": stop.pk,
        **dict.fromkeys(("pair", "merge", "decline"), pair.pk),
        **dict.fromkeys(("company", "suppress_company"), company),
        **dict.fromkeys(("revise_note", "approve_note", "retire_note"), note.pk),
        "unmerge": merge.pk,
        "decide": doubt.pk,
        "forget_mapping": mapping.pk,
        "sources": company,
        "move_source": company,
        "snapshot": company,
        "source": source.pk,
        "api-import": batch.pk,
        "review": draft.pk,
        "delivery": delivery.pk,
        "replies": reply.pk,
        "prospects": draft.prospect_id,
        "home": draft.prospect_id,
        "batch": batch.pk,
        "lift": barred.pk,
        "row": Evidence.objects.filter(prospect=draft.prospect).latest("pk").pk,
        "account": draft.campaign.account_id,
        "sender": draft.campaign.sender_id,
        "slug": draft.campaign.slug,
        "teams": Membership.objects.get(team=team, user=reviewer.user).pk,
        "enrolment": draft.enrolment_id,
        "mailbox": 1,
    }


def _values(
    name: str, kinds: frozenset[tuple[str, str]], team: Team, theirs: dict[str, int | str]
) -> dict[str, object]:
    room, last = name.split(":", maxsplit=1)[0], name.rsplit(":", maxsplit=1)[-1]
    number = (
        theirs["batch"]
        if room == "prospects" and last in BATCHES
        else theirs.get(name, theirs.get(last, theirs.get(room)))
    )
    values: dict[str, object] = {"team": team.slug}
    for key, _kind in kinds - {("team", "slug")}:
        values[key] = {
            "slug": theirs["slug"],
            "row": theirs["row"],
            "source": theirs["source"],
            "step": "start",
            "delivery": theirs["delivery"],
        }.get(key, number)
    return values


def _rows(model: type[models.Model]) -> list[dict[str, object]]:
    return list(model.objects.order_by("pk").values())


def test_no_address_of_ones_own_team_reaches_another_teams_records(theirs) -> None:
    mine = a_team()
    a_policy(team=mine)
    client = signed_in(user=a_member(team=mine, role="admin").user)
    before = {model: _rows(model) for model in WATCHED}
    tried = 0
    for name, kinds in PAGES:
        if not kinds - {("team", "slug")}:
            continue
        address = reverse(name, kwargs=_values(name, kinds, mine, theirs))
        codes = {
            client.get(address).status_code,
            client.post(
                address, {"reason": "x", "settled": "sent", "role": "admin", "keep": "first", "answer": "same"}
            ).status_code,
        }
        # The page of people comes back with "there is no such person", as for any number that is nobody's.
        assert codes <= ({302, 404, 405} if name.startswith("teams:") else {404, 405}), (name, codes)
        tried += 1
    assert tried > 40
    assert before == {model: _rows(model) for model in WATCHED}
