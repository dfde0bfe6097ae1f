"""Strategies: what is known of each, the proposal that waits, what was in force, and a manager's decisions."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_POST

from analytics import services
from analytics.domain.forest import STRIP_HEIGHT, STRIP_WIDTH, forest, strips
from analytics.domain.learning.delay import WINDOW
from analytics.domain.shown import DEFINITIONS, STATES, arm_forest, arm_rows
from analytics.forms import SharesForm
from analytics.models import Proposal
from analytics.queries import pages
from analytics.queries.judgement import present_shares
from analytics.views.sheet import sheet
from outreach.teams.access import MemberRequest, member_page
from outreach.teams.domain.capabilities import Capability
from outreach.teams.domain.refusal import Refusal
from outreach.teams.models import Team
from outreach.teams.paging import page_after

HISTORY_SHOWN = 12
#: After so long a computation that does not come is told.
LATE = timedelta(minutes=2)


@require_GET
@member_page(Capability.ANALYSE)
def strategies(request: MemberRequest, team: Team) -> HttpResponse:
    return _page(request, team)


def _page(
    request: MemberRequest, team: Team, *, refusal: Refusal | None = None, form: SharesForm | None = None,
    reason: str = "", status: int = 200,
) -> HttpResponse:  # fmt: skip
    newest, present = pages.newest(team=team), present_shares(team=team)
    names, stopped = pages.strategy_names(team=team), pages.stopped(team=team)
    waits, decided = pages.proposals(team=team)
    arms = newest.result.get("arms", [])
    rows = arm_rows(arms, present, frozenset(str(one.strategy_id) for one in stopped))
    drawn = arm_forest(rows, arms)
    weeks = newest.result.get("weeks", [])
    shown = {row.key: row.name for row in rows}
    now = timezone.now()
    context: dict[str, Any] = {
        "tab": "strategies", "newest": newest, "rows": rows, "states": STATES.items(), "definitions": DEFINITIONS,
        "plot": any(row.interval for row in drawn), "wide": forest(drawn), "narrow": forest(drawn, narrow=True), "stopped": stopped, "window": WINDOW,
        "strips": strips([week["sent"] for week in weeks], shown), "strip": (STRIP_WIDTH, STRIP_HEIGHT),
        "weeks": [(week["week"], [week["sent"].get(key, 0) for key in shown]) for week in weeks],
        "proposal": _proposal(waits, names, form), "decided": decided, "refusal": refusal, "reason": reason,
        "history": _history(request, team, names),
        "late": newest.waiting is not None and now - newest.waiting.asked_at > LATE,
    }  # fmt: skip
    return render(request, "analytics/strategies.html", context, status=status)


def _history(request: MemberRequest, team: Team, names: Mapping[str, str]) -> dict[str, Any]:
    page = page_after(
        queryset=pages.applied(team=team), order=("-number",), after=request.GET.get("after", ""), size=HISTORY_SHOWN
    )
    rows = [
        (row, [(names.get(key, key), share) for key, share in row.weights.items() if share >= 0.0005])
        for row in page.rows
    ]
    return {"rows": rows, "page": page, "first": not request.GET.get("after")}


def _proposal(waits: Proposal | None, names: Mapping[str, str], form: SharesForm | None) -> dict[str, Any] | None:
    if waits is None:
        return None
    weights, present = waits.weights, waits.present
    form = form or SharesForm(shares=weights, names=names)
    arms = {arm["key"]: arm for arm in waits.snapshot.get("arms", [])}
    promoted = services.promoted_by(snapshot=waits.snapshot, weights=weights)
    before = sum(arm["rate"] * present.get(key, 0.0) for key, arm in arms.items())
    return {
        "row": waits, "form": form, "promoted": names.get(promoted, ""),
        "moves": [
            (names.get(key, key), present.get(key, 0.0), share, share - present.get(key, 0.0), form[key])
            for key, share in weights.items()
        ],
        "evidence": arm_rows(list(arms.values()), present, frozenset()), "guardrails": waits.snapshot.get("guardrails", []),
        "forecast": waits.snapshot.get("forecast_rate"), "before": before,
    }  # fmt: skip


@require_GET
@member_page(Capability.ANALYSE)
def strategies_csv(_request: MemberRequest, team: Team) -> HttpResponse:
    newest, present = pages.newest(team=team), present_shares(team=team)
    arms = newest.result.get("arms", [])
    frozen = frozenset(str(one.strategy_id) for one in pages.stopped(team=team))
    cells = [
        (
            row.name, row.state, row.matured, row.pending, *(arm["lift"] or ("", "", "")),
            "" if arm["incumbent"] else round(arm["better"], 4), round(1000 * arm["loss"], 3),
            "" if arm["incumbent"] else round(arm["odds"], 2), *arm["draw"], arm["optouts"], round(row.present, 4), row.needs,
        )
        for row, arm in zip(arm_rows(arms, present, frozen), arms, strict=True)
    ]  # fmt: skip
    head = (
        "Strategy", "State", "Matured", "Pending", "Lift low (factor)", "Lift", "Lift high", "Probability better",
        "Expected loss per 1,000", "Odds against chance", "Even draw: replies", "Even draw: of this strategy", "Opt-outs",
        "Share now", "Needs",
    )  # fmt: skip
    return sheet(name=f"strategies-{team.slug}", head=head, rows=cells)


@require_GET
@member_page(Capability.ANALYSE)
def allocation_csv(_request: MemberRequest, team: Team) -> HttpResponse:
    weeks, names = pages.newest(team=team).result.get("weeks", []), pages.strategy_names(team=team)
    rows = ((week["week"], names.get(key, key), sent) for week in weeks for key, sent in week["sent"].items())
    return sheet(name=f"allocation-{team.slug}", head=("Week from", "Strategy", "Messages sent"), rows=rows)


def _done(request: MemberRequest, team: Team, result: object, said: str, **kept: Any) -> HttpResponse:
    """Back to the page with what was done, or the page with the reason why it was not."""
    if isinstance(result, Refusal):
        if result.code == "not-found":
            raise Http404(result.message)
        return _page(request, team, refusal=result, status=422, **kept)
    messages.success(request, said)
    return redirect("analytics:strategies", team=team.slug)


@require_POST
@member_page(Capability.MANAGE)
def compute(request: MemberRequest, team: Team) -> HttpResponse:
    return _done(request, team, services.ask(member=request.member, now=timezone.now()), _("Being computed"))


@require_GET
@member_page(Capability.ANALYSE)
def waiting(request: MemberRequest, team: Team) -> HttpResponse:
    """What a page with a computation under way asks every other second; when it is done the page is loaded anew."""
    newest = pages.newest(team=team)
    if newest.waiting is None:
        answer = HttpResponse(status=204)
        answer["HX-Refresh"] = "true"
        return answer
    late = timezone.now() - newest.waiting.asked_at > LATE
    return render(request, "analytics/waiting.html", {"newest": newest, "late": late})


@require_POST
@member_page(Capability.MANAGE)
def approve(request: MemberRequest, team: Team, pk: int) -> HttpResponse:
    waits, _decided = pages.proposals(team=team)
    if waits is None or waits.pk != pk:
        result = services.approve(member=request.member, proposal_id=pk, now=timezone.now())
        return _done(request, team, result, "")
    form = SharesForm(request.POST, shares=waits.weights, names=pages.strategy_names(team=team))
    if not form.is_valid():
        return _page(request, team, form=form, status=422)
    result = services.approve(member=request.member, proposal_id=pk, now=timezone.now(), weights=form.shares)
    return _done(request, team, result, _("In force: new drafts follow these shares"), form=form)


@require_POST
@member_page(Capability.MANAGE)
def decline(request: MemberRequest, team: Team, pk: int) -> HttpResponse:
    reason = request.POST.get("reason", "")
    result = services.decline(member=request.member, proposal_id=pk, reason=reason, now=timezone.now())
    return _done(request, team, result, _("Declined; the shares stay as they are"), reason=reason)


@require_POST
@member_page(Capability.MANAGE)
def roll_back(request: MemberRequest, team: Team, number: int) -> HttpResponse:
    result = services.roll_back(member=request.member, number=number)
    return _done(request, team, result, _("The earlier shares are in force again"))


@require_POST
@member_page(Capability.MANAGE)
def lift(request: MemberRequest, team: Team, pk: int) -> HttpResponse:
    result = services.lift_freeze(member=request.member, frozen_id=pk, now=timezone.now())
    return _done(request, team, result, _("The stop is taken back; the next computation gives it messages again"))
