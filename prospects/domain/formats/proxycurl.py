"""Proxycurl and NinjaPear profiles."""

from __future__ import annotations

from prospects.domain.building import PersonBuilder
from prospects.domain.evidence import Kind
from prospects.domain.formats.json_records import Json, json_format, partial, span
from prospects.domain.wild_dates import read_date


def _day(entry: Json) -> str:
    """A year alone is delivered as its first or last day: those two days count as the year, or as the month."""
    year, month, day = entry.text("year"), entry.text("month"), entry.text("day")
    if (month, day) in {("1", "1"), ("12", "31")}:
        return partial(year, "" if month == "12" or day == "1" else month)
    return partial(year, month, "" if day in {"1", "28", "29", "30", "31"} else day)


def _proxycurl(builder: PersonBuilder, record: Json) -> str | None:
    if "code" in record and "public_identifier" not in record:
        return f"the service answered {record.text('code')}: {record.text('description', 'name') or 'no profile'}"
    builder.named(full=record.text("full_name"), first=record.text("first_name"), last=record.text("last_name"))
    builder.slug(record.text("public_identifier"))
    builder.emails(*record.words("personal_emails"))
    for role in record.children("experiences"):
        builder.position(
            title=role.text("title"),
            company=role.text("company"),
            period=span(_day(role.child("starts_at")), _day(role.child("ends_at"))),
            description=role.text("description"),
            location=role.text("location"),
        )
    for school in record.children("education"):
        degree = " - ".join(filter(None, (school.text("degree_name"), school.text("field_of_study"))))
        period = span(_day(school.child("starts_at")), _day(school.child("ends_at")))
        builder.education(school=school.text("school"), degree=degree, period=period)
    _achievements(builder, record)
    for word in record.words("languages"):
        builder.language(word)
    for word in record.words("skills"):
        builder.skill(word)
    place = ", ".join(filter(None, (record.text("city"), record.text("state"), record.text("country_full_name"))))
    builder.finish(about=record.text("summary"), headline=record.text("headline"), location=place)
    return None


def _achievements(builder: PersonBuilder, record: Json) -> None:
    for entry in record.children("certifications"):
        words = (("name", entry.text("name")), ("issuer", entry.text("authority")))
        builder.dated(Kind.CERTIFICATION, words, read_date(_day(entry.child("starts_at"))))
    for entry in record.children("accomplishment_honors_awards"):
        words = (("title", entry.text("title")), ("issuer", entry.text("issuer")))
        builder.dated(Kind.AWARD, words, read_date(_day(entry.child("issued_on"))))
    for entry in record.children("accomplishment_publications"):
        named = (("title", entry.text("name")), ("publisher", entry.text("publisher")), ("url", entry.text("url")))
        builder.dated(Kind.PUBLICATION, named, read_date(_day(entry.child("published_on"))))


PROXYCURL = json_format(
    "proxycurl",
    "Proxycurl profile",
    knows=lambda r: (
        ("public_identifier" in r and "experiences" in r) or ("code" in r and "description" in r and "name" in r)
    ),
    fill=_proxycurl,
)
