"""The list of what must not be written to."""

from __future__ import annotations

from typing import Any

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
    status = 422 if request.method == "POST" else 200
    return render(
        request, "prospects/suppressions.html", _page(request, team, form=form, refusal=refusal), status=status
    )


def _page(request: MemberRequest, team: Team, **more: Any) -> dict[str, Any]:
    return {
        "page": queries.suppression_page(team=team, after=request.GET.get("after", "")),
        "counts": queries.suppression_counts(team=team),
        "form": forms.SuppressionForm(),
        "file_form": forms.SuppressionFileForm(auto_id="file_%s"),
        "lift_form": forms.LiftForm(auto_id="lift_%s"),
        **more,
    }


@require_POST
@member_page(Capability.IMPORT)
def suppression_file(request: MemberRequest, team: Team) -> HttpResponseBase:
    """A list by file; the rows that name nobody are shown with their reasons."""
    form = forms.SuppressionFileForm(request.POST, request.FILES, auto_id="file_%s")
    if not form.is_valid():
        return render(request, "prospects/suppressions.html", _page(request, team, file_form=form), status=422)
    upload = form.cleaned_data["file"]
    outcome = suppression.take_file(
        team=team, actor=request.member.user, file_name=upload.name, data=upload.read(), kind=form.cleaned_data["kind"],
        replace=form.cleaned_data["replace"], most=suppression.MOST_ON_A_PAGE, now=timezone.now(),
    )  # fmt: skip
    if isinstance(outcome, Refusal):
        context = _page(request, team, file_form=form, refusal=outcome)
        return render(request, "prospects/suppressions.html", context, status=422)
    context = _page(request, team, taken=outcome, file_name=upload.name)
    return render(request, "prospects/suppressions.html", context)


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
