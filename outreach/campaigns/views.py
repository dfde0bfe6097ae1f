"""Pages of campaigns: the list, the form, and the steps of their life. The campaign's own page joins more rooms."""

from __future__ import annotations

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from outreach.campaigns.domain.lifecycle import Step
from outreach.campaigns.forms import CampaignForms
from outreach.campaigns.models import Campaign
from outreach.campaigns.queries import campaign_by_slug, campaigns_of
from outreach.campaigns.services import create_campaign, edit_campaign, move_campaign
from outreach.teams.access import MemberRequest, member_page
from outreach.teams.domain.capabilities import Capability
from outreach.teams.domain.refusal import Refusal
from outreach.teams.models import Team
from outreach.teams.paging import page_after


def _campaign(*, team: Team, slug: str) -> Campaign:
    found = campaign_by_slug(team=team, slug=slug)
    if found is None:
        raise Http404("no such campaign")
    return found


@require_safe
@member_page(Capability.VIEW)
def index(request: MemberRequest, team: Team) -> HttpResponse:
    """All campaigns, newest first."""
    page = page_after(queryset=campaigns_of(team=team), order=("-id",), after=request.GET.get("after", ""))
    return render(request, "campaigns/list.html", {"page": page})


def _form_page(request: MemberRequest, forms: CampaignForms, campaign: Campaign | None) -> HttpResponse:
    context = {"forms": forms, "campaign": campaign}
    return render(request, "campaigns/form.html", context, status=422 if forms.form.is_bound else 200)


@require_http_methods(["GET", "HEAD", "POST"])
@member_page(Capability.MANAGE)
def create(request: MemberRequest, team: Team) -> HttpResponse:
    """A new campaign."""
    forms = CampaignForms(team=team, data=request.POST or None)
    if request.method == "POST" and forms.is_valid():
        made = create_campaign(member=request.member, entry=forms.entry(), now=timezone.now())
        if not isinstance(made, Refusal):
            messages.success(request, _("Campaign created. Enrol people, then start it."))
            return redirect("enrolment:campaign", team=team.slug, slug=made.slug)
        forms.show(made)
    return _form_page(request, forms, None)


@require_http_methods(["GET", "HEAD", "POST"])
@member_page(Capability.MANAGE)
def edit(request: MemberRequest, team: Team, slug: str) -> HttpResponse:
    """Change a campaign."""
    campaign = _campaign(team=team, slug=slug)
    forms = CampaignForms(team=team, data=request.POST or None, campaign=campaign)
    if request.method == "POST" and forms.is_valid():
        changed = edit_campaign(member=request.member, campaign=campaign, entry=forms.entry(), now=timezone.now())
        if not isinstance(changed, Refusal):
            messages.success(request, _("Saved. Drafts already written keep the text they have."))
            return redirect("enrolment:campaign", team=team.slug, slug=changed.slug)
        forms.show(changed)
    return _form_page(request, forms, campaign)


@require_POST
@member_page(Capability.MANAGE)
def move(request: MemberRequest, team: Team, slug: str, step: str) -> HttpResponse:
    """Start, pause or finish."""
    if step not in set(Step):
        raise Http404("no such step")
    campaign = _campaign(team=team, slug=slug)
    moved = move_campaign(member=request.member, campaign=campaign, step=Step(step), now=timezone.now())
    if isinstance(moved, Refusal):
        messages.error(request, moved.message)
    else:
        messages.success(request, _("The campaign is %(status)s.") % {"status": moved.get_status_display().lower()})
    return redirect("enrolment:campaign", team=team.slug, slug=slug)
