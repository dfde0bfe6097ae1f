"""The gate of the API is the gate of the pages."""

from __future__ import annotations

import pytest
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.test import APIRequestFactory, force_authenticate
from rest_framework.views import APIView

from outreach.teams.access import MemberPermission
from outreach.teams.domain.capabilities import Capability
from outreach.teams.models import Team, User
from tests.people import a_member, a_user


class Things(APIView):
    permission_classes = (MemberPermission,)
    capability = Capability.VIEW
    capabilities = {"POST": Capability.MANAGE}

    def get(self, request: Request, team: str) -> Response:
        return Response({"team": request.member.team.slug})  # type: ignore[attr-defined]

    post = get


def status(method: str, team: str, user: User | None) -> int:
    request = getattr(APIRequestFactory(), method)("/")
    if user is not None:
        force_authenticate(request, user=user)
    return Things.as_view()(request, team=team).status_code


@pytest.mark.parametrize(
    ("role", "method", "code"),
    [("analyst", "get", 200), ("analyst", "post", 403), ("manager", "post", 200), ("admin", "post", 200)],
)
def test_a_member_may_what_the_role_allows(team: Team, role: str, method: str, code: int) -> None:
    assert status(method, "north", a_member(team=team, role=role).user) == code


def test_an_outsider_finds_nothing_and_a_stranger_is_refused(team: Team, other_team: Team) -> None:
    outsider = a_member(team=other_team, role="admin").user
    assert status("get", "north", outsider) == status("get", "nowhere", outsider) == 404
    assert status("get", "north", None) == 403


def test_a_closed_account_is_no_member(team: Team) -> None:
    user = a_member(team=team, role="admin").user
    user.is_active = False
    user.save()
    assert status("get", "north", user) == 404
    assert status("get", "north", a_user()) == 404
