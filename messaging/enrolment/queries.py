"""Reading who is in which campaign."""

from __future__ import annotations

from collections.abc import Sequence

from django.db.models import Exists, OuterRef, QuerySet

from messaging.models import Enrolment, EnrolmentState
from outreach.campaigns.models import Campaign
from outreach.teams.models import Team
from prospects.models import Prospect

#: While in one of these a person is being written to, or will be.
LIVE = (EnrolmentState.ACTIVE, EnrolmentState.PAUSED)


def candidates_of(*, team: Team, campaign: Campaign, prospect_ids: Sequence[int]) -> QuerySet[Prospect]:
    """The named prospects of the team, with whether they are enrolled here or being written to elsewhere."""
    here = Enrolment.objects.filter(prospect=OuterRef("pk"), campaign=campaign)
    elsewhere = Enrolment.objects.filter(prospect=OuterRef("pk"), state__in=LIVE).exclude(campaign=campaign)
    return (
        Prospect.objects.filter(team=team, pk__in=prospect_ids)
        .select_related("company")
        .annotate(enrolled_here=Exists(here), active_elsewhere=Exists(elsewhere))
        .order_by("pk")
    )


def enrolments_of(*, campaign: Campaign) -> QuerySet[Enrolment]:
    """Everyone in the campaign; the caller pages them."""
    return Enrolment.objects.filter(campaign=campaign).select_related("prospect", "prospect__company")


def enrollable(*, team: Team, campaign: Campaign) -> QuerySet[Prospect]:
    """Active prospects who are not in this campaign yet; other exclusions are told when enrolling."""
    here = Enrolment.objects.filter(prospect=OuterRef("pk"), campaign=campaign)
    return Prospect.objects.filter(~Exists(here), team=team, state="active").select_related("company")
