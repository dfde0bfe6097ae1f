"""Messages that did well, as examples for the language model: a manager decides which."""

from __future__ import annotations

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST, require_safe

from messaging.models import ExampleState
from messaging.writing import few_shot
from outreach.teams.access import MemberRequest, member_page
from outreach.teams.domain.capabilities import Capability
from outreach.teams.domain.refusal import Refusal
from outreach.teams.models import Team
from outreach.teams.paging import page_after


@require_safe
@member_page(Capability.MANAGE)
def examples(request: MemberRequest, team: Team) -> HttpResponse:
    wanted = request.GET.get("state", "")
    state = wanted if wanted in ExampleState.values else ExampleState.CANDIDATE
    page = page_after(
        queryset=few_shot.examples_of(team=team, state=state), order=("-id",), after=request.GET.get("after", "")
    )
    return render(request, "writing/examples.html", {"page": page, "state": state, "states": ExampleState.choices})


@require_POST
@member_page(Capability.MANAGE)
def find_examples(request: MemberRequest, team: Team) -> HttpResponse:
    """Look for candidates among the messages that were answered well."""
    found = few_shot.propose_examples(member=request.member, now=timezone.now())
    if isinstance(found, Refusal):
        messages.error(request, found.message)
    else:
        said = ngettext("%(n)s new candidate.", "%(n)s new candidates.", found.candidates) % {"n": found.candidates}
        if found.named:
            said += " " + _("Left out, because a name could not be taken out for certain: %(n)s.") % {"n": found.named}
        messages.success(request, said)
    return redirect("tuning:examples", team=team.slug)


@require_POST
@member_page(Capability.MANAGE)
def decide_example(request: MemberRequest, team: Team, pk: int, use: bool) -> HttpResponse:  # noqa: FBT001 - from the address
    done = few_shot.decide_example(member=request.member, example_id=pk, use=use, now=timezone.now())
    if isinstance(done, Refusal):
        if done.code == "not-found":
            raise Http404(done.message)
        messages.error(request, done.message)
    else:
        messages.success(request, _("In use.") if use else _("Declined; its text is gone."))
    return redirect("tuning:examples", team=team.slug)
