"""The queue: its lanes, the next one to read, and a lane as a file."""

from __future__ import annotations

import csv
from itertools import chain

from django.contrib import messages
from django.http import HttpResponse, StreamingHttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_safe

from messaging.review.queries.queue import channels, exported, first_free, queue_of
from messaging.review.queries.rows import Row
from messaging.review.views.places import lanes_of, number_in, place_of, to_draft
from outreach.teams.access import MemberRequest, member_page
from outreach.teams.domain.capabilities import Capability
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


@require_safe
@member_page(Capability.WRITE)
def queue(request: MemberRequest, team: Team) -> HttpResponse:
    place = place_of(request.GET)
    found = queue_of(
        member=request.member,
        lane=place.lane,
        filters=place.filters,
        after=request.GET.get("after", ""),
        now=timezone.now(),
        done=number_in(request.GET, "done") or None,
    )
    template = "review/_table.html" if request.htmx else "review/queue.html"
    return render(
        request,
        template,
        {
            "team": team,
            "queue": found,
            "place": place,
            "lanes": lanes_of(found.counts, place),
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
    place = place_of(request.GET)
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
    place = place_of(request.GET)
    first = first_free(member=request.member, lane=place.lane, filters=place.filters, now=timezone.now())
    if first is None:
        messages.info(request, _("Nothing waits in this lane."))
    return to_draft(request, team, place, first)
