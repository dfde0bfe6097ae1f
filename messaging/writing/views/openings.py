"""What messages to the people of an audience could open with."""

from __future__ import annotations

from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from messaging.writing.preparing import openings_of
from outreach.campaigns.queries import campaign_by_slug
from outreach.teams.access import MemberRequest, member_page
from outreach.teams.domain.capabilities import Capability
from outreach.teams.models import Team
from prospects.models import Prospect
from prospects.queries import SHOWN

#: People shown at once; each is ranked as for a draft.
MOST = 5


@require_safe
@member_page(Capability.WRITE)
def hooks(request: MemberRequest, team: Team, slug: str) -> HttpResponse:
    """The hooks of up to five people (?p=…&p=…): a page of its own, or the part of the audience's page."""
    campaign = campaign_by_slug(team=team, slug=slug)
    if campaign is None:
        raise Http404("no such campaign")
    ids = [int(text) for text in request.GET.getlist("p") if text.isascii() and text.isdecimal() and len(text) < 19]
    people = Prospect.objects.filter(team=team, pk__in=ids[:MOST], state__in=SHOWN)
    now = timezone.now()
    shown = [
        (one, openings_of(prospect=one, campaign=campaign, now=now))
        for one in people.select_related("company", "team").order_by("-pk")
    ]
    page = "writing/_hooks.html" if request.htmx else "writing/hooks.html"
    return render(request, page, {"campaign": campaign, "people": shown})
