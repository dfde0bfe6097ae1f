"""Freezing the numbered evidence a draft is written from, and reading it back.

The frozen form is JSON and lasts: what a revision was checked against can be read for ever.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import date, datetime, timedelta
from typing import Any

from messaging.models import Draft, FrozenDossier
from messaging.writing.domain.orders import holds_order
from messaging.writing.domain.statements import withdrawn
from messaging.writing.sharing import shared_offer, shared_policy
from outreach.campaigns.domain.offer import CampaignOffer, Policy
from outreach.campaigns.models import Campaign
from prospects.domain.dates import DateInterval
from prospects.domain.evidence import Actor, Dossier, Evidence, Kind, fields_of
from prospects.models import Evidence as EvidenceRow
from prospects.models import Prospect
from prospects.queries import evidence_of
from prospects.queries.industries import approved_notes, citable_notes

#: Items in one dossier. Who writes two thousand posts is still written to from the newest.
MOST_ITEMS = 160
#: Kinds in the order in which a dossier lists them; within a kind the newest first.
_ORDER = (
    Kind.NAME, Kind.POSITION, Kind.POST, Kind.COMMENT, Kind.TALK, Kind.AWARD, Kind.CERTIFICATION, Kind.PUBLICATION,
    Kind.PROJECT, Kind.HEADLINE, Kind.ABOUT, Kind.COMPANY_FACT, Kind.COMPANY_NEWS, Kind.JOB, Kind.COLLEAGUE,
    Kind.IN_COMMON, Kind.CONNECTION, Kind.EDUCATION, Kind.SKILL, Kind.LOCATION, Kind.LANGUAGE, Kind.PROFILE_LANGUAGE,
    Kind.RESHARE, Kind.INDUSTRY_NOTE, Kind.SENDER, Kind.OFFER, Kind.PROOF_POINT,
)  # fmt: skip
_PLACE = {kind: place for place, kind in enumerate(_ORDER)}


def send_by_of(*, policy: Policy, now: datetime) -> date:
    """The last day a message written now may be sent: every date in it must hold until then."""
    return now.date() + timedelta(days=policy.send_by_days)


def sender_items(*, offer: CampaignOffer, send_by: date, observed_at: date) -> tuple[Evidence, ...]:
    """What the sender may say: identity, offer, and the proof points that last until the message is sent."""
    sender = offer.sender
    identity = Evidence(
        ref="sender",
        kind=Kind.SENDER,
        actor=Actor.SENDER,
        text=", ".join(filter(None, (sender.full_name, sender.title, sender.company))),
        fields=fields_of((("full_name", sender.full_name), ("title", sender.title), ("company", sender.company))),
        observed_at=observed_at,
        source="campaign",
    )
    offered = Evidence(
        ref="offer", kind=Kind.OFFER, actor=Actor.SENDER, text=offer.offer, observed_at=observed_at, source="campaign"
    )
    proof = (
        Evidence(
            ref=f"proof:{point.key}",
            kind=Kind.PROOF_POINT,
            actor=Actor.SENDER,
            text=point.text,
            fields=fields_of((("id", point.key), ("source", point.source), ("date", point.date))),
            observed_at=observed_at,
            source=point.source,
        )
        for point in offer.proof_points
        if point.usable_through(day=send_by)
    )
    return (identity, offered, *proof)


def _recent_first(item: Evidence) -> tuple[int, int, str, str]:
    day = item.occurred.last.toordinal() if item.occurred else 0
    return (_PLACE.get(item.kind, len(_ORDER)), -day, item.ref, item.content_hash)


def _most_useful(items: Iterable[Evidence]) -> tuple[Evidence, ...]:
    """At most MOST_ITEMS: long lists (posts, news, skills) lose their oldest, short ones nothing."""
    ordered = sorted(items, key=_recent_first)
    if len(ordered) <= MOST_ITEMS:
        return tuple(ordered)
    rank: dict[Kind, int] = {}
    ranked = []
    for place, item in enumerate(ordered):
        rank[item.kind] = rank.get(item.kind, 0) + 1
        ranked.append((rank[item.kind], place))
    kept = sorted(place for _, place in sorted(ranked)[:MOST_ITEMS])
    return tuple(ordered[place] for place in kept)


def numbered(*, items: Iterable[Evidence], first: int = 1) -> list[dict[str, Any]]:
    """The frozen form of items, numbered from `first`; `origin` keeps the name they had."""
    return [_frozen(item, str(number)) for number, item in enumerate(items, start=first)]


def _frozen(item: Evidence, ref: str) -> dict[str, Any]:
    occurred = item.occurred
    return {
        "ref": ref,
        "evidence_id": int(item.row_id) if item.row_id else None,
        "origin": item.ref,
        "kind": str(item.kind),
        "actor": str(item.actor),
        "text": item.text,
        "fields": dict(item.fields),
        "occurred": [occurred.first.isoformat(), occurred.last.isoformat()] if occurred else None,
        "observed_at": item.observed_at.isoformat() if item.observed_at else None,
        "source": item.source,
        "language": item.language,
    }


def _thawed(item: Mapping[str, Any]) -> Evidence:
    occurred = item["occurred"]
    return Evidence(
        ref=item["ref"],
        kind=Kind(item["kind"]),
        actor=Actor(item["actor"]),
        text=item["text"],
        fields=fields_of(item["fields"].items()),
        occurred=DateInterval(*map(date.fromisoformat, occurred)) if occurred else None,
        observed_at=date.fromisoformat(item["observed_at"]) if item["observed_at"] else None,
        source=item["source"],
        language=item["language"],
        row_id=str(item["evidence_id"] or ""),
    )


def thaw(*, frozen: FrozenDossier, send_by: date) -> Dossier:
    """The dossier as the rules read it; refs are its numbers, row_id the stored evidence."""
    return Dossier(
        dossier_id=str(frozen.pk or ""), send_by=send_by, items=tuple(_thawed(item) for item in frozen.items)
    )


def withdrawn_of(*, items: Iterable[Evidence], campaign: Campaign, day: date) -> tuple[Evidence, ...]:
    """Statements among the items that nobody makes any more, or not through that day: the campaign's offer and proof
    points, the team's industry notes. A query for each of the two that occurs."""
    read = tuple(items)
    current: tuple[Evidence, ...] = sender_items(offer=shared_offer(campaign=campaign), send_by=day, observed_at=day)
    if any(item.kind is Kind.INDUSTRY_NOTE for item in read):
        current += approved_notes(team=campaign.team, day=day)
    return withdrawn(items=read, current=current)


def standing(*, frozen: FrozenDossier, campaign: Campaign, send_by: date) -> Dossier:
    """What of the dossier may still be said: evidence that is current and was not written to steer a machine, statements
    the campaign still makes.

    Two queries. What fell away since it was frozen supports no claim any more, whoever edits or checks the text.
    """
    whole = thaw(frozen=frozen, send_by=send_by)
    ids = [int(item.row_id) for item in whole.items if item.row_id]
    current = {str(pk) for pk in EvidenceRow.objects.filter(pk__in=ids, state="current").values_list("pk", flat=True)}
    gone = {item.ref for item in withdrawn_of(items=whole.items, campaign=campaign, day=send_by)}
    gone |= {item.ref for item in whole.items if item.row_id and (item.row_id not in current or holds_order(item))}
    return replace(whole, items=tuple(item for item in whole.items if item.ref not in gone)) if gone else whole


def _unsaved(*, team_id: int, prospect: Prospect, items: list[dict[str, Any]], now: datetime) -> FrozenDossier:
    content = Dossier(dossier_id="", send_by=now.date(), items=tuple(_thawed(item) for item in items)).content_hash
    return FrozenDossier(team_id=team_id, prospect=prospect, items=items, content_hash=content, created_at=now)


def gathered(*, prospect: Prospect, campaign: Campaign, now: datetime) -> tuple[Evidence, ...]:
    """Everything one message may be written from, in a fixed order: the same rows give the same numbers."""
    send_by = send_by_of(policy=shared_policy(team=campaign.team), now=now)
    about = evidence_of(prospect=prospect, owner=campaign.sender.user if campaign.sender else None)
    notes = citable_notes(team=campaign.team, about=about, day=send_by)
    chosen = _most_useful((*about, *notes))
    ours = sender_items(offer=shared_offer(campaign=campaign), send_by=send_by, observed_at=now.date())
    return (*chosen, *ours)


def freeze_unsaved(*, prospect: Prospect, campaign: Campaign, now: datetime) -> FrozenDossier:
    """Number what is known now. The caller saves it with what is written from it."""
    items = numbered(items=gathered(prospect=prospect, campaign=campaign, now=now))
    return _unsaved(team_id=campaign.team_id, prospect=prospect, items=items, now=now)


def freeze(*, prospect: Prospect, campaign: Campaign, now: datetime) -> FrozenDossier:
    """Number and store what is known now. One row; the evidence itself stays where it is."""
    frozen = freeze_unsaved(prospect=prospect, campaign=campaign, now=now)
    frozen.save()
    return frozen


def extended(*, draft: Draft, rows: Sequence[EvidenceRow], now: datetime) -> FrozenDossier:
    """A new frozen dossier: the draft's own, unchanged, and the added rows numbered after it.

    Raises ValueError when the draft was never written and so has no dossier.
    """
    if draft.dossier is None:
        raise ValueError(f"draft {draft.pk} has no dossier yet; it is written first")
    known = {item["evidence_id"] for item in draft.dossier.items}
    added = [as_evidence(row=row) for row in rows if row.pk not in known]
    items = [*draft.dossier.items, *numbered(items=added, first=len(draft.dossier.items) + 1)]
    frozen = _unsaved(team_id=draft.team_id, prospect=draft.prospect, items=items, now=now)
    frozen.save()
    return frozen


def as_evidence(*, row: EvidenceRow) -> Evidence:
    """A stored row as the rules read it."""
    occurred = None
    if row.occurred_first and row.occurred_last:
        occurred = DateInterval(row.occurred_first, row.occurred_last)
    plain = Evidence(
        ref=row.ref or f"added:{row.pk}",
        kind=Kind(row.kind),
        actor=Actor(row.actor),
        text=row.text,
        fields=fields_of(row.fields.items()),
        occurred=occurred,
        observed_at=row.observed_at,
        source=row.source,
        language=row.language,
    )
    return replace(plain, row_id=str(row.pk))
