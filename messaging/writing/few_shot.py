"""Examples for the language model: messages that did well, without names, chosen by a manager."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from django.db import transaction
from django.db.models import Count, Q, QuerySet

from messaging.models import Draft, ExampleState, FewShotExample, Reply
from messaging.writing.domain.anonymous import anonymised, leaks, named_in, shrunken
from messaging.writing.domain.window import Example, shipped_examples
from messaging.writing.dossiers import thaw
from outreach.teams.access import Member, gate
from outreach.teams.audit import record
from outreach.teams.domain.capabilities import Capability
from outreach.teams.domain.refusal import Refusal
from outreach.teams.models import Team
from prospects.models import ProspectState

#: Examples shown with one request; more cost tokens and teach nothing new.
MOST_SHOWN = 3
#: Replies that one search for candidates looks at, the newest.
MOST_REPLIES = 300
POSITIVE = ("interested", "meeting_booked", "referral")
_SENT = ("sent", "attested", "handed_over")


@dataclass(frozen=True)
class Proposed:
    """What a search found. named: left out, because a name could not be taken out for certain."""

    candidates: int = 0
    named: int = 0


def examples_of(*, team: Team, state: str) -> QuerySet[FewShotExample]:
    """The team's examples in a state; the caller pages them. Those written to somebody who was erased are left out."""
    return (
        FewShotExample.objects.filter(team=team, state=state)
        .exclude(prospect__state=ProspectState.ERASED)
        .select_related("decided_by", "source__draft__strategy")
    )


def examples_for(*, draft: Draft, few_shot: str) -> tuple[Example, ...]:
    """What the model is shown for this draft: of its language and channel. One query for the team's own, else none.

    few_shot: the strategy's set, as StrategyParameters tells them
    """
    if few_shot == "team":
        rows = examples_of(team=draft.team, state=ExampleState.APPROVED).filter(
            channel=draft.channel, language=draft.language
        )
        own = tuple(Example(row.subject, row.body) for row in rows.order_by("-rate", "-pk")[:MOST_SHOWN])
        if own:
            return own
    return shipped_examples(language=draft.language, channel=draft.channel) if few_shot else ()


@transaction.atomic
def propose_examples(*, member: Member, now: datetime) -> Proposed | Refusal:
    """Look for messages that were answered well, and leave them as candidates without names. A bounded look."""
    refused = gate(member=member, capability=Capability.MANAGE)
    if refused is not None:
        return refused
    Team.objects.select_for_update().get(pk=member.team.pk)
    replies = (
        Reply.objects.filter(team=member.team, kind="human", intent__in=POSITIVE, delivery__isnull=False)
        .filter(delivery__approval__revision__example__isnull=True)
        .exclude(delivery__draft__prospect__state=ProspectState.ERASED)
        .select_related("delivery__draft", "delivery__approval__revision__dossier")
        .order_by("-pk")[:MOST_REPLIES]
    )
    rates = _rates(team=member.team)
    found: dict[int, FewShotExample] = {}
    left_out: set[int] = set()
    for reply in replies:
        if reply.delivery is None or reply.delivery.approval.revision_id in found:
            continue
        example = _candidate(reply=reply, rates=rates, now=now)
        if example is None:
            left_out.add(reply.delivery.approval.revision_id)
        else:
            found[example.source_id] = example
    FewShotExample.objects.bulk_create(found.values(), ignore_conflicts=True)
    if found:
        record(
            team=member.team, actor=member.user, action="examples.proposed", target=member.team,
            details={"candidates": len(found)},
        )  # fmt: skip
    return Proposed(len(found), len(left_out))


def _candidate(*, reply: Reply, rates: dict[int | None, float], now: datetime) -> FewShotExample | None:
    delivery = reply.delivery
    assert delivery is not None  # noqa: S101 - the query asked for it
    draft, revision = delivery.draft, delivery.approval.revision
    named = named_in(thaw(frozen=revision.dossier, send_by=now.date()))
    subject, body = (anonymised(text, named=named) for text in (revision.subject, revision.body))
    if leaks(subject, named=named) or leaks(body, named=named):
        return None
    return FewShotExample(
        team_id=reply.team_id, source=revision, prospect_id=draft.prospect_id, channel=draft.channel,
        language=draft.language, subject=subject, body=body, created_at=now,
        outcome="meeting" if reply.intent == "meeting_booked" else "positive",
        rate=rates.get(draft.strategy_id, rates[None]),
    )  # fmt: skip


def _rates(*, team: Team) -> dict[int | None, float]:
    """Positive replies of each strategy's sent messages, shrunken towards the team's own rate, which is under None."""
    rows = (
        Draft.objects.filter(team=team, deliveries__state__in=_SENT)
        .values_list("strategy")
        .annotate(
            sent=Count("pk", distinct=True),
            positive=Count("pk", distinct=True, filter=Q(deliveries__replies__intent__in=POSITIVE)),
        )
        .order_by()
    )
    counted = [(key, sent, positive) for key, sent, positive in rows]
    base = sum(row[2] for row in counted) / max(sum(row[1] for row in counted), 1)
    return {
        None: base,
        **{key: shrunken(positive=positive, sent=sent, base=base) for key, sent, positive in counted if key},
    }


@transaction.atomic
def decide_example(*, member: Member, example_id: int, use: bool, now: datetime) -> FewShotExample | Refusal:
    """Put a candidate into use, or decline it and blank its text; one in use may be declined later."""
    refused = gate(member=member, capability=Capability.MANAGE)
    if refused is not None:
        return refused
    row = (
        FewShotExample.objects.select_for_update(of=("self",))
        .filter(team=member.team, pk=example_id)
        .exclude(prospect__state=ProspectState.ERASED)
        .first()
    )
    if row is None:
        return Refusal("not-found", "There is no such example in your team.")
    if row.state == ExampleState.DECLINED or (use and row.state == ExampleState.APPROVED):
        return Refusal("decided", "It was decided already.")
    row.state = ExampleState.APPROVED if use else ExampleState.DECLINED
    row.decided_by, row.decided_at = member.user, now
    if not use:
        row.subject = row.body = ""
    row.save()
    action = "example.approved" if use else "example.declined"
    record(team=member.team, actor=member.user, action=action, target=row, details={"revision": row.source_id})
    return row
