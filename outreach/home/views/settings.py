"""Settings of the team: all of them at a glance, policies, sending days, privacy, language model, reasons."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from django import forms as django_forms
from django.conf import settings as django_settings
from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from messaging.review import services as review_services
from messaging.writing.adapters import trial
from outreach.campaigns import queries as campaign_queries
from outreach.campaigns import services
from outreach.campaigns.domain.offer import Policy
from outreach.campaigns.domain.setting import effects, setting
from outreach.home.forms import ClosedDayForm, DaysForm, ModelForm, PolicyForm, PrivacyForm, ReasonForm
from outreach.teams.access import MemberRequest, member_page, page_address
from outreach.teams.domain.capabilities import Capability
from outreach.teams.domain.refusal import Refusal
from outreach.teams.models import Team
from outreach.teams.paging import page_after


@require_safe
@member_page(Capability.MANAGE)
def overview(request: MemberRequest, team: Team) -> HttpResponse:
    """Every setting with what it does at present."""
    rows = [
        {
            "setting": one,
            "effect": effect,
            "changed": value != one.default,
            "href": page_address(name=one.page, team=team) if request.member.may(one.needs) else "",
        }
        for one, value, effect in effects(campaign_queries.policy_of(team=team))
    ]
    return render(request, "home/settings/overview.html", {"rows": rows})


@require_http_methods(["GET", "HEAD", "POST"])
@member_page(Capability.MANAGE)
def policy(request: MemberRequest, team: Team) -> HttpResponse:
    present = campaign_queries.policy_of(team=team)
    form = PolicyForm(request.POST or None, initial=asdict(present))
    if request.method == "POST" and form.is_valid():
        saved = services.change_settings(member=request.member, values=form.cleaned_data, now=timezone.now())
        if not isinstance(saved, Refusal):
            messages.success(request, told(saved))
            return redirect("home:settings:policy", team=team.slug)
        show(form, saved)
    context = {"form": form, **_waiting(request, team)}
    return render(request, "home/settings/policy.html", context, status=422 if form.is_bound else 200)


def _waiting(request: MemberRequest, team: Team) -> dict[str, Any]:
    """What waits for a second person."""
    waiting = campaign_queries.waiting_policy_change(team=team)
    return {
        "waiting": waiting,
        "own": waiting is not None and waiting.asked_by_id == request.member.user.pk,
        "asked": [(_(setting(key).label), change) for key, change in waiting.changes.items()] if waiting else [],
    }


def told(saved: services.PolicySaved) -> str:
    if saved.waiting is None:
        return _("Saved. It holds for every approval from now on.")
    if saved.waiting.effective_at:
        return _("Saved. What weakens approval takes effect tomorrow, since nobody else could confirm it.")
    return _("Saved. What weakens approval waits for another manager or administrator to confirm it.")


@require_POST
@member_page(Capability.MANAGE)
def decide_policy(request: MemberRequest, team: Team, pk: int, decision: str) -> HttpResponse:
    """Confirm or decline what somebody asked for; whoever asked takes it back by declining."""
    decide = services.confirm_policy if decision == "confirm" else services.decline_policy
    done = decide(member=request.member, change_id=pk, now=timezone.now())
    if isinstance(done, Refusal):
        if done.code == "not-found":
            raise Http404(done.message)
        messages.error(request, done.message)
    elif decision == "confirm":
        messages.success(request, _("Confirmed. It holds for every approval from now on."))
    else:
        messages.success(request, _("The policy stays as it is."))
    return redirect("home:settings:policy", team=team.slug)


@require_http_methods(["GET", "HEAD", "POST"])
@member_page(Capability.MANAGE)
def privacy(request: MemberRequest, team: Team) -> HttpResponse:
    present = campaign_queries.policy_of(team=team)
    form = PrivacyForm(request.POST or None, initial=asdict(present))
    if request.method == "POST" and form.is_valid():
        saved = services.change_settings(member=request.member, values=form.values(), now=timezone.now())
        if not isinstance(saved, Refusal):
            messages.success(request, told(saved))
            return redirect("home:settings:privacy", team=team.slug)
        show(form, saved)
    context = {"form": form, "present": present, **_waiting(request, team)}
    return render(request, "home/settings/privacy.html", context, status=422 if form.is_bound else 200)


@require_http_methods(["GET", "HEAD", "POST"])
@member_page(Capability.ADMIN)
def model(request: MemberRequest, team: Team) -> HttpResponse:
    present = campaign_queries.policy_of(team=team)
    form = ModelForm(request.POST or None, initial=asdict(present))
    if request.method == "POST" and form.is_valid():
        entered = dict(form.cleaned_data)
        forget, key = entered.pop("forget_key"), entered.pop("model_key")
        refused = services.save_model(
            member=request.member, values=entered, key=key or ("" if forget else None), now=timezone.now()
        )
        if refused is None:
            messages.success(request, _("Saved. It holds for every text from now on."))
            return redirect("home:settings:model", team=team.slug)
        show(form, refused)
    context = {
        "form": form,
        "present": present,
        "kept": campaign_queries.secrets_kept(team=team).get((None, "model")),
        "installed": django_settings.OPENAI_MODEL or django_settings.OPENAI_BASE_URL,
        "priced": bool(django_settings.OPENAI_PRICE_PROMPT or django_settings.OPENAI_PRICE_COMPLETION),
    }
    return render(request, "home/settings/model.html", context, status=422 if form.is_bound else 200)


@require_POST
@member_page(Capability.ADMIN)
def try_model(request: MemberRequest, team: Team) -> HttpResponse:
    """Ask the model one small question."""
    tried = services.try_model(member=request.member, trier=trial.try_model)
    if request.htmx and not isinstance(tried, Refusal):
        return render(request, "home/settings/trial.html", {"tried": tried})
    if isinstance(tried, Refusal):
        messages.error(request, tried.message)
    else:
        (messages.success if tried.works else messages.error)(request, tried.text)
    return redirect("home:settings:model", team=team.slug)


@require_http_methods(["GET", "HEAD", "POST"])
@member_page(Capability.MANAGE)
def days(request: MemberRequest, team: Team) -> HttpResponse:
    form = DaysForm(request.POST or None, initial=asdict(campaign_queries.policy_of(team=team)))
    if request.method == "POST" and form.is_valid():
        saved = services.change_settings(member=request.member, values=form.cleaned_data, now=timezone.now())
        if not isinstance(saved, Refusal):
            messages.success(request, _("Saved. What waits is looked at again when it is due."))
            return redirect("home:settings:days", team=team.slug)
        show(form, saved)
    return _days_page(request, team, form, ClosedDayForm())


def _days_page(request: MemberRequest, team: Team, form: DaysForm, day_form: ClosedDayForm) -> HttpResponse:
    policy: Policy = campaign_queries.policy_of(team=team)
    page = page_after(
        queryset=campaign_queries.closed_days_of(team=team, since=timezone.localdate()),
        order=("day", "id"),
        after=request.GET.get("after", ""),
    )
    context = {"form": form, "day_form": day_form, "page": page, "policy": policy}
    wrong = form.is_bound or day_form.is_bound
    return render(request, "home/settings/days.html", context, status=422 if wrong else 200)


@require_POST
@member_page(Capability.MANAGE)
def add_day(request: MemberRequest, team: Team) -> HttpResponse:
    form = ClosedDayForm(request.POST)
    if form.is_valid():
        added = services.add_closed_day(member=request.member, today=timezone.localdate(), **form.cleaned_data)
        if not isinstance(added, Refusal):
            messages.success(request, _("Nothing is sent on that day."))
            return redirect("home:settings:days", team=team.slug)
        show(form, added)
    return _days_page(request, team, DaysForm(initial=asdict(campaign_queries.policy_of(team=team))), form)


@require_POST
@member_page(Capability.MANAGE)
def remove_day(request: MemberRequest, team: Team, pk: int) -> HttpResponse:
    refused = services.remove_closed_day(member=request.member, day_id=pk)
    if refused is not None:
        raise Http404(refused.message)
    messages.success(request, _("The day is no closed day any more."))
    return redirect("home:settings:days", team=team.slug)


@require_http_methods(["GET", "HEAD", "POST"])
@member_page(Capability.MANAGE)
def reasons(request: MemberRequest, team: Team) -> HttpResponse:
    form = ReasonForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        added = review_services.add_reason(member=request.member, **form.cleaned_data)
        if not isinstance(added, Refusal):
            messages.success(request, _("Added. It is on the review screen."))
            return redirect("home:settings:reasons", team=team.slug)
        show(form, added)
    context = {"form": form, "reasons": review_services.all_reasons_of(team=team)}
    return render(request, "home/settings/reasons.html", context, status=422 if form.is_bound else 200)


@require_POST
@member_page(Capability.MANAGE)
def set_reason(request: MemberRequest, team: Team, pk: int) -> HttpResponse:
    done = review_services.set_reason_active(
        member=request.member, reason_id=pk, active=request.POST.get("active") == "yes"
    )
    if isinstance(done, Refusal):
        if done.code == "not-found":
            raise Http404(done.message)
        messages.error(request, done.message)
    return redirect("home:settings:reasons", team=team.slug)


def show(form: django_forms.Form, refusal: Refusal) -> None:
    """Each line beside the field that it begins with, else above the form."""
    for line in refusal.message.splitlines():
        name, _colon, text = line.partition(": ")
        if name not in form.fields and _colon:
            # "notice_texts: de: …" has a field a language.
            code, _second, rest = text.partition(": ")
            if f"{name}_{code}" in form.fields:
                name, text = f"{name}_{code}", rest
        form.add_error(name if name in form.fields else None, text if name in form.fields else line)
