"""Pages of the review stage. Each parses its input, makes one call and renders; rules live below."""

from __future__ import annotations

import csv
from dataclasses import dataclass
from itertools import chain
from urllib.parse import urlencode

from django import forms as django_forms
from django.contrib import messages
from django.http import Http404, HttpResponse, HttpResponseRedirect, QueryDict, StreamingHttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_POST, require_safe
from django_htmx.http import HttpResponseClientRedirect

from messaging.review import forms, services
from messaging.review.domain.differences import difference as difference_of
from messaging.review.queries import screen as screens
from messaging.review.queries.queue import Filters, Lane, channels, exported, first_free, queue_of
from messaging.review.queries.rows import Row
from messaging.review.services.typed import typed_message
from outreach.teams.access import MemberRequest, member_page
from outreach.teams.domain.capabilities import Capability
from outreach.teams.domain.refusal import Refusal
from outreach.teams.models import Team
from prospects.domain.spreadsheet import inert

EXPORT_HEAD = (
    "draft",
    "person",
    "title",
    "company",
    "channel",
    "language",
    "campaign",
    "state",
    "reason",
    "verdicts",
    "open_findings",
    "words",
    "ready_at",
    "send_by",
    "open_with",
)
DIALOGS = ("reject", "changes", "regenerate", "evidence", "comment", "payload")


@dataclass(frozen=True)
class Place:
    """Where in the queue the reviewer is; kept in every address."""

    lane: Lane
    filters: Filters

    @property
    def query(self) -> str:
        names = {
            "lane": self.lane.value if self.lane is not Lane.REVIEW else "",
            "campaign": self.filters.campaign,
            "channel": self.filters.channel,
            "language": self.filters.language,
        }
        return urlencode({name: value for name, value in names.items() if value})


def _place(query: QueryDict) -> Place:
    lane = query.get("lane", "")
    return Place(
        lane=Lane(lane) if lane in list(Lane) else Lane.REVIEW,
        filters=Filters(query.get("campaign", ""), query.get("channel", ""), query.get("language", "")),
    )


@require_safe
@member_page(Capability.WRITE)
def queue(request: MemberRequest, team: Team) -> HttpResponse:
    place = _place(request.GET)
    found = queue_of(
        member=request.member,
        lane=place.lane,
        filters=place.filters,
        after=request.GET.get("after", ""),
        now=timezone.now(),
        done=_number(request.GET, "done") or None,
    )
    template = "review/_table.html" if request.htmx else "review/queue.html"
    return render(
        request,
        template,
        {
            "team": team,
            "queue": found,
            "place": place,
            "lanes": _lanes(found.counts, place),
            "channels": channels(),
        },
    )


class _Line:
    """csv writes into it, the response takes the line from it."""

    def write(self, line: str) -> str:
        return line


@require_GET
@member_page(Capability.WRITE)
def export(request: MemberRequest, team: Team) -> StreamingHttpResponse:
    """The lane as a spreadsheet, inert; ids, states and names, no texts of messages."""
    place = _place(request.GET)
    rows = exported(member=request.member, lane=place.lane, filters=place.filters, now=timezone.now())
    writer = csv.writer(_Line())
    lines = (writer.writerow([inert(cell) for cell in cells]) for cells in chain([EXPORT_HEAD], map(_cells, rows)))
    response = StreamingHttpResponse(chain(["\ufeff"], lines), content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="review-{team.slug}-{place.lane.value}.csv"'
    return response


def _cells(row: Row) -> tuple[object, ...]:
    draft = row.draft
    company = draft.prospect.company.name if draft.prospect.company else ""
    ready = draft.ready_at.isoformat() if draft.ready_at else ""
    return (
        draft.pk,
        draft.prospect.full_name,
        draft.prospect.title,
        company,
        draft.channel,
        draft.language,
        draft.campaign.name,
        draft.state,
        draft.state_reason,
        draft.verdicts,
        draft.open_findings,
        row.words,
        ready,
        row.send_by or "",
        row.open_with,
    )


@require_safe
@member_page(Capability.WRITE)
def begin(request: MemberRequest, team: Team) -> HttpResponse:
    place = _place(request.GET)
    first = first_free(member=request.member, lane=place.lane, filters=place.filters, now=timezone.now())
    if first is None:
        messages.info(request, _("Nothing waits in this lane."))
    return _to(request, team, place, first)


@require_safe
@member_page(Capability.WRITE)
def draft(request: MemberRequest, team: Team, draft_id: int) -> HttpResponse:
    return _screen(request, team, draft_id)


@require_POST
@member_page(Capability.WRITE)
def take_over(request: MemberRequest, team: Team, draft_id: int) -> HttpResponse:
    opened = services.open_draft(member=request.member, draft_id=draft_id, now=timezone.now(), take_over=True)
    return _answer(request, team, draft_id, opened)


@require_POST
@member_page(Capability.REVIEW)
def approve(request: MemberRequest, team: Team, draft_id: int) -> HttpResponse:
    approval = services.approve(
        member=request.member,
        draft_id=draft_id,
        revision_id=_number(request.POST, "revision"),
        payload_sha256=request.POST.get("payload", ""),
        now=timezone.now(),
    )
    return _answer(request, team, draft_id, approval, onward=True, done=True)


@require_POST
@member_page(Capability.REVIEW)
def undo(request: MemberRequest, team: Team, draft_id: int) -> HttpResponse:
    undone = services.undo(member=request.member, draft_id=draft_id, now=timezone.now())
    if not isinstance(undone, Refusal):
        messages.success(request, _("Taken back. It waits for review again."))
    return _answer(request, team, draft_id, undone)


@require_POST
@member_page(Capability.REVIEW)
def reject(request: MemberRequest, team: Team, draft_id: int) -> HttpResponse:
    rejected = services.reject(
        member=request.member,
        draft_id=draft_id,
        revision_id=_number(request.POST, "revision"),
        reason_position=_number(request.POST, "reason"),
        note=request.POST.get("note", ""),
        now=timezone.now(),
    )
    if not isinstance(rejected, Refusal):
        messages.success(request, _("Rejected: %(reason)s.") % {"reason": rejected.reason})
    return _answer(request, team, draft_id, rejected, onward=True, dialog="reject")


@require_POST
@member_page(Capability.REVIEW)
def request_changes(request: MemberRequest, team: Team, draft_id: int) -> HttpResponse:
    asked = services.request_changes(
        member=request.member,
        draft_id=draft_id,
        revision_id=_number(request.POST, "revision"),
        note=request.POST.get("note", ""),
        now=timezone.now(),
    )
    if not isinstance(asked, Refusal):
        messages.success(request, _("Sent back with what to change."))
    return _answer(request, team, draft_id, asked, onward=True, dialog="changes")


@require_POST
@member_page(Capability.REVIEW)
def skip(request: MemberRequest, team: Team, draft_id: int) -> HttpResponse:
    skipped = services.skip(member=request.member, draft_id=draft_id, now=timezone.now())
    return _answer(request, team, draft_id, skipped, onward=True)


@require_POST
@member_page(Capability.WRITE)
def edit(request: MemberRequest, team: Team, draft_id: int) -> HttpResponse:
    form = forms.EditForm(request.POST)
    if not form.is_valid():
        return _screen(request, team, draft_id, form=form, editing=True, status=422)
    revision = services.edit(
        member=request.member,
        draft_id=draft_id,
        revision_id=_number(request.POST, "revision"),
        subject=form.cleaned_data["subject"],
        body=form.cleaned_data["body"],
        now=timezone.now(),
    )
    if isinstance(revision, Refusal):
        return _refused(request, team, draft_id, revision, form=form, editing=True)
    messages.success(request, _("Saved and checked."))
    return _to(request, team, _place(request.GET), draft_id)


@require_POST
@member_page(Capability.WRITE)
def check(request: MemberRequest, _team: Team, draft_id: int) -> HttpResponse:
    typed = typed_message(
        member=request.member,
        draft_id=draft_id,
        subject=request.POST.get("subject", ""),
        body=request.POST.get("body", ""),
        now=timezone.now(),
    )
    if typed is None:
        raise Http404("no such draft")
    return render(request, "review/_typed.html", {"typed": typed})


@require_POST
@member_page(Capability.WRITE)
def add_evidence(request: MemberRequest, team: Team, draft_id: int) -> HttpResponse:
    form = forms.EvidenceForm(request.POST, request.FILES)
    if not form.is_valid():
        return _screen(request, team, draft_id, form=form, dialog="evidence", status=422)
    revision = services.add_evidence(
        member=request.member,
        draft_id=draft_id,
        revision_id=_number(request.POST, "revision"),
        evidence=form.evidence(),
        now=timezone.now(),
    )
    if isinstance(revision, Refusal):
        return _refused(request, team, draft_id, revision, form=form, dialog="evidence")
    messages.success(request, _("Evidence added; the text was checked again."))
    return _to(request, team, _place(request.GET), draft_id)


@require_POST
@member_page(Capability.WRITE)
def regenerate(request: MemberRequest, team: Team, draft_id: int) -> HttpResponse:
    form = forms.InstructionForm(request.POST)
    if not form.is_valid():
        return _screen(request, team, draft_id, form=form, dialog="regenerate", status=422)
    handed = services.regenerate(
        member=request.member,
        draft_id=draft_id,
        revision_id=_number(request.POST, "revision"),
        instruction=form.cleaned_data["instruction"],
        now=timezone.now(),
    )
    if isinstance(handed, Refusal):
        return _refused(request, team, draft_id, handed, form=form, dialog="regenerate")
    messages.success(request, _("Being written again. It comes back to the queue."))
    return _onward(request, team)


@require_POST
@member_page(Capability.WRITE)
def comment(request: MemberRequest, team: Team, draft_id: int) -> HttpResponse:
    form = forms.CommentForm(request.POST)
    if not form.is_valid():
        return _screen(request, team, draft_id, form=form, dialog="comment", status=422)
    written = services.comment(
        member=request.member, draft_id=draft_id, text=form.cleaned_data["text"], now=timezone.now()
    )
    return _answer(request, team, draft_id, written, dialog="comment")


@require_GET
@member_page(Capability.WRITE)
def difference(request: MemberRequest, team: Team, draft_id: int) -> HttpResponse:
    texts = screens.model_text_of(member=request.member, draft_id=draft_id)
    if texts is None:
        raise Http404("no text to compare")
    machine, current = texts
    context = {
        "team": team,
        "draft_id": draft_id,
        "machine": machine,
        "current": current,
        "place": _place(request.GET),
        "subject": difference_of(before=machine.subject, after=current.subject),
        "body": difference_of(before=machine.body, after=current.body),
    }
    return render(request, "review/_difference.html" if request.htmx else "review/difference.html", context)


def _answer(
    request: MemberRequest,
    team: Team,
    draft_id: int,
    result: object,
    *,
    onward: bool = False,
    done: bool = False,
    dialog: str = "",
) -> HttpResponse:
    if isinstance(result, Refusal):
        return _refused(request, team, draft_id, result, dialog=dialog)
    if onward:
        return _onward(request, team, done=draft_id if done else None)
    return _to(request, team, _place(request.GET), draft_id)


def _refused(
    request: MemberRequest,
    team: Team,
    draft_id: int,
    refusal: Refusal,
    *,
    form: django_forms.Form | None = None,
    dialog: str = "",
    editing: bool = False,
) -> HttpResponse:
    if refusal.code == "not-found":
        raise Http404(refusal.message)
    return _screen(request, team, draft_id, form=form, dialog=dialog, editing=editing, problem=refusal, status=422)


def _onward(request: MemberRequest, team: Team, *, done: int | None = None) -> HttpResponse:
    """To the draft the screen offered as the next one, else back to the queue."""
    return _to(request, team, _place(request.GET), _number(request.POST, "then") or None, done=done)


def _to(
    request: MemberRequest, team: Team, place: Place, draft_id: int | None, *, done: int | None = None
) -> HttpResponse:
    """A redirect. Screens swap in place; the queue is another page, so that a browser with htmx loads it whole."""
    where = {"team": team.slug} | ({"draft_id": draft_id} if draft_id else {})
    address = reverse("review:draft" if draft_id else "review:queue", kwargs=where)
    query = "&".join(part for part in (place.query, urlencode({"done": done}) if done else "") if part)
    target = f"{address}?{query}" if query else address
    if request.htmx and not draft_id:
        return HttpResponseClientRedirect(target)
    return HttpResponseRedirect(target)


def _screen(
    request: MemberRequest,
    team: Team,
    draft_id: int,
    *,
    form: django_forms.Form | None = None,
    dialog: str = "",
    editing: bool = False,
    problem: Refusal | None = None,
    status: int = 200,
) -> HttpResponse:
    """The review screen: a page, or its columns for htmx."""
    place = _place(request.GET)
    reviewed = services.review(
        member=request.member,
        draft_id=draft_id,
        lane=place.lane,
        filters=place.filters,
        now=timezone.now(),
        done=_number(request.GET, "done") or None,
    )
    if isinstance(reviewed, Refusal):
        raise Http404(reviewed.message)
    asked = request.GET.get("form", "")
    context = {
        "team": team,
        "place": place,
        "opened": reviewed.opened,
        "draft": reviewed.opened.draft,
        "self_url": reverse("review:draft", kwargs={"team": team.slug, "draft_id": draft_id}),
        "screen": reviewed.screen,
        "problem": problem,
        "editing": editing or request.GET.get("edit") == "1",
        "dialog": dialog or (asked if asked in DIALOGS else ""),
        "form": form,
        "reasons": services.reasons_of(team=team),
        "forms": _forms(form, reviewed.screen),
        "lanes": _lanes(reviewed.screen.counts, place) if reviewed.screen else [],
    }
    if not request.htmx:
        return render(request, "review/draft.html", context, status=status)
    response = render(request, "review/_screen.html", context, status=status)
    response["HX-Retarget"], response["HX-Reswap"] = "#main", "innerHTML show:none"
    if request.method == "GET":
        response["HX-Push-Url"] = request.get_full_path()
    return response


def _forms(bound: django_forms.Form | None, screen: screens.Screen | None) -> dict[str, django_forms.Form]:
    """Empty forms for the dialogs, with the one that was filled in wrongly in its place."""
    today = timezone.localdate()
    text = {"subject": screen.revision.subject, "body": screen.revision.body} if screen else {}
    empty: dict[str, django_forms.Form] = {
        "edit": forms.EditForm(initial=text),
        "evidence": forms.EvidenceForm(initial={"observed_at": today}),
        "regenerate": forms.InstructionForm(),
        "comment": forms.CommentForm(),
    }
    names = {type(form): name for name, form in empty.items()}
    return empty | ({names[type(bound)]: bound} if bound else {})


def _lanes(counts: dict[Lane, int], place: Place) -> list[dict[str, object]]:
    labels = {
        Lane.REVIEW: _("To review"),
        Lane.MINE: _("Mine"),
        Lane.OVERDUE: _("Overdue"),
        Lane.BLOCKED: _("Blocked"),
        Lane.REJECTED: _("Rejected"),
        Lane.DECIDED: _("My decisions"),
    }
    return [
        {
            "lane": lane.value,
            "label": label,
            "count": counts[lane],
            "current": lane is place.lane,
            "late": lane is Lane.OVERDUE and counts[lane] > 0,
            "query": Place(lane, place.filters).query,
        }
        for lane, label in labels.items()
    ]


def _number(values: QueryDict, name: str) -> int:
    """0 for anything that is no positive whole number."""
    text = values.get(name, "")
    return int(text) if text.isascii() and text.isdigit() and len(text) < 19 else 0
