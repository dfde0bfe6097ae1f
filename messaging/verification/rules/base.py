"""What every rule gets and gives."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import date

from messaging.verification.ageing import Seen
from messaging.verification.contract import ClaimType, Verdict
from messaging.verification.facts import Fact, Facts, plain
from messaging.verification.language import Language
from messaging.verification.reading import Clause, Reading
from messaging.verification.tokens import Token


@dataclass(frozen=True, slots=True)
class Draft:
    """A claim before it is placed in the original text: tokens first to last of one sentence."""

    first: int
    last: int
    type: ClaimType
    verdict: Verdict
    reason: str
    evidence: tuple[str, ...] = ()
    hint: str = ""
    valid_until: date | None = None


@dataclass(slots=True)
class Situation:
    """One sentence against the dossier.

    previous  the fact that the sentence before was about, which this one may go on with
    best      per clause (by position) the fact that covers it
    rivals    per clause the facts that it may mean instead
    shared    refs of reshared texts whose author the message has named
    cited     facts that titles and relations of the sentence rest on
    seen      by ref, evidence that tells of today and until when it may
    """

    facts: Facts
    language: Language
    today: date
    reading: Reading
    previous: Fact | None = None
    primary: Fact | None = None
    best: list[Fact | None] = field(default_factory=list)
    rivals: list[tuple[Fact, ...]] = field(default_factory=list)
    shared: set[str] = field(default_factory=set)
    cited: list[Fact] = field(default_factory=list)
    seen: Mapping[str, Seen] = field(default_factory=dict)

    def author_named(self, fact: Fact) -> bool:
        """Whether this sentence or one before names the author of a reshared text, or says that it was shared."""
        if self.reading.named("reshared") or fact.ref in self.shared:
            self.shared.add(fact.ref)
            return True
        words = {plain(token.text) for token in self.reading.tokens if token.capital}
        if fact.names and not fact.names.isdisjoint(words):
            self.shared.add(fact.ref)
            return True
        return False

    def near(self, clause: Clause) -> tuple[Fact, ...]:
        """The facts that the clause may speak of, the likeliest first."""
        at = self.reading.clauses.index(clause)
        listed = [self.best[at] if at < len(self.best) else None, *self.cited, self.primary, *self.best, self.previous]
        listed += self.rivals[at] if at < len(self.rivals) else ()
        seen: dict[str, Fact] = {fact.ref: fact for fact in listed if fact is not None}
        return tuple(seen.values())


def refs(facts: Iterable[Fact]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(fact.ref for fact in facts))


def stated(fact: Fact, limit: int = 120) -> str:
    """The evidence in few words, for a reason or hint."""
    text = " ".join(fact.evidence.text.split())
    return text if len(text) <= limit else text[: limit - 1] + "…"


def words_of(tokens: Iterable[Token]) -> str:
    return " ".join(token.text for token in tokens if token.kind != "sign")
