"""Coresignal members."""

from __future__ import annotations

from prospects.domain.building import PersonBuilder
from prospects.domain.formats.json_records import Json, json_format, partial, span
from prospects.domain.wild_dates import Period


def _coresignal(builder: PersonBuilder, record: Json) -> str | None:
    """Rows that are marked deleted are gone from the profile."""
    builder.named(full=record.text("full_name", "name"), first=record.text("first_name"), last=record.text("last_name"))
    builder.profile(record.text("profile_url", "url", "canonical_url", "linkedin_url"))
    builder.slug(record.text("shorthand_name", "canonical_shorthand_name", "public_profile_id"))
    builder.emails(record.text("primary_professional_email", "email"))
    builder.source_id(record.text("id"))
    for role in _kept(record.children("experience", "member_experience_collection")):
        builder.position(
            title=role.text("title", "position_title"),
            company=role.text("company_name"),
            period=_coresignal_period(role),
            description=role.text("description"),
            location=role.text("location"),
        )
    for school in _kept(record.children("education", "member_education_collection")):
        builder.education(
            school=school.text("institution", "title", "institution_name"),
            degree=school.text("program", "degree", "subtitle"),
            period=_coresignal_period(school),
        )
    for entry in _kept(record.children("languages", "member_languages_collection")):
        name = entry.text("language", "name") or entry.child("member_language_list").text("language")
        builder.language(name, entry.text("proficiency"))
    place = record.text("location", "location_full", "location_raw_address")
    builder.finish(
        about=record.text("summary", "description"),
        headline=record.text("headline", "title"),
        location=place,
    )
    return None


def _kept(entries: list[Json]) -> list[Json]:
    return [entry for entry in entries if entry.value.get("deleted") not in (1, "1", True, "true")]


def _coresignal_period(entry: Json) -> Period:
    start = partial(entry.text("date_from_year"), entry.text("date_from_month")) or entry.text("date_from")
    end = partial(entry.text("date_to_year"), entry.text("date_to_month")) or entry.text("date_to")
    return span(start, end)


CORESIGNAL = json_format(
    "coresignal",
    "Coresignal member",
    knows=lambda r: (
        "member_experience_collection" in r
        or "shorthand_name" in r
        or ("experience" in r and any("date_from" in role for role in r.children("experience")))
    ),
    fill=_coresignal,
    observed=lambda r: r.text("last_updated", "updated_at"),
)
