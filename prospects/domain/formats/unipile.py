"""Unipile user profiles."""

from __future__ import annotations

import re

from prospects.domain.building import PersonBuilder
from prospects.domain.evidence import Kind
from prospects.domain.formats.json_records import Json, as_text, json_format, partial, span
from prospects.domain.wild_dates import read_date


def _unipile(builder: PersonBuilder, record: Json) -> str | None:
    """Dates are month/day/year; an end of null is open; sections may be withheld though their count is not zero."""
    builder.named(first=record.text("first_name"), last=record.text("last_name"))
    builder.slug(record.text("public_identifier"))
    builder.urn(record.text("provider_id", "member_urn"))
    contact = record.child("contact_info")
    builder.emails(*contact.words("emails"), *record.words("emails"))
    for role in record.children("work_experience"):
        builder.position(
            title=role.text("position"),
            company=role.text("company"),
            period=span(_american(role.text("start")), _american(role.text("end"))),
            description=role.text("description"),
            location=role.text("location"),
        )
    for school in record.children("education"):
        degree = " - ".join(filter(None, (school.text("degree"), school.text("field_of_study"))))
        period = span(_american(school.text("start")), _american(school.text("end")))
        builder.education(school=school.text("school"), degree=degree, period=period)
    for entry in record.children("languages"):
        builder.language(_LOCALE.sub("", entry.text("name")), entry.text("proficiency"))
    for word in record.words("skills"):
        builder.skill(word)
    for entry in record.children("certifications"):
        words = (("name", entry.text("name")), ("issuer", entry.text("organization", "issuer")))
        builder.dated(Kind.CERTIFICATION, words, read_date(""))
    code = record.child("primary_locale").text("language")
    builder.text(Kind.PROFILE_LANGUAGE, code, fields=(("code", code),))
    builder.first_degree = record.text("network_distance") in {"FIRST_DEGREE", "DISTANCE_1"}
    builder.finish(
        about=record.text("summary"),
        headline=record.text("headline"),
        location=record.text("location"),
    )
    if _withheld(record, "work_experience"):
        builder.complete = frozenset()
    return None


def _withheld(record: Json, section: str) -> bool:
    """Whether the profile has more of a section than was delivered: what is missing has not ended."""
    total = record.text(f"{section}_total_count")
    return total.isdecimal() and int(total) > len(record.children(section))


_LOCALE = re.compile(r"\s*\([^)]*\)\s*\Z")


def _american(text: str) -> str:
    """ "11/1/2021" is November 2021: the first of a month stands for the month."""
    parts = text.split("/")
    if len(parts) != 3:
        return text
    month, day, year = parts
    return partial(year, month, "" if day in {"1", "01"} else day)


UNIPILE = json_format(
    "unipile",
    "Unipile profile",
    knows=lambda r: (
        as_text(r.value.get("object")) == "UserProfile" or ("provider_id" in r and "public_identifier" in r)
    ),
    fill=_unipile,
)
