"""RapidAPI: Fresh LinkedIn Profile Data."""

from __future__ import annotations

from prospects.domain.building import PersonBuilder
from prospects.domain.formats.json_records import Json, json_format, partial, span, unwrapped


def _rapidapi(builder: PersonBuilder, record: Json) -> str | None:
    builder.named(full=record.text("full_name"), first=record.text("first_name"), last=record.text("last_name"))
    builder.slug(record.text("public_id"))
    builder.profile(record.text("linkedin_url"))
    builder.urn(record.text("urn"))
    builder.number(record.text("profile_id"))
    builder.emails(record.text("email"))
    for role in record.children("experiences"):
        builder.position(
            title=role.text("title"),
            company=role.text("company"),
            period=span(
                partial(role.text("start_year"), role.text("start_month")),
                partial(role.text("end_year"), role.text("end_month")),
                current=role.value.get("is_current") is True,
            ),
            description=role.text("description"),
            location=role.text("location"),
        )
    for school in record.children("educations"):
        degree = " - ".join(filter(None, (school.text("degree"), school.text("field_of_study"))))
        start = partial(school.text("start_year"), school.text("start_month"))
        end = partial(school.text("end_year"), school.text("end_month"))
        builder.education(school=school.text("school"), degree=degree, period=span(start, end))
    place = record.text("location") or ", ".join(filter(None, (record.text("city"), record.text("country"))))
    builder.finish(about=record.text("about"), headline=record.text("headline"), location=place)
    builder.works_at(
        record.text("company"),
        domain=record.text("company_domain", "company_website"),
        industry=record.text("company_industry"),
        size=record.text("company_employee_range"),
        website=record.text("company_website"),
        description=record.text("company_description"),
        headquarters=", ".join(filter(None, (record.text("hq_city"), record.text("hq_country")))),
    )
    return None


RAPIDAPI = json_format(
    "rapidapi_fresh",
    "RapidAPI Fresh LinkedIn Profile Data",
    knows=lambda r: "public_id" in r and "experiences" in r and "educations" in r,
    fill=_rapidapi,
    unwrap=unwrapped,
)
