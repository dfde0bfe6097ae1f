"""The list of prospects and the page of one."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import Http404, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from outreach.teams.access import MemberRequest, member_page
from outreach.teams.domain.capabilities import Capability
from outreach.teams.domain.refusal import Refusal
from outreach.teams.models import Team
from prospects import forms, queries, services, suppression
from prospects.access import prospect_or_404
from prospects.domain import timeline
from prospects.domain.identity import Key, KeyKind
from prospects.domain.language import WRITTEN
from prospects.domain.likeness import strangers
from prospects.domain.places import name_of_language
from prospects.models import Prospect
from prospects.queries import identities, listing


@require_GET
@member_page(Capability.VIEW)
def prospect_list(request: MemberRequest, team: Team) -> HttpResponse:
    form = forms.FilterForm(request.GET)
    chosen = form.chosen()
    listed = listing.list_prospects(team=team, chosen=chosen, after=request.GET.get("after", ""))
    context = {
        "page": listed.page,
        "questions": listed.questions,
        "form": form,
        "count": listed.count,
        "filtered": chosen != listing.ProspectFilter(),
        "company": next((row.company for row in listed.page.rows if row.company_id == chosen.company), None),
    }
    return render(request, "prospects/rows.html" if request.htmx else "prospects/list.html", context)


@require_GET
@member_page(Capability.VIEW)
def detail(request: MemberRequest, team: Team, pk: int) -> HttpResponseBase:
    try:
        prospect = prospect_or_404(team=team, pk=pk)
    except Http404:
        kept = identities.kept_record(team=team, absorbed_id=pk)
        if kept is None:
            raise
        return redirect("prospects:detail", team=team.slug, pk=kept)
    return render(request, "prospects/detail.html", _page(request, prospect))


def _page(request: MemberRequest, prospect: Prospect, **more: Any) -> dict[str, Any]:
    today = timezone.localdate()
    card = queries.card_for(prospect=prospect)
    rows = (*card.rows, *card.company_rows)
    facts = [(queries.fact_of(row), row.source_url) for row in rows]
    entries = timeline.timeline(facts, today=today)
    wanted = request.GET.get("show", "")
    counts = {group.value: sum(entry.group is group for entry in entries) for group in timeline.Group}
    return {
        "prospect": prospect,
        "card": card,
        "entries": [entry for entry in entries if not wanted or entry.group == wanted],
        "groups": [
            ("", "All", len(entries)),
            *((key, LABELS[key], number) for key, number in counts.items() if number),
        ],
        "wanted": wanted,
        "total": len(entries),
        "language_name": name_of_language(prospect.language),
        "gaps": timeline.gaps_of([fact for fact, _ in facts], has_email=bool(card.emails), today=today),
        "history": queries.evidence_history(team=prospect.team, prospect=prospect),
        "suppressed": suppression.of_prospects(team=prospect.team, prospect_ids=[prospect.pk]).get(prospect.pk),
        "written": prospect.language in WRITTEN,
        "language_form": forms.LanguageForm(initial={"code": prospect.language if prospect.language_chosen else ""}),
        "capture_form": forms.CaptureForm(auto_id="capture_%s"),
        "suppress_form": forms.SuppressForm(),
        "retract_form": forms.RetractForm(auto_id="retract_%s"),
        "conclusions": queries.conclusions_of(card=card, today=today),
        "doubts": identities.doubts_about(prospect=prospect),
        "suggestions": identities.suggestions_about(prospect=prospect),
        "merges": identities.merges_into(prospect=prospect),
        "strangers": strangers(prospect.full_name, [Key(KeyKind(key.kind), key.value) for key in card.keys]),
        "twin_form": forms.TwinForm(),
        "identity_form": forms.IdentityForm(initial={"full_name": prospect.full_name}),
        **more,
    }


LABELS = {"words": "Their own words", "person": "About them", "company": "Company", "common": "In common"}


def _answer(request: MemberRequest, prospect: Prospect, outcome: object, *, said: str) -> HttpResponseBase:
    """Back to the prospect's page: with a word on success, with the reason and 422 on refusal."""
    if isinstance(outcome, Refusal):
        return render(request, "prospects/detail.html", _page(request, prospect, refusal=outcome), status=422)
    messages.success(request, said)
    return redirect("prospects:detail", team=prospect.team.slug, pk=prospect.pk)


def _incomplete(form: Any) -> Refusal:
    return Refusal(
        code="incomplete", message=" ".join(str(error) for errors in form.errors.values() for error in errors)
    )


@require_POST
@member_page(Capability.WRITE)
def suppress(request: MemberRequest, team: Team, pk: int) -> HttpResponseBase:
    prospect = prospect_or_404(team=team, pk=pk)
    form = forms.SuppressForm(request.POST)
    outcome: object = _incomplete(form)
    if form.is_valid():
        outcome = suppression.suppress_prospect(
            prospect=prospect, actor=request.member.user, reason=form.cleaned_data["reason"], now=timezone.now()
        )
    return _answer(request, prospect, outcome, said=f"{prospect} is suppressed: nobody will be written to.")


@require_POST
@member_page(Capability.WRITE)
def language(request: MemberRequest, team: Team, pk: int) -> HttpResponseBase:
    prospect = prospect_or_404(team=team, pk=pk)
    form = forms.LanguageForm(request.POST)
    outcome: object = _incomplete(form)
    if form.is_valid():
        outcome = services.choose_language(
            member=request.member, prospect=prospect, code=form.cleaned_data["code"], now=timezone.now()
        )
    return _answer(request, prospect, outcome, said="The language is set.")


@require_POST
@member_page(Capability.WRITE)
def identity(request: MemberRequest, team: Team, pk: int) -> HttpResponseBase:
    prospect = prospect_or_404(team=team, pk=pk)
    form = forms.IdentityForm(request.POST)
    outcome: object = _incomplete(form)
    if form.is_valid():
        outcome = services.resolve_conflict(
            member=request.member, prospect=prospect, full_name=form.cleaned_data["full_name"], now=timezone.now()
        )
    return _answer(request, prospect, outcome, said="The identity is settled.")


@require_POST
@member_page(Capability.WRITE)
def retract(request: MemberRequest, team: Team, pk: int, row: int) -> HttpResponseBase:
    prospect = prospect_or_404(team=team, pk=pk)
    form = forms.RetractForm(request.POST)
    outcome: object = _incomplete(form)
    if form.is_valid():
        outcome = services.retract(
            member=request.member, evidence_id=row, reason=form.cleaned_data["reason"], now=timezone.now()
        )
    return _answer(request, prospect, outcome, said="The evidence is retracted; approvals that cite it lapse.")


@require_http_methods(["GET", "POST"])
@member_page(Capability.WRITE)
def add_evidence(request: MemberRequest, team: Team, pk: int) -> HttpResponseBase:
    prospect = prospect_or_404(team=team, pk=pk)
    form = forms.EvidenceForm(request.POST or None, initial={"observed_at": timezone.localdate()})
    refusal = None
    if request.method == "POST" and form.is_valid():
        outcome = services.add_evidence(
            member=request.member, prospect=prospect, now=timezone.now(), **form.added(today=timezone.localdate())
        )
        if not isinstance(outcome, Refusal):
            messages.success(request, "The evidence is in.")
            return redirect("prospects:detail", team=team.slug, pk=pk)
        refusal = outcome
    status = 422 if request.method == "POST" else 200
    context = {"prospect": prospect, "form": form, "refusal": refusal}
    return render(request, "prospects/add_evidence.html", context, status=status)


@require_POST
@member_page(Capability.WRITE)
def capture(request: MemberRequest, team: Team, pk: int) -> HttpResponseBase:
    """A paste from the prospect's page. What it lacks is asked for on the full form, with everything kept."""
    prospect = prospect_or_404(team=team, pk=pk)
    form = forms.CaptureForm(request.POST)
    refusal = None
    if form.is_valid():
        outcome = services.add_evidence(
            member=request.member, prospect=prospect, now=timezone.now(), **form.added(today=timezone.localdate())
        )
        if not isinstance(outcome, Refusal):
            messages.success(request, "The evidence is in.")
            return redirect("prospects:detail", team=team.slug, pk=pk)
        refusal = outcome
    context = {"prospect": prospect, "form": form, "refusal": refusal}
    return render(request, "prospects/add_evidence.html", context, status=422)
