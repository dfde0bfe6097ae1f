"""Columns of a prepared table: what they become, seen with sample rows, corrected, remembered and forgotten."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Any

from django.contrib import messages
from django.http import HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from outreach.teams.access import MemberRequest, member_page
from outreach.teams.domain.capabilities import Capability
from outreach.teams.domain.refusal import Refusal
from outreach.teams.models import Team
from prospects import forms, queries, services
from prospects.access import batch_or_404, mapping_or_404
from prospects.domain.columns import TARGETS, Column, Plan, Problem, check, keys_of, plan_from, propose
from prospects.domain.evidence import Kind
from prospects.domain.formats.generic_table import one_row
from prospects.domain.reading import Unreadable
from prospects.domain.table_head import Head, head_of
from prospects.models import ColumnMapping, ImportBatch, ImportState
from prospects.services.files import upload_of

_MOST_COLUMNS = 300
_LABEL_SHOWN = 40
CHOICES = [(group, list(fields)) for group, fields in groupby(TARGETS.values(), key=lambda field: field.group)]


@dataclass(frozen=True)
class Line:
    """One row of the table of columns."""

    column: Column
    target: str
    problems: tuple[Problem, ...]


def table_head(batch: ImportBatch, *, header_row: int | None = None) -> Head | Unreadable | None:
    """The beginning of a prepared table; None where the file is none."""
    plan = plan_from(batch.mapping)
    chosen = header_row if header_row is not None else plan.header_row if plan else None
    return head_of(upload_of(batch), header_row=chosen)


@require_http_methods(["GET", "POST"])
@member_page(Capability.IMPORT)
def columns(request: MemberRequest, team: Team, pk: int) -> HttpResponseBase:
    found = batch_or_404(team=team, pk=pk)
    if found.state != ImportState.PREPARED:
        return redirect("prospects:batch", team=team.slug, pk=pk)
    if request.method == "POST":
        choice = forms.ColumnChoice.read(request.POST)
        if "row" in request.POST or "look" in request.POST:
            return _page(request, found, choice)
        outcome = services.choose_columns(
            member=request.member,
            batch_id=pk,
            header_row=choice.header_row or 0,
            chosen=choice.chosen,
            remember=choice.remember,
            now=timezone.now(),
        )
        if isinstance(outcome, Refusal):
            return _page(request, found, choice, refusal=outcome)
        return redirect("prospects:batch", team=team.slug, pk=pk)
    return _page(request, found, replace(forms.ColumnChoice.read(request.GET), chosen={}, remember=True), fresh=True)


def _page(
    request: MemberRequest,
    found: ImportBatch,
    choice: forms.ColumnChoice,
    *,
    refusal: Refusal | None = None,
    fresh: bool = False,
) -> HttpResponseBase:
    head = table_head(found, header_row=choice.header_row)
    if not isinstance(head, Head):
        if fresh and choice.header_row is None:
            return redirect("prospects:batch", team=found.team.slug, pk=found.pk)
        message = head.message if isinstance(head, Unreadable) else _("This file is no table.")
        return render(request, "prospects/columns.html", {"batch": found, "unreadable": message}, status=422)
    chosen = _first_choice(found, head) if fresh else choice.chosen
    context = {
        "batch": found,
        "head": head,
        "header_rows": [(row.number, _row_label(row.cells)) for row in head.first],
        "remember": choice.remember,
        "refusal": refusal,
        **_looked(head, found, chosen, choice.row),
    }
    template = "prospects/columns_look.html" if request.htmx else "prospects/columns.html"
    return render(request, template, context, status=422 if refusal else 200)


def _first_choice(found: ImportBatch, head: Head) -> dict[int, str]:
    plan = plan_from(found.mapping)
    if plan is not None and plan.header_row == head.header_row:
        return {column.number: plan.targets[column.key] for column in head.columns if column.key in plan.targets}
    return propose(_shown(head))


def _shown(head: Head) -> list[Column]:
    return [column for column in head.columns if column.label or column.values][:_MOST_COLUMNS]


def _row_label(cells: Sequence[str]) -> str:
    said = ", ".join(cell.strip() for cell in cells if cell.strip())
    return said if len(said) <= 2 * _LABEL_SHOWN else f"{said[: 2 * _LABEL_SHOWN]}…"


def _looked(head: Head, found: ImportBatch, chosen: Mapping[int, str], row: int) -> dict[str, Any]:
    """The checks, and one row as it would become."""
    problems = check(head.columns, chosen)
    shown = _shown(head)
    at = next((index for index, candidate in enumerate(head.rows) if candidate.number >= row), 0)
    plan = Plan(
        header_row=head.header_row,
        targets={column.key: chosen[column.number] for column in head.columns if chosen.get(column.number) in TARGETS},
    )
    person = one_row(head, head.rows[at], plan, file_name=found.file_name, today=timezone.localdate())
    evidence = () if isinstance(person, str) else person.evidence
    return {
        "lines": [
            Line(
                column=column,
                target=chosen.get(column.number, ""),
                problems=tuple(problem for problem in problems if problem.number == column.number),
            )
            for column in shown
        ],
        "hidden": sum(1 for column in head.columns if column.label or column.values) - len(shown),
        "choices": CHOICES,
        "table_problems": [problem for problem in problems if problem.number == 0],
        "blocked": any(problem.blocks for problem in problems),
        "blocked_columns": len({problem.number for problem in problems if problem.blocks and problem.number}),
        "row": head.rows[at],
        "before": head.rows[at - 1].number if at else None,
        "after": head.rows[at + 1].number if at + 1 < len(head.rows) else None,
        "person": person,
        "facts": [
            (item.kind.value.replace("_", " ").capitalize(), item.text)
            for item in evidence
            if item.kind is not Kind.NAME
        ],
    }


@require_POST
@member_page(Capability.IMPORT)
def read_by_format(request: MemberRequest, team: Team, pk: int) -> HttpResponseBase:
    batch_or_404(team=team, pk=pk)
    outcome = services.read_by_format(member=request.member, batch_id=pk)
    if isinstance(outcome, Refusal):
        messages.warning(request, outcome.message)
    return redirect("prospects:batch", team=team.slug, pk=pk)


@require_GET
@member_page(Capability.IMPORT)
def mappings(request: MemberRequest, team: Team) -> HttpResponse:
    page = queries.mapping_page(team=team, after=request.GET.get("after", ""))
    rows = [(row, _chosen_words(row)) for row in page.rows]
    return render(request, "prospects/mappings.html", {"page": page, "rows": rows})


def _chosen_words(row: ColumnMapping) -> list[tuple[str, str]]:
    """(column, field) in the order of the header."""
    named = zip(row.labels, keys_of(row.labels), strict=True)
    return [(label, TARGETS[row.columns[key]].label) for label, key in named if row.columns.get(key) in TARGETS]


@require_POST
@member_page(Capability.IMPORT)
def forget_mapping(request: MemberRequest, team: Team, pk: int) -> HttpResponseBase:
    outcome = services.forget_mapping(member=request.member, mapping_id=mapping_or_404(team=team, pk=pk).pk)
    if isinstance(outcome, Refusal):
        messages.warning(request, outcome.message)
    else:
        messages.success(request, _("Forgotten. Files with that header are asked about again."))
    return redirect("prospects:mappings", team=team.slug)
