"""The exclusions of messaging.enrolment.domain.exclusions for many people in one statement; tests hold both together."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import connection

from messaging.enrolment.domain.exclusions import Limits, Why, allows, language_for
from outreach.campaigns.models import Campaign

#: Reasons in the order of exclusion_of. CASE stops at the first that holds, so the later ones are rarely looked up.
#: OFFSET 0 keeps each look-up one of a person: the planner would else read a whole table, again for every chunk; + 0
#: keeps it from the index of campaigns, as statistics from before a run say that few are enrolled in this one.
_TOLD = """
WITH told AS MATERIALIZED (
    SELECT p.id, p.company_id, CASE
        WHEN p.state = 'erased' THEN 'erased'
        WHEN p.state = 'merged' THEN 'merged'
        WHEN p.id = ANY(%(suppressed)s::bigint[]) THEN 'suppressed'
        WHEN p.id = ANY(%(customers)s::bigint[]) THEN 'customer'
        WHEN p.state = 'conflicted' THEN 'conflicted'
        WHEN EXISTS (SELECT 1 FROM messaging_enrolment e WHERE e.campaign_id + 0 = %(campaign)s AND e.prospect_id = p.id
                     OFFSET 0)
          OR EXISTS (
            SELECT 1 FROM prospects_merge m JOIN messaging_enrolment e ON e.prospect_id = m.absorbed_id
            WHERE m.kept_id = p.id AND m.undone_at IS NULL AND e.campaign_id + 0 = %(campaign)s
            OFFSET 0
        ) THEN 'enrolled-already'
        WHEN EXISTS (
            SELECT 1 FROM messaging_enrolment e
            WHERE e.prospect_id = p.id AND e.state IN ('active', 'paused') AND e.campaign_id <> %(campaign)s
            OFFSET 0
        ) THEN 'other-purpose'
        WHEN p.{address} = '' THEN 'no-address'
        WHEN %(channel)s = 'linkedin_connection' AND p.first_degree THEN 'already-connected'
        WHEN %(channel)s = 'linkedin_message' AND NOT p.first_degree THEN 'not-connected'
        WHEN p.language = '' AND %(sure)s THEN 'language-unknown'
        WHEN p.language = ANY(%(not_allowed)s::text[]) THEN 'language-not-allowed'
        WHEN p.language = ANY(%(not_written)s::text[]) THEN 'language-not-written'
        WHEN %(rested)s::date IS NOT NULL AND EXISTS (
            SELECT 1 FROM messaging_delivery d
            WHERE d.prospect_id = p.id AND d.state IN ('sent', 'attested', 'handed_over')
              AND (d.sent_at AT TIME ZONE 'UTC')::date >= %(rested)s::date
            OFFSET 0
        ) THEN 'contacted-recently'
        WHEN %(fresh)s::date IS NOT NULL AND NOT EXISTS (
            SELECT 1 FROM prospects_evidence v
            WHERE v.prospect_id = p.id AND v.kind = 'position' AND v.state = 'current' AND NOT v.fields ? 'end'
              AND GREATEST(v.observed_at, v.last_seen_at) >= %(fresh)s::date
            OFFSET 0
        ) THEN 'stale'
        ELSE '' END AS why
    FROM prospects_prospect p WHERE p.id = ANY(%(ids)s::bigint[]) AND p.team_id = %(team)s
), ranked AS (
    SELECT id, company_id, why,
        CASE WHEN why = '' AND company_id IS NOT NULL AND %(per_company)s > 0
             THEN row_number() OVER (PARTITION BY company_id, why ORDER BY id) END AS place
    FROM told
), mates AS (
    SELECT c.company_id, n.number
    FROM (SELECT DISTINCT company_id FROM ranked WHERE place IS NOT NULL) c, LATERAL (
        SELECT count(*) AS number FROM (
            SELECT 1 FROM prospects_prospect q JOIN messaging_enrolment e ON e.prospect_id = q.id
            WHERE q.team_id = %(team)s AND q.company_id = c.company_id AND e.created_at >= %(day)s
            LIMIT %(per_company)s
        ) few
    ) n
), final AS MATERIALIZED (
    SELECT r.id, CASE WHEN r.place + m.number > %(per_company)s THEN 'same-company-and-day' ELSE r.why END AS why
    FROM ranked r LEFT JOIN mates m ON m.company_id = r.company_id AND r.place IS NOT NULL
)
"""
_READ = f"{_TOLD}SELECT id, why FROM final ORDER BY id"  # noqa: S608  # own text
#: In the order of ids: two calls that want the same people wait for each other and never in a circle.
_ENROL = f"""{_TOLD}, put AS (
    INSERT INTO messaging_enrolment (team_id, campaign_id, prospect_id, state, state_reason, step, due_at, created_at)
    SELECT %(team)s, %(campaign)s, id, 'active', '', 1, %(now)s, %(now)s FROM final WHERE why = '' ORDER BY id
    ON CONFLICT DO NOTHING RETURNING prospect_id
)
SELECT CASE WHEN f.why <> '' THEN f.why WHEN p.prospect_id IS NULL THEN 'other-purpose' ELSE '' END, count(*)
FROM final f LEFT JOIN put p ON p.prospect_id = f.id GROUP BY 1
"""  # noqa: S608  # own text


@dataclass(frozen=True, slots=True)
class Screen:
    """What the statement is asked with. suppressed, customers: prospect ids; day: since when "the same day" counts."""

    campaign: Campaign
    limits: Limits
    suppressed: Sequence[int]
    customers: Sequence[int]
    can_be_checked: Callable[[str], bool]
    day: datetime

    def _parameters(self, ids: Sequence[int]) -> dict[str, Any]:
        allowed = tuple(self.campaign.languages)
        not_allowed, not_written = [], []
        for known in self._languages(ids):
            language = language_for(known=known, allowed=allowed)
            if not allows(language=language, allowed=allowed):
                not_allowed.append(known)
            elif not self.can_be_checked(language):
                not_written.append(known)
        return {
            "ids": list(ids), "team": self.campaign.team_id, "campaign": self.campaign.pk,
            "channel": self.campaign.channel, "suppressed": list(self.suppressed), "customers": list(self.customers),
            "sure": self.limits.sure_language and len(allowed) != 1, "not_allowed": not_allowed,
            "not_written": not_written, "rested": self.limits.rested_since, "fresh": self.limits.fresh_since,
            "per_company": self.limits.per_company, "day": self.day,
        }  # fmt: skip

    def _languages(self, ids: Sequence[int]) -> list[str]:
        with connection.cursor() as cursor:
            cursor.execute("SELECT DISTINCT language FROM prospects_prospect WHERE id = ANY(%s)", [list(ids)])
            return [code for (code,) in cursor.fetchall()]

    def _statement(self, text: str) -> str:
        return text.format(address="email" if self.campaign.channel == "email" else "linkedin_url")

    def told(self, ids: Sequence[int]) -> dict[int, Why | None]:
        """Why each of these is left out, None who may be enrolled. One query; who is not of the team is missing."""
        with connection.cursor() as cursor:
            cursor.execute(self._statement(_READ), self._parameters(ids))
            return {pk: Why(why) if why else None for pk, why in cursor.fetchall()}

    def enrol(self, ids: Sequence[int], *, now: datetime) -> tuple[int, dict[Why, int]]:
        """Enrol who may be. Returns how many were, and how many were left out for each reason. One statement."""
        with connection.cursor() as cursor:
            cursor.execute(self._statement(_ENROL), {**self._parameters(ids), "now": now})
            counted = dict(cursor.fetchall())
        return counted.pop("", 0), {Why(why): number for why, number in counted.items()}
