"""The object gate of campaigns: a team sees its own, and nothing tells it of another's."""

from __future__ import annotations

from django.http import Http404

from outreach.campaigns.models import Campaign
from outreach.campaigns.queries import campaign_by_slug
from outreach.teams.models import Team


def campaign_or_404(*, team: Team, slug: str) -> Campaign:
    """The team's campaign, or the page that says there is none."""
    found = campaign_by_slug(team=team, slug=slug)
    if found is None:
        raise Http404("no such campaign")
    return found
