"""Bright Data people, as JSON or JSON lines."""

from __future__ import annotations

from prospects.domain.building import PersonBuilder
from prospects.domain.evidence import Kind
from prospects.domain.formats.json_records import Json, json_format, plain, span
from prospects.domain.wild_dates import read_date


def _brightdata(builder: PersonBuilder, record: Json) -> str | None:
    """`position` is the headline; what was liked is nobody's writing; dead rows echo the address only."""
    if record.text("warning_code") or record.text("error_code"):
        return f"the service answered {record.text('warning', 'error', 'warning_code', 'error_code')}"
    builder.named(full=record.text("name"), first=record.text("first_name"), last=record.text("last_name"))
    builder.slug(record.text("linkedin_id", "id"))
    builder.profile(record.text("url"))
    builder.number(record.text("linkedin_num_id"))
    for entry in record.children("experience"):
        _brightdata_role(builder, entry)
    for school in record.children("education"):
        degree = " - ".join(filter(None, (school.text("degree"), school.text("field"))))
        period = span(school.text("start_year"), school.text("end_year"))
        builder.education(school=school.text("title"), degree=degree, period=period)
    for entry in record.children("languages"):
        builder.language(entry.text("title"), entry.text("subtitle"))
    for entry in record.children("certifications"):
        words = (("name", entry.text("title")), ("issuer", entry.text("subtitle")))
        builder.dated(Kind.CERTIFICATION, words, read_date(entry.text("meta").removeprefix("Issued").split("See")[0]))
    builder.finish(
        about=plain(record.text("about")),
        headline=record.text("position"),
        location=record.text("city", "location"),
    )
    builder.works_at(record.text("current_company_name") or record.child("current_company").text("name"))
    if not builder.items:
        return "the record is an empty shell"
    return None


def _brightdata_role(builder: PersonBuilder, entry: Json) -> None:
    for role in entry.children("positions") or [entry]:
        builder.position(
            title=role.text("title"),
            company=entry.text("company") or entry.text("title"),
            period=span(role.text("start_date"), role.text("end_date")),
            description=plain(role.text("description_html", "description")),
            location=role.text("location") or entry.text("location"),
        )


BRIGHTDATA = json_format(
    "brightdata",
    "Bright Data people",
    knows=lambda r: ("linkedin_num_id" in r and "experience" in r) or ("input_url" in r and "people_also_viewed" in r),
    fill=_brightdata,
    observed=lambda r: r.text("timestamp"),
)
