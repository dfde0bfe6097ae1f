"""Asking for drafts. Workers write them; the campaign's page shows how far they are."""

from __future__ import annotations

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST

from messaging.writing.forms import StartForm
from messaging.writing.services import start_drafting
from outreach.campaigns.queries import campaign_by_slug
from outreach.teams.access import MemberRequest, member_page
from outreach.teams.domain.capabilities import Capability
from outreach.teams.domain.refusal import Refusal
from outreach.teams.models import Team


@require_POST
@member_page(Capability.WRITE)
def start(request: MemberRequest, team: Team, slug: str) -> HttpResponse:
    """Ask for drafts for the people who are due."""
    campaign = campaign_by_slug(team=team, slug=slug)
    if campaign is None:
        raise Http404("no such campaign")
    form = StartForm(request.POST)
    limit = form.cleaned_data["limit"] if form.is_valid() else StartForm.USUAL
    asked = start_drafting(member=request.member, campaign=campaign, limit=limit, now=timezone.now())
    if isinstance(asked, Refusal):
        messages.error(request, asked.message)
    elif not asked:
        messages.info(request, _("Nobody is due: enrol people, or wait for the next step."))
    else:
        count = len(asked)
        said = ngettext("%(count)s draft asked for.", "%(count)s drafts asked for.", count) % {"count": count}
        messages.success(request, said)
    return redirect("enrolment:campaign", team=team.slug, slug=slug)
