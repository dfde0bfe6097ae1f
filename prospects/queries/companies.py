"""A company as its page shows it: facts, what happened there, and who of its people is known."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

from outreach.teams.paging import Page, page_after
from prospects.domain.evidence import Kind
from prospects.domain.industries import industries_of
from prospects.domain.timeline import Entry, timeline
from prospects.models import Company, Evidence, EvidenceState, Prospect
from prospects.queries import SHOWN, fact_of
from prospects.queries.industries import label_of, shipped

#: Facts and news of one company that its page reads.
MOST_ROWS = 500


@dataclass(frozen=True)
class CompanyCard:
    """facts: those with one value, as (attribute, value, row). events: news, openings, colleagues, newest first."""

    facts: tuple[tuple[str, str, Evidence], ...]
    aliases: tuple[str, ...]
    events: tuple[Entry, ...]
    people: Page[Prospect]
    industries: tuple[tuple[str, str], ...]


def company_card(*, company: Company, after: str, today: date, size: int = 25) -> CompanyCard:
    """Two queries, whatever the company's size."""
    rows = list(
        Evidence.objects.filter(company=company, state=EvidenceState.CURRENT)
        .defer("snapshot")
        .order_by("-id")[:MOST_ROWS]
    )
    facts = [fact_of(row) for row in rows]
    told = [(row, fact) for row, fact in zip(rows, facts, strict=True) if fact.kind is Kind.COMPANY_FACT]
    aliases = [fact.get("value") or fact.text for _, fact in told if fact.get("attribute") == "alias"]
    people = Prospect.objects.filter(company=company, team=company.team_id, state__in=SHOWN).defer("language_signals")
    return CompanyCard(
        facts=tuple(
            sorted(
                ((fact.get("attribute") or "fact", fact.get("value") or fact.text, row) for row, fact in told
                 if fact.get("attribute") != "alias"),
                key=lambda entry: entry[0],
            )
        ),
        aliases=tuple(dict.fromkeys(aliases)),
        events=timeline(
            ((fact, row.source_url) for row, fact in zip(rows, facts, strict=True) if fact.kind is not Kind.COMPANY_FACT),
            today=today,
        ),
        people=page_after(queryset=people, order=("id",), after=after, size=size),
        industries=tuple((key, label_of(key)) for key in industries_of(facts, shipped())),
    )  # fmt: skip
