"""Freezing what a draft is written from."""

from __future__ import annotations

from datetime import date, timedelta

import pytest

from messaging.models import Draft, FrozenDossier
from messaging.writing.dossiers import MOST_ITEMS, freeze, thaw
from messaging.writing.revisions import extend_dossier
from outreach.campaigns.models import ProofPoint
from outreach.teams.models import Team
from prospects.domain.evidence import Actor, Kind
from tests.factories import NOW, TODAY, a_campaign, a_draft, a_policy, a_prospect, evidence

pytestmark = pytest.mark.django_db
SEND_BY = TODAY + timedelta(days=7)


def frozen(team: Team) -> FrozenDossier:
    return freeze(prospect=a_prospect(team=team), campaign=a_campaign(team=team), now=NOW)


def test_items_are_numbered_and_keep_the_row_they_come_from(team: Team) -> None:
    dossier = frozen(team)
    assert [item["ref"] for item in dossier.items] == [str(number) for number in range(1, len(dossier.items) + 1)]
    read = thaw(frozen=dossier, send_by=SEND_BY)
    position = read.of(Kind.POSITION)[0]
    assert (position.get("title"), position.occurred is not None) == ("Head of Platform Engineering", True)
    assert position.row_id.isdecimal()
    assert read.content_hash == dossier.content_hash


def test_the_senders_words_are_evidence_too(team: Team) -> None:
    ours = [item for item in thaw(frozen=frozen(team), send_by=SEND_BY).items if item.actor is Actor.SENDER]
    assert [item.kind for item in ours] == [Kind.SENDER, Kind.OFFER, Kind.PROOF_POINT]


def test_the_same_rows_give_the_same_dossier(team: Team) -> None:
    prospect, campaign = a_prospect(team=team), a_campaign(team=team)
    one, other = (freeze(prospect=prospect, campaign=campaign, now=NOW) for _ in range(2))
    assert (one.content_hash, one.items) == (other.content_hash, other.items)


@pytest.mark.parametrize(("expires_on", "kept"), [(SEND_BY, False), (SEND_BY + timedelta(days=1), True), (None, True)])
def test_a_proof_point_must_last_until_the_message_is_sent(team: Team, expires_on: date | None, kept: bool) -> None:
    campaign = a_campaign(team=team)
    ProofPoint.objects.filter(campaign=campaign).update(expires_on=expires_on)
    items = freeze(prospect=a_prospect(team=team), campaign=campaign, now=NOW).items
    assert any(item["kind"] == "proof_point" for item in items) is kept


def test_who_posts_all_day_keeps_everything_but_the_oldest_posts(team: Team) -> None:
    prospect = a_prospect(team=team)
    for day in range(MOST_ITEMS + 20):
        when = TODAY - timedelta(days=day + 30)
        evidence(prospect=prospect, kind=Kind.POST, text=f"Post of {when}", occurred=when.isoformat())
    items = freeze(prospect=prospect, campaign=a_campaign(team=team), now=NOW).items
    about = [item for item in items if item["actor"] != "sender"]
    assert len(about) == MOST_ITEMS
    assert {"name", "position"} <= {item["kind"] for item in about}
    assert f"Post of {TODAY - timedelta(days=30)}" in {item["text"] for item in about}


def test_added_evidence_is_numbered_after_what_was_there(team: Team) -> None:
    a_policy(team=team)
    draft = a_draft(campaign=a_campaign(team=team))
    before = list(draft.dossier.items) if draft.dossier else []
    added = evidence(prospect=draft.prospect, kind=Kind.TALK, text="A talk", fields={"title": "A talk"})
    extended = extend_dossier(draft=draft, evidence_rows=[added], now=NOW)
    assert extended.items[: len(before)] == before
    assert [(item["ref"], item["evidence_id"]) for item in extended.items[len(before) :]] == [
        (str(len(before) + 1), added.pk)
    ]
    assert Draft.objects.get(pk=draft.pk).dossier_id == extended.pk
    again = extend_dossier(draft=draft, evidence_rows=[added], now=NOW)
    assert len(again.items) == len(extended.items)
