"""JSON Resume, today's schema and the legacy 0.0.x."""

from __future__ import annotations

from prospects.domain.building import PersonBuilder
from prospects.domain.evidence import Kind
from prospects.domain.formats.json_records import Json, json_format, span
from prospects.domain.wild_dates import read_date


def _fill(builder: PersonBuilder, record: Json) -> str | None:
    basics = record.child("basics")
    builder.named(full=basics.text("name"))
    builder.emails(basics.text("email"))
    for profile in basics.children("profiles"):
        if profile.text("network").casefold() == "linkedin":
            builder.profile(profile.text("url"))
            builder.slug(profile.text("username"))
    builder.text(Kind.HEADLINE, basics.text("label"))
    builder.text(Kind.ABOUT, basics.text("summary"))
    place = basics.child("location")
    builder.text(
        Kind.LOCATION, ", ".join(filter(None, (place.text("city"), place.text("region"), place.text("countryCode"))))
    )
    for role in record.children("work"):
        words = [role.text("summary"), *role.words("highlights")]
        builder.position(
            title=role.text("position"),
            company=role.text("name", "company"),
            period=span(role.text("startDate"), role.text("endDate")),
            description="\n".join(filter(None, words)),
            location=role.text("location"),
        )
    _learned(builder, record)
    _achieved(builder, record)
    builder.complete = frozenset({Kind.POSITION} & {item.kind for item in builder.items})
    return None


def _learned(builder: PersonBuilder, record: Json) -> None:
    for school in record.children("education"):
        degree = " ".join(filter(None, (school.text("studyType"), school.text("area"))))
        period = span(school.text("startDate"), school.text("endDate"))
        builder.education(school=school.text("institution"), degree=degree, period=period)
    for skill in record.children("skills"):
        for word in [skill.text("name"), *skill.words("keywords")]:
            builder.skill(word)
    for entry in record.children("languages"):
        builder.language(entry.text("language"), entry.text("fluency"))


def _achieved(builder: PersonBuilder, record: Json) -> None:
    for award in record.children("awards"):
        words_of = (("title", award.text("title")), ("issuer", award.text("awarder")))
        builder.dated(Kind.AWARD, words_of, read_date(award.text("date")))
    for entry in record.children("certificates"):
        builder.dated(
            Kind.CERTIFICATION,
            (("name", entry.text("name")), ("issuer", entry.text("issuer"))),
            read_date(entry.text("date")),
        )
    for entry in record.children("publications"):
        named = (
            ("title", entry.text("name")),
            ("publisher", entry.text("publisher")),
            ("url", entry.text("url", "website")),
        )
        builder.dated(Kind.PUBLICATION, named, read_date(entry.text("releaseDate")))


FORMAT = json_format(
    "json_resume",
    "JSON Resume",
    knows=lambda r: "basics" in r and ("work" in r or "education" in r),
    fill=_fill,
    observed=lambda r: r.child("meta").text("lastModified"),
)
