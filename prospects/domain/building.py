"""One person put together from the parts that a source gives, whatever its form."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from datetime import date

from prospects.domain import facts
from prospects.domain.dates import DateInterval
from prospects.domain.evidence import Actor, Evidence, Kind
from prospects.domain.identity import (
    Key,
    KeyKind,
    domain_of,
    email_keys,
    numeric_key,
    post_id,
    profile_keys,
    slug_key,
    urn_key,
)
from prospects.domain.imported import ImportedPerson, fact, name_evidence, row_key
from prospects.domain.names import NoName, PersonName, fold_name, name_from_parts, read_name
from prospects.domain.wild_dates import Period, WildDate


class PersonBuilder:
    """Collects what one record says. Blank values add nothing; `build` gives the person or why there is none."""

    def __init__(self, *, format_name: str, row: int, place: str, observed_at: date) -> None:
        self.format_name, self.row, self.place, self.observed_at = format_name, row, place, observed_at
        self.name: PersonName | NoName = NoName("it has no name")
        self.keys: list[Key] = []
        self.items: list[Evidence] = []
        self.company_items: list[Evidence] = []
        self.company = ""
        self.company_domain = ""
        self.first_degree = False
        self.complete: frozenset[Kind] = frozenset()
        self.fingerprint = ""

    # -- who ---------------------------------------------------------------------------------
    def named(self, *, full: str = "", first: str = "", last: str = "") -> None:
        """The name, from its parts where both are given."""
        full, first, last = facts.clean(full), facts.clean(first), facts.clean(last)
        found = name_from_parts(first, last) if first and last else read_name(full or first or last)
        if isinstance(found, PersonName) or isinstance(self.name, NoName):
            self.name = found

    def key(self, found: Key | None) -> None:
        if found is not None and found not in self.keys:
            self.keys.append(found)

    def profile(self, *addresses: str) -> None:
        """Addresses of the profile; also URNs that stand in their place."""
        for address in addresses:
            for found in profile_keys(facts.clean(address)):
                self.key(found)

    def slug(self, name: str) -> None:
        self.key(slug_key(name))

    def urn(self, text: str) -> None:
        self.key(urn_key(facts.clean(text)))

    def number(self, text: str) -> None:
        self.key(numeric_key(facts.clean(text)))

    def emails(self, *cells: str) -> None:
        for cell in cells:
            for found in email_keys(cell):
                self.key(found)

    def source_id(self, value: str) -> None:
        if facts.clean(value):
            self.key(Key(KeyKind.SOURCE_ID, f"{self.format_name}:{facts.clean(value)}"[:500]))

    # -- what --------------------------------------------------------------------------------
    def text(self, kind: Kind, text: str, *, fields: Iterable[tuple[str, str | None]] = ()) -> None:
        words = facts.clean(text)
        if words:
            self.items.append(
                fact(
                    kind,
                    words,
                    ref=kind.value,
                    observed_at=self.observed_at,
                    source=self.place,
                    fields=fields,
                )
            )

    def finish(self, *, about: str, headline: str, location: str) -> None:
        """The single values of a full profile, whose list of roles is complete."""
        self.text(Kind.HEADLINE, headline)
        self.text(Kind.ABOUT, about)
        self.text(Kind.LOCATION, location)
        self.complete = frozenset({Kind.POSITION} & {item.kind for item in self.items})

    def position(self, *, title: str, company: str, period: Period, description: str = "", location: str = "") -> None:
        if not facts.clean(title) and not facts.clean(company):
            return
        index = sum(item.kind is Kind.POSITION for item in self.items)
        self.items.append(
            facts.position(
                title=title,
                company=company,
                period=period,
                description=description,
                location=location,
                ref=f"positions[{index}]",
                observed_at=self.observed_at,
                source=self.place,
            )
        )

    def education(self, *, school: str, degree: str, period: Period) -> None:
        if facts.clean(school):
            index = sum(item.kind is Kind.EDUCATION for item in self.items)
            self.items.append(
                facts.education(
                    school=school,
                    degree=degree,
                    period=period,
                    ref=f"education[{index}]",
                    observed_at=self.observed_at,
                    source=self.place,
                )
            )

    def skill(self, name: str) -> None:
        self.text(Kind.SKILL, name, fields=(("name", facts.clean(name)),))

    def language(self, name: str, level: str = "") -> None:
        if facts.clean(name):
            self.items.append(
                facts.spoken_language(
                    name=name, level=level, ref="languages", observed_at=self.observed_at, source=self.place
                )
            )

    def dated(self, kind: Kind, words: tuple[tuple[str, str], ...], when: WildDate) -> None:
        """A certification, award, talk, publication; the first word names it."""
        if facts.clean(words[0][1]):
            self.items.append(
                facts.dated(
                    kind, words=words, when=when, ref=kind.value, observed_at=self.observed_at, source=self.place
                )
            )

    def wrote(self, kind: Kind, text: str, *, when: DateInterval | None, url: str = "", number: str = "") -> None:
        """A post or comment of their own."""
        if text.strip():
            self.items.append(
                facts.own_words(
                    kind,
                    text,
                    when=when,
                    url=url,
                    post_id=number or post_id(url),
                    ref=kind.value,
                    observed_at=self.observed_at,
                    source=self.place,
                )
            )

    def reshared(self, text: str, *, author: str, when: DateInterval | None, url: str = "", number: str = "") -> None:
        if text.strip():
            self.items.append(
                facts.reshare(
                    text,
                    author=author,
                    when=when,
                    url=url,
                    post_id=number or post_id(url),
                    ref="reshare",
                    observed_at=self.observed_at,
                    source=self.place,
                )
            )

    def works_at(self, name: str, *, domain: str = "", **about: str) -> None:
        """The company; `about` are facts of it: industry, size, headquarters, description, website."""
        self.company = self.company or facts.clean(name)
        self.company_domain = self.company_domain or domain_of(domain)
        for attribute, said in about.items():
            value = facts.clean(said)
            if value:
                self.company_items.append(
                    fact(
                        Kind.COMPANY_FACT,
                        value,
                        ref=f"company.{attribute}",
                        actor=Actor.COMPANY,
                        observed_at=self.observed_at,
                        source=self.place,
                        fields=(("attribute", attribute), ("value", value)),
                    )
                )

    def build(self) -> ImportedPerson | str:
        """The person, or the reason why the record names none."""
        if isinstance(self.name, NoName):
            return self.name.reason
        name = self.name
        company = self.company or self._company_of_open_role()
        # Name and company are no identity: without a key only the same record again is the same person.
        keys = tuple(self.keys) or (row_key(self.format_name, fold_name(name.full), company, self.fingerprint),)
        named = name_evidence(name, observed_at=self.observed_at, source=self.place)
        return ImportedPerson(
            row=self.row,
            place=self.place,
            name=name,
            keys=keys,
            evidence=(
                named,
                *(item if item.source == self.place else replace(item, source=self.place) for item in self.items),
            ),
            company=company,
            company_domain=self.company_domain,
            about_company=tuple(self.company_items) if company else (),
            first_degree=self.first_degree,
            complete=self.complete,
        )

    def _company_of_open_role(self) -> str:
        roles = (item for item in self.items if item.kind is Kind.POSITION and not item.get("end"))
        return next((role.get("company") for role in roles), "")
