"""Enrolling people by the hundred thousand, against a bare INSERT … SELECT of the same rows; counting an audience.

Everybody has a company of their own, a name, a role and a post as evidence, and the team has a list of suppressions:
all exclusions are asked for each of them.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

from django.db import connection, transaction
from django.utils import timezone

from messaging.enrolment.domain.audience import EVERYBODY, Audience
from messaging.enrolment.services.audiences import count_audience, explain_audience
from messaging.enrolment.services.runs import claim_run, start_run, work_run
from messaging.models import Enrolment, EnrolmentRun
from outreach.teams.models import Team
from prospects.models import Prospect, Suppression
from tests.factories import a_campaign
from tests.people import a_member
from tests.services.enrolment.crowds import a_crowd

SIZE, COUNTED, SUPPRESSED = 100_000, 10_000, 2_000
LIMIT_MS = 300.0
_BARE = """
INSERT INTO messaging_enrolment (team_id, campaign_id, prospect_id, state, state_reason, step, due_at, created_at)
SELECT team_id, %s, id, 'active', '', 1, now(), now() FROM prospects_prospect WHERE team_id = %s ORDER BY id
"""
_AUDIENCES = (
    ("everybody", EVERYBODY),
    ("title", Audience(title="head")),
    ("seniority and country", Audience(seniority=("chief", "head"), countries=("DE", "FR"))),
    ("layers and freshness", Audience(layers=("contextual", "motivational", "situational"), seen_days=90)),
    ("all at once", Audience(title="e", seniority=("chief", "head", "manager"), countries=("DE", "FR", "US"), languages=("en",),
                             layers=("contextual", "motivational"), seen_days=90, quiet_days=60)),
)  # fmt: skip
_ROUNDS = 5


def run(size: int = SIZE) -> Iterator[dict[str, Any]]:
    yield from _enrolling(size)
    yield from _counting(COUNTED, "audience of 10,000")


def _enrolling(size: int) -> Iterator[dict[str, Any]]:
    team = Team.objects.create(slug="bench-enrolment", name="Bench")
    _crowd(team, size)
    bare = a_campaign(team=team)
    begun = time.perf_counter()
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(_BARE, [bare.pk, team.pk])
    baseline = time.perf_counter() - begun
    Enrolment.objects.filter(campaign=bare).delete()
    with connection.cursor() as cursor:
        cursor.execute("VACUUM ANALYZE messaging_enrolment")
    member = a_member(team=team, role="writer")
    started = start_run(member=member, campaign=a_campaign(team=team), audience=EVERYBODY, now=timezone.now())
    assert isinstance(started, EnrolmentRun), started
    begun = time.perf_counter()
    lease = claim_run(now=timezone.now())
    assert lease is not None
    done = work_run(lease=lease, clock=timezone.now)
    took = time.perf_counter() - begun
    assert done.enrolled == size, (done.enrolled, done.excluded)
    yield _line("enrolling everybody in the background against INSERT … SELECT", took, baseline, "s", f"{size:,} people")


def _counting(people: int, name: str) -> Iterator[dict[str, Any]]:
    team = Team.objects.create(slug=f"bench-{people}", name="Bench")
    _crowd(team, people)
    campaign = a_campaign(team=team)
    for words, audience in _AUDIENCES:
        number = count_audience(team=team, audience=audience, now=timezone.now())
        took = sorted(_seconds(lambda audience=audience: count_audience(team=team, audience=audience, now=timezone.now())) for _ in range(_ROUNDS))
        yield _line(f"{name}, live count: {words}", 1_000 * took[_ROUNDS // 2], LIMIT_MS, "ms", f"{number.number:,} of {people:,}")
    took = sorted(
        _seconds(lambda: explain_audience(team=team, campaign=campaign, audience=EVERYBODY, now=timezone.now()))
        for _ in range(_ROUNDS)
    )
    yield _line(f"{name}, exclusions explained", 1_000 * took[_ROUNDS // 2], 1_000.0, "ms", f"{people:,} people")


def _crowd(team: Team, people: int) -> None:
    a_crowd(team=team, people=people, seen=timezone.now().date())
    assert Prospect.objects.filter(team=team).count() == people
    Suppression.objects.bulk_create(
        Suppression(team=team, kind=kind, keyed_hash=f"{kind}{number:057x}", reason="asked")
        for kind in ("email", "domain", "company", "profile")
        for number in range(SUPPRESSED // 4)
    )


def _seconds(work: Any) -> float:
    begun = time.perf_counter()
    work()
    return time.perf_counter() - begun


def _line(name: str, value: float, baseline: float, unit: str, size: str) -> dict[str, Any]:
    return {
        "name": f"enrolment, {name}", "value": round(value, 3), "baseline": round(baseline, 3),
        "ratio": round(value / baseline, 3), "unit": unit, "size": size,
    }  # fmt: skip
