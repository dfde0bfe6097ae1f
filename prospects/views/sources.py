"""What is watched for a company: feeds and pages, when they were read, what they brought, what went wrong."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from outreach.teams.access import MemberRequest, gate, member_page
from outreach.teams.domain.capabilities import Capability
from outreach.teams.domain.refusal import Refusal
from outreach.teams.models import Team
from outreach.teams.paging import page_after
from prospects import services, sources
from prospects.access import company_or_404, source_or_404
from prospects.forms import SourceForm
from prospects.models import Company

_SAID = {
    "pause": _("Paused. It is not read until somebody resumes it."),
    "resume": _("Resumed. It is read within a minute."),
    "refresh": _("It is read within a minute."),
    "remove": _("Removed. The news it brought stays."),
}


@require_http_methods(["GET", "POST"])
@member_page(Capability.VIEW)
def company_sources(request: MemberRequest, team: Team, pk: int) -> HttpResponseBase:
    company = company_or_404(team=team, pk=pk)
    form = SourceForm(request.POST or None)
    refusal = gate(member=request.member, capability=Capability.WRITE) if request.method == "POST" else None
    if request.method == "POST" and refusal is None and form.is_valid():
        outcome = services.add_source(
            member=request.member, company=company, url=form.cleaned_data["url"], now=timezone.now()
        )
        if not isinstance(outcome, Refusal):
            messages.success(request, _("It is watched, and read within a minute."))
            return redirect("prospects:sources", team=team.slug, pk=company.pk)
        refusal = outcome
    context = _page(request, company, form=form, refusal=refusal)
    return render(request, "prospects/sources.html", context, status=422 if request.method == "POST" else 200)


def _page(request: MemberRequest, company: Company, **more: Any) -> dict[str, Any]:
    page = page_after(
        queryset=sources.news_of(company=company), order=("-id",), after=request.GET.get("after", ""), size=20
    )
    for row in page.rows:
        row.shown = row.text.removeprefix(str(row.fields.get("title", ""))).strip()
    return {"company": company, "watched": sources.sources_of(company=company), "page": page, **more}


@require_POST
@member_page(Capability.WRITE)
def move_source(request: MemberRequest, team: Team, pk: int, source: int, step: str) -> HttpResponseBase:
    company = company_or_404(team=team, pk=pk)
    found = source_or_404(company=company, pk=source)
    outcome = services.move_source(member=request.member, source=found, step=step, now=timezone.now())
    if isinstance(outcome, Refusal):
        messages.warning(request, outcome.message)
    else:
        messages.success(request, _SAID[step])
    return redirect("prospects:sources", team=team.slug, pk=company.pk)


@require_GET
@member_page(Capability.VIEW)
def snapshot(_request: MemberRequest, team: Team, pk: int, row: int) -> HttpResponse:
    """The text that was kept of a page, as plain text."""
    found = sources.news_of(company=company_or_404(team=team, pk=pk)).defer(None).filter(pk=row).first()
    if found is None or not found.snapshot:
        return HttpResponse(str(_("No text was kept.")), status=404, content_type="text/plain; charset=utf-8")
    return HttpResponse(found.snapshot, content_type="text/plain; charset=utf-8")
