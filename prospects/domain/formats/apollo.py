"""Apollo contacts, in the shapes of several years."""

from __future__ import annotations

import csv
import io
from dataclasses import replace
from datetime import date

from prospects.domain.building import PersonBuilder
from prospects.domain.evidence import Kind
from prospects.domain.formats.tables import Record, place, role_now, table_format, warnings_of
from prospects.domain.imported import Format, Reading
from prospects.domain.reading import Unreadable, fold_label
from prospects.domain.upload import Upload


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


# -- exports whose first labels something has overwritten by one repeated word ---------------
_OLDER = (
    "First Name", "Last Name", "Title", "Company", "Company Name for Emails", "Email", "Email Status", "Primary Email Source",
    "Email Confidence", "Primary Email Catch-all Status", "Primary Email Last Verified At", "Seniority", "Departments", "Contact Owner",
    "Work Direct Phone", "Home Phone", "Mobile Phone", "Corporate Phone", "Other Phone", "Stage", "Lists", "Last Contacted",
    "Account Owner", "# Employees", "Industry", "Keywords", "Person Linkedin Url",
)  # fmt: skip
_NEWER = (
    "First Name", "Last Name", "Title", "Company Name", "Company Name for Emails", "Email", "Email Status", "Primary Email Source",
    "Primary Email Verification Source", "Email Confidence", "Primary Email Catch-all Status", "Primary Email Last Verified At",
    "Seniority", "Departments", "Sub Departments", "Contact Owner", "Work Direct Phone", "Home Phone", "Mobile Phone",
    "Corporate Phone", "Other Phone", "Do Not Call", "Stage", "Lists", "Last Contacted", "Account Owner", "# Employees", "Industry",
    "Keywords", "Person Linkedin Url",
)  # fmt: skip
_LEAST_OVERWRITTEN, _LEAST_LEFT = 2, 8


def _true_labels(cells: tuple[str, ...]) -> tuple[str, ...] | None:
    """The header as Apollo wrote it, where a block at its beginning is one word and all that follows is as known."""
    width = next((at for at, cell in enumerate(cells) if cell != cells[0]), len(cells)) if cells and cells[0] else 0
    if width < _LEAST_OVERWRITTEN:
        return None
    for known in (_OLDER, _NEWER):
        left = tuple(fold_label(label) for label in known[width:])
        if len(left) >= _LEAST_LEFT and tuple(fold_label(cell) for cell in cells[width : len(known)]) == left:
            return (*known[:width], *cells[width:])
    return None


def _mended(upload: Upload) -> Upload | None:
    """The same table under its true labels."""
    if upload.is_archive or isinstance(upload.rows, Unreadable) or not upload.rows:
        return None
    labels = _true_labels(upload.rows[0].cells)
    if labels is None:
        return None
    written = io.StringIO()
    csv.writer(written).writerows([labels, *(row.cells for row in upload.rows[1:])])
    return Upload(file_name=upload.file_name, data=written.getvalue().encode())


def _read_mended(upload: Upload, today: date) -> Reading | Unreadable:
    mended = _mended(upload)
    found = APOLLO.read(mended, today) if mended is not None else Unreadable("This is no Apollo export.")
    if isinstance(found, Unreadable):
        return found
    said = "The names of the first columns were overwritten by one word; they were taken from their places."
    return replace(found, warnings=(*warnings_of(upload), said))


OVERWRITTEN = Format(
    name="apollo", label="Apollo contacts", recognises=lambda upload: _mended(upload) is not None, read=_read_mended
)
