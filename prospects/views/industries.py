"""Industry notes: the shelves, one industry's notes, writing, reviewing and retiring them."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import Http404, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from outreach.teams.access import MemberRequest, member_page
from outreach.teams.domain.capabilities import Capability
from outreach.teams.domain.refusal import Refusal
from outreach.teams.models import Team
from prospects import forms, services
from prospects.models import IndustryNote
from prospects.queries import industries


@require_GET
@member_page(Capability.VIEW)
def industry_list(request: MemberRequest, team: Team) -> HttpResponse:
    return render(request, "prospects/industries.html", {"shelves": industries.shelves(team=team)})


@require_GET
@member_page(Capability.VIEW)
def industry(request: MemberRequest, team: Team, key: str) -> HttpResponse:
    today = timezone.localdate()
    retired = request.GET.get("show") == "retired"
    page = industries.note_page(team=team, industry=key, after=request.GET.get("after", ""), retired=retired)
    shelf = next((one for one in industries.shelves(team=team) if one.key == key), None)
    if shelf is None:
        raise Http404("no such industry")
    context = {
        "shelf": shelf,
        "page": page,
        "due": {note.pk for note in page.rows if industries.due_again(note, today=today)},
        "retired": retired,
    }
    return render(request, "prospects/industry.html", context)


def _form_page(request: MemberRequest, form: Any, refusal: object, **context: Any) -> HttpResponse:
    status = 422 if request.method == "POST" else 200
    return render(request, "prospects/industry_note.html", {"form": form, "refusal": refusal, **context}, status=status)


@require_http_methods(["GET", "POST"])
@member_page(Capability.WRITE)
def write_note(request: MemberRequest, team: Team) -> HttpResponseBase:
    named = request.GET.get("industry", "")[:64]
    form = forms.NoteForm(request.POST or None, initial={"industry": industries.label_of(named) if named else ""})
    refusal = None
    if request.method == "POST" and form.is_valid():
        outcome = services.write_note(member=request.member, now=timezone.now(), **form.cleaned_data)
        if not isinstance(outcome, Refusal):
            return _to_shelf(request, team, outcome, _("It is there, to be reviewed."))
        refusal = outcome
    return _form_page(request, form, refusal)


@require_http_methods(["GET", "POST"])
@member_page(Capability.WRITE)
def revise_note(request: MemberRequest, team: Team, pk: int) -> HttpResponseBase:
    note = industries.note_of(team=team, note_id=pk)
    if note is None:
        raise Http404("no such note")
    kept = {"text": note.text, "kind": note.kind, "source": note.source, "source_url": note.source_url}
    form = forms.RevisedNoteForm(request.POST or None, initial=kept)
    refusal = None
    if request.method == "POST" and form.is_valid():
        outcome = services.revise_note(member=request.member, note_id=pk, now=timezone.now(), **form.cleaned_data)
        if not isinstance(outcome, Refusal):
            return _to_shelf(request, team, outcome, _("The new version is there, to be reviewed."))
        refusal = outcome
    return _form_page(request, form, refusal, note=note, label=industries.label_of(note.industry))


def _to_shelf(request: MemberRequest, team: Team, note: IndustryNote, said: str) -> HttpResponseBase:
    messages.success(request, said)
    return redirect("prospects:industry", team=team.slug, key=note.industry)


def _after(request: MemberRequest, team: Team, outcome: IndustryNote | Refusal, said: str) -> HttpResponseBase:
    if isinstance(outcome, IndustryNote):
        return _to_shelf(request, team, outcome, said)
    if outcome.code == "not-found":
        raise Http404(outcome.message)
    messages.warning(request, outcome.message)
    return redirect("prospects:industries", team=team.slug)


@require_POST
@member_page(Capability.MANAGE)
def approve_note(request: MemberRequest, team: Team, pk: int) -> HttpResponseBase:
    outcome = services.approve_note(member=request.member, note_id=pk, now=timezone.now())
    return _after(request, team, outcome, _("Approved: it can be cited for a year."))


@require_POST
@member_page(Capability.MANAGE)
def retire_note(request: MemberRequest, team: Team, pk: int) -> HttpResponseBase:
    outcome = services.retire_note(member=request.member, note_id=pk, now=timezone.now())
    return _after(request, team, outcome, _("Retired: nothing rests on it any more."))


@require_POST
@member_page(Capability.WRITE)
def take_starters(request: MemberRequest, team: Team, key: str) -> HttpResponseBase:
    outcome = services.take_starters(member=request.member, industry=key, now=timezone.now())
    if isinstance(outcome, Refusal):
        raise Http404(outcome.message)
    messages.success(request, _("%(n)d statements to be reviewed.") % {"n": outcome})
    return redirect("prospects:industry", team=team.slug, key=key)
