"""What holds for teams and their trail, whatever happened."""

from __future__ import annotations

from collections.abc import Iterator

from django.db.models import Exists, OuterRef, Q
from django.db.models.functions import Length

from outreach.teams.domain.invariants import Invariant, Violation
from outreach.teams.domain.membership import administers
from outreach.teams.models import AuditEvent, Membership, Role, Team

_HEX = 64


def invariants() -> tuple[Invariant, ...]:
    return (
        Invariant("team_has_administrator", Team.objects.count, _without_administrator),
        Invariant("audit_commits", AuditEvent.objects.count, _malformed_commitments),
    )


def _without_administrator() -> Iterator[Violation]:
    """A team nobody is in any more needs none."""
    active = Membership.objects.filter(team=OuterRef("pk"), active=True)
    admins = active.filter(role__in=[role for role in Role.values if administers(role=role)])
    for pk in (
        Team.objects.filter(Exists(active), ~Exists(admins)).order_by("pk").values_list("pk", flat=True).iterator()
    ):
        yield Violation(pk, "The team has members and none of them is an administrator.")


def _malformed_commitments() -> Iterator[Violation]:
    """Salts may be erased; a commitment itself is a whole hash or nothing."""
    events = AuditEvent.objects.alias(length=Length("commitment"))
    broken = events.exclude(Q(commitment="") | Q(length=_HEX, commitment__regex="^[0-9a-f]+$"))
    for pk in broken.order_by("pk").values_list("pk", flat=True).iterator():
        yield Violation(pk, "The event's commitment is no hash.")
