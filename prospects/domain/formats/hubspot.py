"""HubSpot contacts with columns of the user's choice."""

from __future__ import annotations

from prospects.domain.building import PersonBuilder
from prospects.domain.evidence import Kind
from prospects.domain.formats.tables import Record, place, role_now, table_format


def _hubspot(builder: PersonBuilder, record: Record) -> str | None:
    if not any(record.get(label) for label in ("firstname", "lastname", "email", "jobtitle", "companyname")):
        return "it is empty but for the record's number"
    builder.named(first=record.get("firstname"), last=record.get("lastname"))
    builder.emails(record.get("email"))
    builder.profile(record.get("linkedinurl", "linkedinprofile", "hslinkedinurl"))
    builder.source_id(record.get("recordid", "contactid"))
    company = record.get("companyname", "associatedcompany")
    role_now(builder, record.get("jobtitle"), company)
    builder.text(Kind.LOCATION, place(record, "city", "stateregion", "countryregion"))
    builder.works_at(company)
    return None


HUBSPOT = table_format("hubspot", "HubSpot contacts", needed="recordid firstname lastname email", fill=_hubspot)
