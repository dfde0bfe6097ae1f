"""Any table of people: columns are recognised by their names in seven languages; what is not recognised is reported."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date

from prospects.domain.building import PersonBuilder
from prospects.domain.evidence import Kind
from prospects.domain.formats.tables import Record, labels_of, records_of, warnings_of
from prospects.domain.imported import Format, ImportedPerson, Reading, Skipped
from prospects.domain.reading import Row, Unreadable
from prospects.domain.upload import Upload
from prospects.domain.wild_dates import Period, period_of, read_date

_WORDS: Mapping[str, str] = {
    "full": "fullname name contactname contact person displayname nomcomplet nomprenom vollstandigername nombrecompleto nomecompleto "
    "naam volledigenaam prospect lead prospectname leadname personname ansprechpartner",
    "first": "firstname givenname vorname prenom nombre primernombre nome voornaam fname forename first",
    "last": "lastname surname familyname nachname nom nomdefamille apellido apellidos cognome sobrenome achternaam lname zuname last",
    "email": "email emailaddress mail workemail businessemail personalemail emailprofessionnel correo correoelectronico courriel adresseemail "
    "emailadresse emailadres indirizzoemail enderecodeemail mailadresse contactemail primaryemail email1",
    "title": "title jobtitle position role fonction poste cargo puesto funktion stelle functie ruolo jobposition currenttitle "
    "positiontitle intitule funcao qualifica mansione beruf",
    "company": "company companyname organization organisation firma unternehmen societe entreprise empresa azienda bedrijf account "
    "accountname employer currentcompany organizationname organisationsname arbeitgeber firmenname raisonsociale",
    "domain": "website domain companydomain companywebsite web webseite siteweb sitioweb sitoweb homepage",
    "headline": "headline tagline linkedinheadline",
    "about": "about bio linkedinsummary aboutme",
    "location": "location place ort standort lieu ubicacion localizacao luogo locatie",
    "city": "city ville stadt ciudad cidade citta plaats town",
    "region": "state region province bundesland provincia estado regione provincie",
    "country": "country land pays pais paese countryregion",
    "linkedin": "linkedin linkedinurl linkedinprofile linkedinprofileurl profileurl personlinkedinurl profile url profillinkedin "
    "linkedinlink publicprofileurl contactlinkedinurl profil perfil",
    "linkedin_id": "linkedinid memberid linkedinmemberid",
    "industry": "industry branche secteur sector industria settore companyindustry",
    "size": "companysize employees numberofemployees mitarbeiter effectif headcount",
    "started": "started startdate startedon since seit depuis startdatum",
    "language": "language sprache langue idioma lingua taal preferredlanguage",
}
_TARGETS: Mapping[str, str] = {label: target for target, labels in _WORDS.items() for label in labels.split()}
_NAMES = frozenset({"full", "first", "last"})


def _targets(row: Row) -> dict[str, str]:
    """Folded label → target. "Nom" beside "Prénom" is the last name, alone it is the whole name."""
    labels = labels_of(row)
    found = {label: _TARGETS[label] for label in labels if label in _TARGETS}
    if "first" not in found.values():
        found |= {label: "full" for label in ("nom", "nome", "nombre") if label in found}
    if "nome" in labels and "cognome" not in labels and "sobrenome" not in labels and "nome" in found:
        found["nome"] = "full"
    return found


def _score(row: Row) -> float:
    """How much like a header of people a row looks: known columns, less for cells that no header has."""
    targets = _targets(row)
    if not _NAMES & set(targets.values()):
        return 0.0
    filled = [cell for cell in row.cells if cell.strip()]
    alien = sum(1 for cell in filled if "@" in cell or "://" in cell or len(cell) > 80)
    return max(0.0, len(set(targets.values())) + len(targets) / max(len(filled), 1) - 2 * alien)


def _header(upload: Upload) -> Row | None:
    if upload.is_archive or isinstance(upload.rows, Unreadable):
        return None
    best = max(upload.rows[:40], key=_score, default=None)
    return best if best is not None and _score(best) > 0 else None


def _values(record: Record, targets: Mapping[str, str], wanted: str) -> list[str]:
    return [value for label, target in targets.items() if target == wanted and (value := record.get(label))]


def _fill(builder: PersonBuilder, record: Record, targets: Mapping[str, str], warnings: list[str]) -> None:
    def first(wanted: str) -> str:
        return next(iter(_values(record, targets, wanted)), "")

    builder.named(full=first("full"), first=first("first"), last=first("last"))
    builder.profile(*_values(record, targets, "linkedin"))
    builder.emails(*_values(record, targets, "email"))
    builder.number(first("linkedin_id"))
    builder.text(Kind.HEADLINE, first("headline"))
    builder.text(Kind.ABOUT, first("about"))
    places = [first("location")] if first("location") else [first(part) for part in ("city", "region", "country")]
    builder.text(Kind.LOCATION, ", ".join(filter(None, places)))
    builder.position(
        title=first("title"), company=first("company"), period=_started(record, first("started"), warnings)
    )
    builder.works_at(
        first("company"),
        domain=first("domain"),
        industry=first("industry"),
        size=_size(record, first("size"), warnings),
    )
    code = first("language")
    if len(code) in {2, 5} and code[:2].isalpha():
        builder.text(Kind.PROFILE_LANGUAGE, code, fields=(("code", code),))


def _started(record: Record, text: str, warnings: list[str]) -> Period:
    if text and read_date(text).problem:
        warnings.append(f"{record.place}: {read_date(text).problem}; the start is kept as unknown.")
    return period_of(text, "")


def _size(record: Record, text: str, warnings: list[str]) -> str:
    """A spreadsheet turns "2-10" into a day of a month; that is no size any more."""
    if text and any(sign.isalpha() for sign in text) and read_date(f"{text} 2020").interval is not None:
        warnings.append(
            f"{record.place}: {text!r} was a size before a spreadsheet took it for a date; it was not used."
        )
        return ""
    return text


def recognises(upload: Upload) -> bool:
    return _header(upload) is not None


def _read(upload: Upload, today: date, *, format_name: str) -> Reading | Unreadable:
    header = _header(upload)
    if header is None:
        return Unreadable(
            "No row names the columns. The first row should, for example: First Name, Last Name, Company."
        )
    records = records_of(upload, labels_of(header))
    if isinstance(records, Unreadable):
        return records
    targets = _targets(header)
    warnings = [*warnings_of(upload), *_not_used(header, targets)]
    people: list[ImportedPerson] = []
    skipped: list[Skipped] = []
    for record in records:
        builder = PersonBuilder(format_name=format_name, row=record.row, place=record.place, observed_at=today)
        builder.fingerprint = record.fingerprint
        _fill(builder, record, targets, warnings)
        found = builder.build()
        if isinstance(found, ImportedPerson):
            people.append(found)
        else:
            skipped.append(Skipped(row=record.row, reason=found, place=record.place, cells=dict(record.cells)))
    return Reading(format=format_name, people=tuple(people), skipped=tuple(skipped), warnings=tuple(warnings[:200]))


def _not_used(header: Row, targets: Mapping[str, str]) -> list[str]:
    unused = [cell.strip() for cell in header.cells if cell.strip() and not _TARGETS.get(_fold(cell))]
    named = [cell for cell in unused if _fold(cell) not in targets]
    return [f"Columns that were not used: {', '.join(named[:30])}."] if named else []


def _fold(cell: str) -> str:
    return next(iter(labels_of(Row(number=0, cells=(cell,)))), "")


CSV = Format(
    name="csv",
    label="any CSV with names",
    recognises=lambda upload: not upload.is_zip and recognises(upload),
    read=lambda upload, today: _read(upload, today, format_name="csv"),
)
XLSX = Format(
    name="xlsx",
    label="any XLSX with names",
    recognises=lambda upload: upload.is_sheet and recognises(upload),
    read=lambda upload, today: _read(upload, today, format_name="xlsx"),
)
