"""Reading people, memberships and the audit trail."""

from __future__ import annotations

from django.db import connection
from django.db.models import QuerySet

from outreach.teams.models import AuditEvent, Membership, Team, User

ACTIONS_SHOWN = 200


def memberships_of(*, team: Team) -> QuerySet[Membership]:
    """Everybody who is or was in the team; the caller pages them."""
    return Membership.objects.filter(team=team).select_related("user")


def membership_of(*, team: Team, membership_id: int) -> Membership | None:
    return memberships_of(team=team).filter(pk=membership_id).first()


def user_by_email(*, email: str) -> User | None:
    return User.objects.filter(email__iexact=email).first()


def audit_of(*, team: Team, action: str = "") -> QuerySet[AuditEvent]:
    """The trail, all of it or of one action; the caller pages it."""
    events = AuditEvent.objects.filter(team=team).select_related("actor")
    return events.filter(action=action) if action else events


def actions_of(*, team: Team) -> tuple[str, ...]:
    """The actions that occur in the team's trail. One index probe for each, however long the trail is."""
    with connection.cursor() as cursor:
        cursor.execute(
            """
            WITH RECURSIVE found AS (
                (SELECT action FROM teams_auditevent WHERE team_id = %(team)s ORDER BY action LIMIT 1)
                UNION ALL
                SELECT (
                    SELECT e.action FROM teams_auditevent e
                    WHERE e.team_id = %(team)s AND e.action > found.action ORDER BY e.action LIMIT 1
                ) FROM found WHERE found.action IS NOT NULL
            )
            SELECT action FROM found WHERE action IS NOT NULL LIMIT %(most)s
            """,
            {"team": team.pk, "most": ACTIONS_SHOWN},
        )
        return tuple(action for (action,) in cursor.fetchall())
