"""The import wizard: a file, whose it is and what it would bring, progress, result."""

from __future__ import annotations

import csv
from datetime import datetime
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods, require_POST
from django_htmx.http import trigger_client_event

from outreach.teams.access import MemberRequest, member_page
from outreach.teams.domain.capabilities import Capability
from outreach.teams.domain.refusal import Refusal
from outreach.teams.models import Team
from prospects import forms, queries, services
from prospects.access import batch_or_404
from prospects.domain.columns import ADDED_LABELS
from prospects.domain.formats.registry import label_of
from prospects.domain.pace import pace_of
from prospects.domain.reading import Unreadable
from prospects.domain.spreadsheet import inert
from prospects.models import ImportBatch, ImportState
from prospects.queries.imports import first_unused_rows, reasons_of, unused_rows
from prospects.queries.owners import known_owner

_ROWS_SHOWN = 200
_BUSY = (ImportState.WAITING, ImportState.RUNNING)


@require_http_methods(["GET", "POST"])
@member_page(Capability.IMPORT)
def upload(request: MemberRequest, team: Team) -> HttpResponseBase:
    form = forms.UploadForm(request.POST or None, request.FILES or None)
    refusal = None
    if request.method == "POST" and form.is_valid():
        file = form.cleaned_data["file"]
        batch = services.queue_import(
            team=team,
            actor=request.member.user,
            file_name=file.name,
            data=file,
            state=ImportState.PREPARED,
            now=timezone.now(),
        )
        if not isinstance(batch, Refusal):
            return redirect("prospects:batch", team=team.slug, pk=batch.pk)
        refusal = batch
    status = 422 if request.method == "POST" else 200
    latest = queries.batch_page(team=team, after="", size=5).rows
    return render(request, "prospects/upload.html", {"form": form, "refusal": refusal, "latest": latest}, status=status)


@require_GET
@member_page(Capability.IMPORT)
def batches(request: MemberRequest, team: Team) -> HttpResponse:
    page = queries.batch_page(team=team, after=request.GET.get("after", ""))
    return render(request, "prospects/imports.html", {"page": page})


@require_GET
@member_page(Capability.IMPORT)
def batch(request: MemberRequest, team: Team, pk: int) -> HttpResponseBase:
    found = batch_or_404(team=team, pk=pk)
    if found.state == ImportState.PREPARED:
        if found.mapping is None and services.asks_for_columns(batch=found):
            return redirect("prospects:columns", team=team.slug, pk=pk)
        return _prepared(request, found)
    return render(request, "prospects/batch.html", _progress(found, timezone.now()))


def _prepared(
    request: MemberRequest, found: ImportBatch, form: forms.StartForm | None = None, refusal: Refusal | None = None
) -> HttpResponse:
    preview = services.preview_of(batch=found, now=timezone.now())
    members = queries.members_of(team=found.team)
    owner = getattr(preview, "owner", None) or request.member.user
    context = {
        "batch": found,
        "preview": None if isinstance(preview, Unreadable) else preview,
        "unreadable": preview.message if isinstance(preview, Unreadable) else "",
        "form": form or forms.StartForm(team=found.team, members=members, initial={"whose": str(owner.pk)}),
        "refusal": refusal,
    }
    failed = bool(refusal or (form and form.errors))
    return render(request, "prospects/prepared.html", context, status=422 if failed else 200)


@require_POST
@member_page(Capability.IMPORT)
def start(request: MemberRequest, team: Team, pk: int) -> HttpResponseBase:
    found = batch_or_404(team=team, pk=pk)
    form = forms.StartForm(request.POST, team=team, members=queries.members_of(team=team))
    if not form.is_valid():
        return _prepared(request, found, form)
    whose = form.chosen()
    outcome = services.start(
        team=team,
        actor=request.member.user,
        batch_id=found.pk,
        owner=whose.owner,
        prospect=whose.prospect,
        now=timezone.now(),
    )
    if isinstance(outcome, Refusal):
        return _prepared(request, found, form, outcome)
    return redirect("prospects:batch", team=team.slug, pk=pk)


@require_GET
@member_page(Capability.IMPORT)
def progress(request: MemberRequest, team: Team, pk: int) -> HttpResponseBase:
    """The part of the page that renews itself while work goes on; the whole page where it is opened by hand."""
    found = batch_or_404(team=team, pk=pk)
    if not request.htmx or found.state == ImportState.PREPARED:
        return redirect("prospects:batch", team=team.slug, pk=pk)
    context = _progress(found, timezone.now())
    answer = render(request, "prospects/progress.html", context)
    if str(context["quarter"]) != request.GET.get("said", ""):
        # The part is swapped every second; it is spoken of only when a quarter more is done.
        trigger_client_event(answer, "footnote:say", {"text": _said(found, context["quarter"])})
    return answer


def _said(found: ImportBatch, quarter: int) -> str:
    if found.state in _BUSY:
        return _("%(percent)s percent imported") % {"percent": 25 * quarter}
    if found.state == ImportState.DONE and not found.message:
        return _("Import done: %(new)s new people, %(changed)s changed") % {
            "new": found.created,
            "changed": found.updated,
        }
    return found.message or found.get_state_display()


def _progress(found: ImportBatch, now: datetime) -> dict[str, Any]:
    pace = pace_of(
        done=found.rows_done,
        total=found.rows,
        before=found.claimed_rows,
        started_at=found.claimed_at,
        now=found.finished_at or now,
    )
    busy = found.state in _BUSY
    return {
        "batch": found,
        "quarter": int(pace.share * 4) if busy else 5,
        "stalled": bool(found.state == ImportState.RUNNING and found.lease_until and found.lease_until < now),
        "label": label_of(found.format),
        "busy": busy,
        "pace": pace,
        "skipped": first_unused_rows(batch=found, most=_ROWS_SHOWN),
        "reasons": reasons_of(batch=found),
        "known": known_owner(team=found.team, owner=found.owner) if found.owner and not busy else None,
    }


@require_POST
@member_page(Capability.IMPORT)
def cancel(request: MemberRequest, team: Team, pk: int) -> HttpResponseBase:
    outcome = services.cancel(team=team, actor=request.member.user, batch_id=pk, now=timezone.now())
    return _moved(request, team, pk, outcome)


@require_POST
@member_page(Capability.IMPORT)
def resume(request: MemberRequest, team: Team, pk: int) -> HttpResponseBase:
    outcome = services.resume(team=team, actor=request.member.user, batch_id=pk, now=timezone.now())
    return _moved(request, team, pk, outcome)


def _moved(request: MemberRequest, team: Team, pk: int, outcome: ImportBatch | Refusal) -> HttpResponseBase:
    batch_or_404(team=team, pk=pk)
    if isinstance(outcome, Refusal):
        messages.warning(request, outcome.message)
    return redirect("prospects:batch", team=team.slug, pk=pk)


@require_POST
@member_page(Capability.MANAGE)
def sender(request: MemberRequest, team: Team, pk: int) -> HttpResponseBase:
    """Sign as the archive says: the owner's name, title and company become the sender's."""
    found = batch_or_404(team=team, pk=pk)
    if found.owner is None:
        raise Http404("the file describes nobody of the team")
    outcome = services.sign_as_archive_says(member=request.member, owner=found.owner)
    if isinstance(outcome, Refusal):
        messages.warning(request, outcome.message)
    else:
        messages.success(request, _("Messages are now signed as %(sender)s.") % {"sender": outcome})
    return redirect("prospects:batch", team=team.slug, pk=pk)


@require_GET
@member_page(Capability.IMPORT)
def problems(_request: MemberRequest, team: Team, pk: int) -> HttpResponse:
    """The rows that were not used, with the reason, to be mended and imported again. Inert in a spreadsheet."""
    found = batch_or_404(team=team, pk=pk)
    columns = list(dict.fromkeys(name for entry in unused_rows(batch=found) for name in entry.get("cells", {})))
    answer = HttpResponse("\ufeff", content_type="text/csv; charset=utf-8")
    answer["Content-Disposition"] = f'attachment; filename="problems-{found.pk}.csv"'
    writer = csv.writer(answer)
    writer.writerow([*ADDED_LABELS, *map(inert, columns)])
    for entry in unused_rows(batch=found):
        cells = entry.get("cells", {})
        writer.writerow([entry["row"], inert(entry["reason"]), *(inert(cells.get(name, "")) for name in columns)])
    return answer
