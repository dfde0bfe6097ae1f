"""Dates in words, never more precise than the evidence."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any

from prospects.domain.dates import DateInterval


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
        if interval is None or interval.precision == "range":
            return ""
        first, precision = interval.first, self._precision(interval)
        if precision == "year":
            return str(self.forms["year"]).format(year=first.year)
        same_year = first.year == self.send_by.year and first <= self.send_by
        form = self.forms[precision if same_year else f"{precision}_year"]
        month = self.forms["months"][first.month - 1]
        return str(form).format(day=first.day, month=month, year=first.year)

    def full(self, interval: DateInterval | None) -> str:
        """Like bare, always with the year."""
        if interval is None or interval.precision == "range":
            return ""
        precision = self._precision(interval)
        form = self.forms["year" if precision == "year" else f"{precision}_year"]
        month = self.forms["months"][interval.first.month - 1]
        return str(form).format(day=interval.first.day, month=month, year=interval.first.year)

    def month(self, interval: DateInterval | None) -> str:
        """ "in June", "in June 2025" or "in 2024"; "" where there is no date."""
        if interval is None or interval.precision == "range":
            return ""
        if interval.precision == "day":
            return self._with("on", "month", self._month_words(interval.first))
        return self.on(interval)

    def _month_words(self, day: date) -> str:
        same_year = day.year == self.send_by.year and day <= self.send_by
        form = self.forms["month" if same_year else "month_year"]
        return str(form).format(month=self.forms["months"][day.month - 1], year=day.year)

    def _with(self, preposition: str, precision: str, words: str) -> str:
        return str(self.forms[f"{preposition}_{precision}"]).format(date=words)

    def on(self, interval: DateInterval | None) -> str:
        """ "on 17 September", "in March 2025"; "" where there is no date."""
        words = self.bare(interval)
        return self._with("on", self._precision(interval), words) if words and interval else ""

    def of(self, interval: DateInterval | None) -> str:
        """ "of 17 September", "from March 2025"; "" where there is no date."""
        words = self.bare(interval)
        return self._with("of", self._precision(interval), words) if words and interval else ""
