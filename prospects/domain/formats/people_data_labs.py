"""People Data Labs persons, as JSON and as dumps in CSV."""

from __future__ import annotations

import ast
import re

from prospects.domain.building import PersonBuilder
from prospects.domain.evidence import Kind
from prospects.domain.formats.json_records import Json, day_of, json_format, span, unwrapped
from prospects.domain.formats.tables import Record, table_format
from prospects.domain.wild_dates import Period


def _title_case(text: str) -> str:
    """All is lower case there; names of people and places get their capitals back, titles stay as delivered."""
    return re.sub(r"[^\W\d_]+", lambda match: match.group(0).capitalize(), text) if text.islower() else text


def _period(role: Json) -> Period:
    """Without an end only the primary role is known to be open; of the others nobody says whether they have ended."""
    return span(role.text("start_date"), role.text("end_date"), current=role.value.get("is_primary") is True)


def _people_data_labs(builder: PersonBuilder, record: Json) -> str | None:
    builder.named(
        full=_title_case(record.text("full_name")),
        first=_title_case(record.text("first_name")),
        last=_title_case(record.text("last_name")),
    )
    builder.profile(record.text("linkedin_url"))
    builder.number(record.text("linkedin_id"))
    builder.emails(record.text("work_email"), *record.words("personal_emails"))
    builder.emails(*(entry.text("address") for entry in record.children("emails")))
    builder.source_id(record.text("id"))
    for role in record.children("experience"):
        builder.position(
            title=role.child("title").text("name"),
            company=role.child("company").text("name"),
            period=_period(role),
        )
    for school in record.children("education"):
        degree = ", ".join([*school.words("degrees"), *school.words("majors")])
        period = span(school.text("start_date"), school.text("end_date"))
        builder.education(school=_title_case(school.child("school").text("name")), degree=degree, period=period)
    for word in record.words("skills"):
        builder.skill(word)
    builder.finish(
        about=record.text("summary"),
        headline=record.text("headline"),
        location=_title_case(record.text("location_name")),
    )
    builder.works_at(
        record.text("job_company_name"),
        domain=record.text("job_company_website"),
        industry=record.text("job_company_industry"),
        size=record.text("job_company_size"),
        headquarters=_title_case(record.text("job_company_location_name")),
    )
    return None


PEOPLE_DATA_LABS = json_format(
    "people_data_labs",
    "People Data Labs person",
    knows=lambda r: (
        "job_title_role" in r
        or ("job_company_name" in r and ("linkedin_username" in r or ("full_name" in r and "experience" in r)))
    ),
    fill=_people_data_labs,
    unwrap=unwrapped,
    observed=lambda r: r.text("job_last_updated"),
)


def _listed(text: str) -> object:
    """A list that was written into a cell as Python or JSON; the bare text where it is neither."""
    if not text.startswith(("[", "{")) or len(text) > 100_000:
        return text
    try:
        return ast.literal_eval(text)
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return text


def _people_data_labs_row(builder: PersonBuilder, record: Record) -> str | None:
    """A dump as CSV holds lists as Python writes them."""
    value = {name: _listed(record.get(name.replace("_", ""))) for name in _PDL_COLUMNS}
    locality = (record.get("locationlocality"), record.get("locationcountry"))
    value["location_name"] = value["location_name"] or ", ".join(filter(None, locality))
    _people_data_labs(builder, Json(value))
    if not any(item.kind is Kind.POSITION for item in builder.items):
        period = span(record.get("jobstartdate"), "")
        builder.position(title=record.get("jobtitle"), company=record.get("jobcompanyname"), period=period)
    return None


_PDL_COLUMNS = (
    "id",
    "full_name",
    "first_name",
    "last_name",
    "linkedin_url",
    "linkedin_id",
    "work_email",
    "personal_emails",
    "experience",
    "education",
    "skills",
    "summary",
    "headline",
    "location_name",
    "job_company_name",
    "job_company_website",
    "job_company_industry",
    "job_company_size",
)
PEOPLE_DATA_LABS_CSV = table_format(
    "people_data_labs",
    "People Data Labs person",
    needed="fullname jobtitle jobcompanyname jobstartdate",
    fill=_people_data_labs_row,
    observed=lambda record: day_of(record.get("joblastupdated")),
)
