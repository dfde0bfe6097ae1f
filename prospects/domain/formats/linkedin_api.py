"""Profiles of the Python library linkedin-api."""

from __future__ import annotations

from prospects.domain.building import PersonBuilder
from prospects.domain.evidence import Kind
from prospects.domain.formats.json_records import Json, json_format, partial, span
from prospects.domain.wild_dates import read_date


def _time(entry: Json, which: str) -> str:
    moment = entry.child("timePeriod").child(which)
    return partial(moment.text("year"), moment.text("month"))


def _day(moment: Json) -> str:
    return partial(moment.text("year"), moment.text("month"), moment.text("day"))


def _linkedin_api(builder: PersonBuilder, record: Json) -> str | None:
    builder.named(first=record.text("firstName"), last=record.text("lastName"))
    builder.slug(record.text("public_id"))
    builder.urn(record.text("profile_urn", "urn_id", "profile_id"))
    builder.urn(record.text("member_urn"))
    for role in record.children("experience"):
        builder.position(
            title=role.text("title"),
            company=role.text("companyName"),
            period=span(_time(role, "startDate"), _time(role, "endDate")),
            description=role.text("description"),
            location=role.text("locationName"),
        )
    for school in record.children("education"):
        degree = " - ".join(filter(None, (school.text("degreeName"), school.text("fieldOfStudy"))))
        period = span(_time(school, "startDate"), _time(school, "endDate"))
        builder.education(school=school.text("schoolName"), degree=degree, period=period)
    for entry in record.children("languages"):
        builder.language(entry.text("name"), entry.text("proficiency").replace("_", " ").capitalize())
    for entry in record.children("certifications"):
        words = (("name", entry.text("name")), ("issuer", entry.text("authority")))
        builder.dated(Kind.CERTIFICATION, words, read_date(_time(entry, "startDate")))
    for entry in record.children("honors"):
        words = (("title", entry.text("title")), ("issuer", entry.text("issuer")))
        builder.dated(Kind.AWARD, words, read_date(_day(entry.child("issueDate"))))
    for entry in record.children("publications"):
        named = (("title", entry.text("name")), ("publisher", entry.text("publisher")), ("url", entry.text("url")))
        builder.dated(Kind.PUBLICATION, named, read_date(_day(entry.child("date"))))
    for word in record.words("skills"):
        builder.skill(word)
    place = ", ".join(filter(None, (record.text("geoLocationName"), record.text("geoCountryName", "locationName"))))
    builder.finish(about=record.text("summary"), headline=record.text("headline"), location=place)
    return None


LINKEDIN_API = json_format(
    "linkedin_api",
    "linkedin-api profile",
    knows=lambda r: (
        "firstName" in r and ("profile_urn" in r or "urn_id" in r or "public_id" in r) and "experience" in r
    ),
    fill=_linkedin_api,
)
