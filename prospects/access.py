"""Who may touch which object of this room: members with the right, and only what is of their team."""

from __future__ import annotations

from django.http import Http404

from outreach.teams.models import Team
from prospects import sources
from prospects.models import ColumnMapping, Company, CompanySource, ImportBatch, Prospect
from prospects.queries import SHOWN, batch_of


def prospect_or_404(*, team: Team, pk: int) -> Prospect:
    """A prospect of this team. Others', erased ones and those merged into another record do not exist."""
    prospect = Prospect.objects.filter(team=team, pk=pk).select_related("company", "team").first()
    if prospect is None or prospect.state not in SHOWN:
        raise Http404("no such prospect")
    return prospect


def batch_or_404(*, team: Team, pk: int) -> ImportBatch:
    batch = batch_of(team=team, batch_id=pk)
    if batch is None:
        raise Http404("no such import")
    return batch


def company_or_404(*, team: Team, pk: int) -> Company:
    company = sources.company_of(team=team, company_id=pk)
    if company is None:
        raise Http404("no such company")
    return company


def source_or_404(*, company: Company, pk: int) -> CompanySource:
    source = sources.source_of(company=company, source_id=pk)
    if source is None:
        raise Http404("no such source")
    return source


def mapping_or_404(*, team: Team, pk: int) -> ColumnMapping:
    found = ColumnMapping.objects.filter(team=team, pk=pk).first()
    if found is None:
        raise Http404("no such mapping")
    return found
