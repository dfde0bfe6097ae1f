"""What the frame of every page needs. Rooms above are known by URL name only, so a missing one just vanishes."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django.http import HttpRequest
from django.utils.translation import gettext as _

from outreach.teams.access import Member, page_address, settings_pages
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
            "home": page_address(name="home:front", team=member.team),
            "counts": page_address(name="home:counts", team=member.team),
            "search": page_address(name="home:search", team=member.team),
            "account": page_address(name="teams:account", team=member.team),
            "teams": page_address(name="home:teams"),
            "settings": _settings(request=request, member=member),
            "role": Role(member.role).label,
            "shortcuts": _shortcuts(member=member, entries=entries),
        },
    }


def _entries(*, request: HttpRequest, member: Member) -> list[dict[str, Any]]:
    match = request.resolver_match
    room = match.app_names[-1] if match is not None and match.app_names else ""
    return [
        {
            "key": entry.key,
            "label": _(entry.label),
            "href": href,
            "go": entry.go,
            "counted": entry.counted,
            "current": room in entry.rooms,
        }
        for entry in ENTRIES
        if entry.shown_to(member.capabilities) and (href := page_address(name=entry.url_name, team=member.team))
    ]


def _settings(*, request: HttpRequest, member: Member) -> list[dict[str, Any]]:
    return [
        {"label": _(page.label), "href": href, "current": request.path.startswith(href)}
        for page, href in settings_pages(member=member)
    ]


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
