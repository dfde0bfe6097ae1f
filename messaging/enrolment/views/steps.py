"""People by step: where they stand, what the next step waits for, and doing something to one or many."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods

from messaging.enrolment.forms import ActForm
from messaging.enrolment.queries.steps import connection, people_at, steps_with_people
from messaging.enrolment.services.sequences import Action, act_on
from messaging.models import EnrolmentState
from outreach.campaigns.access import campaign_or_404
from outreach.campaigns.models import Channel
from outreach.teams.access import MemberRequest, member_page
from outreach.teams.domain.capabilities import Capability
from outreach.teams.domain.refusal import Refusal
from outreach.teams.models import Team
from outreach.teams.paging import page_after

_CHANNELS = dict(Channel.choices)
_CONDITIONS = {
    "always": "", "connected": "if connected", "not_connected": "if not connected", "no_reply": "if they have not replied",
}  # fmt: skip


@require_http_methods(["GET", "HEAD", "POST"])
@member_page(Capability.VIEW)
def steps(request: MemberRequest, team: Team, slug: str) -> HttpResponse:
    """GET lists the people of one step or all; POST pauses, resumes, removes or moves those who are ticked."""
    shown = campaign_or_404(team=team, slug=slug)
    if request.method == "POST":
        form = ActForm(request.POST)
        if form.is_valid():
            done = act_on(
                member=request.member, campaign=shown, enrolment_ids=form.ids(), action=Action(form.cleaned_data["do"]),
                step=form.cleaned_data["to"] or 0, now=timezone.now(),
            )  # fmt: skip
            if isinstance(done, Refusal):
                messages.error(request, done.message)
            else:
                _say(request, done.changed, done.left)
        else:
            messages.error(request, " ".join(str(error) for errors in form.errors.values() for error in errors))
    wanted = request.GET.get("step", "")
    step = int(wanted) if wanted.isascii() and wanted.isdecimal() and len(wanted) < 5 else 0
    state = request.GET.get("state", "")
    state = state if state in EnrolmentState.values else ""
    page = page_after(
        queryset=people_at(campaign=shown, step=step, state=state), order=("-id",), after=request.GET.get("after", "")
    )
    told = steps_with_people(campaign=shown)
    by_position = {one.position: one.step for one in told}
    people = [
        (one, by_position.get(one.step), connection(enrolment=one), by_position.get(one.step + 1)) for one in page.rows
    ]
    context = {
        "campaign": shown, "steps": told, "step": step, "state": state, "states": EnrolmentState.choices, "page": page,
        "people": people, "channels": _CHANNELS, "conditions": _CONDITIONS, "all": sum(one.people for one in told),
    }  # fmt: skip
    return render(request, "enrolment/steps.html", context)


def _say(request: MemberRequest, changed: int, left: tuple[tuple[str, int], ...]) -> None:
    if changed:
        said = ngettext("%(n)s person changed.", "%(n)s people changed.", changed) % {"n": changed}
        messages.success(request, said)
    for reason, number in left:
        said = ngettext("%(n)s person not: %(why)s", "%(n)s people not: %(why)s", number)
        messages.warning(request, said % {"n": number, "why": reason})
