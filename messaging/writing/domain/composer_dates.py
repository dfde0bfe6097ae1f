"""Dates in words, never more precise than the evidence."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any

from prospects.domain.dates import DateInterval, partial_date


@dataclass(frozen=True, slots=True)
class DateWords:
    """The forms of one language and country, measured to the day of sending.

    The year is left out only in the year of sending, and never for a date that lies ahead.
    """

    forms: Mapping[str, Any]
    send_by: date

    @classmethod
    def of_style(cls, *, style: Mapping[str, Any], location: str, send_by: date) -> DateWords:
        """The forms of the country at the end of the location, where the language has them."""
        forms = dict(style["dates"])
        countries = forms.pop("countries", {})
        for country, own in countries.items():
            if location.casefold().endswith(country.casefold()):
                forms.update(own)
        return cls(forms=forms, send_by=send_by)

    def _precision(self, interval: DateInterval) -> str:
        return {"day": "day", "month": "month"}.get(interval.precision, "year")

    def bare(self, interval: DateInterval | None) -> str:
        """ "17 September", "March 2025", "2024"; "" for no date and for a range that no word fits."""
        if interval is None:
            return ""
        same_year = interval.first.year == self.send_by.year and interval.first <= self.send_by
        return self._words(interval, with_year=not same_year)

    def full(self, interval: DateInterval | None) -> str:
        """Like bare, always with the year."""
        return self._words(interval, with_year=True)

    def _words(self, interval: DateInterval | None, *, with_year: bool) -> str:
        if interval is None or interval.precision == "range":
            return ""
        first, precision = interval.first, self._precision(interval)
        named = precision if precision == "year" or not with_year else f"{precision}_year"
        day = self.forms.get("day_words", {}).get(str(first.day), first.day)
        month = self.forms["months"][first.month - 1]
        return str(self.forms[named]).format(day=day, month=month, year=first.year)

    def month(self, interval: DateInterval | None) -> str:
        """ "in June", "in June 2025" or "in 2024"; "" where there is no date."""
        if interval is None or interval.precision == "range":
            return ""
        if interval.precision != "day":
            return self.on(interval)
        month = partial_date(f"{interval.first:%Y-%m}")
        words = self.bare(month) if month and interval.first <= self.send_by else self.full(month)
        return self._with("on", month, words) if month else ""

    def _with(self, preposition: str, interval: DateInterval, words: str) -> str:
        """The words behind their preposition; some have forms of their own ("l'8 marzo", "d'octobre")."""
        key = f"{preposition}_{self._precision(interval)}"
        own = self.forms.get("days", {}).get(str(interval.first.day), {}) if key.endswith("_day") else {}
        if words[0] in "aeiou":
            own = self.forms.get("elided", {})
        return str(own.get(key, self.forms[key])).format(date=words)

    def on(self, interval: DateInterval | None) -> str:
        """ "on 17 September", "in March 2025"; "" where there is no date."""
        words = self.bare(interval)
        return self._with("on", interval, words) if words and interval else ""

    def of(self, interval: DateInterval | None) -> str:
        """ "of 17 September", "from March 2025"; "" where there is no date."""
        words = self.bare(interval)
        return self._with("of", interval, words) if words and interval else ""

    def since(self, interval: DateInterval | None) -> str:
        """ "since April 2026", always with the year; "" where there is no date."""
        words = self.full(interval)
        return self._with("since", interval, words) if words and interval else ""
