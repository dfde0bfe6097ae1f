"""A file of whom not to write to: opt-outs, customers, open opportunities. Rows in, targets and problem rows out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from prospects.domain.formats.tables import records_of
from prospects.domain.identity import domain_of, is_blank, own_domain
from prospects.domain.imported import Skipped
from prospects.domain.reading import Row, Unreadable, fold_label
from prospects.domain.suppression import SuppressionKind, Target, read_target
from prospects.domain.upload import Upload


class ListKind(StrEnum):
    """Why they are on the list. It decides what a row covers."""

    OPT_OUT = "opt_out"
    CUSTOMER = "customer"
    OPPORTUNITY = "opportunity"


_COLUMNS: Mapping[SuppressionKind, frozenset[str]] = {
    SuppressionKind.EMAIL: frozenset(
        fold_label(name)
        for name in (
            "email", "e-mail", "email address", "e-mail address", "mail", "work email", "primary email", "contact email",
            "e-mail-adresse", "adresse e-mail", "courriel", "correo", "correo electrónico", "indirizzo email", "e-mailadres",
        )
    ),
    SuppressionKind.DOMAIN: frozenset(
        fold_label(name)
        for name in (
            "domain", "website", "web site", "company domain", "company website", "company domain name", "homepage", "url",
            "web", "domaine", "dominio", "domínio", "webseite", "site",
        )
    ),
    SuppressionKind.PROFILE: frozenset(
        fold_label(name)
        for name in (
            "linkedin", "linkedin url", "profile", "profile url", "linkedin profile", "person linkedin url",
            "linkedin profile url", "profil", "perfil", "profilo", "profiel",
        )
    ),
    SuppressionKind.COMPANY: frozenset(
        fold_label(name)
        for name in (
            "company", "company name", "account", "account name", "organization", "organisation", "customer", "employer",
            "firma", "unternehmen", "kunde", "entreprise", "société", "client", "empresa", "azienda", "cliente", "bedrijf",
            "klant",
        )
    ),
}  # fmt: skip
_PERSON = frozenset({SuppressionKind.EMAIL, SuppressionKind.PROFILE})
_NEEDED = "email, domain, profile or company"


@dataclass(frozen=True, slots=True)
class SuppressionFile:
    """Targets in the order of the file, each once, and the rows that name nobody."""

    rows: int
    targets: tuple[Target, ...]
    skipped: tuple[Skipped, ...] = ()
    columns: tuple[str, ...] = field(default=())


def read_suppressions(upload: Upload, *, kind: ListKind) -> SuppressionFile | Unreadable:
    """Read a CSV or XLSX with a header, or one column of addresses without.

    Whoever opted out is one person: the company in their row is not. A customer or an open opportunity is the whole
    company: its domain and name are covered too.
    """
    rows = upload.rows
    if isinstance(rows, Unreadable):
        return rows
    header = next((row for row in rows[:40] if _kinds_of(row)), None)
    if header is None:
        return _without_header(rows, upload.file_name)
    labels = {label: found for cell in header.cells if (found := _kind_of(cell)) and (label := fold_label(cell))}
    records = records_of(upload, frozenset(labels))
    if isinstance(records, Unreadable):
        return records
    targets: dict[Target, None] = {}
    skipped: list[Skipped] = []
    count = 0
    for record in records:
        count += 1
        cells = [(found, value) for label, found in labels.items() if (value := record.get(label))]
        good, faults = _targets(cells, kind)
        targets |= dict.fromkeys(good)
        if faults or not good:
            reason = " ".join(faults) or f"The row has no {_NEEDED}."
            skipped.append(
                Skipped(row=record.row, reason=reason, place=record.place, cells=record.cells)
            )
    columns = tuple(cell.strip() for cell in header.cells if _kind_of(cell))
    return SuppressionFile(rows=count, targets=tuple(targets), skipped=tuple(skipped), columns=columns)


def _kind_of(cell: str) -> SuppressionKind | None:
    label = fold_label(cell)
    return next((kind for kind, labels in _COLUMNS.items() if label in labels), None)


def _kinds_of(row: Row) -> list[SuppressionKind]:
    return [kind for cell in row.cells if (kind := _kind_of(cell))]


def _targets(cells: list[tuple[SuppressionKind, str]], kind: ListKind) -> tuple[list[Target], list[str]]:
    person = any(found in _PERSON for found, _ in cells)
    wanted = [
        (found, value) for found, value in cells if kind is not ListKind.OPT_OUT or not person or found in _PERSON
    ]
    read = [target for found, value in wanted for target in _read(found, value)]
    return [one for one in read if isinstance(one, Target)], [one for one in read if isinstance(one, str)]


def _read(kind: SuppressionKind, value: str) -> Iterator[Target | str]:
    """What one cell covers; several addresses in a cell are several targets."""
    parts = (
        [part.strip() for part in value.replace(";", ",").split(",")]
        if kind is not SuppressionKind.COMPANY
        else [value]
    )
    for part in parts:
        if is_blank(part):
            continue
        if kind is SuppressionKind.DOMAIN and domain_of(part) and not own_domain(part):
            yield f"“{domain_of(part)}” belongs to a provider that many companies use; name the address or the company."
            continue
        found = read_target(kind, part)
        yield found if isinstance(found, Target) else f"“{part[:80]}”: {found}"


def _without_header(rows: Sequence[Row], file_name: str) -> SuppressionFile | Unreadable:
    """One column of addresses, domains or profiles, each known by its form. Names of companies need a header."""
    filled = [(row, [cell for cell in row.cells if not is_blank(cell)]) for row in rows]
    filled = [(row, cells) for row, cells in filled if cells]
    if not filled:
        return Unreadable("The file is empty.")
    if any(len(cells) > 1 for _, cells in filled[:200]) or not any(_by_form(cells[0]) for _, cells in filled[:200]):
        return Unreadable(f"No column is called {_NEEDED}. Name the columns in the first row.")
    targets: dict[Target, None] = {}
    skipped: list[Skipped] = []
    for row, cells in filled:
        found = _by_form(cells[0])
        read = list(_read(found, cells[0])) if found else [f"“{cells[0][:80]}” is no address, domain or profile."]
        targets |= dict.fromkeys(one for one in read if isinstance(one, Target))
        faults = [one for one in read if isinstance(one, str)]
        if faults:
            skipped.append(Skipped(row=row.number, reason=" ".join(faults), place=f"{file_name} row {row.number}"))
    return SuppressionFile(rows=len(filled), targets=tuple(targets), skipped=tuple(skipped))


def _by_form(cell: str) -> SuppressionKind | None:
    if "linkedin.com/" in cell.casefold():
        return SuppressionKind.PROFILE
    if "@" in cell:
        return SuppressionKind.EMAIL
    return SuppressionKind.DOMAIN if domain_of(cell) else None
