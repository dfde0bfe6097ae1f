"""Whom a campaign is for: filters with a live count, who is left out and why, and enrolling all of them."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from typing import Any
from urllib.parse import urlencode

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from messaging.enrolment.domain.audience import Audience, read_audience, stored_audience
from messaging.enrolment.domain.exclusions import EXPLANATION, Why
from messaging.enrolment.forms import AudienceForm
from messaging.enrolment.queries.audience import audience_of, imports_of, newest_run, run_of
from messaging.enrolment.services.audiences import Explained, count_audience, explain_audience, left_out, save_audience
from messaging.enrolment.services.runs import OPEN, cancel_run, resume_run, start_run
from messaging.models import EnrolmentRun
from outreach.campaigns.access import campaign_or_404
from outreach.campaigns.models import Campaign
from outreach.teams.access import MemberRequest, member_page
from outreach.teams.domain.capabilities import Capability
from outreach.teams.domain.refusal import Refusal
from outreach.teams.models import Team
from prospects.domain.pace import pace_of
from prospects.domain.spreadsheet import inert
from prospects.models import Prospect
from prospects.queries import members_of

#: Seconds of silence after which a worker counts as gone.
_SILENCE = 60
_CSV_AT_ONCE = 500


def _chosen(request: MemberRequest, campaign: Campaign) -> tuple[Audience, AudienceForm]:
    """The audience of the address or the form that was sent; the saved one where neither says anything."""
    said = request.POST if request.method == "POST" else request.GET
    choices: dict[str, Any] = {"members": members_of(team=campaign.team), "imports": imports_of(team=campaign.team)}
    if not said.get("limits"):
        audience, _wrong = read_audience(dict(said.lists()))
        if not audience.as_pairs() and not said.get("given"):
            audience = audience_of(campaign=campaign)
        return audience, AudienceForm(initial=AudienceForm.shown(audience), **choices)
    audience, wrong = read_audience(dict(said.lists()))
    form = AudienceForm(said, **choices)
    form.is_valid()
    for one in wrong:
        if one.part in form.fields and one.part not in form.errors:
            form.add_error(one.part, one.message)
    return audience, form


def _explained(told: Explained) -> dict[str, Any]:
    people = Prospect.objects.filter(pk__in=told.first).select_related("company").order_by("-pk")
    return {
        "told": told,
        "reasons": [(EXPLANATION[why], number) for why, number in told.reasons],
        "first": list(people),
        "hooks_query": urlencode([("p", pk) for pk in told.first]),
    }


def _address(campaign: Campaign, audience: Audience, name: str = "audience") -> str:
    pairs = audience.as_pairs()
    where = reverse(f"enrolment:{name}", kwargs={"team": campaign.team.slug, "slug": campaign.slug})
    return f"{where}?{urlencode([*pairs, ('given', '1')])}"


@require_http_methods(["GET", "HEAD", "POST"])
@member_page(Capability.WRITE)
def audience(request: MemberRequest, team: Team, slug: str) -> HttpResponse:
    """GET shows whom the filters find; POST keeps them, or begins to enrol everybody."""
    shown = campaign_or_404(team=team, slug=slug)
    chosen, form = _chosen(request, shown)
    if request.method == "POST" and not form.errors:
        return _do(request, shown, chosen)
    now = timezone.now()
    context = {
        "campaign": shown,
        "form": form,
        "pairs": chosen.as_pairs(),
        "size": count_audience(team=team, audience=chosen, now=now),
        "run": newest_run(campaign=shown),
        **_explained(explain_audience(team=team, campaign=shown, audience=chosen, now=now)),
    }
    return render(request, "enrolment/audience.html", context, status=422 if form.errors else 200)


def _do(request: MemberRequest, campaign: Campaign, chosen: Audience) -> HttpResponse:
    team, now = campaign.team, timezone.now()
    done: object = save_audience(member=request.member, campaign=campaign, audience=chosen, now=now)
    if not isinstance(done, Refusal) and "enrol" in request.POST:
        done = start_run(member=request.member, campaign=campaign, audience=chosen, now=now)
    if isinstance(done, Refusal):
        messages.error(request, done.message)
        return redirect(_address(campaign, chosen))
    if isinstance(done, EnrolmentRun):
        return redirect("enrolment:run", team=team.slug, slug=campaign.slug, pk=done.pk)
    messages.success(request, _("The audience is saved."))
    return redirect("enrolment:audience", team=team.slug, slug=campaign.slug)


@require_safe
@member_page(Capability.WRITE)
def audience_count(request: MemberRequest, team: Team, slug: str) -> HttpResponse:
    """The live count alone; who is left out follows by itself."""
    shown = campaign_or_404(team=team, slug=slug)
    chosen, form = _chosen(request, shown)
    context = {
        "campaign": shown,
        "form": form,
        "pairs": chosen.as_pairs(),
        "size": count_audience(team=team, audience=chosen, now=timezone.now()),
        "explained_at": _address(shown, chosen, "audience_explained"),
    }
    answer = render(request, "enrolment/_count.html", context)
    answer["HX-Replace-Url"] = _address(shown, chosen)
    return answer


@require_safe
@member_page(Capability.WRITE)
def audience_explained(request: MemberRequest, team: Team, slug: str) -> HttpResponse:
    """Who is left out and why, and the first of the others."""
    shown = campaign_or_404(team=team, slug=slug)
    chosen, _wrong = read_audience(dict(request.GET.lists()))
    told = explain_audience(team=team, campaign=shown, audience=chosen, now=timezone.now())
    return render(request, "enrolment/_explained.html", {"campaign": shown, **_explained(told)})


def _run_or_404(team: Team, campaign: Campaign, pk: int) -> EnrolmentRun:
    found = run_of(team=team, campaign=campaign, run_id=pk)
    if found is None:
        raise Http404("no such run")
    return found


@require_safe
@member_page(Capability.WRITE)
def run(request: MemberRequest, team: Team, slug: str, pk: int) -> HttpResponse:
    """How far the enrolling has come; asks again by itself until it has ended."""
    shown = campaign_or_404(team=team, slug=slug)
    found, now = _run_or_404(team, shown, pk), timezone.now()
    silent = found.claimed_at is not None and found.lease_until is not None and found.lease_until < now
    context = {
        "campaign": shown,
        "run": found,
        "busy": found.state in OPEN,
        "stalled": silent and found.state in OPEN,
        "pace": pace_of(
            done=found.looked_at,
            total=found.total,
            started_at=found.claimed_at,
            now=now,
            before=found.claimed_looked_at,
        ),
        "left_out": sum(found.excluded.values()),
        "reasons": sorted(
            ((EXPLANATION[Why(why)], number) for why, number in found.excluded.items()), key=lambda pair: -pair[1]
        ),
    }
    page = "enrolment/_run.html" if request.htmx else "enrolment/run.html"
    return render(request, page, context)


@require_POST
@member_page(Capability.WRITE)
def run_cancel(request: MemberRequest, team: Team, slug: str, pk: int) -> HttpResponse:
    """Stop before the next people are enrolled."""
    shown = campaign_or_404(team=team, slug=slug)
    _run_or_404(team, shown, pk)
    return _told(request, shown, pk, cancel_run(member=request.member, campaign=shown, run_id=pk, now=timezone.now()))


@require_POST
@member_page(Capability.WRITE)
def run_resume(request: MemberRequest, team: Team, slug: str, pk: int) -> HttpResponse:
    """Go on where it stopped."""
    shown = campaign_or_404(team=team, slug=slug)
    _run_or_404(team, shown, pk)
    return _told(request, shown, pk, resume_run(member=request.member, campaign=shown, run_id=pk))


def _told(request: MemberRequest, campaign: Campaign, pk: int, done: EnrolmentRun | Refusal) -> HttpResponse:
    if isinstance(done, Refusal):
        messages.error(request, done.message)
    return redirect("enrolment:run", team=campaign.team.slug, slug=campaign.slug, pk=pk)


@require_safe
@member_page(Capability.WRITE)
def run_left_out(_request: MemberRequest, team: Team, slug: str, pk: int) -> HttpResponse:
    """Who of the run's audience is not in the campaign, each with the reason as it is now. At most 10,000."""
    shown = campaign_or_404(team=team, slug=slug)
    found = _run_or_404(team, shown, pk)
    answer = HttpResponse("\ufeff", content_type="text/csv; charset=utf-8")
    answer["Content-Disposition"] = f'attachment; filename="left-out-{shown.slug}.csv"'
    writer = csv.writer(answer)
    writer.writerow(["Full Name", "Title", "Company", "LinkedIn URL", "Email", "Why"])
    told = left_out(campaign=shown, audience=stored_audience(found.filters)[0], now=timezone.now())
    for person, why in _people(told):
        company = person.company.name if person.company else ""
        said = (person.full_name, person.title, company, person.linkedin_url, person.email, EXPLANATION[why])
        writer.writerow([inert(text) for text in said])
    return answer


def _people(told: dict[int, Why]) -> Iterator[tuple[Prospect, Why]]:
    ids = list(told)
    for start in range(0, len(ids), _CSV_AT_ONCE):
        part = ids[start : start + _CSV_AT_ONCE]
        for person in Prospect.objects.filter(pk__in=part).select_related("company").order_by("pk"):
            yield person, told[person.pk]
