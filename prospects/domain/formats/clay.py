"""Clay tables."""

from __future__ import annotations

import json

from prospects.domain.building import PersonBuilder
from prospects.domain.evidence import Kind
from prospects.domain.formats.tables import Record, role_now, table_format


def _clay_company(record: Record) -> str:
    """The company cell is its name, or a JSON object with one."""
    text = record.get("companytabledata", "companyname", "company")
    if not text.startswith("{"):
        return text
    try:
        value = json.loads(text)
    except ValueError:
        return ""
    return str(value.get("Name") or value.get("name") or "") if isinstance(value, dict) else ""


def _clay(builder: PersonBuilder, record: Record) -> str | None:
    """The column of the work address is named by each table's maker: any cell under an e-mail heading counts."""
    builder.named(full=record.get("fullname"), first=record.get("firstname"), last=record.get("lastname"))
    builder.profile(record.get("linkedinprofile", "linkedinurl"))
    builder.emails(*(cell for label, cell in record.cells.items() if "email" in label))
    company = _clay_company(record)
    role_now(builder, record.get("jobtitle"), company)
    builder.text(Kind.LOCATION, record.get("location"))
    builder.works_at(company, domain=record.get("companydomain"))
    return None


CLAY = table_format("clay", "Clay table", needed="firstname lastname companydomain linkedinprofile", fill=_clay)
