"""How long: in a role, at a company, since an event. The claim must hold for every date of the interval."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

from messaging.verification.facts import Fact, Period
from messaging.verification.numerals import TIME_UNITS, Quantity
from messaging.verification.reading import Clause
from messaging.verification.rules.base import Situation
from messaging.verification.rules.connections import shared_years
from messaging.verification.times import holds_duration, holds_exactly
from messaging.verification.titles import TitleMention, same_title, title_words
from messaging.verification.tokens import Token
from prospects.domain.dates import DateInterval, partial_date
from prospects.domain.evidence import Kind

#: "Five years of development": so many words behind a length tell what it was spent on.
_WORK_REACH = 3
#: Where a sentence lists so many lengths, each goes with its own work.
_SEVERAL = 2
_NAMED = frozenset({"organisation", "company", "title", "number", "time"})
_YEARS = ("sender_years", "prospect_years")


def tenure_holds(number: Quantity, clause: Clause, situation: Situation) -> bool:
    """Whether some period that the clause may speak of has that length on the day of sending."""
    return bool(tenure_of(number, clause, situation))


def tenure_of(number: Quantity, clause: Clause, situation: Situation, today: date | None = None) -> tuple[Fact, ...]:
    """The evidence of a period that the clause may speak of and that has that length on the day; () for none."""
    day = today or situation.today
    titled = _titled(clause, situation)
    for period in titled or periods_for(clause, situation):
        if _lasts(period, number, day):
            return _resting(period, situation)
    # "You have been Head of X for four years": what else lasts so long is not meant
    for fact in situation.near(clause) if not titled or clause.subject != "you" else ():
        if _since(fact, number, day) or _until(fact, number, day) or _shared(fact, number):
            return (fact,)
    for period in _career(number, clause, situation) + _by_scope(clause, situation):
        if _lasts(period, number, day):
            return _resting(period, situation)
    return ()


def _resting(period: Period, situation: Situation) -> tuple[Fact, ...]:
    """Of several positions in a row: the first, and those that are still open."""
    if not (period.whole and period.open):
        return (period.fact,)
    company = period.fact.evidence.get("company")
    still = [fact for fact, _, held in situation.facts.positions if held and fact.evidence.get("company") == company]
    return (period.fact, *(fact for fact in still if fact is not period.fact))


def _career(number: Quantity, clause: Clause, situation: Situation) -> list[Period]:
    """From the first to the last of several titles that the sentence names; the position whose work follows the number."""
    titled = [
        period
        for mention in situation.reading.titles
        for period in situation.facts.periods
        for fact, titles, _ in situation.facts.positions
        if fact is period.fact and not period.whole and any(same_title(mention.parts, title) for title in titles)
    ]
    known = [period for period in titled if period.start is not None]
    found: list[Period] = []
    if len({id(period.fact) for period in known}) > 1:
        first = min(known, key=lambda period: period.start.first if period.start else date.max)
        still = any(period.open for period in known)
        last = max((period.end for period in known if period.end), key=lambda end: end.last, default=None)
        found.append(Period(first.fact, first.start, None if still else last, still, whole=True))
    if sum(other.unit in TIME_UNITS for other in situation.reading.numbers) < _SEVERAL:
        return found
    behind = situation.reading.tokens[number.last : min(clause.last, number.last + _WORK_REACH)]
    said = [
        token
        for token in behind
        if token.word and not token.tags & _NAMED and not situation.language.has("function", token.lower)
    ]
    worked = [period for period in situation.facts.periods if any(_in_fact(token, period.fact) for token in said)]
    return found + worked


def _in_fact(token: Token, fact: Fact) -> bool:
    return any(key in fact.keys for key in token.keys if key[:1] not in "=#")


def _by_scope(clause: Clause, situation: Situation) -> list[Period]:
    """ "Three years in Global Mobility": positions whose title has all capital words that the clause says of no company."""
    named = [
        token.lower
        for token in clause.tokens
        if token.capital and token.word and not token.tags & {"company", "organisation", "time", "titled", "prospect"}
    ]
    found = []
    for period in situation.facts.periods:
        title = {part.strip(",").casefold() for part in period.fact.evidence.get("title").split()}
        if len(named) > 1 and title.issuperset(named):
            found.append(period)
    return found


def _shared(fact: Fact, number: Quantity) -> bool:
    """ "At Cardiff at the same time for a year": as long as the recorded years of both go together."""
    years = shared_years(fact) if fact.evidence.kind is Kind.IN_COMMON else None
    if years is None:
        return False
    if number.rounding == "about":  # whole years on both sides: from the middle of the one to the middle of the other
        start, end = _middle(years[0]), _middle(years[1])
        return holds_duration(number, start, start, end, end)
    return holds_duration(number, years[0].first, years[0].last, years[1].first, years[1].last)


def _middle(interval: DateInterval) -> date:
    return interval.first + (interval.last - interval.first) / 2


def periods_for(clause: Clause, situation: Situation) -> list[Period]:
    """Periods with the title or company that the clause names; otherwise those still open."""
    facts = situation.facts
    titled = _titled(clause, situation)
    if titled:
        return titled
    named = [period for period in facts.periods if _named(period.fact, clause)]
    if named and not _speaks_of_role(clause, situation):
        whole = [period for period in named if period.whole]
        return whole or named
    near = [period for period in facts.periods if any(fact is period.fact for fact in situation.near(clause))]
    return near + named or [period for period in facts.periods if period.open]


def _titled(clause: Clause, situation: Situation) -> list[Period]:
    """Periods of the titles that the clause names, by their meaning or else as they are written."""
    facts = situation.facts
    named = [
        period
        for mention in situation.reading.titles
        if _speaks_of(mention, clause, situation)
        for period in facts.periods
        for fact, titles, _ in facts.positions
        if fact is period.fact and any(same_title(mention.parts, title) for title in titles)
    ]
    said = [token.lower for token in clause.tokens if token.word]
    written = [] if named else [period for period in facts.periods if _written_in(period.fact, said)]
    return named or [period for period in written if not period.whole]


def _written_in(fact: Fact, said: list[str]) -> bool:
    """Whether the recorded title, of two words or more, stands in the clause as it is."""
    title = [part.strip(",").casefold() for part in fact.evidence.get("title").split()]
    return len(title) > 1 and any(said[at : at + len(title)] == title for at in range(len(said)))


def _speaks_of(mention: TitleMention, clause: Clause, situation: Situation) -> bool:
    """Whether the title stands in the clause, or the clause only goes on with it ("…, Ethics and Intake, for years")."""
    if situation.reading.clause_at(mention.first) is clause:
        return True
    return mention.first < clause.first and not any(token.tags & {"you", "your"} for token in clause.tokens)


def years_apart(number: Quantity, situation: Situation) -> Fact | None:
    """ "I left two years before you came": the record that both were somewhere, where its years lie so far apart."""
    tokens, language = situation.reading.tokens, situation.language
    after = [token for token in tokens[number.last :] if token.word]
    earlier = any(language.has("earlier", token.lower) for token in after[:3])
    if number.unit != "year" or earlier == any(language.has("later", token.lower) for token in after[:3]):
        return None
    mine = tokens[: number.first]
    for fact in situation.facts.of(Kind.IN_COMMON):
        ours, yours = (fact.evidence.get(name).replace("\u2013", "-").split("-") for name in _YEARS)
        for one in _meant(ours, mine, situation):
            for other in _meant(yours, after, situation):
                apart = other - one if earlier else one - other
                if holds_exactly(number, apart):
                    return fact
    return None


def _meant(years: list[str], said: Sequence[Token], situation: Situation) -> list[int]:
    """The first year for words of joining, the last for words of leaving and graduating."""
    known = [partial_date(year) for year in years[:2]]
    first, last = known[0] if known else None, known[1] if len(known) > 1 else None
    language = situation.language
    came = any(language.means(name, token.keys) for token in said if token.word for name in ("join", "enter"))
    left = any(language.means(name, token.keys) for token in said if token.word for name in ("leave", "graduate"))
    wanted = [*([first] if came or not left else []), *([last] if left or not came else [])]
    return [year.first.year for year in wanted if year is not None]


def companies_named(clause: Clause, situation: Situation) -> list[Period]:
    """For each company of the record that the clause names, the prospect's first period there."""
    first: dict[str, Period] = {}
    for period in situation.facts.periods:
        company = period.fact.evidence.get("company").casefold()
        if company and period.start is not None and _named(period.fact, clause):
            known = first.get(company)
            if known is None or known.start is None or period.start.first < known.start.first:
                first[company] = period
    return list(first.values())


def _speaks_of_role(clause: Clause, situation: Situation) -> bool:
    """Whether a word of titles or roles stands in the clause; otherwise "at Havenlink" means all the time there."""
    language = situation.language
    return any(
        token.lower in title_words(language) or language.means("role_words", token.keys)
        for token in clause.tokens
        if token.word
    )


def _named(fact: Fact, clause: Clause) -> bool:
    company = fact.evidence.get("company") or fact.evidence.get("school")
    words = {part.casefold() for part in company.split()}
    return any(token.capital and token.lower in words for token in clause.tokens)


def _lasts(period: Period, number: Quantity, today: date) -> bool:
    if period.start is None:
        return False
    if period.open:
        begun = _middle(period.start)
        about = number.rounding == "about" and holds_duration(number, begun, begun, today, today)
        return about or holds_duration(number, period.start.first, period.start.last, today, today)
    if period.end is None:
        return False
    length = holds_duration(number, period.start.first, period.start.last, period.end.first, period.end.last)
    return length or holds_duration(number, period.end.first, period.end.last, today, today)


def _until(fact: Fact, number: Quantity, today: date) -> bool:
    """ "In four weeks": a day to come that the text gives."""
    return any(
        holds_duration(number, today, today, told.first, told.last)
        for sentence in fact.sentences
        for told in sentence.dates
        if told.first > today
    )


def _since(fact: Fact, number: Quantity, today: date) -> bool:
    item = fact.evidence
    if item.occurred is None or item.kind is Kind.POSITION:
        return False
    return item.occurred.last <= today and holds_duration(number, item.occurred.first, item.occurred.last, today, today)
