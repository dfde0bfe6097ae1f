"""Many people at once, each at a company of their own, with a role that was seen lately."""

from __future__ import annotations

from datetime import date, timedelta

from django.db import connection

from outreach.teams.models import Team
from tests.factories import TODAY

_COMPANIES = """
INSERT INTO prospects_company (team_id, name, normalized_name, domain, created_at)
SELECT %(team)s, 'Company ' || n, 'company ' || n, 'c' || n || '.example', now()
FROM generate_series(1, %(companies)s) n ON CONFLICT DO NOTHING
"""
_PEOPLE = """
INSERT INTO prospects_prospect (team_id, full_name, headline, title, company_id, location, language, language_confidence,
    language_signals, language_chosen, email, linkedin_url, first_degree, state, conflict, created_at, updated_at)
SELECT %(team)s, 'Person ' || n, '', (ARRAY['Head of Sales','Software Engineer','CEO','Product Manager','VP Marketing'])[1 + n %% 5]
    || ' ' || n %% 40, c.id,
    (ARRAY['Berlin, Germany','Lyon, France','Austin, Texas, United States','Lisbon, Portugal'])[1 + n %% 4],
    'en', 1, '[]', false, 'p' || n || '@c' || 1 + (n - 1) %% %(companies)s || '.example', 'https://www.linkedin.com/in/p' || n, n %% 10 = 0, 'active', '', now(), now()
FROM generate_series(1, %(people)s) n
JOIN prospects_company c ON c.team_id = %(team)s AND c.normalized_name = 'company ' || 1 + (n - 1) %% %(companies)s
ORDER BY n
"""
_ROLES = """
INSERT INTO prospects_evidence (team_id, prospect_id, kind, actor, ref, text, fields, observed_at, language, source, source_url,
    snapshot, content_hash, slot, state, state_reason, created_at, occurred_first, occurred_last)
SELECT p.team_id, p.id, k.kind, 'prospect', '', p.title, k.fields::jsonb, %(seen)s, '', 'people.csv', '', '',
    md5(p.id::text || k.kind), '', 'current', '', now(), %(seen)s, %(seen)s
FROM prospects_prospect p, (VALUES ('name', '{}'), ('position', '{"title": "Head"}'), ('post', '{"id": "1"}')) k(kind, fields)
WHERE p.team_id = %(team)s
"""


def a_crowd(*, team: Team, people: int, companies: int = 0, seen: date = TODAY - timedelta(days=10)) -> None:
    """People by SQL: ten titles in forty wordings, four places, each with name, role and post as evidence."""
    values = {"team": team.pk, "people": people, "companies": companies or people, "seen": seen}
    with connection.cursor() as cursor:
        for statement in (_COMPANIES, _PEOPLE, _ROLES):
            cursor.execute(statement, values)
        for table in ("prospects_company", "prospects_prospect", "prospects_evidence"):
            cursor.execute(f"ANALYZE {table}")  # own names
