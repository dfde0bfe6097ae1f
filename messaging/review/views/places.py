"""Where in the queue a reviewer is, and the answers that every page of the stage gives."""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import urlencode

from django import forms as django_forms
from django.http import Http404, HttpResponse, HttpResponseRedirect, QueryDict
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django_htmx.http import HttpResponseClientRedirect

from messaging.review import forms, services
from messaging.review.queries import screen as screens
from messaging.review.queries.queue import Filters, Lane
from outreach.teams.access import MemberRequest
from outreach.teams.domain.refusal import Refusal
from outreach.teams.models import Team

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


def place_of(query: QueryDict) -> Place:
    lane = query.get("lane", "")
    return Place(
        lane=Lane(lane) if lane in list(Lane) else Lane.REVIEW,
        filters=Filters(query.get("campaign", ""), query.get("channel", ""), query.get("language", "")),
    )


def answer(
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
        return refused(request, team, draft_id, result, dialog=dialog)
    if onward:
        return onward_from(request, team, done=draft_id if done else None)
    return to_draft(request, team, place_of(request.GET), draft_id)


def refused(
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
    return screen_page(request, team, draft_id, form=form, dialog=dialog, editing=editing, problem=refusal, status=422)


def onward_from(request: MemberRequest, team: Team, *, done: int | None = None) -> HttpResponse:
    """To the draft the screen offered as the next one, else back to the queue."""
    return to_draft(request, team, place_of(request.GET), number_in(request.POST, "then") or None, done=done)


def to_draft(
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


def screen_page(
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
    place = place_of(request.GET)
    reviewed = services.review(
        member=request.member,
        draft_id=draft_id,
        lane=place.lane,
        filters=place.filters,
        now=timezone.now(),
        done=number_in(request.GET, "done") or None,
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
        "lanes": lanes_of(reviewed.screen.counts, place) if reviewed.screen else [],
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


def lanes_of(counts: dict[Lane, int], place: Place) -> list[dict[str, object]]:
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


def number_in(values: QueryDict, name: str) -> int:
    """0 for anything that is no positive whole number."""
    text = values.get(name, "")
    return int(text) if text.isascii() and text.isdigit() and len(text) < 19 else 0
