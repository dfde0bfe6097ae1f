"""How long an experiment will take, tried on simulated markets before it is begun."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from analytics.domain.learning.report import PLAN_RUNS, PLAN_WEEKS, planned
from analytics.domain.shown import weekly_rate
from analytics.forms import PlanForm
from analytics.queries import pages
from outreach.teams.access import MemberRequest, member_page
from outreach.teams.domain.capabilities import Capability
from outreach.teams.models import Team

_USUAL = {"weekly": 200, "base": 5, "lift": 30, "strategies": 2}


@require_GET
@member_page(Capability.ANALYSE)
def plan(request: MemberRequest, team: Team) -> HttpResponse:
    context: dict[str, Any] = {"tab": "plan", "runs": PLAN_RUNS, "weeks": PLAN_WEEKS}
    if "weekly" not in request.GET:
        return render(request, "analytics/plan.html", {**context, "form": PlanForm(initial=_own(team))})
    form = PlanForm(request.GET)
    if not form.is_valid():
        return render(request, "analytics/plan.html", {**context, "form": form}, status=422)
    wanted = form.cleaned_data
    context["found"] = planned(
        weekly=wanted["weekly"], base=wanted["base"] / 100, lift=wanted["lift"] / 100, strategies=wanted["strategies"]
    )
    context["better"] = wanted["base"] * (1 + wanted["lift"] / 100)
    return render(request, "analytics/plan.html", {**context, "form": form, "wanted": wanted})


def _own(team: Team) -> dict[str, object]:
    """The team's own figures where it has some."""
    result = pages.newest(team=team).result
    arms = result.get("arms", [])
    weekly = round(weekly_rate(result.get("weeks", [])))
    base = next((round(100 * arm["rate"], 1) for arm in arms if arm["incumbent"] and arm["matured"] >= 200), 0)
    own = {"weekly": weekly if weekly >= 10 else 0, "base": base, "strategies": len(arms) if 2 <= len(arms) <= 6 else 0}
    return {**_USUAL, **{key: value for key, value in own.items() if value}}
