"""HeyReach conversations: who was written to."""

from __future__ import annotations

from prospects.domain.building import PersonBuilder
from prospects.domain.evidence import Kind
from prospects.domain.formats.tables import Record, role_now, table_format


def _heyreach(builder: PersonBuilder, record: Record) -> str | None:
    """Who was written to. The conversation itself is private and no evidence."""
    builder.named(first=record.get("leadfirstname"), last=record.get("leadlastname"))
    builder.profile(record.get("leadprofileurl"))
    builder.text(Kind.HEADLINE, record.get("leadheadline"))
    builder.text(Kind.LOCATION, record.get("leadlocation"))
    role_now(builder, record.get("leadposition"), record.get("leadcompany"))
    builder.works_at(record.get("leadcompany"))
    return None


HEYREACH = table_format(
    "heyreach", "HeyReach conversations", needed="leadfirstname leadprofileurl conversationid", fill=_heyreach
)
