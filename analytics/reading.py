"""From the rows of messaging to exposures and outcomes: a little at a time, each row once, late ones too.

Ids are given before a transaction commits, so a row may appear behind the mark: every reading begins a stretch before
it, and what was read already is ignored by its unique source.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

from django.utils import timezone

from analytics.domain.attributes import assigned
from analytics.models import Exposure, Mark, Outcome, OutcomeKind
from messaging.models import AuthorKind, DeliveryEvent, Draft, OptOutToken, Reply, Revision
from messaging.writing.domain.strategy import group_of
from prospects.domain.evidence import Kind
from prospects.domain.title_levels import level_of

BATCH, STRETCH = 2_000, 500
#: A person may correct the reading of a reply so long after it came.
CORRECTED_WITHIN = timedelta(days=180)
POSITIVE = ("interested", "meeting_booked", "referral")
PEOPLE = ("human", "unsubscribe", "complaint")
_SENT, _BOUNCED = ("sent", "attested", "handed_over"), "bounced"


def read_everything(*, now: datetime, batch: int = BATCH) -> int:
    """Read on from every mark. Returns the rows that were new; 0 when everything is read."""
    return (
        read_exposures(batch=batch) + read_deliveries(batch=batch) + read_replies(batch=batch)
        + read_optouts(batch=batch) + read_corrections(now=now, batch=batch)
    )  # fmt: skip


def _mark(source: str) -> Mark:
    return Mark.objects.get_or_create(source=source)[0]


def _advance(mark: Mark, ids: Sequence[int]) -> None:
    mark.last_id = max([mark.last_id, *ids])
    mark.read_at = timezone.now()
    mark.save(update_fields=["last_id", "read_at"])


def _window(rows: Any, mark: Mark, batch: int) -> list[Any]:
    """The next rows after the mark, and the stretch before it again."""
    return list(rows.filter(pk__gt=mark.last_id - STRETCH).order_by("pk")[: batch + STRETCH])


def read_exposures(*, batch: int = BATCH) -> int:
    """One row for each draft that has a text and a strategy, from its first revision."""
    mark = _mark("revisions")
    rows = _window(
        Revision.objects.filter(number=1, draft__strategy__isnull=False)
        .exclude(author_kind=AuthorKind.PERSON)
        .select_related("draft__strategy", "draft__prospect"),
        mark, batch,
    )  # fmt: skip
    known = set(Exposure.objects.filter(draft__in=[row.draft_id for row in rows]).values_list("draft_id", flat=True))
    fresh = [_exposure(row.draft, row.created_at) for row in rows if row.draft_id not in known]
    Exposure.objects.bulk_create(fresh, ignore_conflicts=True)
    _advance(mark, [row.pk for row in rows])
    return len(fresh)


def _exposure(draft: Draft, at: datetime) -> Exposure:
    strategy = draft.strategy
    assert strategy is not None  # noqa: S101 - the query asked for it
    first: Mapping[str, Any] = next((hook for hook in draft.hooks if isinstance(hook, Mapping)), {})
    dropped = [str(one.get("layer", "")) for one in draft.dropped_layers if isinstance(one, Mapping)]
    attributes = assigned(
        parameters=strategy.parameters, channel=draft.channel, hook=_hook(str(first.get("kind", ""))),
        layers=[str(layer) for layer in draft.layers], dropped=dropped,
    )  # fmt: skip
    return Exposure(
        team_id=draft.team_id, draft=draft, campaign_id=draft.campaign_id, strategy=strategy, channel=draft.channel,
        language=draft.language, persona=level_of(draft.prospect.title).name.lower(), cluster=draft.prospect.company_id,
        propensities=draft.propensities, attributes=attributes, eligible=attributes["eligible"],
        fallback=draft.fallback, created_at=at,
    )  # fmt: skip


def _hook(kind: str) -> str:
    return group_of(Kind(kind)) if kind in set(Kind) else "profile"


def read_deliveries(*, batch: int = BATCH) -> int:
    """Sendings and bounces."""
    mark = _mark("deliveries")
    events = _window(
        DeliveryEvent.objects.filter(kind__in=[*_SENT, _BOUNCED]).select_related("delivery__approval__revision"),
        mark, batch,
    )  # fmt: skip
    exposures = _exposures(event.delivery.draft_id for event in events)
    found = []
    for event in events:
        exposure = exposures.get(event.delivery.draft_id)
        if exposure is None:
            continue
        kind = OutcomeKind.BOUNCE if event.kind == _BOUNCED else OutcomeKind.SENT
        edited = event.delivery.approval.revision.author_kind == AuthorKind.PERSON
        at = event.delivery.sent_at or event.at if kind == OutcomeKind.SENT else event.at
        found.append(Outcome(exposure_id=exposure, kind=kind, at=at, edited=edited and kind == OutcomeKind.SENT,
                             source=f"{kind}:{event.delivery.draft_id}"))  # fmt: skip
    _advance(mark, [event.pk for event in events])
    return _kept(found)


def read_replies(*, batch: int = BATCH) -> int:
    """Replies of people, as they were first read. Automatic replies are no outcome."""
    mark = _mark("replies")
    rows = _window(
        Reply.objects.filter(delivery__isnull=False, kind__in=PEOPLE).select_related("delivery"), mark, batch
    )
    exposures = _exposures(row.delivery.draft_id for row in rows if row.delivery)
    found: list[Outcome] = []
    for row in rows:
        exposure = exposures.get(row.delivery.draft_id) if row.delivery else None
        if exposure is not None:
            found += _of_reply(row, exposure, row.read_as or row.intent)
    _advance(mark, [row.pk for row in rows])
    return _kept(found)


def kinds_of(*, kind: str, intent: str) -> frozenset[str]:
    """What a reply counts as."""
    if kind == "complaint":
        return frozenset({OutcomeKind.COMPLAINT, OutcomeKind.OPTOUT})
    if kind == "unsubscribe" or intent == "unsubscribe":
        return frozenset({OutcomeKind.REPLY, OutcomeKind.OPTOUT})
    found = {OutcomeKind.REPLY}
    if intent in POSITIVE:
        found.add(OutcomeKind.POSITIVE)
    if intent == "meeting_booked":
        found.add(OutcomeKind.MEETING)
    return frozenset(found)


def _of_reply(row: Reply, exposure: int, intent: str) -> list[Outcome]:
    """A second answer of a person is no second outcome: sources are by draft."""
    draft = row.delivery.draft_id if row.delivery else 0
    return [
        Outcome(exposure_id=exposure, kind=kind, at=row.received_at, source=f"{kind}:{draft}")
        for kind in sorted(kinds_of(kind=row.kind, intent=intent))
    ]


def read_optouts(*, batch: int = BATCH) -> int:
    """People who used the link."""
    used = OptOutToken.objects.filter(used_at__isnull=False, draft__isnull=False).order_by("-used_at")[:batch]
    tokens = list(used)
    exposures = _exposures(token.draft_id for token in tokens)
    return _kept(
        Outcome(exposure_id=exposures[token.draft_id], kind=OutcomeKind.OPTOUT, at=token.used_at,
                source=f"{OutcomeKind.OPTOUT}:{token.draft_id}")
        for token in tokens if token.draft_id in exposures and token.used_at is not None
    )  # fmt: skip


def read_corrections(*, now: datetime, batch: int = BATCH) -> int:
    """What a person corrected is taken back and counted anew."""
    rows = list(
        Reply.objects.filter(
            corrected_by__isnull=False, delivery__isnull=False, received_at__gte=now - CORRECTED_WITHIN
        )
        .select_related("delivery").order_by("-pk")[:batch]
    )  # fmt: skip
    exposures = _exposures(row.delivery.draft_id for row in rows if row.delivery)
    counted = _standing(exposures.values())
    found: list[Outcome] = []
    for row in rows:
        if row.delivery is None or row.delivery.draft_id not in exposures:
            continue
        exposure = exposures[row.delivery.draft_id]
        wanted = kinds_of(kind=row.kind, intent=row.intent)
        for kind in (OutcomeKind.REPLY, OutcomeKind.POSITIVE, OutcomeKind.MEETING, OutcomeKind.OPTOUT):
            standing, turns = counted.get((exposure, str(kind)), (0, 0))
            change = int(kind in wanted) - standing
            if change:
                found.append(Outcome(exposure_id=exposure, kind=kind, amount=change, at=row.received_at,
                                     source=f"{kind}:{row.delivery.draft_id}:{turns}"))  # fmt: skip
    return _kept(found)


def _standing(exposures: Iterable[int]) -> dict[tuple[int, str], tuple[int, int]]:
    """Sum and number of the outcomes of each kind."""
    found: dict[tuple[int, str], tuple[int, int]] = {}
    rows = Outcome.objects.filter(exposure__in=list(exposures)).values_list("exposure_id", "kind", "amount")
    for exposure, kind, amount in rows:
        total, turns = found.get((exposure, kind), (0, 0))
        found[exposure, kind] = (total + amount, turns + 1)
    return found


def _exposures(drafts: Iterable[int | None]) -> dict[int, int]:
    wanted = {draft for draft in drafts if draft is not None}
    return dict(Exposure.objects.filter(draft__in=wanted).values_list("draft_id", "id"))


def _kept(outcomes: Iterable[Outcome]) -> int:
    """Store those that are new; returns how many."""
    by_source = {outcome.source: outcome for outcome in outcomes}
    known = set(Outcome.objects.filter(source__in=list(by_source)).values_list("source", flat=True))
    fresh = [outcome for source, outcome in by_source.items() if source not in known]
    Outcome.objects.bulk_create(fresh, ignore_conflicts=True)
    return len(fresh)
