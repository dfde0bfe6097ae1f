"""Profiles of the Apify actor harvestapi."""

from __future__ import annotations

from prospects.domain.building import PersonBuilder
from prospects.domain.formats.json_records import Json, json_format, span
from prospects.domain.wild_dates import read_period


def _harvestapi(builder: PersonBuilder, record: Json) -> str | None:
    builder.named(first=record.text("firstName"), last=record.text("lastName"))
    builder.slug(record.text("publicIdentifier"))
    builder.profile(record.text("linkedinUrl"))
    builder.urn(record.text("id"))
    builder.emails(*record.words("emails"), *(entry.text("email") for entry in record.children("emails")))
    for role in record.children("experience"):
        builder.position(
            title=role.text("position"),
            company=role.text("companyName"),
            period=read_period(f"{role.child('startDate').text('text')} - {role.child('endDate').text('text')}"),
            description=role.text("description"),
            location=role.text("location"),
        )
    for school in record.children("education"):
        degree = " - ".join(filter(None, (school.text("degree"), school.text("fieldOfStudy"))))
        start, end = school.child("startDate").text("text", "year"), school.child("endDate").text("text", "year")
        builder.education(school=school.text("schoolName"), degree=degree, period=span(start, end))
    for entry in record.children("languages"):
        builder.language(entry.text("name"), entry.text("proficiency"))
    for word in [*record.words("skills"), *record.text("topSkills").split(" • ")]:
        builder.skill(word)
    location = record.child("location")
    place = location.child("parsed").text("text") or location.text("linkedinText")
    builder.finish(about=record.text("about"), headline=record.text("headline"), location=place)
    return None


HARVESTAPI = json_format(
    "apify_harvestapi",
    "Apify harvestapi profile",
    knows=lambda r: "publicIdentifier" in r and "firstName" in r and "experience" in r,
    fill=_harvestapi,
)
