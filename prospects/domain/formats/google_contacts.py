"""Google Contacts, before and since 2024."""

from __future__ import annotations

import re

from prospects.domain.building import PersonBuilder
from prospects.domain.formats.tables import Record, role_now, table_format

_MANY = re.compile(r"\s*:::\s*")


def _google(builder: PersonBuilder, record: Record) -> str | None:
    builder.named(
        full=record.get("name", "fileas"),
        first=record.get("givenname", "firstname"),
        last=record.get("familyname", "lastname"),
    )
    for label, cell in record.cells.items():
        if re.fullmatch(r"email\d+value", label):
            builder.emails(*_MANY.split(cell))
        if re.fullmatch(r"website\d+value", label):
            builder.profile(*_MANY.split(cell))
    company = record.get("organizationname", "organization1name")
    role_now(builder, record.get("organizationtitle", "organization1title"), company)
    builder.works_at(company)
    return None


GOOGLE_NEW = table_format(
    "google_contacts", "Google Contacts", needed="firstname lastname organizationname labels", fill=_google
)
GOOGLE_OLD = table_format(
    "google_contacts", "Google Contacts", needed="givenname familyname groupmembership", fill=_google
)
