"""Profiles of the Apify actor dev_fusion."""

from __future__ import annotations

from prospects.domain.building import PersonBuilder
from prospects.domain.evidence import Kind
from prospects.domain.formats.json_records import Json, json_format
from prospects.domain.wild_dates import WildDate, read_date, read_period


def _dev_fusion(builder: PersonBuilder, record: Json) -> str | None:
    builder.named(full=record.text("fullName"), first=record.text("firstName"), last=record.text("lastName"))
    builder.profile(record.text("linkedinUrl"), record.text("linkedinPublicUrl"))
    builder.slug(record.text("publicIdentifier"))
    builder.urn(record.text("urn"))
    builder.emails(record.text("email"))
    for entry in record.children("experiences"):
        _dev_fusion_role(builder, entry)
    for school in record.children("educations"):
        period = read_period(school.text("caption"))
        builder.education(school=school.text("title"), degree=school.text("subtitle"), period=period)
    for entry in record.children("languages"):
        builder.language(entry.text("title"), entry.text("caption"))
    for entry in record.children("skills"):
        builder.skill(entry.text("title"))
    for entry in record.children("licenseAndCertificates"):
        words = (("name", entry.text("title")), ("issuer", entry.text("subtitle")))
        builder.dated(Kind.CERTIFICATION, words, _issued(entry.text("caption")))
    for entry in record.children("honorsAndAwards"):
        issuer, _, when = entry.text("subtitle").removeprefix("Issued by ").partition(" · ")
        builder.dated(Kind.AWARD, (("title", entry.text("title")), ("issuer", issuer)), _issued(when))
    place = record.text("addressWithCountry", "addressWithoutCountry")
    builder.finish(about=record.text("about"), headline=record.text("headline"), location=place)
    builder.works_at(
        record.text("companyName"),
        industry=record.text("companyIndustry"),
        size=record.text("companySize"),
        domain=record.text("companyWebsite"),
    )
    return None


def _issued(text: str) -> WildDate:
    """ "Issued Aug 2020 · Expires Aug 2023" was issued in August 2020."""
    return read_date(text.partition(" · ")[0].removeprefix("Issued "))


def _described(entry: Json) -> str:
    """What a role's holder wrote about it, paragraph by paragraph."""
    parts = [
        *entry.children("description"),
        *(part for sub in entry.children("subComponents") for part in sub.children("description")),
    ]
    return "\n".join(text for part in parts if (text := part.text("text")))


def _dev_fusion_role(builder: PersonBuilder, entry: Json) -> None:
    """With `breakdown` the title is the company, and the roles are its parts."""
    if entry.value.get("breakdown") is True:
        for role in entry.children("subComponents"):
            builder.position(
                title=role.text("title"),
                company=entry.text("title"),
                period=read_period(role.text("caption") or entry.text("caption")),
                location=role.text("metadata"),
                description=_described(role),
            )
        return
    builder.position(
        title=entry.text("title"),
        company=entry.text("subtitle").split(" · ")[0],
        period=read_period(entry.text("caption")),
        location=entry.text("metadata"),
        description=_described(entry),
    )


DEV_FUSION = json_format(
    "apify_dev_fusion",
    "Apify dev_fusion profile",
    knows=lambda r: "fullName" in r and "experiences" in r and ("addressWithCountry" in r or "linkedinUrl" in r),
    fill=_dev_fusion,
)
