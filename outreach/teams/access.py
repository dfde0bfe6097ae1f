"""The gate: who a request or a job acts for, and whether that person may do it.

Outsiders learn nothing: an unknown team and a team of others both answer "not found".
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from typing import Any
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from django.contrib.auth.models import AnonymousUser
from django.contrib.auth.views import redirect_to_login
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import render
from django.urls import NoReverseMatch, reverse
from django.utils import timezone
from rest_framework.exceptions import PermissionDenied
from rest_framework.permissions import BasePermission
from rest_framework.request import Request

from outreach.teams.domain.capabilities import Capability, capabilities_of, refusal_for
from outreach.teams.domain.navigation import SETTINGS, SettingsPage
from outreach.teams.domain.refusal import Refusal
from outreach.teams.models import Membership, Team, User

View = Callable[..., HttpResponseBase]


@dataclass(frozen=True)
class Member:
    """A person in one team, with what the role allows there."""

    team: Team
    user: User
    role: str
    capabilities: frozenset[Capability]

    def may(self, capability: Capability | str) -> bool:
        return capability in self.capabilities


class MemberRequest(HttpRequest):
    """What a view under `member_page` receives."""

    member: Member
    htmx: Any


def gate(*, member: Member, capability: Capability) -> Refusal | None:
    """The refusal when the member may not, None when they may."""
    return None if member.may(capability) else refusal_for(capability=capability)


def member_of(*, team: Team, user: User) -> Member | Refusal:
    """For commands and tasks that act for a person. One query."""
    return _member(slug=team.slug, user=user) or Refusal(
        code="not-a-member", message=f"{user.email} is not an active member of the team {team.slug}."
    )


def member_page(capability: Capability) -> Callable[[View], View]:
    """Serve a page of a team to members with this capability.

    Anonymous people are sent to sign in, outsiders get 404, members without the right a 403 page
    that says which role has it. The view is called as `view(request, team, …)` with `request.member`
    set and the viewer's time zone active.
    """

    def decorate(view: View) -> View:
        @wraps(view)
        def page(request: HttpRequest, *args: Any, team: str, **kwargs: Any) -> HttpResponseBase:
            if not request.user.is_authenticated:
                return _to_login(request)
            member = _member(slug=team, user=request.user)
            if member is None:
                raise Http404("no such team")
            request.member = member  # type: ignore[attr-defined]
            with timezone.override(_zone(member.user.timezone)):
                refused = gate(member=member, capability=capability)
                if refused is not None:
                    return render(request, "403.html", {"refusal": refused}, status=403)
                return view(request, member.team, *args, **kwargs)

        return page

    return decorate


def page_address(*, name: str, team: Team | None = None) -> str:
    """The address of a page by its name; "" where the room that has it is not installed. Rooms above are known so."""
    try:
        return reverse(name, kwargs={"team": team.slug} if team else None)
    except NoReverseMatch:
        return ""


def settings_pages(*, member: Member) -> list[tuple[SettingsPage, str]]:
    """The pages of the settings that the member may see, with their addresses."""
    return [
        (page, address)
        for page in SETTINGS
        if member.may(page.needs) and (address := page_address(name=page.url_name, team=member.team))
    ]


class MemberPermission(BasePermission):
    """The same gate for the API. The view names `capability`, or `capabilities` by HTTP method."""

    def has_permission(self, request: Request, view: Any) -> bool:
        if not request.user or not request.user.is_authenticated:
            return False
        member = _member(slug=view.kwargs["team"], user=request.user)
        if member is None:
            raise Http404("no such team")
        request.member = member  # type: ignore[attr-defined]
        needed = getattr(view, "capabilities", {}).get(request.method, None) or view.capability
        refused = gate(member=member, capability=needed)
        if refused is not None:
            raise PermissionDenied(detail=refused.message, code=refused.code)
        return True


def _member(*, slug: str, user: User | AnonymousUser) -> Member | None:
    if not user.is_active:
        return None
    membership = (
        Membership.objects.select_related("team", "user").filter(team__slug=slug, user_id=user.pk, active=True).first()
    )
    if membership is None:
        return None
    return Member(
        team=membership.team,
        user=membership.user,
        role=membership.role,
        capabilities=capabilities_of(role=membership.role),
    )


def _to_login(request: HttpRequest) -> HttpResponseBase:
    if getattr(request, "htmx", False):
        # A fragment cannot show the sign-in form: the whole page goes there, and comes back to itself.
        here = request.htmx.current_url_abs_path or "/"  # type: ignore[attr-defined]
        answer = HttpResponse(status=204)
        answer["HX-Redirect"] = redirect_to_login(here)["Location"]
        return answer
    return redirect_to_login(request.get_full_path())


def _zone(name: str) -> ZoneInfo:
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError):
        return ZoneInfo("UTC")
