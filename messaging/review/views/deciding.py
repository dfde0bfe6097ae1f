"""The review screen and what a person does there. Each parses its input, makes one call and renders."""

from __future__ import annotations

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_POST, require_safe

from messaging.review import forms, services
from messaging.review.domain.differences import difference as difference_of
from messaging.review.queries import screen as screens
from messaging.review.services.typed import typed_message
from messaging.review.views.places import answer, number_in, onward_from, place_of, refused, screen_page, to_draft
from outreach.teams.access import MemberRequest, member_page
from outreach.teams.domain.capabilities import Capability
from outreach.teams.domain.refusal import Refusal
from outreach.teams.models import Team


@require_safe
@member_page(Capability.WRITE)
def draft(request: MemberRequest, team: Team, draft_id: int) -> HttpResponse:
    return screen_page(request, team, draft_id)


@require_POST
@member_page(Capability.WRITE)
def take_over(request: MemberRequest, team: Team, draft_id: int) -> HttpResponse:
    opened = services.open_draft(member=request.member, draft_id=draft_id, now=timezone.now(), take_over=True)
    return answer(request, team, draft_id, opened)


@require_POST
@member_page(Capability.REVIEW)
def approve(request: MemberRequest, team: Team, draft_id: int) -> HttpResponse:
    approval = services.approve(
        member=request.member,
        draft_id=draft_id,
        revision_id=number_in(request.POST, "revision"),
        payload_sha256=request.POST.get("payload", ""),
        now=timezone.now(),
    )
    return answer(request, team, draft_id, approval, onward=True, done=True)


@require_POST
@member_page(Capability.REVIEW)
def undo(request: MemberRequest, team: Team, draft_id: int) -> HttpResponse:
    undone = services.undo(member=request.member, draft_id=draft_id, now=timezone.now())
    if not isinstance(undone, Refusal):
        messages.success(request, _("Taken back. It waits for review again."))
    return answer(request, team, draft_id, undone)


@require_POST
@member_page(Capability.REVIEW)
def reject(request: MemberRequest, team: Team, draft_id: int) -> HttpResponse:
    rejected = services.reject(
        member=request.member,
        draft_id=draft_id,
        revision_id=number_in(request.POST, "revision"),
        reason_position=number_in(request.POST, "reason"),
        note=request.POST.get("note", ""),
        now=timezone.now(),
    )
    if not isinstance(rejected, Refusal):
        messages.success(request, _("Rejected: %(reason)s.") % {"reason": rejected.reason})
    return answer(request, team, draft_id, rejected, onward=True, dialog="reject")


@require_POST
@member_page(Capability.REVIEW)
def request_changes(request: MemberRequest, team: Team, draft_id: int) -> HttpResponse:
    asked = services.request_changes(
        member=request.member,
        draft_id=draft_id,
        revision_id=number_in(request.POST, "revision"),
        note=request.POST.get("note", ""),
        now=timezone.now(),
    )
    if not isinstance(asked, Refusal):
        messages.success(request, _("Sent back with what to change."))
    return answer(request, team, draft_id, asked, onward=True, dialog="changes")


@require_POST
@member_page(Capability.REVIEW)
def skip(request: MemberRequest, team: Team, draft_id: int) -> HttpResponse:
    skipped = services.skip(member=request.member, draft_id=draft_id, now=timezone.now())
    return answer(request, team, draft_id, skipped, onward=True)


@require_POST
@member_page(Capability.WRITE)
def edit(request: MemberRequest, team: Team, draft_id: int) -> HttpResponse:
    form = forms.EditForm(request.POST)
    if not form.is_valid():
        return screen_page(request, team, draft_id, form=form, editing=True, status=422)
    revision = services.edit(
        member=request.member,
        draft_id=draft_id,
        revision_id=number_in(request.POST, "revision"),
        subject=form.cleaned_data["subject"],
        body=form.cleaned_data["body"],
        now=timezone.now(),
    )
    if isinstance(revision, Refusal):
        return refused(request, team, draft_id, revision, form=form, editing=True)
    messages.success(request, _("Saved and checked."))
    return to_draft(request, team, place_of(request.GET), draft_id)


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
        return screen_page(request, team, draft_id, form=form, dialog="evidence", status=422)
    revision = services.add_evidence(
        member=request.member,
        draft_id=draft_id,
        revision_id=number_in(request.POST, "revision"),
        evidence=form.evidence(),
        now=timezone.now(),
    )
    if isinstance(revision, Refusal):
        return refused(request, team, draft_id, revision, form=form, dialog="evidence")
    messages.success(request, _("Evidence added; the text was checked again."))
    return to_draft(request, team, place_of(request.GET), draft_id)


@require_POST
@member_page(Capability.WRITE)
def regenerate(request: MemberRequest, team: Team, draft_id: int) -> HttpResponse:
    form = forms.InstructionForm(request.POST)
    if not form.is_valid():
        return screen_page(request, team, draft_id, form=form, dialog="regenerate", status=422)
    handed = services.regenerate(
        member=request.member,
        draft_id=draft_id,
        revision_id=number_in(request.POST, "revision"),
        instruction=form.cleaned_data["instruction"],
        now=timezone.now(),
    )
    if isinstance(handed, Refusal):
        return refused(request, team, draft_id, handed, form=form, dialog="regenerate")
    messages.success(request, _("Being written again. It comes back to the queue."))
    return onward_from(request, team)


@require_POST
@member_page(Capability.WRITE)
def comment(request: MemberRequest, team: Team, draft_id: int) -> HttpResponse:
    form = forms.CommentForm(request.POST)
    if not form.is_valid():
        return screen_page(request, team, draft_id, form=form, dialog="comment", status=422)
    written = services.comment(
        member=request.member, draft_id=draft_id, text=form.cleaned_data["text"], now=timezone.now()
    )
    return answer(request, team, draft_id, written, dialog="comment")


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
        "place": place_of(request.GET),
        "subject": difference_of(before=machine.subject, after=current.subject),
        "body": difference_of(before=machine.body, after=current.body),
    }
    return render(request, "review/_difference.html" if request.htmx else "review/difference.html", context)
