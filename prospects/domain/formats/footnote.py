"""The product's own JSON form: one dossier per line or per list entry."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from datetime import date
from itertools import islice

from prospects.domain.dossier_json import ReadProspect, UnreadableDossier, read_prospect
from prospects.domain.evidence import Evidence, Kind
from prospects.domain.identity import Key, KeyKind, email_keys, slug_key, urn_key
from prospects.domain.imported import ImportedPerson, Outcome, Skipped, Stream, name_evidence, row_key, streaming
from prospects.domain.names import NoName, read_name
from prospects.domain.reading import Unreadable
from prospects.domain.upload import Upload

NAME = "footnote"
_COMPANY_KINDS = frozenset({Kind.COMPANY_FACT, Kind.COMPANY_NEWS, Kind.COLLEAGUE, Kind.JOB})
#: Not part of the form, but read as identity where somebody adds them.
_ADDRESS_KEYS = frozenset({"prospect.email", "prospect.emails", "prospect.linkedin", "prospect.linkedin_url"})


def recognises(upload: Upload) -> bool:
    values = upload.json_values
    if isinstance(values, Unreadable):
        return False
    return any(isinstance(value, Mapping) and isinstance(value.get("prospect"), Mapping) for _, value in values[:20])


def stream(upload: Upload, observed_at: date) -> Stream | Unreadable:
    values = upload.json_values
    if isinstance(values, Unreadable):
        return values
    warnings: list[str] = []

    def outcomes(start: int) -> Iterator[Outcome]:
        for row, value in islice(values, start, None):
            place = f"{upload.file_name} line {row}"
            found = _person(value, row=row, place=place, observed_at=observed_at, warnings=warnings)
            yield Skipped(row=row, reason=found, place=place) if isinstance(found, str) else found

    return Stream(format=NAME, rows=len(values), outcomes=outcomes, warnings=warnings)


def _person(value: object, *, row: int, place: str, observed_at: date, warnings: list[str]) -> ImportedPerson | str:
    if isinstance(value, Unreadable):
        return value.message
    try:
        dossier = read_prospect(value, observed_at=observed_at, source=place)
    except UnreadableDossier as error:
        return str(error)
    name = read_name(dossier.full_name)
    if isinstance(name, NoName):
        return name.reason
    given = value if isinstance(value, Mapping) else {}
    _report(dossier, place=place, warnings=warnings)
    company = _company_name(dossier)
    return ImportedPerson(
        row=row,
        place=place,
        name=name,
        keys=_keys(dossier, given),
        evidence=(
            name_evidence(name, observed_at=observed_at, source=place),
            *_person_evidence(dossier, company=company),
        ),
        company=company,
        about_company=tuple(item for item in dossier.items if item.kind in _COMPANY_KINDS) if company else (),
        in_common_with=_sender_name(given),
        complete=_complete(dossier),
    )


def _person_evidence(dossier: ReadProspect, *, company: str) -> list[Evidence]:
    items = [item for item in dossier.items if item.kind is not Kind.NAME]
    if company:
        items = [item for item in items if item.kind not in _COMPANY_KINDS]
    return [item for item in items if item.text or item.fields]


def _company_name(dossier: ReadProspect) -> str:
    named = (item.get("value") for item in dossier.items if item.get("attribute") == "name")
    positions = [item for item in dossier.items if item.kind is Kind.POSITION]
    current = (item.get("company") for item in positions if not item.get("end"))
    return next((name for name in (*named, *current) if name), "")


def _keys(dossier: ReadProspect, given: Mapping[str, object]) -> tuple[Key, ...]:
    keys: list[Key] = []
    prospect = given["prospect"] if isinstance(given["prospect"], Mapping) else {}
    for field in ("linkedin", "linkedin_url"):
        address = str(prospect.get(field) or "")
        keys += [key for key in (slug_key(address) if address else None, urn_key(address)) if key]
    addresses: object = prospect.get("emails") or prospect.get("email") or ""
    for entry in addresses if isinstance(addresses, list) else [addresses]:
        keys += email_keys(str(entry))
    if dossier.dossier_id:
        keys.append(Key(KeyKind.SOURCE_ID, f"{NAME}:{dossier.dossier_id}"[:500]))
    return tuple(dict.fromkeys(keys)) or (row_key(NAME, json.dumps(given, ensure_ascii=False, sort_keys=True)),)


def _complete(dossier: ReadProspect) -> frozenset[Kind]:
    return frozenset({Kind.POSITION} & {item.kind for item in dossier.items})


def _sender_name(given: Mapping[str, object]) -> str:
    sender = given.get("sender")
    return str(sender.get("full_name") or "").strip() if isinstance(sender, Mapping) else ""


def _report(dossier: ReadProspect, *, place: str, warnings: list[str]) -> None:
    warnings += [f"{place}: {warning}" for warning in dossier.warnings]
    unknown = [key for key in dossier.unknown_keys if key not in _ADDRESS_KEYS]
    if unknown:
        warnings.append(f"{place}: unknown keys were not used: {', '.join(unknown[:10])}.")


FORMAT = streaming(NAME, "Footnote JSON", recognises=recognises, stream=stream)
