"""How a language says what the generator has to say: frames, dates, invented statements. All words are data."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from functools import lru_cache
from typing import Any

from prospects.domain.dates import DateInterval

from .known import LANGUAGES


@dataclass(frozen=True)
class Wording:
    """The contents of a wording.toml."""

    data: Mapping[str, Any]

    def frames(self, name: str) -> list[str]:
        """The frames of that name; none when the language has no such way of saying it."""
        return list(self.data["frames"].get(name, []))

    def listed(self, name: str) -> list[Any]:
        return list(self.data[name])

    def number(self, value: int) -> str:
        """A small number in words."""
        return str(self.data["numbers"][value])

    def date(self, form: str, day: date) -> str:
        """A date in one of the forms of [dates], e.g. in_month."""
        month = self.data["months"][day.month - 1]
        return str(self.data["dates"][form]).format(d=day.day, month=month, year=day.year, m=day.month)

    def since(self, interval: DateInterval) -> str:
        """Since a month, or since a year where no more is known."""
        return self.date("since_month" if interval.precision in {"month", "day"} else "since_year", interval.first)


@lru_cache(maxsize=16)
def wording(language: str) -> Wording:
    """The words of that language."""
    return Wording(tomllib.loads((LANGUAGES / language / "wording.toml").read_text(encoding="utf-8")))
