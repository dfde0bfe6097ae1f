"""The team's strategies: what can be tuned, and which of them a campaign uses."""

from __future__ import annotations

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from messaging.writing.forms import StrategyForm
from messaging.writing.tuning import (
    bring_back_strategy,
    restrict_campaign,
    retire_strategy,
    save_strategy,
    strategies_of,
    weights_of,
)
from outreach.campaigns.queries import campaign_by_slug
from outreach.teams.access import MemberRequest, member_page
from outreach.teams.domain.capabilities import Capability
from outreach.teams.domain.refusal import Refusal
from outreach.teams.models import Team
from outreach.teams.paging import page_after


@require_safe
@member_page(Capability.MANAGE)
def strategies(request: MemberRequest, team: Team) -> HttpResponse:
    page = page_after(
        queryset=strategies_of(team=team), order=("name", "-version", "-id"), after=request.GET.get("after", "")
    )
    return render(request, "writing/strategies.html", {"page": page})


@require_http_methods(["GET", "HEAD", "POST"])
@member_page(Capability.MANAGE)
def strategy(request: MemberRequest, team: Team, pk: int | None = None) -> HttpResponse:
    """A new strategy, or a new version of one that exists; the version itself never changes."""
    row = strategies_of(team=team).filter(pk=pk).first() if pk else None
    if pk and row is None:
        raise Http404("no such strategy")
    form = StrategyForm(request.POST or None, stored=row.parameters if row else None, name=row.name if row else "")
    if request.method == "POST" and form.is_valid():
        saved = save_strategy(
            member=request.member, name=form.cleaned_data["name"], parameters=form.stored(),
            earlier_id=row.pk if row else None, keep_earlier=form.cleaned_data.get("keep_earlier", False),
            now=timezone.now(),
        )  # fmt: skip
        if not isinstance(saved, Refusal):
            messages.success(request, _("Saved as version %(number)s.") % {"number": saved.version})
            return redirect("tuning:strategies", team=team.slug)
        form.add_error(None, saved.message)
    context = {"form": form, "row": row}
    return render(request, "writing/strategy.html", context, status=422 if form.is_bound else 200)


@require_POST
@member_page(Capability.MANAGE)
def retire(request: MemberRequest, team: Team, pk: int, back: bool = False) -> HttpResponse:  # noqa: FBT001, FBT002 - from the address
    """Retire a strategy, or bring it back."""
    done = (
        bring_back_strategy(member=request.member, strategy_id=pk)
        if back
        else retire_strategy(member=request.member, strategy_id=pk, now=timezone.now())
    )
    if isinstance(done, Refusal):
        if done.code == "not-found":
            raise Http404(done.message)
        messages.error(request, done.message)
    else:
        messages.success(request, _("It may be drawn again.") if back else _("Retired: no new draft draws it."))
    return redirect("tuning:strategies", team=team.slug)


@require_http_methods(["GET", "HEAD", "POST"])
@member_page(Capability.MANAGE)
def campaign_strategies(request: MemberRequest, team: Team, slug: str) -> HttpResponse:
    """Which strategies a campaign draws from."""
    campaign = campaign_by_slug(team=team, slug=slug)
    if campaign is None:
        raise Http404("no such campaign")
    problem = ""
    if request.method == "POST":
        chosen = [int(value) for value in request.POST.getlist("strategies") if value.isdecimal() and len(value) < 19]
        done = restrict_campaign(member=request.member, campaign=campaign, strategy_ids=chosen)
        if not isinstance(done, Refusal):
            messages.success(request, _("Saved. New drafts draw from these."))
            return redirect("writing:strategies", team=team.slug, slug=slug)
        problem = done.message.partition(": ")[2] or done.message
    context = {"campaign": campaign, "weights": weights_of(campaign=campaign), "problem": problem}
    return render(request, "writing/campaign_strategies.html", context, status=422 if problem else 200)
