"""Europass CV as XML. Dates are attributes (`month="--03"`) or text; unknown parts are dashes."""

from __future__ import annotations

from datetime import date
from typing import Any, TypeAlias

from lxml import etree

from prospects.domain.building import PersonBuilder
from prospects.domain.evidence import Kind
from prospects.domain.formats.json_records import partial
from prospects.domain.imported import Format, ImportedPerson, Reading, Skipped
from prospects.domain.reading import Unreadable
from prospects.domain.upload import Upload
from prospects.domain.wild_dates import Period, period_of

NAME = "europass"
Node: TypeAlias = Any  # an element; lxml ships no types


def recognises(upload: Upload) -> bool:
    head = upload.head(4_000).lower()
    return not upload.is_zip and b"europass" in head and b"<" in head


def _parsed(data: bytes) -> Node | None:
    """Without entities and network: a document cannot reach outside itself or blow up."""
    parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False, huge_tree=False)
    try:
        root: Node = etree.fromstring(data, parser)
    except (etree.XMLSyntaxError, ValueError):
        return None
    return root if next(root.iter(etree.Entity), None) is None else None


def _all(node: Node, *path: str) -> list[Node]:
    """Descendants along local names, whatever their namespace."""
    query = ".//" + "/".join(f"*[local-name()='{name}']" for name in path)
    found = node.xpath(query)
    return list(found)


def _text(node: Node, *path: str) -> str:
    found = _all(node, *path)
    return " ".join("".join(str(part) for part in found[0].itertext()).split()) if found else ""


def _date(node: Node, name: str) -> str:
    found = _all(node, "Period", name)
    if not found:
        return ""
    parts = [str(found[0].get(part) or "").strip("-") for part in ("year", "month", "day")]
    return partial(*parts) if parts[0] else _text(node, "Period", name)


def _period(node: Node) -> Period:
    current = _text(node, "Period", "Current").casefold() == "true"
    return period_of(_date(node, "From"), "" if current else _date(node, "To"), open_when_blank=current)


def _fill(builder: PersonBuilder, root: Node) -> None:
    builder.named(first=_text(root, "PersonName", "FirstName"), last=_text(root, "PersonName", "Surname"))
    builder.emails(_text(root, "Email", "Contact"))
    builder.profile(*(_text(site, "Contact") for site in _all(root, "WebsiteList", "Website")))
    builder.text(Kind.HEADLINE, _text(root, "Headline", "Description", "Label"))
    country = _text(root, "Address", "Contact", "Country", "Label") or _text(root, "Address", "Contact", "Country")
    address = (_text(root, "Address", "Contact", "Municipality"), country)
    builder.text(Kind.LOCATION, ", ".join(filter(None, address)))
    for role in _all(root, "WorkExperienceList", "WorkExperience"):
        builder.position(
            title=_text(role, "Position", "Label"),
            company=_text(role, "Employer", "Name"),
            period=_period(role),
            description=_text(role, "Activities"),
        )
    for school in _all(root, "EducationList", "Education"):
        builder.education(
            school=_text(school, "Organisation", "Name"), degree=_text(school, "Title"), period=_period(school)
        )
    for spoken in _all(root, "MotherTongueList", "MotherTongue"):
        builder.language(_text(spoken, "Description", "Label"), "native")
    for spoken in _all(root, "ForeignLanguageList", "ForeignLanguage"):
        builder.language(_text(spoken, "Description", "Label"), _text(spoken, "ProficiencyLevel", "Listening"))
    builder.complete = frozenset({Kind.POSITION} & {item.kind for item in builder.items})


def read(upload: Upload, today: date) -> Reading | Unreadable:
    root = _parsed(upload.data)
    if root is None:
        return Unreadable("The Europass file is not well-formed XML without entities of its own. Export it again and import that.")
    builder = PersonBuilder(format_name=NAME, row=1, place=upload.file_name, observed_at=today)
    _fill(builder, root)
    found = builder.build()
    if isinstance(found, ImportedPerson):
        return Reading(format=NAME, people=(found,))
    return Reading(format=NAME, skipped=(Skipped(row=1, reason=found, place=upload.file_name),))


FORMAT = Format(name=NAME, label="Europass CV", recognises=recognises, read=read)
