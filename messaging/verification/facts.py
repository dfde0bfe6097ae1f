"""The dossier prepared for reading: words, numbers and dates of each piece of evidence."""

from __future__ import annotations

import re
from collections import OrderedDict
from dataclasses import dataclass, field, replace
from datetime import date
from threading import Lock

from messaging.verification.closeness import Closeness, closeness_of
from messaging.verification.folding import fold
from messaging.verification.language import Language, load, resolve
from messaging.verification.numerals import Quantity
from messaging.verification.statements import FactSentence, Source, read_statement
from messaging.verification.titles import RecordedTitle, recorded_titles
from messaging.verification.tokens import sentences, tokenise
from prospects.domain.dates import DateInterval, partial_date
from prospects.domain.evidence import Actor, Dossier, Evidence, Kind

_CACHED_DOSSIERS = 64
_DATED_RECORDS = frozenset(
    {
        Kind.POSITION,
        Kind.EDUCATION,
        Kind.CERTIFICATION,
        Kind.AWARD,
        Kind.TALK,
        Kind.PUBLICATION,
        Kind.PROJECT,
        Kind.IN_COMMON,
        Kind.COLLEAGUE,
    }
)
#: Dates of a record are fields; as figures of its line they would license any 2 or 2024.
_DATE = re.compile(r"\b\d{4}-\d{2}(?:-\d{2})?\b|(?<=\()\d{4}(?=[), ]|$)|(?<=, )\d{4}(?=[), ]|$)|(?<=\bto )\d{4}\b")
_NO_READING = frozenset({Kind.PROFILE_LANGUAGE})


@dataclass(slots=True, eq=False)
class Fact:
    """One piece of evidence with everything its words say."""

    evidence: Evidence
    sentences: tuple[FactSentence, ...]
    keys: frozenset[str]
    lowers: tuple[str, ...]
    dates: tuple[DateInterval, ...]
    figures: frozenset[tuple[float, str]]
    names: frozenset[str] = frozenset()
    implied: frozenset[str] = frozenset()  # keys that the kind of the record stands for
    called: str = ""  # what people call it, once somebody asked; see `naming`

    @property
    def ref(self) -> str:
        return self.evidence.ref

    def numbers(self) -> list[tuple[FactSentence, Quantity]]:
        return [(sentence, number) for sentence in self.sentences for number in sentence.numbers]


@dataclass(slots=True)
class Period:
    """A time span of the record: a position, or all consecutive positions at one company."""

    fact: Fact
    start: DateInterval | None
    end: DateInterval | None  # None is still open
    open: bool
    whole: bool = False  # all consecutive positions at one company


@dataclass(slots=True)
class Facts:
    """All evidence of one dossier, by what a rule asks for."""

    dossier: Dossier
    all: tuple[Fact, ...]
    prospect_names: frozenset[str] = frozenset()
    company_words: frozenset[str] = frozenset()
    company_aliases: tuple[tuple[str, ...], ...] = ()
    sender_names: frozenset[str] = frozenset()
    sender_company: frozenset[str] = frozenset()
    sender_alias: tuple[str, ...] = ()
    sender_title_words: frozenset[str] = frozenset()
    people: dict[str, list[Fact]] = field(default_factory=dict)
    organisations: frozenset[str] = frozenset()  # words of the names of employers and schools
    customers: frozenset[str] = frozenset()  # words that the texts about the sender alone write as names
    entity_keys: frozenset[str] = frozenset()
    sender_keys: frozenset[str] = frozenset()
    of_people: Facts | None = None
    masks: dict[str, int] = field(default_factory=dict)  # key -> one bit per fact that holds it
    word_masks: dict[frozenset[str], tuple[int, int]] = field(default_factory=dict)  # what was looked up in masks
    closeness: Closeness = field(default_factory=Closeness)
    positions: tuple[tuple[Fact, tuple[RecordedTitle, ...], bool], ...] = ()
    periods: tuple[Period, ...] = ()
    titles_of_others: tuple[tuple[Fact, tuple[RecordedTitle, ...]], ...] = ()

    @property
    def sender_company_first(self) -> str:
        """The word by which the sender's company is called for short."""
        return self.sender_alias[0] if self.sender_alias else ""

    def number_of(self, fact: Fact | None) -> int:
        """Its place among all, -1 for none."""
        return self.all.index(fact) if fact is not None else -1

    def of(self, *kinds: Kind) -> tuple[Fact, ...]:
        return tuple(fact for fact in self.all if fact.evidence.kind in kinds)


_CACHE: OrderedDict[tuple[int, int], tuple[Dossier, Language, Facts]] = OrderedDict()
_LOCK = Lock()


def prepare(dossier: Dossier, language: Language) -> Facts:
    """The prepared dossier; the last few are kept, since drafts and edits check one dossier many times."""
    key = (id(dossier), id(language))
    with _LOCK:
        cached = _CACHE.get(key)
        if cached is not None and cached[0] is dossier and cached[1] is language:
            _CACHE.move_to_end(key)
            return cached[2]
    facts = build(dossier, language)
    with _LOCK:
        _CACHE[key] = (dossier, language, facts)
        while len(_CACHE) > _CACHED_DOSSIERS:
            _CACHE.popitem(last=False)
    return facts


def build(dossier: Dossier, language: Language) -> Facts:
    """Read every item of the dossier once."""
    read = tuple(_fact(item, language, dossier.send_by) for item in dossier.items if item.kind not in _NO_READING)
    facts = Facts(dossier, read)
    _fill_names(facts, language)
    _fill_titles(facts, language)
    facts.periods = _periods(facts)
    for index, fact in enumerate(read):
        for key in fact.keys:
            facts.masks[key] = facts.masks.get(key, 0) | 1 << index
    facts.closeness = closeness_of(fact.sentences for fact in read)
    people = tuple(item for item in dossier.items if item.actor is not Actor.INDUSTRY)
    if len(people) < len(dossier.items):
        facts.of_people = build(replace(dossier, items=people), language)
    facts.sender_keys = frozenset(key for fact in read if fact.evidence.actor is Actor.SENDER for key in fact.keys)
    return facts


def _fact(item: Evidence, language: Language, today: date) -> Fact:
    day = item.occurred.last if item.occurred else today
    source = Source(_written_in(item, language), day, today, record=item.kind in _DATED_RECORDS)
    read = tuple(
        read_statement(sentence, language, source, head=head, foreign=foreign)
        for text, head, foreign in _texts(item)
        for sentence in sentences(fold(text).text, language)
    )
    implied = _implied_keys(item, language) | _acronyms(item)
    return Fact(
        evidence=item,
        sentences=read,
        keys=implied.union(*(sentence.keys for sentence in read)),
        lowers=tuple(token.lower for sentence in read for token in sentence.tokens),
        dates=_dates(item),
        figures=frozenset((number.value, number.unit) for sentence in read for number in sentence.numbers),
        names=_names(item, language),
        implied=implied,
    )


def _implied_keys(item: Evidence, language: Language) -> frozenset[str]:
    """Words that the kind of a record stands for: a talk licenses "spoke", a degree "graduated"."""
    kind = f"of_{item.get('kind') if item.kind is Kind.IN_COMMON else item.kind.value}"
    if kind not in language.words:
        return frozenset()
    derived: dict[str, frozenset[str]] = language.compiled.setdefault("implied", {})
    if kind not in derived:
        derived[kind] = frozenset(stem for word in language.words[kind] for stem in language.stems(word))
    return derived[kind]


def _texts(item: Evidence) -> list[tuple[str, bool, bool]]:
    """(text, is a head, is somebody else's) of the item and of the fields that its text may not repeat."""
    news_title, _, body = item.text.partition("\n") if item.kind is Kind.COMPANY_NEWS else ("", "", item.text)
    if item.kind in _DATED_RECORDS:
        body = _DATE.sub(" ", body)
    texts = [(news_title, True, False), (body, False, False), (item.get("on"), True, True)]
    for name in ("original_author", "issuer", "event", "title", "company", "name"):
        value = item.get(name)
        if value and value not in item.text:
            texts.append((value, True, False))
    return [entry for entry in texts if entry[0]]


def _written_in(item: Evidence, language: Language) -> Language:
    """The language of the item's own text: its numbers, times and denials are read in that one, where it is known."""
    code = resolve(item.language) if item.language else ""
    return load(code) if code and code != language.code else language


def _dates(item: Evidence) -> tuple[DateInterval, ...]:
    found = [item.occurred] if item.occurred else []
    for name in ("start", "end", "date"):
        interval = partial_date(item.get(name))
        if interval and interval not in found:
            found.append(interval)
    for name in ("sender_years", "prospect_years"):
        for part in item.get(name).replace("\u2013", "-").split("-"):
            interval = partial_date(part)
            if interval:
                found.append(interval)
    return tuple(found)


def _acronyms(item: Evidence) -> frozenset[str]:
    """First letters of names of several words: CKA for Certified Kubernetes Administrator."""
    found = set()
    for name in ("name", "title", "event", "company", "school", "issuer", "value"):
        capitals = [part[0] for part in item.get(name).replace("-", " ").split() if part[0].isupper()]
        if len(capitals) > 1:
            found.add("".join(capitals).lower())
    return frozenset(found)


def _names(item: Evidence, language: Language) -> frozenset[str]:
    author = item.get("original_author").partition("(")[0].partition(",")[0]  # the rest is a title or company
    named = f"{item.get('full_name')} {author}"
    words = _leading_name(item.get("on")).split()
    while words and any(language.has(name, words[0].lower()) for name in ("post_nouns", "name_linkers")):
        words.pop(0)  # "Beitrag von Clemens Auer"
    named += " " + " ".join(words)
    return frozenset(plain(part) for part in named.replace("-", " ").split())


def _leading_name(text: str) -> str:
    """The name that "Saskia van Loon's post about …" begins with; "" when it begins otherwise."""
    found: list[str] = []
    for part in text.replace("\u2019", "'").split():
        name = part.partition("'")[0]
        if not (name[:1].isupper() or (found and name.islower() and len(name) <= 3)):
            break
        found.append(name)
        if name != part:
            break
    return " ".join(found) if len(found) > 1 else ""


def plain(word: str) -> str:
    """Case and surrounding signs dropped, for names."""
    return word.strip(".,'’").casefold()


def _words(text: str) -> tuple[str, ...]:
    return tuple(plain(part) for part in fold(text).text.replace("-", " ").split() if plain(part))


def _name_tokens(text: str, language: Language) -> tuple[str, ...]:
    """A name as the text of a message is cut, without its legal form."""
    legal = language.words.get("legal_suffixes", frozenset())
    tokens = [plain(token.text) for token in tokenise(fold(text).text, language)]
    while tokens and (tokens[-1] in legal or not tokens[-1]):
        tokens.pop()
    return tuple(tokens)


def _fill_names(facts: Facts, language: Language) -> None:
    facts.prospect_names = frozenset(word for fact in facts.of(Kind.NAME) for word in _words(fact.evidence.text))
    sender = facts.of(Kind.SENDER)
    facts.sender_names = frozenset(word for fact in sender for word in _words(fact.evidence.get("full_name")))
    facts.sender_company = frozenset(word for fact in sender for word in _words(fact.evidence.get("company")))
    facts.sender_alias = _name_tokens(sender[0].evidence.get("company"), language) if sender else ()
    facts.sender_title_words = frozenset(word for fact in sender for word in _words(fact.evidence.get("title")))
    aliases = [
        _name_tokens(fact.evidence.get("value"), language)
        for fact in facts.of(Kind.COMPANY_FACT)
        if fact.evidence.get("attribute") in ("name", "alias")
    ]
    if not aliases:
        # Most imports know the company from the open position alone.
        current = [fact for fact in facts.of(Kind.POSITION) if not fact.evidence.get("end")]
        aliases = [_name_tokens(fact.evidence.get("company"), language) for fact in current]
    facts.company_aliases = tuple(alias for alias in aliases if alias)
    facts.company_words = frozenset(word for alias in aliases for word in alias)
    facts.organisations = frozenset(
        word for fact in facts.all for name in ("company", "school") for word in _words(fact.evidence.get(name))
    )
    facts.customers = _customers(facts)
    for fact in facts.all:
        for word in fact.names:
            facts.people.setdefault(word, []).append(fact)
    facts.entity_keys = _entity_keys(facts, language)


def _customers(facts: Facts) -> frozenset[str]:
    """Names in proof points: customers of the sender, and nobody whom the dossier is about."""
    theirs: set[str] = set()
    others: set[str] = set()
    for fact in facts.all:
        mine = fact.evidence.actor is Actor.SENDER
        for sentence in fact.sentences:
            for at, token in enumerate(sentence.tokens):
                if not mine:
                    others.add(plain(token.text))
                elif token.word and token.capital and at and len(token.text) > 1:
                    theirs.add(plain(token.text))
    return frozenset(theirs - others - facts.sender_names - facts.sender_company - facts.company_words)


def _entity_keys(facts: Facts, language: Language) -> frozenset[str]:
    """Keys of the names of the two sides, which may be named anywhere."""
    words = facts.prospect_names | facts.company_words | facts.sender_names | facts.sender_company
    return frozenset(key for word in words for key in language.keys(word) if key[:1] != "=")


def _fill_titles(facts: Facts, language: Language) -> None:
    facts.positions = tuple(
        (fact, recorded_titles(fact.evidence.get("title"), language), not fact.evidence.get("end"))
        for fact in facts.of(Kind.POSITION)
    )
    facts.titles_of_others = tuple(
        (fact, recorded_titles(fact.evidence.get("title"), language))
        for fact in facts.of(Kind.COLLEAGUE, Kind.IN_COMMON, Kind.SENDER)
        if fact.evidence.get("title")
    )


def _periods(facts: Facts) -> tuple[Period, ...]:
    found = [
        Period(fact, fact.evidence.occurred, partial_date(fact.evidence.get("end")), not fact.evidence.get("end"))
        for fact in facts.of(Kind.POSITION, Kind.EDUCATION)
    ]
    by_company: dict[str, list[Period]] = {}
    for period in found:
        company = plain(period.fact.evidence.get("company"))
        if company and period.start:
            by_company.setdefault(company, []).append(period)
    for same in by_company.values():
        if len(same) > 1:
            ordered = sorted(same, key=lambda period: period.start.first if period.start else date.max)
            still = [period for period in same if period.open]
            found.append(
                Period(ordered[0].fact, ordered[0].start, None if still else ordered[-1].end, bool(still), whole=True)
            )
    return tuple(found)
