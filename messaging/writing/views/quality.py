"""Which quality rules block and which warn."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from messaging.writing.forms import LevelsForm
from messaging.writing.quality_levels import change_levels, rule_levels
from outreach.campaigns.queries import waiting_policy_change
from outreach.teams.access import MemberRequest, member_page
from outreach.teams.domain.capabilities import Capability
from outreach.teams.domain.refusal import Refusal
from outreach.teams.models import Team


@require_http_methods(["GET", "HEAD", "POST"])
@member_page(Capability.MANAGE)
def quality(request: MemberRequest, team: Team) -> HttpResponse:
    """The levels of the team's quality rules."""
    form = LevelsForm(request.POST or None, rules=rule_levels(team=team))
    if request.method == "POST" and form.is_valid():
        saved = change_levels(member=request.member, levels=form.cleaned_data, now=timezone.now())
        if not isinstance(saved, Refusal):
            waits = _("Saved. What blocks less waits for a second person, or for a day where there is none.")
            messages.success(request, waits if saved.waiting else _("Saved. Drafts in the queue are checked again."))
            return redirect("tuning:quality", team=team.slug)
        form.add_error(None, saved.message)
    waiting = waiting_policy_change(team=team)
    context = {"form": form, "waiting": waiting if waiting and "quality_levels" in waiting.changes else None}
    return render(request, "writing/quality.html", context, status=422 if form.is_bound else 200)
