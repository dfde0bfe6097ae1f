"""Audiences: saved, counted, explained, and understood before they are."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from django.core.cache import cache
from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from messaging.enrolment.domain.audience import Audience, level_key, size_band, stored_audience
from messaging.enrolment.domain.exclusions import CUSTOMER_LISTS, Limits, Why
from messaging.enrolment.queries.audience import (
    COUNTRY,
    FUNCTION,
    LEVEL,
    SIZE,
    WINDOW,
    Size,
    everyone,
    people_of,
    size_of,
    unread_texts,
    window,
)
from messaging.enrolment.queries.exclusions import Screen
from messaging.models import CampaignAudience, TextReading
from messaging.verification.language import resolve
from outreach.campaigns.models import Campaign, CampaignStatus
from outreach.teams.access import Member, gate
from outreach.teams.audit import record
from outreach.teams.domain.capabilities import Capability
from outreach.teams.domain.refusal import Refusal
from outreach.teams.models import Team
from prospects import suppression
from prospects.domain.places import territory_of
from prospects.domain.staleness import role_limit
from prospects.domain.title_levels import field_of, level_of
from prospects.models import Prospect

#: People of an audience whose exclusions are told before anybody is enrolled: the newest.
EXPLAINED = 10_000
#: Seconds for which a live count takes the team's titles and places as read; enrolling looks itself.
_READ_FOR = 10
#: Texts understood at a time.
_AT_ONCE = 20_000

_READERS: Mapping[str, Mapping[str, Callable[[str], str]]] = {
    LEVEL: {LEVEL: lambda text: level_key(level_of(text)), FUNCTION: field_of},
    COUNTRY: {COUNTRY: territory_of},
    SIZE: {SIZE: size_band},
}


@dataclass(frozen=True, slots=True)
class Explained:
    """What would come of enrolling an audience. looked_at: of the newest so many; first: ids who would be enrolled."""

    looked_at: int
    whole: bool
    fit: int
    reasons: tuple[tuple[Why, int], ...]
    first: tuple[int, ...]


def limits_of(*, audience: Audience, now: datetime) -> Limits:
    """The audience's limits on this day."""
    today = now.date()
    return Limits(
        rested_since=today - timedelta(days=audience.rest_days) if audience.rest_days else None,
        fresh_since=role_limit(today) if audience.fresh_only else None,
        sure_language=audience.sure_language,
        per_company=audience.per_company,
    )


def read_texts(*, people: QuerySet[Prospect], audience: Audience) -> int:
    """Understand the titles, places and sizes that the audience asks for and nobody has read. Returns how many."""
    if not audience.reads_texts:
        return 0
    done = 0
    for kind, texts in unread_texts(people=people, audience=audience, most=_AT_ONCE).items():
        rows = [
            TextReading(kind=target, digest=UUID(_md5(text)), value=reader(text)[:32])
            for text in texts
            for target, reader in _READERS[kind].items()
        ]
        TextReading.objects.bulk_create(rows, ignore_conflicts=True, batch_size=5_000)
        done += len(texts)
    return done


def _md5(text: str) -> str:
    return hashlib.md5(text.encode(), usedforsecurity=False).hexdigest()


def count_audience(*, team: Team, audience: Audience, now: datetime) -> Size:
    """How many people the audience has; see `size_of`."""
    if audience.reads_texts:
        asked = [audience.seniority, audience.functions, audience.countries, audience.sizes]
        key = f"audience-texts:{team.pk}:{''.join(str(int(bool(part))) for part in asked)}"
        if cache.add(key, 1, timeout=_READ_FOR):
            read_texts(people=Prospect.objects.filter(pk__in=window(team=team)), audience=audience)
    return size_of(team=team, audience=audience, now=now)


def explain_audience(*, team: Team, campaign: Campaign, audience: Audience, now: datetime, first: int = 5) -> Explained:
    """Who would be left out and why, of the newest EXPLAINED people; the first few of the others."""
    newest = people_of(team=team, audience=audience, now=now).order_by("-pk")
    if everyone(team=team).order_by()[: WINDOW + 1].count() > WINDOW:
        newest = newest.filter(pk__in=window(team=team))
    ids = list(newest.values_list("pk", flat=True)[: EXPLAINED + 1])
    told = screen_for(
        campaign=campaign, ids=ids[:EXPLAINED], limits=limits_of(audience=audience, now=now), now=now
    ).told(ids[:EXPLAINED])
    counted = Counter(why for why in told.values() if why is not None)
    fit = [pk for pk in ids[:EXPLAINED] if told.get(pk, Why.UNKNOWN) is None]
    return Explained(
        looked_at=min(len(ids), EXPLAINED),
        whole=len(ids) <= EXPLAINED,
        fit=len(fit),
        reasons=tuple(counted.most_common()),
        first=tuple(fit[:first]),
    )


def screen_for(*, campaign: Campaign, ids: Sequence[int], limits: Limits, now: datetime) -> Screen:
    """What the exclusions of these people are told with."""
    found = suppression.of_prospects(team=campaign.team, prospect_ids=ids)
    customers = [pk for pk, row in found.items() if row.origin in CUSTOMER_LISTS]
    day = timezone.localtime(now).replace(hour=0, minute=0, second=0, microsecond=0)
    return Screen(
        campaign=campaign,
        limits=limits,
        suppressed=[pk for pk in found if pk not in set(customers)],
        customers=customers,
        can_be_checked=lambda code: bool(resolve(code)),
        day=day,
    )


def save_audience(
    *, member: Member, campaign: Campaign, audience: Audience, now: datetime
) -> CampaignAudience | Refusal:
    """Keep the audience with the campaign. Who is enrolled already stays so."""
    refused = refusal_to_enrol(member=member, campaign=campaign)
    if refused is not None:
        return refused
    with transaction.atomic():
        kept, _created = CampaignAudience.objects.update_or_create(
            campaign=campaign, defaults={"filters": audience.as_json(), "saved_by": member.user, "saved_at": now}
        )
        record(
            team=member.team, actor=member.user, action="audience.saved", target=campaign,
            details={"filters": sorted(audience.as_json())},
        )  # fmt: skip
    return kept


def refusal_to_enrol(*, member: Member, campaign: Campaign) -> Refusal | None:
    """Why this member may not enrol anybody in this campaign."""
    refused = gate(member=member, capability=Capability.WRITE)
    if refused is not None:
        return refused
    if campaign.team_id != member.team.pk:
        return Refusal("not-found", "There is no such campaign in your team.")
    if campaign.status == CampaignStatus.FINISHED:
        return Refusal("finished", "The campaign is finished; nobody can be enrolled in it any more.")
    return None


def left_out(*, campaign: Campaign, audience: Audience, now: datetime) -> dict[int, Why]:
    """Who of the audience is not in the campaign and why, as of now: the newest EXPLAINED people of it."""
    read_texts(people=Prospect.objects.filter(pk__in=window(team=campaign.team)), audience=audience)
    people = people_of(team=campaign.team, audience=audience, now=now).order_by("-pk")
    ids = list(people.values_list("pk", flat=True)[:EXPLAINED])
    screen = screen_for(campaign=campaign, ids=ids, limits=limits_of(audience=audience, now=now), now=now)
    told = screen.told(ids)
    return {pk: why for pk, why in told.items() if why is not None and why is not Why.ENROLLED_ALREADY}


def within_saved(*, campaign: Campaign, people: QuerySet[Prospect], most: int, now: datetime) -> list[int]:
    """Up to `most` of these people, in their order; of a campaign with a saved audience those it takes now."""
    saved = CampaignAudience.objects.filter(campaign=campaign).values_list("filters", flat=True).first()
    if saved is None:
        return list(people.values_list("pk", flat=True)[:most])
    audience = stored_audience(saved)[0]
    read_texts(people=people, audience=audience)
    matching = people_of(team=campaign.team, audience=audience, now=now).order_by().values("pk")
    ids = list(people.filter(pk__in=matching).values_list("pk", flat=True)[:most])
    screen = screen_for(campaign=campaign, ids=ids, limits=limits_of(audience=audience, now=now), now=now)
    told = screen.told(ids)
    return [pk for pk in ids if told.get(pk) is None]
