"""Senders and sending accounts."""

from __future__ import annotations

from dataclasses import asdict

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from outreach.campaigns import queries as campaign_queries
from outreach.campaigns import services
from outreach.campaigns.adapters.mail_check import RealMailChecker
from outreach.campaigns.domain.account import FIELDS
from outreach.campaigns.domain.offer import Sender
from outreach.campaigns.models import AccountKind, SendingAccount
from outreach.home.forms import AccountForm, SenderForm, account_form
from outreach.home.views.settings import show
from outreach.teams.access import MemberRequest, member_page
from outreach.teams.domain.capabilities import Capability
from outreach.teams.domain.refusal import Refusal
from outreach.teams.models import Team
from outreach.teams.paging import page_after


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
        entered = form.values()
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
def new_account(request: MemberRequest, team: Team) -> HttpResponse:
    wanted = request.POST.get("kind") or request.GET.get("kind", "")
    kind = wanted if wanted in AccountKind.values else AccountKind.SMTP
    form = account_form(kind)(request.POST or None, initial={"kind": kind})
    del form.fields["active"]
    if request.method == "POST" and form.is_valid():
        saved = services.create_account(
            member=request.member,
            kind=form.cleaned_data["kind"],
            address=form.cleaned_data["address"],
            passwords=form.passwords(),
            **form.values(),
        )
        if not isinstance(saved, Refusal):
            return _saved(request, team, saved)
        show(form, saved)
    return _account_page(request, team, form, None)


@require_http_methods(["GET", "HEAD", "POST"])
@member_page(Capability.ADMIN)
def account(request: MemberRequest, team: Team, pk: int) -> HttpResponse:
    """Kind and address stay, for messages have left from it."""
    row = _row(team, pk)
    initial = {"kind": row.kind, "address": row.address, **{name: getattr(row, name) for name in FIELDS}}
    form = account_form(row.kind)(request.POST or None, initial=initial)
    form.fields["kind"].disabled = form.fields["address"].disabled = True
    if request.method == "POST" and form.is_valid():
        saved = services.edit_account(
            member=request.member, account_id=row.pk, passwords=form.passwords(), **form.values()
        )
        if not isinstance(saved, Refusal):
            return _saved(request, team, saved)
        show(form, saved)
    return _account_page(request, team, form, row)


def _row(team: Team, pk: int) -> SendingAccount:
    row = campaign_queries.all_accounts_of(team=team).select_related("mailbox").filter(pk=pk).first()
    if row is None:
        raise Http404("no such account")
    return row


def _saved(request: MemberRequest, team: Team, row: SendingAccount) -> HttpResponse:
    if row.smtp_host or row.imap_host:
        messages.success(request, _("Saved. Test the connection before something is sent."))
        return redirect("home:settings:account", team=team.slug, pk=row.pk)
    messages.success(request, _("Saved."))
    return redirect("home:settings:accounts", team=team.slug)


def _account_page(request: MemberRequest, team: Team, form: AccountForm, row: SendingAccount | None) -> HttpResponse:
    kept = campaign_queries.secrets_kept(team=team) if row else {}
    context = {
        "form": form,
        "row": row,
        "kind": row.kind if row else form["kind"].value(),
        "smtp_kept": kept.get((row.pk, "smtp")) if row else None,
        "imap_kept": kept.get((row.pk, "imap")) if row else None,
    }
    return render(request, "home/settings/account.html", context, status=422 if form.is_bound else 200)


@require_POST
@member_page(Capability.ADMIN)
def check_account(request: MemberRequest, team: Team, pk: int) -> HttpResponse:
    """Try the servers as they are stored; the page shows what was found."""
    found = services.check_account(member=request.member, account_id=pk, checker=RealMailChecker(), now=timezone.now())
    if isinstance(found, Refusal):
        if found.code == "not-found":
            raise Http404(found.message)
        messages.error(request, found.message)
    if request.htmx:
        return render(request, "home/settings/connection.html", {"row": _row(team, pk)})
    return redirect("home:settings:account", team=team.slug, pk=pk)
