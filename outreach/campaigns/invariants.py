"""What holds for campaigns: they stay within their team."""

from __future__ import annotations

from collections.abc import Iterator

from django.db.models import F, Q

from outreach.campaigns.models import Campaign
from outreach.teams.domain.invariants import Invariant, Violation


def invariants() -> tuple[Invariant, ...]:
    return (Invariant("campaign_within_team", Campaign.objects.count, _across_teams),)


def _across_teams() -> Iterator[Violation]:
    broken = Campaign.objects.exclude(Q(sender__team=F("team")), Q(account__team=F("team")))
    for pk in broken.order_by("pk").values_list("pk", flat=True).iterator():
        yield Violation(pk, "The campaign's sender or account belongs to another team.")
