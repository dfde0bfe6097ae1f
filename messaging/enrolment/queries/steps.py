"""People by step: who stands where, since when, and what the next step asks."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Count, Max, Prefetch, QuerySet

from messaging.enrolment.domain.advance import connection_of
from messaging.models import Delivery, DeliveryState, Draft, Enrolment
from outreach.campaigns.domain.sequence import Step
from outreach.campaigns.models import Campaign, SequenceStep
from outreach.campaigns.queries import sequence_of

_GONE = (DeliveryState.SENT, DeliveryState.ATTESTED, DeliveryState.HANDED_OVER)


@dataclass(frozen=True, slots=True)
class AtStep:
    """One step of the sequence and who stands there; step is None for one that was taken out of the sequence."""

    position: int
    step: Step | None
    people: int
    states: tuple[tuple[str, int], ...]


def sent_days(*, enrolments: Sequence[Enrolment]) -> dict[tuple[int, int], datetime]:
    """When the message of each (enrolment, step) went out. One query."""
    rows = (
        Delivery.objects.filter(draft__enrolment__in=enrolments, state__in=_GONE, sent_at__isnull=False)
        .order_by()
        .values_list("draft__enrolment_id", "draft__step")
        .annotate(at=Max("sent_at"))
    )
    return {(pk, step): at for pk, step, at in rows}


def sequences_of(*, campaigns: Iterable[int]) -> dict[int, tuple[Step, ...]]:
    """The sequences of several campaigns. One query."""
    found: dict[int, tuple[Step, ...]] = {}
    for row in SequenceStep.objects.filter(campaign__in=campaigns).order_by("campaign", "position"):
        step = Step(row.position, row.channel, row.wait_days, row.condition, row.instruction)
        found[row.campaign_id] = (*found.get(row.campaign_id, ()), step)
    return found


def steps_with_people(*, campaign: Campaign) -> tuple[AtStep, ...]:
    """Every step in order, with people by state. Two queries."""
    rows = (
        Enrolment.objects.filter(campaign=campaign)
        .order_by("step", "state")
        .values_list("step", "state")
        .annotate(number=Count("pk"))
    )
    counted: dict[int, list[tuple[str, int]]] = {}
    for position, state, number in rows:
        counted.setdefault(position, []).append((state, number))
    steps = {step.position: step for step in sequence_of(campaign=campaign)}
    return tuple(
        AtStep(
            position, steps.get(position), sum(number for _, number in counted.get(position, ())),
            tuple(counted.get(position, ())),
        )
        for position in sorted({*steps, *counted})
    )  # fmt: skip


def people_at(*, campaign: Campaign, step: int = 0, state: str = "") -> QuerySet[Enrolment]:
    """People of one step, or of all, with their newest draft as `newest`; the caller pages them by ("-id",)."""
    people = Enrolment.objects.filter(campaign=campaign)
    if step:
        people = people.filter(step=step)
    if state:
        people = people.filter(state=state)
    drafts = Prefetch("drafts", queryset=Draft.objects.order_by("-step", "-pk"), to_attr="newest")
    return people.select_related("prospect", "prospect__company").prefetch_related(drafts)


def connection(*, enrolment: Enrolment) -> bool | None:
    """Whether they are connected, None where nobody knows. No query."""
    return connection_of(first_degree=enrolment.prospect.first_degree, said=enrolment.connected)
