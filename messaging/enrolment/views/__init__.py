"""The campaign's own page, with the picture of how far its people have come, and the page that enrols them."""

from __future__ import annotations

import csv
from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from messaging.enrolment.domain.exclusions import EXPLANATION
from messaging.enrolment.domain.pipeline import picture_of, steps_of
from messaging.enrolment.forms import EnrolForm, SearchForm
from messaging.enrolment.queries import (
    counts_of,
    drafting_of,
    enrollable,
    enrolments_of,
    stale_count,
    stale_enrolments,
)
from messaging.enrolment.services import Enrolled, enrol, remove
from outreach.campaigns.access import campaign_or_404
from outreach.campaigns.domain.checklist import Point, missing
from outreach.campaigns.domain.lifecycle import Step, steps_from
from outreach.campaigns.models import Campaign
from outreach.campaigns.queries import checklist_of, log_of, offer_changes_of, proof_points_of, sequence_of
from outreach.teams.access import MemberRequest, member_page
from outreach.teams.domain.capabilities import Capability
from outreach.teams.domain.refusal import Refusal
from outreach.teams.models import Team
from outreach.teams.paging import page_after
from prospects.domain.spreadsheet import inert
from prospects.domain.staleness import stale_reasons
from prospects.services import refresh_companies

#: Entries of the log on the campaign's page; the log itself has all.
LOGGED = 6


def _pipeline(campaign: Campaign) -> dict[str, Any]:
    steps = steps_of(counts=counts_of(campaign=campaign))
    picture = picture_of(counts=[step.count for step in steps])
    return {"steps": steps, "picture": picture, "drafting": drafting_of(campaign=campaign)}


def _lacking(campaign: Campaign) -> tuple[Point, ...]:
    """What stands in the way of starting; of a campaign that cannot be started, nothing is asked."""
    if Step.START not in steps_from(status=campaign.status):
        return ()
    return missing(checklist_of(campaign=campaign, today=timezone.localdate()))


@require_safe
@member_page(Capability.VIEW)
def campaign(request: MemberRequest, team: Team, slug: str) -> HttpResponse:
    """Where everyone is, what is stuck and why, and the people."""
    shown = campaign_or_404(team=team, slug=slug)
    people = page_after(queryset=enrolments_of(campaign=shown), order=("-id",), after=request.GET.get("after", ""))
    context = {
        "campaign": shown,
        "people": people,
        "proof_points": proof_points_of(campaign=shown),
        "moves": steps_from(status=shown.status),
        "lacking": _lacking(shown),
        "may_manage": request.member.may(Capability.MANAGE),
        "sequence": sequence_of(campaign=shown),
        "changed": offer_changes_of(campaign=shown).first(),
        "log": log_of(campaign=shown).order_by("-id")[:LOGGED],
        "stale": stale_count(campaign=shown, today=timezone.localdate()),
        **_pipeline(shown),
    }
    return render(request, "enrolment/campaign.html", context)


@require_safe
@member_page(Capability.VIEW)
def changed(request: MemberRequest, team: Team, slug: str) -> HttpResponse:
    """How far texts have been verified again since the campaign says something else; asks again until it is done."""
    shown = campaign_or_404(team=team, slug=slug)
    context = {"campaign": shown, "changed": offer_changes_of(campaign=shown).first()}
    return render(request, "enrolment/changed.html", context)


@require_safe
@member_page(Capability.VIEW)
def pipeline(request: MemberRequest, team: Team, slug: str) -> HttpResponse:
    """The picture alone; asks again while drafts are being written, and ends by itself."""
    shown = campaign_or_404(team=team, slug=slug)
    context = {"campaign": shown, **_pipeline(shown)}
    answer = render(request, "enrolment/pipeline.html", context)
    if not context["drafting"]["open"]:
        # The list of people and the counts in the navigation fetch themselves anew.
        answer["HX-Trigger"] = "footnote:written, footnote:counts"
    return answer


@require_http_methods(["GET", "HEAD", "POST"])
@member_page(Capability.WRITE)
def people(request: MemberRequest, team: Team, slug: str) -> HttpResponse:
    """Choose people who are not in the campaign, and enrol them."""
    shown = campaign_or_404(team=team, slug=slug)
    if request.method == "POST":
        return _enrol(request, team, shown)
    search = SearchForm(request.GET)
    found = search.narrow(enrollable(team=team, campaign=shown))
    page = page_after(queryset=found, order=("-id",), after=request.GET.get("after", ""))
    return render(request, "enrolment/people.html", {"campaign": shown, "page": page, "search": search})


@require_POST
@member_page(Capability.WRITE)
def remove_person(request: MemberRequest, team: Team, slug: str, pk: int) -> HttpResponse:
    """Take one person out of the campaign."""
    shown = campaign_or_404(team=team, slug=slug)
    removed = remove(member=request.member, campaign=shown, enrolment_id=pk, now=timezone.now())
    if isinstance(removed, Refusal):
        messages.error(request, removed.message)
    else:
        messages.success(request, _("Removed. What was drafted for them is cancelled."))
    return redirect("enrolment:campaign", team=team.slug, slug=slug)


def _enrol(request: MemberRequest, team: Team, shown: Campaign) -> HttpResponse:
    form = EnrolForm(request.POST)
    if not form.is_valid():
        messages.error(request, _("Choose at least one person."))
        return redirect("enrolment:people", team=team.slug, slug=shown.slug)
    done = enrol(
        member=request.member, campaign=shown, prospect_ids=form.prospect_ids(team=team, campaign=shown),
        now=timezone.now(),
    )  # fmt: skip
    if isinstance(done, Refusal):
        messages.error(request, done.message)
        return redirect("enrolment:people", team=team.slug, slug=shown.slug)
    return render(request, "enrolment/enrolled.html", {"campaign": shown, **_told(done)})


def _told(done: Enrolled) -> dict[str, Any]:
    count = len(done.enrolled)
    return {
        "done": done,
        "headline": ngettext("%(count)s person enrolled", "%(count)s people enrolled", count) % {"count": count},
        "reasons": [(EXPLANATION[why], number) for why, number in done.counted().items()],
    }


def _stale(shown: Campaign) -> Any:
    rows = stale_enrolments(campaign=shown, today=timezone.localdate())
    return rows.select_related("prospect", "prospect__company")


@require_http_methods(["GET", "HEAD", "POST"])
@member_page(Capability.WRITE)
def stale(request: MemberRequest, team: Team, slug: str) -> HttpResponse:
    """Who should be looked up again before a draft is written; POST has the feeds of their companies read now."""
    shown = campaign_or_404(team=team, slug=slug)
    if request.method == "POST":
        companies = _stale(shown).values_list("prospect__company", flat=True).distinct()[:1_000]
        told = refresh_companies(member=request.member, company_ids=[pk for pk in companies if pk], now=timezone.now())
        if isinstance(told, Refusal):
            messages.error(request, told.message)
        else:
            said = ngettext("%(n)s feed or page is read now.", "%(n)s feeds and pages are read now.", told)
            messages.success(request, said % {"n": told})
        return redirect("enrolment:stale", team=team.slug, slug=slug)
    today = timezone.localdate()
    page = page_after(queryset=_stale(shown), order=("-id",), after=request.GET.get("after", ""))
    people = [(one, stale_reasons(role_seen=one.role_seen, words_on=one.words_on, today=today)) for one in page.rows]
    return render(request, "enrolment/stale.html", {"campaign": shown, "page": page, "people": people})


@require_safe
@member_page(Capability.WRITE)
def stale_csv(_request: MemberRequest, team: Team, slug: str) -> HttpResponse:
    """Their profiles, for whatever reads profiles; the export of that is imported again."""
    shown = campaign_or_404(team=team, slug=slug)
    answer = HttpResponse("\ufeff", content_type="text/csv; charset=utf-8")
    answer["Content-Disposition"] = f'attachment; filename="stale-{shown.slug}.csv"'
    writer = csv.writer(answer)
    writer.writerow(["Full Name", "LinkedIn URL", "Company"])
    for one in _stale(shown).order_by("id")[:10_000].iterator(chunk_size=500):
        company = one.prospect.company.name if one.prospect.company else ""
        writer.writerow([inert(one.prospect.full_name), inert(one.prospect.linkedin_url), inert(company)])
    return answer
