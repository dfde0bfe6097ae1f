"""What the columns of a table become: the fields there are, what a header and its values suggest, and what is wrong with a choice.

A column is known by its `key`, the folded label, so that a mapping fits every file with the same header, whatever
the order of its columns. A repeated label carries its number ("email#2"), a column without one its place ("@3").
"""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType

from prospects.domain.column_words import TARGET_OF
from prospects.domain.identity import domain_of, email_keys, is_blank, numeric_key, profile_keys, slug_key, urn_key
from prospects.domain.reading import Row, fold_label
from prospects.domain.wild_dates import period_of, read_date, read_period

#: Columns that the list of problem rows adds; they say nothing about a person.
ADDED_LABELS = ("Footnote row", "Footnote reason")
_ADDED = frozenset(fold_label(label) for label in ADDED_LABELS)
#: How the list of problem rows names the second column "Email" and the third column, which has no name: "Email ·2", "·3".
_WRITTEN_KEY = re.compile(r"(.*?) ?·(\d{1,4})", re.DOTALL)
_FEW_FILLED = 0.05
_SHORT = 40


def _any(_value: str) -> bool:
    return True


def _is_profile(value: str) -> bool:
    return bool(profile_keys(value) or urn_key(value) or ("/" not in value and " " not in value and slug_key(value)))


def _is_date(value: str) -> bool:
    return read_date(value).interval is not None


def _is_end(value: str) -> bool:
    return _is_date(value) or period_of("", value, open_when_blank=False).current is True


def _is_period(value: str) -> bool:
    found = read_period(value)
    return found.start is not None or found.current is True


@dataclass(frozen=True, slots=True)
class Target:
    """A field that a column can become.

    many  several columns may become it
    fits  whether a value can be used as it; `expects` says in words what it should be
    """

    key: str
    label: str
    group: str
    many: bool = False
    fits: Callable[[str], bool] = _any
    expects: str = ""


def _field(group: str, key: str, label: str, fits: Callable[[str], bool] = _any, expects: str = "") -> Target:
    return Target(key=key, label=label, group=group, many=key in _SEVERAL, fits=fits, expects=expects)


_SEVERAL = frozenset({"email", "linkedin", "skills"})
_WHO, _KNOWN_BY, _WORK, _ABOUT, _WORDS = "Who", "Known by", "Work", "About them", "Their words"
_A_DATE = "a date that can be read in one way only"
_TARGETS = (
    _field(_WHO, "full", "Full name"),
    _field(_WHO, "first", "First name"),
    _field(_WHO, "last", "Last name"),
    _field(_KNOWN_BY, "email", "E-mail address", lambda value: bool(email_keys(value)), "an e-mail address"),
    _field(_KNOWN_BY, "linkedin", "LinkedIn profile", _is_profile, "the address of a LinkedIn profile"),
    _field(_KNOWN_BY, "linkedin_id", "LinkedIn number", lambda value: numeric_key(value) is not None, "a number"),
    _field(_KNOWN_BY, "source_id", "Number in the source"),
    _field(_WORK, "title", "Title, present role"),
    _field(_WORK, "company", "Company, present role"),
    _field(_WORK, "started", "Start of the role", _is_date, _A_DATE),
    _field(_WORK, "ended", "End of the role; blank is still open", _is_end, _A_DATE),
    _field(_WORK, "period", "From and to of the role, in one cell", _is_period, "two dates, or a date and “present”"),
    _field(_WORK, "domain", "Website of the company", lambda value: bool(domain_of(value)), "a web address"),
    _field(_WORK, "industry", "Industry of the company"),
    _field(_WORK, "size", "Size of the company"),
    _field(_ABOUT, "headline", "Headline"),
    _field(_ABOUT, "about", "Summary they wrote"),
    _field(_ABOUT, "location", "Location"),
    _field(_ABOUT, "city", "City"),
    _field(_ABOUT, "region", "Region"),
    _field(_ABOUT, "country", "Country"),
    _field(_ABOUT, "language", "Language of the profile"),
    _field(_ABOUT, "skills", "Skills, several in a cell"),
    _field(_ABOUT, "school", "School"),
    _field(_ABOUT, "degree", "Degree"),
    _field(_WORDS, "post", "Post they wrote"),
    _field(_WORDS, "post_date", "Date of the post", _is_date, _A_DATE),
    _field(_WORDS, "post_url", "Address of the post", lambda value: "/" in value, "a web address"),
)
TARGETS: Mapping[str, Target] = MappingProxyType({target.key: target for target in _TARGETS})
NAMES = frozenset({"full", "first", "last"})
#: What says nothing alone: field → the fields of which it needs one.
_NEEDS = {
    "degree": ("school",),
    "post_date": ("post",),
    "post_url": ("post",),
    **dict.fromkeys(("started", "ended", "period"), ("title", "company")),
}


@dataclass(frozen=True, slots=True)
class Column:
    """One column of the beginning of a table.

    number  from 1, as people count
    values  (row, cell) of the rows looked at, blanks and nulls in words left out
    rows    how many rows were looked at
    """

    number: int
    key: str
    label: str
    values: tuple[tuple[int, str], ...] = ()
    rows: int = 0

    @property
    def name(self) -> str:
        """What to call it in a message: the label, and the number, which alone is unique."""
        return f"“{self.label}” (column {self.number})" if self.label else f"Column {self.number}"

    @property
    def example(self) -> str:
        return self.values[0][1] if self.values else ""

    @property
    def filled(self) -> int:
        """Percent of the rows looked at that say something here."""
        return round(100 * len(self.values) / self.rows) if self.rows else 0


@dataclass(frozen=True, slots=True)
class Plan:
    """How a table is read: where its header is (0: it has none) and which field each column key becomes."""

    header_row: int
    targets: Mapping[str, str] = field(default_factory=dict)

    def as_json(self) -> dict[str, object]:
        return {"header_row": self.header_row, "columns": dict(self.targets)}


def plan_from(stored: Mapping[str, object] | None) -> Plan | None:
    """The plan that `as_json` wrote, fields that no longer exist left out; None where there is none."""
    if not stored:
        return None
    columns, row = stored.get("columns"), stored.get("header_row")
    found = columns if isinstance(columns, Mapping) else {}
    return Plan(
        header_row=row if isinstance(row, int) else 0,
        targets={str(key): str(target) for key, target in found.items() if target in TARGETS},
    )


@dataclass(frozen=True, slots=True)
class Problem:
    """Something about a choice of columns. `blocks`: the file cannot be read like this. number 0: the whole table."""

    number: int
    message: str
    blocks: bool = False


def keys_of(labels: Iterable[str]) -> tuple[str, ...]:
    """The key of each column, in their order."""
    seen: Counter[str] = Counter()
    keys: list[str] = []
    for number, label in enumerate(labels, 1):
        written = _WRITTEN_KEY.fullmatch(label.strip())
        folded = fold_label(written.group(1) if written else label)[:80]
        seen[folded] += 1
        if not folded:
            keys.append(f"@{written.group(2)}" if written else f"@{number}")
        else:
            keys.append(folded if seen[folded] == 1 else f"{folded}#{seen[folded]}")
    return tuple(keys)


def written_label(key: str, label: str) -> str:
    """The name of a column in a table of our own, such that `keys_of` gives the same key again."""
    _folded, mark, number = key.rpartition("#") if "#" in key else key.rpartition("@")
    return f"{label.strip()} ·{number}".strip() if mark else label.strip()


def fingerprint_of(labels: Sequence[str]) -> str:
    """The same for every file with these column names, in any order and spelling of case and punctuation; "" without names."""
    keys = sorted(key for key in keys_of(labels) if not key.startswith("@") and key not in _ADDED)
    return hashlib.sha256("\n".join(keys).encode()).hexdigest() if keys else ""


def columns_of(labels: Sequence[str], rows: Sequence[Row]) -> tuple[Column, ...]:
    """The columns with what the rows hold in them."""
    width = max((len(labels), *(len(row.cells) for row in rows)), default=0)
    named = [*labels, *[""] * (width - len(labels))]
    keys = keys_of(named)
    return tuple(
        Column(
            number=index + 1,
            key=keys[index],
            label=named[index].strip(),
            values=tuple(
                (row.number, row.cells[index].strip())
                for row in rows
                if index < len(row.cells) and not is_blank(row.cells[index])
            ),
            rows=len(rows),
        )
        for index in range(width)
    )


# -- what to propose ---------------------------------------------------------------------------------
def by_labels(labels: Iterable[str]) -> dict[str, str]:
    """Folded label → field, from the names alone. "Nom" beside "Prénom" is the last name, alone it is the whole name."""
    given = frozenset(labels)
    found = {label: TARGET_OF[label] for label in given if label in TARGET_OF}
    if "first" not in found.values():
        found |= {label: "full" for label in ("nom", "nome", "nombre") if label in found}
    if "nome" in given and "cognome" not in given and "sobrenome" not in given and "nome" in found:
        found["nome"] = "full"
    return found


_PARTS = (
    ("linkedin", "linkedin"), ("email", "email"), ("firstname", "first"), ("vorname", "first"), ("prenom", "first"),
    ("lastname", "last"), ("nachname", "last"), ("surname", "last"), ("fullname", "full"), ("contactname", "full"),
    ("jobtitle", "title"), ("position", "title"), ("companyname", "company"), ("firma", "company"), ("unternehmen", "company"),
    ("entreprise", "company"), ("empresa", "company"), ("azienda", "company"), ("headline", "headline"),
)  # fmt: skip
#: Somebody else's: whoever looks after the contact, or the company as such.
_OTHERS = ("owner", "assigned", "manager", "agent", "rep", "createdby", "updatedby", "referr", "status", "bearbeiter")


def propose(columns: Sequence[Column]) -> dict[int, str]:
    """Column number → field, for a person to correct: by name, then by what the values are, then by parts of the name."""
    named = by_labels(column.key for column in columns)
    taken: set[str] = set()
    found: dict[int, str] = {}

    def take(column: Column, target: str) -> None:
        if not target or column.number in found or _all_unfit(column, TARGETS[target]):
            return
        if TARGETS[target].many or target not in taken:
            found[column.number] = target
            taken.add(target)

    for column in columns:
        base = column.key.partition("#")[0]
        take(column, named.get(column.key, "") or (named.get(base, "") if column.values else ""))
    for column in columns:
        take(column, _by_values(column))
    for column in columns:
        take(column, _by_parts(column))
    return {number: target for number, target in found.items() if not _lacks_partner(target, taken)}


def _lacks_partner(target: str, taken: Collection[str]) -> bool:
    return target in _NEEDS and not any(partner in taken for partner in _NEEDS[target])


def _others(column: Column) -> bool:
    return column.key in _ADDED or any(word in column.key for word in _OTHERS)


def _by_values(column: Column) -> str:
    if len(column.values) < 1 or _others(column):
        return ""
    values = [value for _, value in column.values]
    if len(values) > 2 and len(set(values)) * 2 < len(values):
        return ""  # the same few values again and again identify nobody
    for target in ("email", "linkedin"):
        fitting = sum(
            "linkedin.com/" in value.lower() if target == "linkedin" else _lone_email(value) for value in values
        )
        if fitting * 10 >= len(values) * 6:
            return target
    return ""


def _lone_email(value: str) -> bool:
    return bool(email_keys(value)) and " " not in value.strip()


def _by_parts(column: Column) -> str:
    if not column.values or _others(column):
        return ""
    target = next((target for part, target in _PARTS if part in column.key), "")
    return target if target and _unfit(column, TARGETS[target]) is None else ""


# -- what is wrong with a choice ---------------------------------------------------------------------
def _cut(value: str) -> str:
    return value if len(value) <= _SHORT else f"{value[:_SHORT]}…"


def _unfit(column: Column, target: Target) -> tuple[int, int, str] | None:
    """(how many values cannot be used, row and value of the first), None when all can."""
    bad = [(row, value) for row, value in column.values if not target.fits(value)]
    return (len(bad), *bad[0]) if bad else None


def _all_unfit(column: Column, target: Target) -> bool:
    unfit = _unfit(column, target)
    return unfit is not None and unfit[0] == len(column.values)


def check(columns: Sequence[Column], chosen: Mapping[int, str]) -> tuple[Problem, ...]:
    """What keeps the table from being read like this, and what is worth a look, in the order of the columns."""
    by_number = {column.number: column for column in columns}
    problems: list[Problem] = []
    for number, target in sorted(chosen.items()):
        column = by_number.get(number)
        if column is None:
            problems.append(Problem(0, f"The table has no column {number}.", blocks=True))
        elif target not in TARGETS:
            problems.append(
                Problem(
                    number, f"{column.name}: there is no field “{_cut(target)}”. Choose one of the list.", blocks=True
                )
            )
        else:
            problems += _of_column(column, TARGETS[target])
    known = {number: target for number, target in chosen.items() if number in by_number and target in TARGETS}
    return (*problems, *_together(by_number, known))


def _of_column(column: Column, target: Target) -> list[Problem]:
    unfit = _unfit(column, target)
    if not column.values:
        return [Problem(column.number, f"{column.name} is empty in the first {column.rows} rows.")]
    if unfit is not None and _all_unfit(column, target):
        message = (
            f"{column.name} cannot be {target.label}: none of its values is {target.expects} "
            f"(row {unfit[1]}: “{_cut(unfit[2])}”). Choose another field, or do not import it."
        )
        return [Problem(column.number, message, blocks=True)]
    found: list[Problem] = []
    if unfit is not None:
        what = "one value is" if unfit[0] == 1 else f"{unfit[0]} values are"
        found.append(
            Problem(
                column.number,
                f"{column.name}: {what} not {target.expects} (row {unfit[1]}: “{_cut(unfit[2])}”) and will not be used.",
            )
        )
    repeated = _repeated(column) if target.group == "Known by" else None
    if repeated is not None:
        found.append(Problem(column.number, repeated))
    if len(column.values) < column.rows * _FEW_FILLED:
        found.append(Problem(column.number, f"{column.name} is mostly empty; blanks stay blank and remove nothing."))
    return found


def _repeated(column: Column) -> str | None:
    rows: dict[str, list[int]] = {}
    for row, value in column.values:
        rows.setdefault(value.casefold(), []).append(row)
    most = max(rows.values(), key=len, default=[])
    if len(most) < 2:
        return None
    return f"{column.name}: the same value stands in rows {', '.join(map(str, most[:5]))}; rows that share it are taken as one person."


def _together(columns: Mapping[int, Column], chosen: Mapping[int, str]) -> list[Problem]:
    found: list[Problem] = []
    by_target: dict[str, list[Column]] = {}
    for number, target in sorted(chosen.items()):
        by_target.setdefault(target, []).append(columns[number])
    if not NAMES & by_target.keys():
        found.append(
            Problem(
                0,
                "No column holds a name. Choose First name and Last name, or Full name, for one of the columns.",
                blocks=True,
            )
        )
    for target, several in by_target.items():
        if len(several) > 1 and not TARGETS[target].many:
            names = " and ".join(column.name for column in several[:4])
            message = f"{names} are all set to {TARGETS[target].label}. Keep one and set the others to “not imported”."
            found.append(Problem(several[1].number, message, blocks=True))
    for target in by_target:
        if _lacks_partner(target, by_target):
            column, partner = by_target[target][0], TARGETS[_NEEDS[target][0]]
            message = (
                f"{column.name} is {TARGETS[target].label}, but no column is {partner.label}; it will not be used."
            )
            found.append(Problem(column.number, message))
    return found
