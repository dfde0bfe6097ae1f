"""Every page of a team, found in the address table, seen from outside."""

from __future__ import annotations

from collections.abc import Iterator
from uuid import UUID

import pytest
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver, reverse

from outreach.teams.models import Team
from tests.people import a_member, a_user, signed_in

EXAMPLES = {"int": 1, "slug": "something", "str": "something", "uuid": UUID(int=1), "path": "something"}


def team_pages(
    resolver: URLResolver | None = None, names: tuple[str, ...] = (), inside: bool = False
) -> Iterator[tuple[str, frozenset[tuple[str, str]]]]:
    """Name and converters of each address below t/<team>/."""
    for entry in (resolver or get_resolver()).url_patterns:
        here = inside or "<slug:team>" in str(entry.pattern)
        if isinstance(entry, URLResolver):
            yield from team_pages(entry, (*names, entry.namespace) if entry.namespace else names, here)
        elif isinstance(entry, URLPattern) and here and entry.name:
            kinds = {
                name: type(converter).__name__.removesuffix("Converter").lower()
                for name, converter in entry.pattern.converters.items()
            }
            yield ":".join((*names, entry.name)), frozenset(kinds.items())


PAGES = sorted(set(team_pages()), key=str)


def address(name: str, kinds: frozenset[tuple[str, str]], team: Team) -> str:
    values = {key: EXAMPLES.get(kind, "something") for key, kind in kinds if key != "team"}
    # Arguments of an including resolver are not in the pattern's own table; the team always is one.
    return reverse(name, kwargs={**values, "team": team.slug})


def answers(client: Client, url: str) -> list[int]:
    return [client.get(url).status_code, client.post(url).status_code]


@pytest.mark.parametrize(("name", "kinds"), PAGES, ids=[name for name, _ in PAGES])
class TestEveryTeamPage:
    def test_sends_a_stranger_to_sign_in(self, team: Team, name: str, kinds: frozenset[tuple[str, str]]) -> None:
        codes = answers(Client(), address(name, kinds, team))
        assert set(codes) <= {302, 401, 403, 405}
        assert codes != [405, 405]

    def test_does_not_exist_for_other_teams(
        self, team: Team, other_team: Team, name: str, kinds: frozenset[tuple[str, str]]
    ) -> None:
        outsider = signed_in(user=a_member(team=other_team, role="admin").user)
        assert set(answers(outsider, address(name, kinds, team))) <= {404, 405}

    def test_does_not_exist_for_somebody_who_has_left(
        self, team: Team, name: str, kinds: frozenset[tuple[str, str]]
    ) -> None:
        member = a_member(team=team, role="admin")
        team.memberships.update(active=False)
        assert set(answers(signed_in(user=member.user), address(name, kinds, team))) <= {404, 405}

    def test_does_not_exist_for_somebody_in_no_team(
        self, team: Team, name: str, kinds: frozenset[tuple[str, str]]
    ) -> None:
        assert set(answers(signed_in(user=a_user()), address(name, kinds, team))) <= {404, 405}


def test_the_address_table_was_read() -> None:
    assert len(PAGES) >= 4
