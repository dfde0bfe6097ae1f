"""PhantomBuster: Sales Navigator search, profile scraper, and activity."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from datetime import date

from prospects.domain.building import PersonBuilder
from prospects.domain.evidence import Kind
from prospects.domain.formats.tables import Record, header_of, records_of, table_format
from prospects.domain.identity import profile_keys
from prospects.domain.imported import Format, ImportedPerson, Reading, Skipped
from prospects.domain.reading import Unreadable
from prospects.domain.upload import Upload
from prospects.domain.wild_dates import Period, read_date, read_period


def _day(*labels: str) -> Callable[[Record], date | None]:
    def read(record: Record) -> date | None:
        found = read_date(record.get(*labels))
        return found.interval.first if found.interval else None

    return read


def _search(builder: PersonBuilder, record: Record) -> None:
    """Three kinds of address for one person; durations without dates say nothing about a start."""
    builder.named(full=record.get("fullname", "name"), first=record.get("firstname"), last=record.get("lastname"))
    builder.profile(record.get("defaultprofileurl"), record.get("linkedinprofileurl"), record.get("profileurl"))
    builder.urn(record.get("vmid"))
    builder.text(Kind.ABOUT, record.get("summary"))
    builder.text(Kind.LOCATION, record.get("location"))
    builder.position(
        title=record.get("title"),
        company=record.get("companyname"),
        period=Period(current=True),
        description=record.get("titledescription"),
    )
    builder.position(
        title=record.get("pastexperiencecompanytitle"),
        company=record.get("pastexperiencecompanyname"),
        period=read_period(record.get("pastexperiencedate")),
    )
    builder.works_at(
        record.get("companyname"), industry=record.get("industry"), headquarters=record.get("companylocation")
    )
    builder.first_degree = record.get("connectiondegree").startswith("1")


def _profile(builder: PersonBuilder, record: Record) -> None:
    """ "Previous" means listed second: both roles may be open."""
    builder.named(first=record.get("firstname"), last=record.get("lastname"))
    builder.profile(record.get("profileurl"), record.get("linkedinprofileurl"))
    builder.slug(record.get("linkedinprofileslug"))
    builder.urn(record.get("linkedinprofileurn"))
    builder.number(record.get("linkedinprofileid"))
    builder.emails(record.get("professionalemail"))
    builder.text(Kind.HEADLINE, record.get("linkedinheadline"))
    builder.text(Kind.ABOUT, record.get("linkedindescription"))
    builder.text(Kind.LOCATION, record.get("location"))
    for prefix, company in (("linkedinjob", "companyname"), ("linkedinpreviousjob", "previouscompanyname")):
        builder.position(
            title=record.get(f"{prefix}title"),
            company=record.get(company),
            period=read_period(record.get(f"{prefix}daterange")),
            description=record.get(f"{prefix}description"),
            location=record.get(f"{prefix}location"),
        )
    builder.education(
        school=record.get("linkedinschoolname"),
        degree=record.get("linkedinschooldegree"),
        period=read_period(record.get("linkedinschooldaterange")),
    )
    for skill in record.get("linkedinskillslabel").split("|"):
        builder.skill(skill)
    builder.works_at(
        record.get("companyname"),
        domain=record.get("companywebsite"),
        industry=record.get("companyindustry"),
        website=record.get("companywebsite"),
    )
    builder.first_degree = record.get("connectiondegree").startswith("1")


SEARCH = table_format(
    "phantombuster_search",
    "PhantomBuster Sales Navigator search",
    needed="profileurl fullname vmid companyname",
    fill=_search,
    observed=_day("timestamp"),
    connects=True,
)
PROFILE = table_format(
    "phantombuster_profile",
    "PhantomBuster profile scraper",
    needed="profileurl linkedinheadline linkedinjobtitle",
    fill=_profile,
    observed=_day("refreshedat", "timestamp"),
    connects=True,
)
_POSTS = frozenset({"posturl", "postcontent", "action", "profileurl"})


def _read_posts(upload: Upload, today: date) -> Reading | Unreadable:
    """Only what the profile's owner posted is their own writing; who they are is said by those rows' author."""
    found = records_of(upload, _POSTS)
    if isinstance(found, Unreadable):
        return found
    records = list(found)
    names = _owners(records)
    people: list[ImportedPerson] = []
    skipped: list[Skipped] = []
    for record in records:
        person = _post(record, names, today)
        if isinstance(person, ImportedPerson):
            people.append(person)
        else:
            skipped.append(Skipped(row=record.row, reason=person, place=record.place, cells=dict(record.cells)))
    return Reading(format="phantombuster_posts", people=tuple(people), skipped=tuple(skipped))


def _owners(records: list[Record]) -> dict[str, str]:
    names: dict[str, str] = defaultdict(str)
    for record in records:
        owner, author = profile_keys(record.get("profileurl")), profile_keys(record.get("authorurl"))
        if owner and owner == author:
            names[owner[0].value] = names[owner[0].value] or record.get("author")
    return names


def _post(record: Record, names: dict[str, str], today: date) -> ImportedPerson | str:
    owner = profile_keys(record.get("profileurl"))
    if not owner:
        return "it does not say whose activity it is"
    action = record.get("action").casefold()
    if action not in {"post", "repost"}:
        return f"{action or 'an action without a name'} is not the person's own words"
    seen = read_date(record.get("timestamp")).interval
    builder = PersonBuilder(
        format_name="phantombuster_posts",
        row=record.row,
        place=record.place,
        observed_at=min(seen.first, today) if seen else today,
    )
    builder.named(full=names.get(owner[0].value, ""))
    builder.profile(record.get("profileurl"))
    when = read_date(record.get("posttimestamp")).interval
    if action == "post":
        builder.wrote(Kind.POST, record.get("postcontent"), when=when, url=record.get("posturl"))
    else:
        builder.reshared(record.get("postcontent"), author=record.get("author"), when=when, url=record.get("posturl"))
    if not builder.items:
        return "it has no words"
    found = builder.build()
    return found if isinstance(found, ImportedPerson) else "no row of the file names the person whose activity it is"


POSTS = Format(
    name="phantombuster_posts",
    label="PhantomBuster activity",
    recognises=lambda upload: header_of(upload, _POSTS) is not None,
    read=_read_posts,
)
