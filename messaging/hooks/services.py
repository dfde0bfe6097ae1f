"""Counting, for each team, what several of its people have: the rarer a thing, the better a hook."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.db import connection, transaction
from django.db.models import F, Q

from messaging.hooks.domain.rarity import COUNTED_BY, LONGEST_KEY
from messaging.models import SharedCount, SharedThing
from outreach.teams.models import Team
from prospects.models import Evidence, EvidenceState, Prospect, ProspectState

#: Counts older than this are taken anew.
FRESH_FOR = timedelta(days=1)
#: Teams counted in one round.
MOST_TEAMS = 20

_VALUE = " ".join(
    f"WHEN '{kind}' THEN " + (f"fields->>'{field}'" if field else "text") for kind, field in COUNTED_BY.items()
)
_KINDS = ", ".join(f"'{kind}'" for kind in COUNTED_BY)
# One pass over the team's evidence; the key is made as hooks.domain.rarity.key_from makes it. No user input is in it.
_COUNT = rf"""
    INSERT INTO {SharedThing._meta.db_table} (team_id, key, people)
    SELECT %(team)s, held.key, count(DISTINCT held.prospect_id)
    FROM (
        SELECT prospect_id,
               left(kind || ':' || nullif(btrim(regexp_replace(lower(CASE kind {_VALUE} END), '\s+', ' ', 'g')), ''),
                    {LONGEST_KEY}) AS key
        FROM {Evidence._meta.db_table}
        WHERE team_id = %(team)s AND state = %(current)s AND prospect_id IS NOT NULL AND kind IN ({_KINDS})
    ) held
    WHERE held.key IS NOT NULL
    GROUP BY held.key HAVING count(DISTINCT held.prospect_id) > 1
"""  # noqa: S608 - names of our own tables, columns and kinds


def count_shared_things(*, team: Team, now: datetime) -> int:
    """Replace the team's counts by new ones; one transaction, so that readers see the old or the new. Returns rows."""
    with transaction.atomic():
        SharedCount.objects.get_or_create(team=team)
        SharedCount.objects.select_for_update().get(team=team)
        SharedThing.objects.filter(team=team).delete()
        with connection.cursor() as cursor:
            cursor.execute(_COUNT, {"team": team.pk, "current": EvidenceState.CURRENT.value})
            counted = cursor.rowcount
        people = Prospect.objects.filter(team=team, state=ProspectState.ACTIVE).count()
        SharedCount.objects.filter(team=team).update(people=people, counted_at=now)
    return counted


def count_due(*, now: datetime) -> int:
    """Count for the teams that were never counted or not for a day, the longest ago first. Returns how many."""
    stale = Q(counted_at__isnull=True) | Q(counted_at__lte=now - FRESH_FOR)
    SharedCount.objects.bulk_create(
        [SharedCount(team_id=pk) for pk in Team.objects.exclude(pk__in=SharedCount.objects.values("team"))[:MOST_TEAMS]
         .values_list("pk", flat=True)],
        ignore_conflicts=True,
    )  # fmt: skip
    due = SharedCount.objects.filter(stale).select_related("team").order_by(F("counted_at").asc(nulls_first=True), "pk")
    teams = [one.team for one in due[:MOST_TEAMS]]
    for team in teams:
        count_shared_things(team=team, now=now)
    return len(teams)
