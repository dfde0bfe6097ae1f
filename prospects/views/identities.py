"""Who is who: names that disagree, pairs side by side, merging and taking it back."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import Http404, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_POST

from outreach.teams.access import MemberRequest, member_page
from outreach.teams.domain.capabilities import Capability
from outreach.teams.domain.refusal import Refusal
from outreach.teams.models import Team
from prospects import forms, queries, services
from prospects.access import prospect_or_404
from prospects.queries import identities


@require_GET
@member_page(Capability.VIEW)
def who(request: MemberRequest, team: Team) -> HttpResponse:
    """Everything about who is who that waits for a person."""
    context = {
        "doubts": identities.doubt_page(team=team, after=request.GET.get("after", "")),
        "pairs": identities.suggestion_page(team=team, after=request.GET.get("pairs", "")),
    }
    return render(request, "prospects/who.html", context)


@require_GET
@member_page(Capability.VIEW)
def pair(request: MemberRequest, team: Team, pk: int) -> HttpResponse:
    return render(request, "prospects/pair.html", _pair(team, pk))


def _pair(team: Team, pk: int, **more: Any) -> dict[str, Any]:
    found = identities.pair_of(team=team, suggestion_id=pk)
    if found is None:
        raise Http404("no such suggestion")
    return {"pair": found, **more}


def _told(
    request: MemberRequest, team: Team, outcome: object, *, said: str, to: str = "prospects:who", **where: Any
) -> HttpResponseBase:
    """On to the next, with a word; what is not there is 404, any other refusal is told."""
    if isinstance(outcome, Refusal):
        if outcome.code == "not-found":
            raise Http404(outcome.message)
        messages.warning(request, outcome.message)
    else:
        messages.success(request, said)
    return redirect(to, team=team.slug, **where)


@require_POST
@member_page(Capability.WRITE)
def merge(request: MemberRequest, team: Team, pk: int) -> HttpResponseBase:
    found = _pair(team, pk)["pair"]
    kept, absorbed = found.suggestion.first_id, found.suggestion.second_id
    if request.POST.get("keep") == "second":
        kept, absorbed = absorbed, kept
    outcome = services.merge(member=request.member, kept_id=kept, absorbed_id=absorbed, now=timezone.now())
    if isinstance(outcome, Refusal):
        return render(request, "prospects/pair.html", _pair(team, pk, refusal=outcome), status=422)
    return _told(
        request,
        team,
        outcome,
        said=_("One record now. It can be taken back on this page."),
        to="prospects:detail",
        pk=kept,
    )


@require_POST
@member_page(Capability.WRITE)
def decline(request: MemberRequest, team: Team, pk: int) -> HttpResponseBase:
    found = identities.pair_of(team=team, suggestion_id=pk)
    outcome = services.decline(member=request.member, suggestion_id=pk, now=timezone.now())
    if found is not None and found.next_id is not None and not isinstance(outcome, Refusal):
        return _told(
            request, team, outcome, said=_("Two people. The next pair:"), to="prospects:pair", pk=found.next_id
        )
    return _told(request, team, outcome, said=_("Two people; they are not suggested again."))


@require_POST
@member_page(Capability.WRITE)
def unmerge(request: MemberRequest, team: Team, pk: int) -> HttpResponseBase:
    outcome = services.unmerge(member=request.member, merge_id=pk, now=timezone.now())
    if isinstance(outcome, Refusal):
        return _told(request, team, outcome, said="")
    return _told(
        request, team, outcome, said=_("Two records again. What came since the merge stays with this one."),
        to="prospects:detail", pk=outcome.kept_id,
    )  # fmt: skip


@require_POST
@member_page(Capability.WRITE)
def decide(request: MemberRequest, team: Team, pk: int) -> HttpResponseBase:
    outcome = services.decide_doubt(
        member=request.member, doubt_id=pk, answer=request.POST.get("answer", ""), now=timezone.now()
    )
    if isinstance(outcome, Refusal):
        return _told(request, team, outcome, said="")
    return _told(
        request,
        team,
        outcome,
        said=_("Decided; later files are read that way."),
        to="prospects:detail",
        pk=outcome.prospect_id,
    )


@require_POST
@member_page(Capability.WRITE)
def twin(request: MemberRequest, team: Team, pk: int) -> HttpResponseBase:
    """A person names the other record; both are compared next."""
    prospect = prospect_or_404(team=team, pk=pk)
    form = forms.TwinForm(request.POST)
    other = queries.find_prospect(team=team, text=form.cleaned_data["other"]) if form.is_valid() else None
    outcome: object = Refusal(code="not-known", message=_("No prospect of this team has that profile or number."))
    if other is not None:
        outcome = services.suggest(member=request.member, first=prospect, second=other, now=timezone.now())
    if isinstance(outcome, Refusal):
        messages.warning(request, outcome.message)
        return redirect("prospects:detail", team=team.slug, pk=pk)
    return redirect("prospects:pair", team=team.slug, pk=outcome.pk)  # type: ignore[attr-defined]
