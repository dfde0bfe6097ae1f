"""Settings of campaigns: policy, senders, sending accounts."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from django import forms as django_forms
from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from outreach.campaigns import queries as campaign_queries
from outreach.campaigns import services
from outreach.campaigns.domain.offer import Sender
from outreach.home.forms import AccountForm, PolicyForm, SenderForm
from outreach.teams.access import MemberRequest, member_page
from outreach.teams.domain.capabilities import Capability
from outreach.teams.domain.refusal import Refusal
from outreach.teams.models import Team
from outreach.teams.paging import page_after


@require_http_methods(["GET", "HEAD", "POST"])
@member_page(Capability.MANAGE)
def policy(request: MemberRequest, team: Team) -> HttpResponse:
    form = PolicyForm(request.POST or None, initial=asdict(campaign_queries.policy_of(team=team)))
    if request.method == "POST" and form.is_valid():
        saved = services.change_settings(member=request.member, values=form.cleaned_data, now=timezone.now())
        if not isinstance(saved, Refusal):
            messages.success(request, _told(saved))
            return redirect("home:settings:policy", team=team.slug)
        show(form, saved)
    waiting = campaign_queries.waiting_policy_change(team=team)
    context = {
        "form": form,
        "waiting": waiting,
        "own": waiting is not None and waiting.asked_by_id == request.member.user.pk,
        "asked": [(form.fields[name].label, change) for name, change in waiting.changes.items()] if waiting else [],
    }
    return render(request, "home/settings/policy.html", context, status=422 if form.is_bound else 200)


def _told(saved: services.PolicySaved) -> str:
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


@require_safe
@member_page(Capability.MANAGE)
def senders(request: MemberRequest, team: Team) -> HttpResponse:
    page = page_after(
        queryset=campaign_queries.senders_of(team=team).select_related("user"),
        order=("full_name", "id"),
        after=request.GET.get("after", ""),
    )
    return render(request, "home/settings/senders.html", {"page": page})


@require_http_methods(["GET", "HEAD", "POST"])
@member_page(Capability.MANAGE)
def sender(request: MemberRequest, team: Team, pk: int | None = None) -> HttpResponse:
    """A new sender, or one that exists."""
    row = campaign_queries.sender_by_id(team=team, sender_id=pk) if pk else None
    if pk and row is None:
        raise Http404("no such sender")
    initial = {**asdict(campaign_queries.sender_value(row=row)), "user": row.user_id} if row else {}
    form = SenderForm(request.POST or None, team=team, initial=initial)
    if request.method == "POST" and form.is_valid():
        entered = dict(form.cleaned_data)
        user_id = entered.pop("user")
        saved = services.save_sender(member=request.member, sender_id=pk, sender=Sender(**entered), user_id=user_id)
        if not isinstance(saved, Refusal):
            messages.success(request, _("Saved."))
            return redirect("home:settings:senders", team=team.slug)
        show(form, saved)
    context = {"form": form, "row": row}
    return render(request, "home/settings/sender.html", context, status=422 if form.is_bound else 200)


@require_safe
@member_page(Capability.ADMIN)
def accounts(request: MemberRequest, team: Team) -> HttpResponse:
    page = page_after(
        queryset=campaign_queries.all_accounts_of(team=team),
        order=("-active", "address", "id"),
        after=request.GET.get("after", ""),
    )
    return render(request, "home/settings/accounts.html", {"page": page})


@require_http_methods(["GET", "HEAD", "POST"])
@member_page(Capability.ADMIN)
def account(request: MemberRequest, team: Team, pk: int | None = None) -> HttpResponse:
    """A new account, or one that exists; kind and address of one that exists stay, for messages have left from it."""
    row = campaign_queries.all_accounts_of(team=team).filter(pk=pk).first() if pk else None
    if pk and row is None:
        raise Http404("no such account")
    names = ("kind", "address", "display_name", "daily_cap", "note_limit", "active")
    form = AccountForm(request.POST or None, initial={name: getattr(row, name) for name in names} if row else None)
    if row is not None:
        form.fields["kind"].disabled = form.fields["address"].disabled = True
    else:
        del form.fields["active"]
    if request.method == "POST" and form.is_valid():
        saved = (
            services.edit_account(member=request.member, account_id=row.pk, **without(form, "kind", "address"))
            if row
            else services.create_account(member=request.member, **form.cleaned_data)
        )
        if not isinstance(saved, Refusal):
            messages.success(request, _("Saved."))
            return redirect("home:settings:accounts", team=team.slug)
        show(form, saved)
    context = {"form": form, "row": row}
    return render(request, "home/settings/account.html", context, status=422 if form.is_bound else 200)


def without(form: django_forms.Form, *names: str) -> dict[str, Any]:
    return {name: value for name, value in form.cleaned_data.items() if name not in names}


def show(form: django_forms.Form, refusal: Refusal) -> None:
    """Beside the field that the refusal begins with, else above the form."""
    name, _colon, text = refusal.message.partition(": ")
    form.add_error(name if name in form.fields else None, text if name in form.fields else refusal.message)
