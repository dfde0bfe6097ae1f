"""Settings that are the team's own: people and roles, the audit trail, one's own account."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from outreach.teams import queries, services
from outreach.teams.access import MemberRequest, member_page, settings_pages
from outreach.teams.adapters.invitations import MailedInvitations
from outreach.teams.domain.capabilities import Capability
from outreach.teams.domain.refusal import Refusal
from outreach.teams.forms import AccountForm, InviteForm
from outreach.teams.models import Membership, Role, Team
from outreach.teams.paging import page_after


@require_safe
@member_page(Capability.VIEW)
def settings(request: MemberRequest, _team: Team) -> HttpResponse:
    """To the first page of the settings that the role has."""
    return redirect(settings_pages(member=request.member)[0][1])


@require_http_methods(["GET", "HEAD", "POST"])
@member_page(Capability.ADMIN)
def people(request: MemberRequest, team: Team) -> HttpResponse:
    """Everybody in the team, and the form that lets somebody in."""
    form = InviteForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        invited = services.invite(member=request.member, invitations=MailedInvitations(), **form.cleaned_data)
        if not isinstance(invited, Refusal):
            _say_invited(request, invited)
            return redirect("teams:people", team=team.slug)
        form.add_error(None, invited.message)
    page = page_after(
        queryset=queries.memberships_of(team=team),
        order=("-active", "user__full_name", "id"),
        after=request.GET.get("after", ""),
    )
    status = 422 if form.is_bound else 200
    return render(request, "teams/people.html", {"page": page, "form": form, "roles": Role.choices}, status=status)


@require_POST
@member_page(Capability.ADMIN)
def invite_again(request: MemberRequest, team: Team, pk: int) -> HttpResponse:
    invited = services.invite_again(member=request.member, membership_id=pk, invitations=MailedInvitations())
    if isinstance(invited, Refusal):
        messages.error(request, invited.message)
    else:
        _say_invited(request, invited)
    return redirect("teams:people", team=team.slug)


@require_POST
@member_page(Capability.ADMIN)
def change_role(request: MemberRequest, team: Team, pk: int) -> HttpResponse:
    changed = services.change_role(member=request.member, membership_id=pk, role=request.POST.get("role", ""))
    return _back_to_people(request, team, changed)


@require_POST
@member_page(Capability.ADMIN)
def set_active(request: MemberRequest, team: Team, pk: int) -> HttpResponse:
    active = request.POST.get("active") == "yes"
    changed = services.set_active(member=request.member, membership_id=pk, active=active)
    return _back_to_people(request, team, changed)


@require_safe
@member_page(Capability.ADMIN)
def audit(request: MemberRequest, team: Team) -> HttpResponse:
    """What was done, newest first."""
    action = request.GET.get("action", "")
    page = page_after(
        queryset=queries.audit_of(team=team, action=action), order=("-id",), after=request.GET.get("after", "")
    )
    context = {"page": page, "action": action, "actions": queries.actions_of(team=team)}
    return render(request, "teams/audit_list.html" if request.htmx else "teams/audit.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@member_page(Capability.VIEW)
def account(request: MemberRequest, team: Team) -> HttpResponse:
    user = request.member.user
    form = AccountForm(request.POST or None, initial={"full_name": user.full_name, "timezone": user.timezone})
    if request.method == "POST" and form.is_valid():
        services.change_account(member=request.member, **form.cleaned_data)
        messages.success(request, _("Saved."))
        return redirect("teams:account", team=team.slug)
    return render(request, "teams/account.html", {"form": form}, status=422 if form.is_bound else 200)


def _say_invited(request: MemberRequest, invited: services.Invited) -> None:
    user = invited.membership.user
    if invited.mail_problem:
        text = _("%(name)s is in the team, but the invitation could not be sent (%(why)s). Invite again later.")
        messages.error(request, text % {"name": user, "why": invited.mail_problem})
    else:
        messages.success(request, _("Invitation sent to %(address)s.") % {"address": user.email})


def _back_to_people(request: MemberRequest, team: Team, changed: Membership | Refusal) -> HttpResponse:
    if isinstance(changed, Refusal):
        messages.error(request, changed.message)
    elif not changed.active:
        messages.success(request, _("%(name)s is shut out, as of now.") % {"name": changed.user})
    else:
        said = {"name": changed.user, "role": changed.get_role_display().lower()}
        messages.success(request, _("%(name)s is in the team, as %(role)s.") % said)
    return redirect("teams:people", team=team.slug)
