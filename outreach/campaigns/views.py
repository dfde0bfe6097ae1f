"""Pages of campaigns: the list, the wizard, the steps of their life, their log. The campaign's own page joins more rooms."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any, Protocol

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from outreach.campaigns import services
from outreach.campaigns.access import campaign_or_404
from outreach.campaigns.domain.checklist import AUDIENCE, CHECK, OFFER, PROOF, SENDING, STEPS, missing
from outreach.campaigns.domain.lifecycle import Step
from outreach.campaigns.forms import BeginForm, CloneForm, OfferForm, ProofForms, SendingForm, StepForms
from outreach.campaigns.models import Campaign
from outreach.campaigns.queries import campaigns_of, checklist_of, listed, log_of, newest_change, policy_of
from outreach.teams.access import Member, MemberRequest, member_page
from outreach.teams.domain.capabilities import Capability
from outreach.teams.domain.refusal import Refusal
from outreach.teams.models import Team
from outreach.teams.paging import page_after


@require_safe
@member_page(Capability.VIEW)
def index(request: MemberRequest, team: Team) -> HttpResponse:
    """All campaigns, newest first, with what each needs."""
    page = page_after(queryset=campaigns_of(team=team), order=("-id",), after=request.GET.get("after", ""))
    rows = listed(campaigns=page.rows, today=timezone.localdate())
    return render(request, "campaigns/list.html", {"page": page, "rows": rows})


@require_http_methods(["GET", "HEAD", "POST"])
@member_page(Capability.MANAGE)
def create(request: MemberRequest, team: Team) -> HttpResponse:
    """A new campaign begins with a name; the wizard fills it in."""
    form = BeginForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        made = services.begin_campaign(member=request.member, now=timezone.now(), **form.cleaned_data)
        if not isinstance(made, Refusal):
            return redirect("campaigns:setup", team=team.slug, slug=made.slug, page=OFFER)
        form.add_error(None, made.message)
    return render(request, "campaigns/new.html", {"form": form}, status=422 if form.is_bound else 200)


@require_safe
@member_page(Capability.MANAGE)
def resume(_request: MemberRequest, team: Team, slug: str) -> HttpResponse:
    """To the first page of the wizard where something is missing."""
    campaign = campaign_or_404(team=team, slug=slug)
    points = missing(checklist_of(campaign=campaign, today=timezone.localdate()))
    pages = [point.page for point in points if point.page in _EDITORS]
    page = (pages[0] if pages else CHECK) if campaign.status == "draft" else OFFER
    return redirect("campaigns:setup", team=team.slug, slug=slug, page=page)


class _Forms(Protocol):
    def is_valid(self) -> bool: ...

    def show(self, refusal: Refusal) -> None: ...


@dataclass(frozen=True)
class _Editor(ABC):
    """One page of the wizard: its forms, and what saving them means."""

    template: str

    @abstractmethod
    def forms(self, campaign: Campaign, data: Any) -> _Forms: ...

    @abstractmethod
    def save(self, member: Member, campaign: Campaign, forms: Any, seen: int | None) -> Campaign | Refusal: ...


class _Offer(_Editor):
    def forms(self, campaign: Campaign, data: Any) -> _Forms:
        return OfferForm(data, initial=OfferForm.filled(campaign))

    def save(self, member: Member, campaign: Campaign, forms: Any, seen: int | None) -> Campaign | Refusal:
        return services.save_offer(member=member, campaign=campaign, entry=forms.entry(), now=timezone.now(), seen=seen)


class _Proof(_Editor):
    def forms(self, campaign: Campaign, data: Any) -> _Forms:
        return ProofForms(campaign=campaign, data=data)

    def save(self, member: Member, campaign: Campaign, forms: Any, seen: int | None) -> Campaign | Refusal:
        return services.save_proof(
            member=member, campaign=campaign, points=forms.points(),
            no_proof_needed=forms.form.cleaned_data["no_proof_needed"], now=timezone.now(), seen=seen,
        )  # fmt: skip


class _Steps(_Editor):
    def forms(self, campaign: Campaign, data: Any) -> _Forms:
        return StepForms(campaign=campaign, data=data)

    def save(self, member: Member, campaign: Campaign, forms: Any, seen: int | None) -> Campaign | Refusal:
        return services.save_steps(member=member, campaign=campaign, steps=forms.steps(), now=timezone.now(), seen=seen)


class _Sending(_Editor):
    def forms(self, campaign: Campaign, data: Any) -> _Forms:
        return SendingForm(data, campaign=campaign, initial=SendingForm.filled(campaign))

    def save(self, member: Member, campaign: Campaign, forms: Any, seen: int | None) -> Campaign | Refusal:
        return services.save_sending(
            member=member, campaign=campaign, entry=forms.entry(), now=timezone.now(), seen=seen
        )


_EDITORS: dict[str, _Editor] = {
    OFFER: _Offer("campaigns/offer.html"),
    PROOF: _Proof("campaigns/proof.html"),
    STEPS: _Steps("campaigns/steps.html"),
    SENDING: _Sending("campaigns/sending.html"),
}
#: Where "Save and go on" leads.
_NEXT = {OFFER: PROOF, PROOF: AUDIENCE, STEPS: SENDING, SENDING: CHECK}


@require_http_methods(["GET", "HEAD", "POST"])
@member_page(Capability.MANAGE)
def setup(request: MemberRequest, team: Team, slug: str, page: str) -> HttpResponse:
    """A page of the wizard. Each saves by itself, so that one may leave after any and go on later."""
    campaign = campaign_or_404(team=team, slug=slug)
    if page == CHECK:
        return _wizard(request, campaign, page, "campaigns/check.html", {})
    editor = _EDITORS.get(page)
    if editor is None:
        raise Http404("no such page")
    forms = editor.forms(campaign, request.POST or None)
    if request.method == "POST":
        seen = request.POST.get("seen", "")
        known = int(seen) if seen.isascii() and seen.isdecimal() and len(seen) < 19 else None
        saved = editor.save(request.member, campaign, forms, known) if forms.is_valid() else None
        if saved is not None and not isinstance(saved, Refusal):
            return _onwards(request, saved, page)
        if isinstance(saved, Refusal):
            _tell(request, forms, saved)
    newest = newest_change(campaign=campaign, section=page)
    context = {"forms": forms, "policy": policy_of(team=team), "seen": newest.pk if newest else 0}
    return _wizard(request, campaign, page, editor.template, context)


def _tell(request: MemberRequest, forms: _Forms, refusal: Refusal) -> None:
    if refusal.code == "overtaken":
        messages.warning(request, refusal.message)
    else:
        forms.show(refusal)


def _onwards(request: MemberRequest, campaign: Campaign, page: str) -> HttpResponse:
    """Where the button said: the next page, the same with room for more, or the campaign."""
    team, then = request.member.team.slug, request.POST.get("then", "next")
    if then == "more":
        return redirect("campaigns:setup", team=team, slug=campaign.slug, page=page)
    if then == "leave":
        messages.success(request, _("Saved."))
        return redirect("enrolment:campaign", team=team, slug=campaign.slug)
    if _NEXT[page] == AUDIENCE:
        return redirect("enrolment:audience", team=team, slug=campaign.slug)
    return redirect("campaigns:setup", team=team, slug=campaign.slug, page=_NEXT[page])


def _wizard(
    request: MemberRequest, campaign: Campaign, page: str, template: str, context: dict[str, Any]
) -> HttpResponse:
    points = checklist_of(campaign=campaign, today=timezone.localdate())
    shown = {
        "campaign": campaign, "here": page, "points": points, "lacking": len(missing(points)), **context,
    }  # fmt: skip
    return render(request, template, shown, status=422 if request.method == "POST" else 200)


@require_POST
@member_page(Capability.MANAGE)
def move(request: MemberRequest, team: Team, slug: str, step: str) -> HttpResponse:
    """Make ready, start, pause or finish."""
    if step not in set(Step):
        raise Http404("no such step")
    campaign = campaign_or_404(team=team, slug=slug)
    moved = services.move_campaign(member=request.member, campaign=campaign, step=Step(step), now=timezone.now())
    if isinstance(moved, Refusal):
        messages.error(request, moved.message)
        if moved.code == "incomplete":
            return redirect("campaigns:setup", team=team.slug, slug=slug, page=CHECK)
    else:
        messages.success(request, _("The campaign is %(status)s.") % {"status": moved.get_status_display().lower()})
    return redirect("enrolment:campaign", team=team.slug, slug=slug)


@require_POST
@member_page(Capability.MANAGE)
def clone(request: MemberRequest, team: Team, slug: str) -> HttpResponse:
    """A new draft with everything but the people."""
    campaign = campaign_or_404(team=team, slug=slug)
    form = CloneForm(request.POST)
    name = form.cleaned_data["name"] if form.is_valid() else ""
    made = services.clone_campaign(member=request.member, campaign=campaign, name=name, now=timezone.now())
    if isinstance(made, Refusal):
        messages.error(request, made.message)
        return redirect("enrolment:campaign", team=team.slug, slug=slug)
    messages.success(request, _("Cloned, without its people. Choose an audience, then start it."))
    return redirect("campaigns:setup", team=team.slug, slug=made.slug, page=OFFER)


@require_safe
@member_page(Capability.VIEW)
def log(request: MemberRequest, team: Team, slug: str) -> HttpResponse:
    """Who changed what, newest first."""
    campaign = campaign_or_404(team=team, slug=slug)
    page = page_after(queryset=log_of(campaign=campaign), order=("-id",), after=request.GET.get("after", ""))
    return render(request, "campaigns/log.html", {"campaign": campaign, "page": page})
