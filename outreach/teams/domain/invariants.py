"""What must hold for every row, as each room declares it for the command that checks the whole database."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass


@dataclass(frozen=True)
class Violation:
    """One row that breaks a rule. id: of the row that the invariant is about."""

    id: int
    detail: str


@dataclass(frozen=True)
class Invariant:
    """A rule over all rows.

    name: stable, for scripts. rows: how many it looks at. broken: every row that breaks it; it reads only.
    """

    name: str
    rows: Callable[[], int]
    broken: Callable[[], Iterable[Violation]]
