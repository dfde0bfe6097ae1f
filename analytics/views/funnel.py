"""Insights: what became of what was written."""

from __future__ import annotations

from datetime import timedelta

from django.http import HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET

from analytics.domain.chart import narrow, wide
from analytics.domain.funnel import STAGES, funnel, total
from analytics.domain.truth import OPEN, bars, groups, truth_height
from analytics.queries import funnel as queries
from analytics.queries import truth as truth_queries
from outreach.teams.access import MemberRequest, member_page
from outreach.teams.domain.capabilities import Capability
from outreach.teams.models import Team

WINDOWS = (30, 90, 365)


@require_GET
@member_page(Capability.ANALYSE)
def insights(request: MemberRequest, team: Team) -> HttpResponse:
    days = next((window for window in WINDOWS if str(window) == request.GET.get("days")), 90)
    campaigns = queries.campaigns_of(team=team)
    campaign = next((row for row in campaigns if row.slug == request.GET.get("campaign")), None)
    rows = queries.funnel_rows(team=team, since=timezone.now() - timedelta(days=days), campaign=campaign)
    stages = funnel(counts=total(rows=tuple(row.counts for row in rows)))
    context = {
        "tab": "funnel",
        "stages": stages,
        "wide": wide(stages=stages),
        "narrow": narrow(stages=stages),
        "definitions": STAGES,
        "rows": [(row.name, funnel(counts=row.counts)) for row in rows],
        "campaigns": campaigns,
        "campaign": campaign,
        "windows": WINDOWS,
        "days": days,
    }
    return render(request, "analytics/insights.html", context)


@require_GET
@member_page(Capability.ANALYSE)
def truth(request: MemberRequest, team: Team) -> HttpResponse:
    """What the verifier stopped before a person could approve it, and what reviewers found afterwards."""
    days = next((window for window in WINDOWS if str(window) == request.GET.get("days")), 90)
    since = timezone.now() - timedelta(days=days)
    rows = truth_queries.checked_claims(team=team, since=since)
    classes = groups(rows=rows, field="type")
    tables = [
        (_("Class"), classes),
        (_("Language"), groups(rows=rows, field="language")),
        (_("Written by"), groups(rows=rows, field="author")),
        (_("Model"), groups(rows=rows, field="model", unnamed="")),
        (_("Prompt version"), groups(rows=rows, field="prompt", unnamed="")),
        (_("Length"), groups(rows=rows, field="length")),
        (_("Week from"), groups(rows=rows, field="week", by_name=True)),
    ]
    context = {
        "tab": "truth",
        "classes": classes,
        "bars": bars(classes=classes),
        "narrow": bars(classes=classes, narrow=True),
        "tables": tables,
        "verdicts": OPEN,
        "answered": truth_queries.answers_to_findings(team=team, since=since),
        "cut": len(rows) >= truth_queries.GROUPS_READ,
        "rejections": truth_queries.rejections(team=team, since=since),
        "windows": WINDOWS,
        "days": days,
        "height": truth_height(classes=classes),
        "narrow_height": truth_height(classes=classes, narrow=True),
        "read": sum(one.read for one in classes),
        "stopped": sum(one.stopped for one in classes),
    }
    return render(request, "analytics/truth.html", context)
