"""Posts as JSON from scrapers: who wrote what, and what was only passed on."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, date, datetime

from prospects.domain.building import PersonBuilder
from prospects.domain.dates import DateInterval
from prospects.domain.evidence import Kind
from prospects.domain.formats.json_records import Json
from prospects.domain.identity import Key, post_id, profile_keys, slug_key
from prospects.domain.imported import Format, ImportedPerson, Reading, Skipped
from prospects.domain.names import fold_name
from prospects.domain.reading import Unreadable
from prospects.domain.upload import Upload
from prospects.domain.wild_dates import day, read_date

NAME = "linkedin_posts"
_MILLISECONDS_FROM = 100_000_000_000


def _knows(record: Json) -> bool:
    words = "content" in record or "commentary" in record or "text" in record
    dated = "postedAt" in record or "postedAtISO" in record or "postedAtTimestamp" in record
    return (
        words
        and (dated or "shareUrn" in record or "urn" in record)
        and ("author" in record or "actor" in record or "authorName" in record)
    )


def recognises(upload: Upload) -> bool:
    if upload.is_zip or not upload.looks_like_json or isinstance(upload.json_values, Unreadable):
        return False
    return any(_knows(Json(value)) for _, value in upload.json_values[:20])


def _when(record: Json) -> DateInterval | None:
    """The moment of posting; "5 days ago" is none."""
    moment = record.child("postedAt")
    written = read_date(moment.text("date") or record.text("postedAtISO", "postedAt")).interval
    if written is not None:
        return written
    stamp = moment.text("timestamp") or record.text("postedAtTimestamp")
    if not stamp.isdigit():
        return None
    seconds = int(stamp) / 1000 if int(stamp) >= _MILLISECONDS_FROM else int(stamp)
    return day(datetime.fromtimestamp(min(seconds, 4_000_000_000), UTC).date())


def _author(record: Json) -> tuple[str, Key | None]:
    """Name and key of whoever wrote the text; no key for companies."""
    author = record.child("author", "actor")
    name = (
        author.text("name")
        or record.text("authorName")
        or f"{author.text('firstName')} {author.text('lastName')}".strip()
    )
    address = author.text("linkedinUrl", "url", "profileUrl") or record.text("authorProfileUrl")
    found = next(iter(profile_keys(address)), None) or slug_key(author.text("publicIdentifier"))
    return name, None if author.text("type") == "company" else found


def _resharer(record: Json) -> str:
    """Who passed it on, as the header says: "X reposted this"."""
    header = record.child("header").text("text")
    return header.split(" reposted")[0].strip() if " reposted" in header else ""


def read(upload: Upload, today: date) -> Reading | Unreadable:
    values = upload.json_values
    if isinstance(values, Unreadable):
        return values
    records = [(row, Json(value)) for row, value in values]
    known = {fold_name(name): (name, key) for _, record in records for name, key in [_author(record)] if name and key}
    people: list[ImportedPerson] = []
    skipped: list[Skipped] = []
    for row, record in records:
        place = f"{upload.file_name} record {row}"
        found = _post(record, known, row=row, place=place, today=today)
        if isinstance(found, ImportedPerson):
            people.append(found)
        else:
            skipped.append(Skipped(row=row, reason=found, place=place))
    return Reading(format=NAME, people=tuple(people), skipped=tuple(skipped))


def _post(
    record: Json, known: Mapping[str, tuple[str, Key | None]], *, row: int, place: str, today: date
) -> ImportedPerson | str:
    text = record.text("content", "commentary", "text")
    if not text:
        return "it has no words"
    author, key = _author(record)
    resharer = _resharer(record)
    builder = PersonBuilder(format_name=NAME, row=row, place=place, observed_at=today)
    url = record.text("linkedinUrl", "url")
    number = record.text("id") or post_id(url) or post_id(record.text("urn", "shareUrn"))
    if resharer:
        name, key = known.get(fold_name(resharer), (resharer, None))
        if key is None:
            return f"nothing but a name says who reposted it ({resharer})"
        builder.reshared(text, author=author, when=_when(record), url=url, number=number)
    elif record.text("repostId"):
        return "it is a repost, and nothing says whose"
    else:
        name = author
        if key is None:
            return "it was not written by a person with a profile"
        builder.wrote(Kind.POST, text, when=_when(record), url=url, number=number)
    builder.named(full=name)
    builder.key(key)
    return builder.build()


FORMAT = Format(name=NAME, label="LinkedIn posts as JSON", recognises=recognises, read=read)
