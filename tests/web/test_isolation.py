"""Every page of a team, found in the address table, seen from outside."""

from __future__ import annotations

from collections.abc import Iterator
from uuid import UUID

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


def answers(client: Client, team: Team) -> dict[str, frozenset[int]]:
    """What each page of the team answers to GET and to POST."""
    found = {}
    for name, kinds in PAGES:
        url = address(name, kinds, team)
        found[name] = frozenset({client.get(url).status_code, client.post(url).status_code})
    return found


def leaks(found: dict[str, frozenset[int]], allowed: set[int]) -> dict[str, frozenset[int]]:
    """Pages that answered otherwise; a page that allows neither method was not tried at all."""
    return {name: codes for name, codes in found.items() if codes - allowed or codes == {405}}


def test_every_team_page_sends_a_stranger_to_sign_in(team: Team) -> None:
    assert leaks(answers(Client(), team), {302, 401, 403, 405}) == {}


def test_no_team_page_exists_for_other_teams(team: Team, other_team: Team) -> None:
    outsider = signed_in(user=a_member(team=other_team, role="admin").user)
    assert leaks(answers(outsider, team), {404, 405}) == {}


def test_no_team_page_exists_for_somebody_who_has_left(team: Team) -> None:
    member = a_member(team=team, role="admin")
    team.memberships.update(active=False)
    assert leaks(answers(signed_in(user=member.user), team), {404, 405}) == {}


def test_no_team_page_exists_for_somebody_in_no_team(team: Team) -> None:
    assert leaks(answers(signed_in(user=a_user()), team), {404, 405}) == {}


def test_no_team_page_breaks_on_things_that_are_not_there(team: Team) -> None:
    found = answers(signed_in(user=a_member(team=team, role="admin").user), team)
    assert {name: codes for name, codes in found.items() if max(codes) >= 500} == {}


def test_the_address_table_was_read() -> None:
    assert len(PAGES) >= 4
