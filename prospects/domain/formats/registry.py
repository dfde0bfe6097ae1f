"""All importers behind one door: which format a file has, and what it says."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import date

from prospects.domain.columns import Plan
from prospects.domain.formats import (
    apify_dev_fusion,
    apify_harvestapi,
    apollo,
    brightdata,
    clay,
    coresignal,
    europass,
    footnote,
    generic_table,
    google_contacts,
    heyreach,
    hubspot,
    json_resume,
    linkedin_api,
    linkedin_archive,
    people_data_labs,
    phantombuster,
    posts_json,
    proxycurl,
    rapidapi_fresh,
    salesforce,
    unipile,
    vcard,
    zoominfo,
)
from prospects.domain.imported import Format, Reading, Stream, collected, streamed
from prospects.domain.reading import Unreadable
from prospects.domain.upload import Upload

#: In the order they are tried: the most particular first.
FORMATS: tuple[Format, ...] = (
    vcard.FORMAT,
    europass.FORMAT,
    footnote.FORMAT,
    json_resume.FORMAT,
    posts_json.FORMAT,
    people_data_labs.PEOPLE_DATA_LABS_CSV,
    people_data_labs.PEOPLE_DATA_LABS,
    rapidapi_fresh.RAPIDAPI,
    unipile.UNIPILE,
    coresignal.CORESIGNAL,
    brightdata.BRIGHTDATA,
    apify_harvestapi.HARVESTAPI,
    apify_dev_fusion.DEV_FUSION,
    linkedin_api.LINKEDIN_API,
    proxycurl.PROXYCURL,
    phantombuster.SEARCH,
    phantombuster.PROFILE,
    phantombuster.POSTS,
    apollo.APOLLO,
    apollo.OVERWRITTEN,
    zoominfo.ZOOMINFO,
    heyreach.HEYREACH,
    clay.CLAY,
    google_contacts.GOOGLE_OLD,
    google_contacts.GOOGLE_NEW,
    hubspot.HUBSPOT,
    linkedin_archive.FORMAT_2018,
    linkedin_archive.FORMAT,
    salesforce.SALESFORCE,
    salesforce.SALESFORCE_LEADS,
    generic_table.CSV,
    generic_table.XLSX,
)
#: Tables of any header, whose columns a person may choose.
GENERIC = frozenset({generic_table.CSV.name, generic_table.XLSX.name})


def format_of(upload: Upload) -> Format | Unreadable:
    """The format of a file, or why it has none."""
    if upload.is_zip and isinstance(upload.members, Unreadable):
        return upload.members
    if not upload.is_zip and isinstance(upload.decoded, Unreadable):
        return upload.decoded
    found = next((format_ for format_ in FORMATS if format_.recognises(upload)), None)
    if found is not None:
        return found
    deeper = _fault(upload)
    if deeper is not None:
        return deeper
    if _is_table(upload):
        return Unreadable(
            f"{upload.file_name} is a table, but none of its columns is named as one that holds names. "
            "Choose its columns on the import page, or name one Full Name.",
            format=(generic_table.XLSX if upload.is_sheet else generic_table.CSV).name,
        )
    known = ", ".join(dict.fromkeys(format_.label for format_ in FORMATS))
    return Unreadable(f"{upload.file_name} is in no format that is known here. Known are: {known}.")


def _fault(upload: Upload) -> Unreadable | None:
    """What is wrong with a file that no format knows, where its form says what it should have been."""
    if upload.is_archive:
        return None
    found: object = upload.json_values if not upload.is_zip and upload.looks_like_json else upload.rows
    return found if isinstance(found, Unreadable) else None


def _is_table(upload: Upload) -> bool:
    """At least two rows of at least two cells each, of one width."""
    if upload.is_archive or upload.looks_like_json or isinstance(upload.rows, Unreadable):
        return False
    widths = [len(row.cells) for row in upload.rows[:50] if not row.blank]
    return len(widths) > 1 and min(widths) == max(widths) > 1


_DAY_IN_NAME = re.compile(r"(?<!\d)(20\d\d)[-_](\d\d)[-_](\d\d)(?!\d)")


def day_of_file(file_name: str, today: date) -> date:
    """The day that stands in a file's name, as exports write it ("all-contacts-2025-03-01.csv"); `today` without one.

    What such a file says was seen on that day, not on the day somebody imports it.
    """
    match = _DAY_IN_NAME.search(file_name)
    try:
        return min(date(*(int(part) for part in match.groups())), today) if match else today
    except ValueError:
        return today


def stream_of(upload: Upload, *, today: date, plan: Plan | None = None) -> Stream | Unreadable:
    """What a file says, record by record. `today` is the day it is read, for sources that do not say when they were made.

    plan: the columns of a table as a person chose them; the file is then read so, whatever format it looks like.
    """
    today = day_of_file(upload.file_name, today)
    stream = generic_table.stream_planned(upload, today, plan) if plan is not None else _recognised(upload, today)
    if not isinstance(stream, Unreadable) and stream.total == 0:
        return Unreadable(
            f"{upload.file_name} has column names but no rows under them; nothing was imported.", format=stream.format
        )
    return stream


def _recognised(upload: Upload, today: date) -> Stream | Unreadable:
    found = format_of(upload)
    if isinstance(found, Unreadable):
        return found
    if found.stream is not None:
        stream = found.stream(upload, today)
    else:
        reading = found.read(upload, today)
        stream = reading if isinstance(reading, Unreadable) else streamed(reading)
    return replace(stream, format=found.name) if isinstance(stream, Unreadable) else stream


def read_upload(upload: Upload, *, today: date, plan: Plan | None = None) -> Reading | Unreadable:
    """What a file says, all at once."""
    return collected(stream_of(upload, today=today, plan=plan))


def label_of(name: str) -> str:
    """The name of a format for people."""
    return next((format_.label for format_ in FORMATS if format_.name == name), name)
