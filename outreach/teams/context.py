"""What the frame of every page needs. Rooms above are known by URL name only, so a missing one just vanishes."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django.http import HttpRequest
from django.urls import NoReverseMatch, reverse
from django.utils.translation import gettext as _

from outreach.teams.access import Member
from outreach.teams.domain.capabilities import Capability
from outreach.teams.domain.navigation import COMMON_SHORTCUTS, ENTRIES, REVIEW_SHORTCUTS, Shortcut
from outreach.teams.models import Role


def shell(request: HttpRequest) -> dict[str, Any]:
    """Context processor: `member` and `nav`; both empty outside a team."""
    member: Member | None = getattr(request, "member", None)
    if member is None:
        return {"member": None, "nav": {}}
    entries = _entries(request=request, member=member)
    return {
        "member": member,
        "nav": {
            "entries": entries,
            "home": _address("home:front", member),
            "counts": _address("home:counts", member),
            "search": _address("home:search", member),
            "account": _address("teams:account", member),
            "teams": _address("home:teams"),
            "role": Role(member.role).label,
            "shortcuts": _shortcuts(member=member, entries=entries),
        },
    }


def _entries(*, request: HttpRequest, member: Member) -> list[dict[str, Any]]:
    match = request.resolver_match
    room = match.app_names[0] if match is not None and match.app_names else ""
    return [
        {
            "key": entry.key,
            "label": _(entry.label),
            "href": href,
            "go": entry.go,
            "counted": entry.counted,
            "current": entry.room == room,
        }
        for entry in ENTRIES
        if entry.shown_to(member.capabilities) and (href := _address(entry.url_name, member))
    ]


def _address(name: str, member: Member | None = None) -> str:
    try:
        return reverse(name, kwargs={"team": member.team.slug} if member else None)
    except NoReverseMatch:
        return ""


def _shortcuts(*, member: Member, entries: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    groups = [
        {"title": _("Everywhere"), "shortcuts": [_said(shortcut) for shortcut in COMMON_SHORTCUTS]},
        {"title": _("Go to"), "shortcuts": [{"keys": ("g", e["go"]), "does": e["label"]} for e in entries]},
    ]
    if member.may(Capability.REVIEW) or member.may(Capability.WRITE):
        groups.append({"title": _("Review"), "shortcuts": [_said(shortcut) for shortcut in REVIEW_SHORTCUTS]})
    return groups


def _said(shortcut: Shortcut) -> dict[str, Any]:
    return {"keys": shortcut.keys, "does": _(shortcut.does)}
