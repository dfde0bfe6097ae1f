"""Effects of attributes, and what became of messages by each of them."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from analytics.domain.forest import forest
from analytics.domain.learning.delay import WINDOW
from analytics.domain.shown import TABLES, counted, effect_forest, effect_rows, too_little, weekly_rate
from analytics.queries import pages
from analytics.views.sheet import sheet
from outreach.teams.access import MemberRequest, member_page
from outreach.teams.domain.capabilities import Capability
from outreach.teams.models import Team


@require_GET
@member_page(Capability.ANALYSE)
def effects(request: MemberRequest, team: Team) -> HttpResponse:
    newest = pages.newest(team=team)
    result = newest.result
    found = result.get("tables", {})
    replies = sum(row["replied"] for row in found.get("language", ()))
    little = too_little(
        messages=result.get("messages", 0), replies=replies, weekly=weekly_rate(result.get("weeks", []))
    )
    rows = [] if little else effect_rows(result.get("effects", []))
    drawn = effect_forest(rows)
    context: dict[str, Any] = {
        "tab": "effects", "newest": newest, "little": little, "rows": rows, "wide": forest(drawn),
        "narrow": forest(drawn, narrow=True), "window": WINDOW, "matured": result.get("messages", 0), "replies": replies,
        "tables": [(key, name, about, counted(found[key])) for key, name, about in TABLES if found.get(key)],
    }  # fmt: skip
    return render(request, "analytics/effects.html", context)


@require_GET
@member_page(Capability.ANALYSE)
def effects_csv(_request: MemberRequest, team: Team) -> HttpResponse:
    rows = effect_rows(pages.newest(team=team).result.get("effects", []))
    head = ("Attribute", "Compared", "Factor low", "Factor", "Factor high", "Probability of more", "State")
    cells = ((row.name, row.compared, *(round(one, 4) for one in row.interval), row.chance, row.state) for row in rows)
    return sheet(name=f"effects-{team.slug}", head=head, rows=cells)


@require_GET
@member_page(Capability.ANALYSE)
def counts_csv(_request: MemberRequest, team: Team) -> HttpResponse:
    found = pages.newest(team=team).result.get("tables", {})
    names = ("sent", "replied", "positive", "meetings", "optouts")
    rows = ((name, row["value"], *(row[one] for one in names)) for key, name, _ in TABLES for row in found.get(key, ()))
    head = ("By", "Value", "Matured messages", "Replied", "Positive", "Meetings", "Opt-outs")
    return sheet(name=f"outcomes-{team.slug}", head=head, rows=rows)
