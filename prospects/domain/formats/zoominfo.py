"""ZoomInfo contacts."""

from __future__ import annotations

from prospects.domain.building import PersonBuilder
from prospects.domain.evidence import Kind
from prospects.domain.formats.tables import Record, place, role_now, table_format


def _zoominfo(builder: PersonBuilder, record: Record) -> str | None:
    builder.named(first=record.get("firstname"), last=record.get("lastname"))
    builder.emails(record.get("emailaddress", "email"))
    builder.profile(record.get("linkedincontactprofileurl", "linkedinprofileurl"))
    builder.source_id(record.get("zoominfocontactid"))
    role_now(builder, record.get("jobtitle"), record.get("companyname"))
    builder.text(Kind.LOCATION, place(record, "personcity", "personstate", "country"))
    builder.works_at(
        record.get("companyname"),
        domain=record.get("website"),
        industry=record.get("primaryindustry"),
        size=record.get("employees"),
        website=record.get("website"),
        headquarters=place(record, "companycity", "companystate", "companycountry"),
    )
    return None


ZOOMINFO = table_format("zoominfo", "ZoomInfo contacts", needed="zoominfocontactid lastname firstname", fill=_zoominfo)
