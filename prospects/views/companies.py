"""The page of one company."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_POST

from outreach.teams.access import MemberRequest, member_page
from outreach.teams.domain.capabilities import Capability
from outreach.teams.domain.refusal import Refusal
from outreach.teams.models import Team
from prospects import forms, suppression
from prospects.access import company_or_404
from prospects.models import Company
from prospects.queries.companies import company_card


@require_GET
@member_page(Capability.VIEW)
def company(request: MemberRequest, team: Team, pk: int) -> HttpResponse:
    return render(request, "prospects/company.html", _page(request, team, company_or_404(team=team, pk=pk)))


def _page(request: MemberRequest, team: Team, found: Company, **more: Any) -> dict[str, Any]:
    return {
        "company": found,
        "card": company_card(company=found, after=request.GET.get("after", ""), today=timezone.localdate()),
        "suppressed": suppression.of_company(team=team, company=found),
        "suppress_form": forms.SuppressForm(),
        **more,
    }


@require_POST
@member_page(Capability.WRITE)
def suppress_company(request: MemberRequest, team: Team, pk: int) -> HttpResponseBase:
    found = company_or_404(team=team, pk=pk)
    form = forms.SuppressForm(request.POST)
    outcome: object = Refusal(code="reason-missing", message=_("Say why nobody there is written to."))
    if form.is_valid():
        outcome = suppression.suppress_company(
            member=request.member, company=found, reason=form.cleaned_data["reason"], now=timezone.now()
        )
    if isinstance(outcome, Refusal):
        return render(request, "prospects/company.html", _page(request, team, found, refusal=outcome), status=422)
    messages.success(request, _("Nobody at this company will be written to."))
    return redirect("prospects:company", team=team.slug, pk=pk)
