"""Reading what is watched for a company, and what it brought."""

from __future__ import annotations

from django.db.models import F, Func, QuerySet, TextField, Value
from django.db.models.functions import Length

from outreach.teams.models import Team
from prospects.domain.evidence import Kind
from prospects.models import Company, CompanySource, Evidence, EvidenceState


def company_of(*, team: Team, company_id: int) -> Company | None:
    return Company.objects.filter(team=team, pk=company_id).first()


def source_of(*, company: Company, source_id: int) -> CompanySource | None:
    rows = CompanySource.objects.filter(company=company, pk=source_id)
    return rows.select_related("company", "team").first()


def sources_of(*, company: Company) -> list[CompanySource]:
    return list(CompanySource.objects.filter(company=company).select_related("created_by").order_by("id")[:100])


def news_of(*, company: Company) -> QuerySet[Evidence]:
    """Current news of the company with `snapshot_size` and, where a text was kept, `snapshot_sha256`; the caller pages them."""
    digest = Func(Func(F("snapshot"), Value("UTF8"), function="convert_to"), function="sha256")
    return (
        Evidence.objects.filter(company=company, kind=Kind.COMPANY_NEWS.value, state=EvidenceState.CURRENT)
        .annotate(
            snapshot_size=Length("snapshot"),
            snapshot_sha256=Func(digest, Value("hex"), function="encode", output_field=TextField()),
        )
        .defer("snapshot")
    )
