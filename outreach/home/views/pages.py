"""The roof's pages: where one begins, search, and what joins rooms."""

from __future__ import annotations

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_GET

from outreach.campaigns.access import campaign_or_404
from outreach.campaigns.domain.health import signs
from outreach.home import queries
from outreach.home.domain.waiting import next_step, todo
from outreach.teams.access import MemberRequest, member_page
from outreach.teams.domain.capabilities import Capability
from outreach.teams.models import Team


@require_GET
@login_required
def begin(request: HttpRequest) -> HttpResponse:
    """To the team's front page; to the list where there are several."""
    teams = queries.teams_of(user=request.user)  # type: ignore[arg-type]  # login_required
    if len(teams) == 1:
        return redirect("home:front", team=teams[0].slug)
    return _team_list(request, teams)


@require_GET
@login_required
def teams(request: HttpRequest) -> HttpResponse:
    return _team_list(request, queries.teams_of(user=request.user))  # type: ignore[arg-type]  # login_required


def _team_list(request: HttpRequest, teams: tuple[Team, ...]) -> HttpResponse:
    return render(request, "home/teams.html", {"teams": teams})


@require_GET
@member_page(Capability.VIEW)
def front(request: MemberRequest, team: Team) -> HttpResponse:
    rights = request.member.capabilities
    page = queries.front_page(
        team=team, now=timezone.now(), today=timezone.localdate(), with_replies=request.member.may(Capability.REPLY)
    )
    return render(
        request,
        "home/front.html",
        {
            "todo": todo(counts=page.counts, capabilities=rights),
            "next_step": next_step(counts=page.counts, capabilities=rights),
            "counts": page.counts,
            "campaigns": [(campaign, signs(numbers=campaign.numbers)) for campaign in page.campaigns],
            "replies": page.replies,
        },
    )


@require_GET
@member_page(Capability.VIEW)
def counts(request: MemberRequest, team: Team) -> HttpResponse:
    """The numbers in the navigation, swapped in out of band."""
    found = queries.counts_of(team=team, now=timezone.now())
    numbers = (
        ("review", found.to_review, found.overdue),
        ("outbox", found.by_hand + found.unconfirmed, found.unconfirmed),
        ("inbox", found.to_answer, 0),
    )
    return render(request, "home/counts.html", {"numbers": numbers})


@require_GET
@member_page(Capability.VIEW)
def search(request: MemberRequest, team: Team) -> HttpResponse:
    text = request.GET.get("q", "")
    template = "home/found.html" if request.htmx else "home/search.html"
    return render(request, template, {"text": text, "found": queries.search(team=team, text=text)})


@require_GET
@member_page(Capability.VIEW)
def prospect_hooks(request: MemberRequest, team: Team, pk: int) -> HttpResponse:
    """What a message to a prospect could open with, each with its scores and reasons; a fragment of their page."""
    openings = queries.openings_with(team=team, prospect_id=pk, now=timezone.now())
    if openings is None:
        raise Http404("no such prospect")
    template = "home/prospect_hooks.html" if request.htmx else "home/prospect_hooks_page.html"
    return render(request, template, {"openings": openings})


@require_GET
@member_page(Capability.VIEW)
def prospect_messages(request: MemberRequest, team: Team, pk: int) -> HttpResponse:
    """What was written to a prospect and what came back; a fragment where the prospect's page loads it."""
    exchange = queries.exchange_with(team=team, prospect_id=pk)
    if exchange is None:
        raise Http404("no such prospect")
    template = "home/prospect_messages.html" if request.htmx else "home/prospect_messages_page.html"
    return render(request, template, {"exchange": exchange})


@require_GET
@member_page(Capability.VIEW)
def company_messages(request: MemberRequest, team: Team, pk: int) -> HttpResponse:
    """What was written to people of a company; a fragment where the company's page loads it."""
    exchange = queries.exchange_with_company(team=team, company_id=pk)
    if exchange is None:
        raise Http404("no such company")
    template = "home/company_messages.html" if request.htmx else "home/company_messages_page.html"
    return render(request, template, {"exchange": exchange})


@require_GET
@member_page(Capability.VIEW)
def outlook(request: MemberRequest, team: Team, slug: str) -> HttpResponse:
    """What of a campaign leaves next and what came back; the campaign's page loads it."""
    campaign = campaign_or_404(team=team, slug=slug)
    context = {"campaign": campaign, "outlook": queries.outlook_of(campaign=campaign, today=timezone.localdate())}
    return render(request, "home/outlook.html" if request.htmx else "home/outlook_page.html", context)
