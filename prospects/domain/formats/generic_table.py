"""Any table of people: columns become fields by a plan that a person chose, or else by their names in seven languages.

What is not recognised is reported.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import islice

from prospects.domain import facts
from prospects.domain.building import PersonBuilder
from prospects.domain.columns import NAMES, Plan, by_labels, fingerprint_of, keys_of, written_label
from prospects.domain.evidence import Kind
from prospects.domain.formats.tables import labels_of, warnings_of
from prospects.domain.imported import ImportedPerson, Outcome, Skipped, Stream, streaming
from prospects.domain.places import language_named
from prospects.domain.reading import Row, Rows, Unreadable, fold_label
from prospects.domain.table_head import Head
from prospects.domain.upload import Upload
from prospects.domain.wild_dates import Period, period_of, read_date, read_period

_MOST_WARNINGS = 200
_SKILL_SIGNS = ";|•·\n"


def _targets(row: Row) -> dict[str, str]:
    """Column key → field, from the names alone."""
    found = by_labels(labels_of(row))
    return {key: target for key in keys_of(row.cells) if (target := found.get(key.partition("#")[0]))}


def _score(row: Row) -> float:
    """How much like a header of people a row looks: known columns, less for cells that no header has."""
    targets = _targets(row)
    if not NAMES & set(targets.values()):
        return 0.0
    filled = [cell for cell in row.cells if cell.strip()]
    alien = sum(1 for cell in filled if "@" in cell or "://" in cell or len(cell) > 80)
    return max(0.0, len(set(targets.values())) + len(targets) / max(len(filled), 1) - 2 * alien)


def _header(upload: Upload) -> Row | None:
    if upload.is_archive or isinstance(upload.rows, Unreadable):
        return None
    best = max(upload.rows[:40], key=_score, default=None)
    return best if best is not None and _score(best) > 0 else None


@dataclass(frozen=True, slots=True)
class _Line:
    """One row under its header. `cells` by column key, as they stand in the file."""

    number: int
    place: str
    cells: Mapping[str, str]
    labels: Sequence[str]

    @property
    def fingerprint(self) -> str:
        """The whole row, for rows that carry no key: the first cell that says something under each name."""
        merged: dict[str, str] = {}
        for key, cell in self.cells.items():
            label = key.partition("#")[0]
            if not key.startswith("@") and not merged.get(label):
                merged[label] = cell
        return json.dumps(merged, ensure_ascii=False, sort_keys=True)

    def as_found(self) -> dict[str, str]:
        """The cells under the names that the file gives them, so that a mended row is read like the others."""
        named = zip(self.cells.items(), self.labels, strict=False)
        return {written_label(key, label): cell for (key, cell), label in named}


class _Lines:
    """The rows below a header that say anything, all of them where it is row 0; read anew by each loop."""

    def __init__(self, file_name: str, rows: Sequence[Row], names: Sequence[str], *, header_row: int = 0) -> None:
        self._file_name, self._rows, self._names, self._after = file_name, rows, tuple(names), header_row
        self._widths: dict[int, tuple[tuple[str, ...], tuple[str, ...]]] = {}

    def __len__(self) -> int:
        if isinstance(self._rows, Rows):
            above = self._rows[: self._after]
            return self._rows.filled - sum(row.number <= self._after and not row.blank for row in above)
        return sum(row.number > self._after and not row.blank for row in self._rows)

    def __iter__(self) -> Iterator[_Line]:
        return self.from_index(0)

    def from_index(self, start: int) -> Iterator[_Line]:
        below = (row for row in self._rows if row.number > self._after and not row.blank)
        for row in islice(below, start, None):
            keys, labels = self._named(len(row.cells))
            yield _Line(
                number=row.number,
                place=f"{self._file_name} row {row.number}",
                cells=dict(zip(keys, row.cells, strict=False)),
                labels=labels,
            )

    def _named(self, width: int) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Keys and labels of the columns of a row that may be wider than the header."""
        found = self._widths.get(width)
        if found is None:
            labels = (*self._names, *[""] * (width - len(self._names)))
            found = self._widths[width] = (keys_of(labels), labels)
        return found


def _values(line: _Line, plan: Mapping[str, str]) -> dict[str, list[str]]:
    """Field → what the row says of it."""
    found: dict[str, list[str]] = {}
    cells = line.cells
    for key, target in plan.items():
        cell = cells.get(key)
        if cell and (value := facts.clean(cell)):
            found.setdefault(target, []).append(value)
    return found


def _fill(builder: PersonBuilder, values: Mapping[str, Sequence[str]], warnings: list[str]) -> None:
    def first(wanted: str) -> str:
        return values[wanted][0] if wanted in values else ""

    builder.named(full=first("full"), first=first("first"), last=first("last"))
    builder.profile(*values.get("linkedin", ()))
    builder.emails(*values.get("email", ()))
    builder.number(first("linkedin_id"))
    builder.text(Kind.HEADLINE, first("headline"))
    builder.text(Kind.ABOUT, first("about"))
    places = [first("location")] if first("location") else [first(part) for part in ("city", "region", "country")]
    builder.text(Kind.LOCATION, ", ".join(filter(None, places)))
    builder.position(
        title=first("title"),
        company=first("company"),
        period=_period(builder.place, first("started"), first("ended"), first("period"), warnings),
    )
    builder.works_at(
        first("company"),
        domain=first("domain"),
        industry=first("industry"),
        size=_size(builder.place, first("size"), warnings),
    )
    if "school" in values:
        builder.education(school=first("school"), degree=first("degree"), period=Period())
    for skill in dict.fromkeys(skill for cell in values.get("skills", ()) for skill in _skills(cell)):
        builder.skill(skill)
    if "language" in values:
        code = _language_code(first("language"))
        builder.text(Kind.PROFILE_LANGUAGE, code, fields=(("code", code),))
    if "post" in values:
        _post(builder, first, warnings)


def _language_code(said: str) -> str:
    """ "pt-BR" as it is, "Deutsch" as "de"."""
    return said if len(said) in {2, 5} and said[:2].isalpha() else language_named(said)


def _post(builder: PersonBuilder, first: Callable[[str], str], warnings: list[str]) -> None:
    when = read_date(first("post_date"))
    if when.problem:
        warnings.append(f"{builder.place}: {when.problem}; the post is kept as undated.")
    builder.wrote(Kind.POST, first("post"), when=when.interval, url=first("post_url"))


def _skills(cell: str) -> list[str]:
    """ "Kubernetes; Go | Rust"; commas part them only where nothing else does."""
    for sign in _SKILL_SIGNS:
        cell = cell.replace(sign, "\x1f")
    parts = cell.split("\x1f") if "\x1f" in cell else cell.split(",")
    return [part.strip()[:200] for part in parts if part.strip()][:100]


def _period(place: str, start: str, end: str, both: str, warnings: list[str]) -> Period:
    """When the role was held. "2015 - 2017" under any of the names is a role that has ended, never one that began in 2015."""
    both = "" if start or end else both
    whole = read_period(both or start)
    if both or (not end and (whole.end is not None or whole.current)):
        if whole.problem:
            warnings.append(f"{place}: {whole.problem}; what is not certain is kept as unknown.")
        return whole if whole.start or whole.current is not None else period_of("", "", open_when_blank=not both)
    problem = read_date(start).problem if start else ""
    if problem:
        warnings.append(f"{place}: {problem}; the start is kept as unknown.")
    period = period_of(start, end)
    if end and period.problem and not problem:
        warnings.append(f"{place}: {period.problem}; the end is kept as unknown.")
    return period


def _size(place: str, text: str, warnings: list[str]) -> str:
    """A spreadsheet turns "2-10" into a day of a month; that is no size any more."""
    if text and any(sign.isalpha() for sign in text) and read_date(f"{text} 2020").interval is not None:
        warnings.append(f"{place}: {text!r} was a size before a spreadsheet took it for a date; it was not used.")
        return ""
    return text


def recognises(upload: Upload) -> bool:
    return _header(upload) is not None


def _stream(upload: Upload, today: date, *, format_name: str) -> Stream | Unreadable:
    header = _header(upload)
    if header is None or isinstance(upload.rows, Unreadable):
        return Unreadable(
            "No row names the columns. The first row should, for example: First Name, Last Name, Company."
        )
    targets = _targets(header)
    unused = [label for key, label in zip(keys_of(header.cells), header.cells, strict=True) if key not in targets]
    return _people(upload, upload.rows, header, targets, today, format_name=format_name, unused=unused)


def stream_planned(upload: Upload, today: date, plan: Plan) -> Stream | Unreadable:
    """A table by the columns that a person chose."""
    if isinstance(upload.rows, Unreadable):
        return upload.rows
    header = next((row for row in upload.rows[: plan.header_row] if row.number == plan.header_row), None)
    if plan.header_row and header is None:
        return Unreadable(f"The file has no row {plan.header_row}, where its columns were said to be named.")
    name = "xlsx" if upload.is_sheet else "csv"
    return _people(upload, upload.rows, header, plan.targets, today, format_name=name, unused=[])


def _people(
    upload: Upload,
    rows: Sequence[Row],
    header: Row | None,
    targets: Mapping[str, str],
    today: date,
    *,
    format_name: str,
    unused: Sequence[str],
) -> Stream:
    names = header.cells if header else ()
    lines = _Lines(upload.file_name, rows, names, header_row=header.number if header else 0)
    warnings = [*warnings_of(upload), *_not_used(unused)]
    scope = fingerprint_of(names)[:12]

    def outcomes(start: int) -> Iterator[Outcome]:
        for line in lines.from_index(start):
            noted: list[str] = []
            found = _person(line, targets, today, format_name=format_name, scope=scope, warnings=noted)
            warnings.extend(noted[: max(0, _MOST_WARNINGS - len(warnings))])
            if isinstance(found, str):
                yield Skipped(row=line.number, reason=found, place=line.place, cells=line.as_found())
            else:
                yield found

    return Stream(format=format_name, rows=len(lines), outcomes=outcomes, warnings=warnings)


def _person(
    line: _Line, targets: Mapping[str, str], today: date, *, format_name: str, scope: str, warnings: list[str]
) -> ImportedPerson | str:
    """The person of one row, or why it names none.

    scope: a number of the source means the same person only in files of the same header; "1" is somebody else elsewhere.
    """
    builder = PersonBuilder(format_name=format_name, row=line.number, place=line.place, observed_at=today)
    values = _values(line, targets)
    for value in values.get("source_id", ()):
        builder.source_id(f"{scope}:{value}")
    _fill(builder, values, warnings)
    if not builder.keys:
        builder.fingerprint = line.fingerprint
    return builder.build()


def one_row(head: Head, row: Row, plan: Plan, *, file_name: str, today: date) -> ImportedPerson | str:
    """What one row of the beginning of a table would become by this plan."""
    line = next(iter(_Lines(file_name, [row], head.labels)), None)
    if line is None:
        return "the row is empty"
    return _person(line, plan.targets, today, format_name="csv", scope="", warnings=[])


def _not_used(labels: Sequence[str]) -> list[str]:
    named = [label.strip() for label in labels if label.strip() and fold_label(label)]
    return [f"Columns that were not used: {', '.join(named[:30])}."] if named else []


CSV = streaming(
    "csv",
    "any CSV with names",
    recognises=lambda upload: not upload.is_zip and recognises(upload),
    stream=lambda upload, today: _stream(upload, today, format_name="csv"),
)
XLSX = streaming(
    "xlsx",
    "any XLSX with names",
    recognises=lambda upload: upload.is_sheet and recognises(upload),
    stream=lambda upload, today: _stream(upload, today, format_name="xlsx"),
)
