"""The people of an audience: as a queryset, counted in bounded time, and what of them has to be understood first."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db import OperationalError, connection, transaction
from django.db.models import (
    BigIntegerField,
    BooleanField,
    Case,
    Exists,
    F,
    Func,
    OuterRef,
    Q,
    QuerySet,
    Subquery,
    UUIDField,
    Value,
    When,
)
from django.db.models.expressions import Combinable
from django.db.models.fields.json import KeyTextTransform
from django.db.models.functions import Cast, Coalesce, Greatest

from messaging.enrolment.domain.audience import CURRENT_DAYS, Audience, Layer, stored_audience
from messaging.models import CampaignAudience, Delivery, DeliveryState, EnrolmentRun, TextReading
from outreach.campaigns.models import Campaign, SenderIdentity
from outreach.teams.models import Team
from prospects.domain.evidence import Kind
from prospects.models import Evidence, EvidenceState, ImportBatch, ImportStep, Prospect
from prospects.queries import SHOWN

#: Kinds of readings, with the version of the rules: a new version reads everything again.
LEVEL, FUNCTION, COUNTRY, SIZE = "level.1", "function.1", "country.1", "size.1"
#: Teams of up to so many people are counted exactly; of larger ones the newest so many are looked at.
WINDOW = 20_000
#: Counted no further than this.
MOST_COUNTED = 100_000
#: How long an exact count of a large team may take before it is estimated instead.
PATIENCE_MS = 150
_GONE = (DeliveryState.SENT, DeliveryState.ATTESTED, DeliveryState.HANDED_OVER)
_OF_COMPANY = (Kind.COMPANY_NEWS, Kind.JOB)


@dataclass(frozen=True, slots=True)
class Size:
    """How many people an audience has. estimated: seen from the newest `looked_at` of `people`; capped: or more."""

    number: int
    people: int
    estimated: bool = False
    capped: bool = False
    looked_at: int = 0


def audience_of(*, campaign: Campaign) -> Audience:
    """The saved one; everybody under the usual limits where none was saved. One query."""
    said = CampaignAudience.objects.filter(campaign=campaign).values_list("filters", flat=True).first()
    return stored_audience(said or {})[0]


def digest(text: Combinable | str) -> Cast:
    """The key under which a text was read."""
    return Cast(Func(F(text) if isinstance(text, str) else text, function="MD5"), UUIDField())


def _read_as(kind: str, values: Iterable[str]) -> QuerySet[TextReading, object]:
    return TextReading.objects.filter(kind=kind, value__in=list(values)).values("digest")


def _among(condition: Q) -> Case:
    """The texts are hashed once and people are looked up in them, whatever the planner believes of their number."""
    return Case(When(condition, then=Value(value=True)), default=Value(value=False), output_field=BooleanField())


def everyone(*, team: Team) -> QuerySet[Prospect]:
    """The team's people who are one, oldest first."""
    return Prospect.objects.filter(team=team, state__in=SHOWN)


def people_of(*, team: Team, audience: Audience, now: datetime) -> QuerySet[Prospect]:
    """Unordered. Titles, places and sizes must have been read before (see `unread_texts`)."""
    people = _by_text(everyone(team=team), audience)
    people = _by_company(people, audience)
    people = _by_evidence(people, audience, now)
    people = _by_relation(people, audience, team=team)
    if audience.languages:
        people = people.filter(language__in=["" if code == "unknown" else code for code in audience.languages])
    if audience.quiet_days:
        since = now - timedelta(days=audience.quiet_days)
        people = people.filter(~Exists(written_to(since=since)))
    if audience.batch:
        people = people.filter(pk__in=_named_by(team=team, batch=audience.batch))
    return people


def written_to(*, since: datetime) -> QuerySet[Delivery]:
    """Messages that went to the outer prospect since then."""
    return Delivery.objects.filter(prospect=OuterRef("pk"), state__in=_GONE, sent_at__gte=since)


def _by_text(people: QuerySet[Prospect], audience: Audience) -> QuerySet[Prospect]:
    for word in audience.title.split():
        people = people.filter(title__icontains=word)
    if audience.seniority or audience.functions:
        people = people.alias(title_digest=digest("title"))
    if audience.seniority:
        people = people.filter(_among(Q(title_digest__in=_read_as(LEVEL, audience.seniority))))
    if audience.functions:
        people = people.filter(_among(Q(title_digest__in=_read_as(FUNCTION, audience.functions))))
    if audience.countries:
        places = Q(place_digest__in=_read_as(COUNTRY, audience.countries))
        people = people.alias(place_digest=digest("location")).filter(_among(places))
    return people


def _by_company(people: QuerySet[Prospect], audience: Audience) -> QuerySet[Prospect]:
    facts = Evidence.objects.filter(
        company=OuterRef("company"), kind=Kind.COMPANY_FACT.value, state=EvidenceState.CURRENT
    )
    if audience.industry:
        said = facts.filter(fields__attribute="industry")
        people = people.filter(
            _has(said.filter(Q(fields__value__icontains=audience.industry) | Q(text__icontains=audience.industry)))
        )
    if audience.sizes:
        said = facts.filter(fields__attribute="size").alias(size_digest=digest(KeyTextTransform("value", "fields")))
        people = people.filter(_has(said.filter(size_digest__in=_read_as(SIZE, audience.sizes))))
    return people


def _has(rows: QuerySet[Any]) -> Coalesce:
    """EXISTS as a scalar, looked up person by person: the planner would rather read all evidence of all teams."""
    return Coalesce(Subquery(rows.order_by().values(yes=Value(value=True))[:1]), Value(value=False))


def _known(**conditions: object) -> QuerySet[Evidence]:
    return Evidence.objects.filter(prospect=OuterRef("pk"), state=EvidenceState.CURRENT, **conditions)


def open_roles() -> QuerySet[Evidence]:
    """Present roles of the outer prospect, with `seen`, the last day a source said so."""
    return (
        _known(kind=Kind.POSITION.value)
        .exclude(fields__has_key="end")
        .annotate(seen=Greatest("observed_at", "last_seen_at"))
    )


def _by_evidence(people: QuerySet[Prospect], audience: Audience, now: datetime) -> QuerySet[Prospect]:
    today = now.date()
    if audience.seen_days:
        people = people.filter(_has(open_roles().filter(Q(seen__gte=today - timedelta(days=audience.seen_days)))))
    if Layer.CONTEXTUAL in audience.layers:
        people = people.filter(_has(open_roles()))
    if Layer.MOTIVATIONAL in audience.layers:
        people = people.filter(_has(_known(kind__in=[Kind.POST.value, Kind.COMMENT.value, Kind.ABOUT.value])))
    if Layer.SITUATIONAL in audience.layers:
        recent = {
            kind: Q(kind=kind.value, occurred_last__gte=today - timedelta(days=days))
            for kind, days in CURRENT_DAYS.items()
        }
        own, company = Q(pk__in=[]), Q(pk__in=[])
        for kind, condition in recent.items():
            if kind in _OF_COMPANY:
                company |= condition
            else:
                own |= condition
        theirs = Evidence.objects.filter(company, company=OuterRef("company"), state=EvidenceState.CURRENT)
        people = people.filter(_has(_known().filter(own)) | _has(theirs))
    return people


def _by_relation(people: QuerySet[Prospect], audience: Audience, *, team: Team) -> QuerySet[Prospect]:
    if audience.connected == "none":
        return people.filter(first_degree=False)
    linked, shared = _known(kind=Kind.CONNECTION.value), _known(kind=Kind.IN_COMMON.value)
    if not audience.owner:
        if audience.connected == "first":
            return people.filter(first_degree=True)
        return people.filter(_has(shared)) if audience.connected == "mutual" else people
    names = SenderIdentity.objects.filter(team=team, user=audience.owner).values_list("full_name", flat=True)[:20]
    theirs = Q(fields__to_id=str(audience.owner))
    for name in names:
        theirs |= Q(fields__with__iexact=name) | Q(fields__to__iexact=name)
    ties = {"first": (linked,), "mutual": (shared,)}.get(audience.connected, (linked, shared))
    held = Q(pk__in=[])
    for tie in ties:
        held |= Q(_has(tie.filter(theirs)))
    return people.filter(held)


def _named_by(*, team: Team, batch: int) -> QuerySet[ImportStep, object]:
    """The people whom an import of the team speaks about, also where it said nothing new."""
    steps = ImportStep.objects.filter(batch__team=team, batch=batch)
    return steps.annotate(named=_Unnest("prospect_ids", output_field=BigIntegerField())).values("named")


class _Unnest(Func):
    function = "unnest"
    set_returning = True


def size_of(*, team: Team, audience: Audience, now: datetime, most: int = WINDOW, cap: int = MOST_COUNTED) -> Size:
    """The live count. Bounded: exact for teams of up to `most` people; of larger ones exact up to a cap where that is
    quick, else estimated from the newest `most`."""
    people = everyone(team=team).count() if not audience.narrows else _capped(everyone(team=team), most)
    matching = people_of(team=team, audience=audience, now=now)
    if not audience.narrows:
        return Size(number=people, people=people, looked_at=people)
    if people <= most:
        return Size(number=matching.count(), people=people, looked_at=people)
    people = everyone(team=team).count()
    if not audience.reads_texts:
        counted = _quickly(matching, cap)
        if counted is not None:
            return Size(min(counted, cap), people, capped=counted > cap, looked_at=people)
    seen = matching.filter(pk__in=window(team=team, most=most)).count()
    return Size(round(seen * people / most), people, estimated=True, looked_at=most)


def window(*, team: Team, most: int = WINDOW) -> QuerySet[Prospect, object]:
    """Numbers of the newest people."""
    return everyone(team=team).order_by("-pk").values("pk")[:most]


def _capped(rows: QuerySet[Prospect], cap: int) -> int:
    return rows.order_by()[: cap + 1].count()


def _quickly(matching: QuerySet[Prospect], cap: int) -> int | None:
    """The exact number up to the cap; None where the database would think too long."""
    try:
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(f"SET LOCAL statement_timeout = {PATIENCE_MS}")
            number = _capped(matching, cap)
            cursor.execute("SET LOCAL statement_timeout = DEFAULT")
            return number
    except OperationalError:
        return None


def unread_texts(*, people: QuerySet[Prospect], audience: Audience, most: int) -> dict[str, list[str]]:
    """Titles, places and sizes among these people that nobody has read yet, by what is to be read from them."""
    found: dict[str, list[str]] = {}
    if audience.seniority or audience.functions:
        found[LEVEL] = _unread(people.order_by().values_list("title", flat=True), "title", LEVEL, most)
    if audience.countries:
        found[COUNTRY] = _unread(people.order_by().values_list("location", flat=True), "location", COUNTRY, most)
    if audience.sizes:
        facts = Evidence.objects.filter(
            company__in=people.order_by().values("company"), kind=Kind.COMPANY_FACT.value, state=EvidenceState.CURRENT,
            fields__attribute="size",
        ).annotate(said=KeyTextTransform("value", "fields"))  # fmt: skip
        found[SIZE] = _unread(facts.values_list("said", flat=True), "said", SIZE, most)
    return {kind: texts for kind, texts in found.items() if texts}


def _unread(texts: QuerySet[Any, str], name: str, kind: str, most: int) -> list[str]:
    known = TextReading.objects.filter(kind=kind, digest=OuterRef("key"))
    rows = texts.annotate(key=digest(name)).filter(~Exists(known)).distinct()
    return [text for text, _key in rows.values_list(name, "key")[:most] if text is not None]


def run_of(*, team: Team, campaign: Campaign, run_id: int) -> EnrolmentRun | None:
    return EnrolmentRun.objects.filter(team=team, campaign=campaign, pk=run_id).select_related("created_by").first()


def newest_run(*, campaign: Campaign) -> EnrolmentRun | None:
    return EnrolmentRun.objects.filter(campaign=campaign).order_by("-pk").first()


def imports_of(*, team: Team, most: int = 50) -> list[ImportBatch]:
    """Files that brought people, newest first."""
    return list(
        ImportBatch.objects.filter(team=team, rows_done__gt=0)
        .only("pk", "file_name", "created_at")
        .order_by("-pk")[:most]
    )
