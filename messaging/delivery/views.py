"""Outbox: what will go, what a person sends, what needs a person's word. And the way out for those written to."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from messaging.delivery import by_hand, queries, stopping
from messaging.delivery.by_hand import Done, Settled
from messaging.delivery.channels.linkedin.assisted import steps
from messaging.delivery.domain.rules import Go
from messaging.delivery.forms import NotPossibleForm
from messaging.models import Delivery, DeliveryState
from messaging.review.domain.payload import read_linkedin
from outreach.campaigns.models import Channel
from outreach.teams.access import MemberRequest, member_page
from outreach.teams.domain.capabilities import Capability
from outreach.teams.domain.refusal import Refusal
from outreach.teams.models import Team
from outreach.teams.paging import page_after

TAB_NAMES = (
    ("scheduled", _("Scheduled")),
    ("by-hand", _("To send by hand")),
    ("confirm", _("Needs confirmation")),
    ("sent", _("Sent")),
    ("failed", _("Failed or cancelled")),
)


@require_GET
@member_page(Capability.SEND)
def outbox(request: MemberRequest, team: Team) -> HttpResponse:
    counts = queries.counts(team=team)
    tab = request.GET.get("show", "")
    if tab not in queries.TABS:
        tab = next(
            (name for name in ("confirm", "by-hand", "scheduled", "sent", "failed") if counts[name]), "scheduled"
        )
    page = page_after(queryset=queries.outbox(team=team, tab=tab), order=("-id",), after=request.GET.get("after", ""))
    return render(
        request,
        "delivery/outbox.html",
        {"page": page, "tab": tab, "tabs": TAB_NAMES, "counts": counts, "cap": queries.COUNT_CAP},
    )


@require_GET
@member_page(Capability.SEND)
def detail(request: MemberRequest, team: Team, pk: int) -> HttpResponse:
    return _detail(request, _delivery(team, pk))


def _delivery(team: Team, pk: int) -> Delivery:
    delivery = queries.delivery_of(team=team, delivery_id=pk)
    if delivery is None:
        raise Http404("no such message")
    return delivery


def _detail(
    request: MemberRequest, delivery: Delivery, *, form: NotPossibleForm | None = None, refusal: Refusal | None = None
) -> HttpResponse:
    context: dict[str, Any] = {
        "delivery": delivery,
        "events": queries.events_of(delivery=delivery),
        "refusal": refusal,
        "form": form or NotPossibleForm(),
    }
    if delivery.state == DeliveryState.TASK:
        ruling = by_hand.may_send_now(delivery=delivery, now=timezone.now())
        context["blocked"] = None if isinstance(ruling, Go) else ruling
        context["words"] = read_linkedin(content=bytes(delivery.payload.content)) if isinstance(ruling, Go) else None
        context["steps"] = steps(channel=delivery.channel)
    elif delivery.channel == Channel.EMAIL:
        context["raw"] = bytes(delivery.payload.content).decode("utf-8", "replace")
    status = 422 if refusal is not None or (form is not None and form.errors) else 200
    return render(request, "delivery/detail.html", context, status=status)


def _answer(request: MemberRequest, delivery: Delivery, result: Done | Refusal) -> HttpResponse:
    if isinstance(result, Refusal):
        return _detail(request, _delivery(delivery.team, delivery.pk), refusal=result)
    messages.success(request, result.message)
    return redirect("delivery:outbox", team=delivery.team.slug)


@require_POST
@member_page(Capability.SEND)
def mark_sent(request: MemberRequest, team: Team, pk: int) -> HttpResponse:
    delivery = _delivery(team, pk)
    result = by_hand.mark_sent_by_hand(member=request.member, delivery_id=pk, now=timezone.now())
    return _answer(request, delivery, result)


@require_POST
@member_page(Capability.SEND)
def not_possible(request: MemberRequest, team: Team, pk: int) -> HttpResponse:
    delivery = _delivery(team, pk)
    form = NotPossibleForm(request.POST)
    if not form.is_valid():
        return _detail(request, delivery, form=form)
    result = by_hand.mark_not_possible(
        member=request.member,
        delivery_id=pk,
        reason=form.cleaned_data["reason"],
        note=form.cleaned_data["note"],
        now=timezone.now(),
    )
    return _answer(request, delivery, result)


@require_POST
@member_page(Capability.SEND)
def confirm(request: MemberRequest, team: Team, pk: int) -> HttpResponse:
    delivery = _delivery(team, pk)
    try:
        settled = Settled(request.POST.get("settled", ""))
    except ValueError:
        return _detail(
            request,
            delivery,
            refusal=Refusal("choice", "Choose whether it arrived, shall be sent again, or is given up."),
        )
    result = by_hand.confirm(member=request.member, delivery_id=pk, settled=settled, now=timezone.now())
    return _answer(request, delivery, result)


@require_POST
@member_page(Capability.SEND)
def try_again(request: MemberRequest, team: Team, pk: int) -> HttpResponse:
    delivery = _delivery(team, pk)
    return _answer(request, delivery, by_hand.try_again(member=request.member, delivery_id=pk, now=timezone.now()))


@csrf_exempt
@require_http_methods(["GET", "HEAD", "POST"])
def opt_out(request: HttpRequest, token: str) -> HttpResponse:
    """RFC 8058: the POST acts at once, without login, cookie or token of ours. A GET only asks: scanners follow links."""
    row = queries.token_of(token=token)
    if row is None:
        return render(request, "delivery/opt_out.html", {"unknown": True}, status=404)
    if request.method != "POST":
        return render(
            request, "delivery/opt_out.html", {"team_name": row.team.name, "done": queries.opted_out(row=row)}
        )
    stopping.opt_out(token=token, now=timezone.now())
    return render(request, "delivery/opt_out.html", {"team_name": row.team.name, "done": True})
