"""Apollo contacts, in the shapes of several years."""

from __future__ import annotations

from prospects.domain.building import PersonBuilder
from prospects.domain.evidence import Kind
from prospects.domain.formats.tables import Record, place, role_now, table_format


def _apollo(builder: PersonBuilder, record: Record) -> str | None:
    """Addresses that Apollo marks unavailable are not there; guessed ones are no identity."""
    builder.named(first=record.get("firstname"), last=record.get("lastname"))
    builder.profile(record.get("personlinkedinurl"))
    if record.get("emailstatus").casefold() in {"verified", "user managed", ""}:
        builder.emails(record.get("email"))
    builder.source_id(record.get("apollocontactid"))
    company = record.get("companyname", "company", "companynameforemails")
    role_now(builder, record.get("title"), company)
    builder.text(Kind.LOCATION, place(record, "city", "state", "country"))
    builder.works_at(
        company,
        domain=record.get("website"),
        industry=record.get("industry"),
        size=record.get("employees"),
        website=record.get("website"),
        headquarters=place(record, "companycity", "companystate", "companycountry"),
    )
    return None


APOLLO = table_format(
    "apollo", "Apollo contacts", needed="firstname lastname personlinkedinurl emailstatus", fill=_apollo
)
