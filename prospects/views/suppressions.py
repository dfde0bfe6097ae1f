"""The list of what must not be written to."""

from __future__ import annotations

from django.contrib import messages
from django.http import Http404, HttpResponseBase
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_POST

from outreach.teams.access import MemberRequest, gate, member_page
from outreach.teams.domain.capabilities import Capability
from outreach.teams.domain.refusal import Refusal
from outreach.teams.models import Team
from prospects import forms, queries, suppression


@require_http_methods(["GET", "POST"])
@member_page(Capability.VIEW)
def suppressions(request: MemberRequest, team: Team) -> HttpResponseBase:
    form = forms.SuppressionForm(request.POST or None)
    refusal = gate(member=request.member, capability=Capability.WRITE) if request.method == "POST" else None
    if request.method == "POST" and refusal is None and form.is_valid():
        outcome = suppression.suppress(team=team, actor=request.member.user, now=timezone.now(), **form.cleaned_data)
        if not isinstance(outcome, Refusal):
            messages.success(request, "It is on the list.")
            return redirect("prospects:suppressions", team=team.slug)
        refusal = outcome
    context = {
        "page": queries.suppression_page(team=team, after=request.GET.get("after", "")),
        "counts": queries.suppression_counts(team=team),
        "form": form,
        "lift_form": forms.LiftForm(auto_id="lift_%s"),
        "refusal": refusal,
    }
    status = 422 if request.method == "POST" else 200
    return render(request, "prospects/suppressions.html", context, status=status)


@require_POST
@member_page(Capability.MANAGE)
def lift(request: MemberRequest, team: Team, pk: int) -> HttpResponseBase:
    form = forms.LiftForm(request.POST)
    reason = form.cleaned_data["reason"] if form.is_valid() else ""
    outcome = suppression.lift(team=team, actor=request.member.user, suppression_id=pk, reason=reason)
    if isinstance(outcome, Refusal):
        if outcome.code == "not-found":
            raise Http404(outcome.message)
        messages.warning(request, outcome.message)
    else:
        messages.success(request, "It may be written to again.")
    return redirect("prospects:suppressions", team=team.slug)
