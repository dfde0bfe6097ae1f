"""Inbox: replies by intent, a thread with everything sent, and the demonstration's mailbox."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from django.conf import settings
from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from messaging.delivery.domain.transport_headers import digest, equals_approved, without_transport_headers
from messaging.models import CaughtMail, Payload, Reply, ReplyState
from messaging.replies import queries, services
from messaging.replies.domain.answering import QUICK
from messaging.replies.domain.intents import Intent
from messaging.replies.domain.reading import SURE
from messaging.replies.forms import INTENT_NAMES, AnswerForm, AssignForm, CorrectForm, PasteForm
from messaging.replies.services import Ingested
from outreach.teams.access import MemberRequest, member_page
from outreach.teams.domain.capabilities import Capability
from outreach.teams.domain.refusal import Refusal
from outreach.teams.models import Team
from outreach.teams.paging import page_after

LANE_NAMES: tuple[tuple[str, Any], ...] = (
    *((str(intent), name) for intent, name in INTENT_NAMES.items() if intent not in ("unsubscribe", "other")),
    ("other", INTENT_NAMES[Intent.OTHER]),
    ("opt_out", gettext_lazy("Opt-out")),
    ("automatic", gettext_lazy("Automatic")),
    ("unmatched", gettext_lazy("From nobody we know")),
)
PAGE = 30


def _frame(request: MemberRequest, team: Team, lane: str) -> dict[str, Any]:
    counts = queries.lane_counts(team=team)
    page = page_after(
        queryset=queries.inbox(team=team, lane=lane), order=("-id",), after=request.GET.get("after", ""), size=PAGE
    )
    return {
        "lanes": [(key, name, counts[key]) for key, name in LANE_NAMES],
        "counts": counts,
        "lane": lane,
        "lane_name": dict(LANE_NAMES).get(lane, _("To answer")),
        "page": page,
        "catchall": settings.CATCHALL,
        "sure": SURE,
    }


def _lane(request: MemberRequest) -> str:
    lane = request.GET.get("lane", "all")
    return lane if lane in (*queries.LANES, "unmatched") else "all"


@require_GET
@member_page(Capability.REPLY)
def inbox(request: MemberRequest, team: Team) -> HttpResponse:
    return render(request, "replies/inbox.html", _frame(request, team, _lane(request)))


def _reply(team: Team, pk: int) -> Reply:
    reply = queries.reply_of(team=team, reply_id=pk)
    if reply is None:
        raise Http404("no such reply")
    return reply


@require_GET
@member_page(Capability.REPLY)
def thread(request: MemberRequest, team: Team, pk: int) -> HttpResponse:
    return _thread(request, team, _reply(team, pk))


def _thread(
    request: MemberRequest,
    team: Team,
    reply: Reply,
    *,
    refusal: Refusal | None = None,
    assign: AssignForm | None = None,
) -> HttpResponse:
    context = {
        **_frame(request, team, _lane(request)),
        "reply": reply,
        "entries": queries.thread(reply=reply),
        "correct": CorrectForm(),
        "refusal": refusal,
        "assign": assign or AssignForm(),
        "candidates": list(queries.answerable(team=team)[:10]) if reply.state == ReplyState.UNMATCHED else [],
    }
    wrong = refusal is not None or (assign is not None and bool(assign.errors))
    return render(request, "replies/inbox.html", context, status=422 if wrong else 200)


def _done(request: MemberRequest, team: Team, pk: int, result: Reply | Refusal, text: str) -> HttpResponse:
    if isinstance(result, Refusal):
        return _thread(request, team, _reply(team, pk), refusal=result)
    messages.success(request, text)
    return redirect("replies:thread", team=team.slug, pk=pk)


@require_POST
@member_page(Capability.REPLY)
def correct(request: MemberRequest, team: Team, pk: int) -> HttpResponse:
    _reply(team, pk)
    form = CorrectForm(request.POST)
    if not form.is_valid():
        return _thread(request, team, _reply(team, pk), refusal=Refusal("intent", _("Choose what the reply means.")))
    result = services.correct(
        member=request.member, reply_id=pk, intent=form.cleaned_data["intent"], now=timezone.now()
    )
    return _done(request, team, pk, result, _("Corrected."))


@require_POST
@member_page(Capability.REPLY)
def set_state(request: MemberRequest, team: Team, pk: int) -> HttpResponse:
    _reply(team, pk)
    wanted = request.POST.get("state", "")
    if wanted not in (ReplyState.CLOSED, ReplyState.ANSWERED, ReplyState.NEW):
        return _thread(request, team, _reply(team, pk), refusal=Refusal("state", _("Choose closed, answered or open.")))
    result = services.set_state(member=request.member, reply_id=pk, state=ReplyState(wanted))
    return _done(request, team, pk, result, _("Marked as %(state)s.") % {"state": ReplyState(wanted).label.lower()})


@require_POST
@member_page(Capability.REPLY)
def assign(request: MemberRequest, team: Team, pk: int) -> HttpResponse:
    reply = _reply(team, pk)
    form = AssignForm(request.POST)
    if not form.is_valid():
        return _thread(request, team, reply, assign=form)
    result = services.assign(
        member=request.member, reply_id=pk, delivery_id=form.cleaned_data["delivery"], now=timezone.now()
    )
    return _done(request, team, pk, result, _("Matched."))


@require_GET
@member_page(Capability.REPLY)
def raw(_request: MemberRequest, team: Team, pk: int) -> HttpResponse:
    """The mail as received, as plain text that no browser interprets."""
    return _bytes(bytes(_reply(team, pk).raw.content))


def _bytes(content: bytes) -> HttpResponse:
    answer = HttpResponse(content, content_type="text/plain; charset=utf-8")
    answer["X-Content-Type-Options"] = "nosniff"
    return answer


@require_http_methods(["GET", "POST"])
@member_page(Capability.REPLY)
def paste(request: MemberRequest, team: Team, delivery: int) -> HttpResponse:
    """An answer that came on a channel the product does not read."""
    row = queries.answerable(team=team).filter(pk=delivery).first()
    if row is None:
        raise Http404("no such message")
    form = PasteForm(request.POST or None)
    refusal = None
    if request.method == "POST" and form.is_valid():
        done = services.paste(
            member=request.member, delivery_id=delivery, text=form.cleaned_data["text"], now=timezone.now()
        )
        if isinstance(done, Ingested) and done.reply is not None:
            return redirect("replies:thread", team=team.slug, pk=done.reply.pk)
        refusal = done if isinstance(done, Refusal) else None
    wrong = bool(form.errors) or refusal is not None
    return render(
        request, "replies/paste.html", {"delivery": row, "form": form, "refusal": refusal}, status=422 if wrong else 200
    )


def _only_with_catchall() -> None:
    if not settings.CATCHALL:
        raise Http404("the catch-all is not in use here")


@require_GET
@member_page(Capability.REPLY)
def mailbox(request: MemberRequest, team: Team) -> HttpResponse:
    """What the demonstration's mail server received, each with whether its bytes are the approved ones."""
    _only_with_catchall()
    page = page_after(queryset=queries.caught(team=team), order=("-id",), after=request.GET.get("after", ""), size=PAGE)
    payloads = queries.approved_payloads(team=team, message_ids=tuple(mail.message_id for mail in page.rows))
    rows = [(mail, payloads.get(mail.message_id), _equal(mail, payloads.get(mail.message_id))) for mail in page.rows]
    return render(request, "replies/mailbox.html", {"page": page, "rows": rows})


def _equal(mail: CaughtMail, payload: Payload | None) -> bool:
    return payload is not None and equals_approved(received=bytes(mail.content), approved=bytes(payload.content))


def _caught(team: Team, pk: int) -> tuple[CaughtMail, Payload | None]:
    _only_with_catchall()
    mail = queries.caught_mail(team=team, pk=pk)
    if mail is None:
        raise Http404("no such mail")
    return mail, queries.approved_payloads(team=team, message_ids=(mail.message_id,)).get(mail.message_id)


@require_http_methods(["GET", "POST"])
@member_page(Capability.REPLY)
def caught(request: MemberRequest, team: Team, pk: int) -> HttpResponse:
    """One received message with its bytes; a POST answers it as the prospect would."""
    mail, payload = _caught(team, pk)
    quick = request.POST.get("quick", "")
    form = AnswerForm({"text": _quick_text(quick)} if quick in QUICK else request.POST or None)
    refusal = None
    if request.method == "POST" and form.is_valid() and payload is not None:
        done = services.answer_as_prospect(
            member=request.member,
            caught=mail,
            payload=payload,
            text=form.cleaned_data["text"],
            automatic=quick in QUICK and QUICK[quick][2],
            now=timezone.now(),
        )
        if isinstance(done, Ingested) and done.reply is not None:
            return redirect("replies:thread", team=team.slug, pk=done.reply.pk)
        refusal = done if isinstance(done, Refusal) else Refusal("own", _("This was taken for the team's own mail."))
    content = bytes(mail.content)
    context = {
        "mail": mail,
        "payload": payload,
        "equal": _equal(mail, payload),
        "form": form,
        "refusal": refusal,
        "text": content.decode("utf-8", "replace"),
        "quick": [(key, QUICK[key][0]) for key in QUICK],
        "stripped_sha256": digest(content=without_transport_headers(content=content)),
    }
    wrong = bool(form.errors) or refusal is not None
    return render(request, "replies/caught.html", context, status=422 if wrong else 200)


def _quick_text(quick: str) -> str:
    back = timezone.localdate() + timedelta(days=10)
    return QUICK[quick][1].format(back=f"{back.day} {back:%B %Y}")


@require_GET
@member_page(Capability.REPLY)
def caught_raw(_request: MemberRequest, team: Team, pk: int) -> HttpResponse:
    mail, _payload = _caught(team, pk)
    return _bytes(bytes(mail.content))
