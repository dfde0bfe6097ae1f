"""Dates and recency: time words are windows, measured to the day of sending."""

from __future__ import annotations

from datetime import date, timedelta

from messaging.verification.contract import ClaimType, Verdict
from messaging.verification.facts import Fact
from messaging.verification.naming import dated, when
from messaging.verification.reading import Clause
from messaging.verification.rules.base import Draft, Situation, refs
from messaging.verification.rules.matching import says_something, situation_mask
from messaging.verification.rules.meant import holding
from messaging.verification.rules.tenure import companies_named
from messaging.verification.times import TimeWords, inside, windows
from prospects.domain.dates import DateInterval
from prospects.domain.evidence import OWN_WORDS, Actor, Kind

_DAYS_AHEAD = 366
_OWN_TEXTS = (Kind.POST, Kind.COMMENT)
#: A sentence of so few words says nothing alone.
_FRAGMENT = 3
#: So many words before a clause that opens with "that" hold what it tells more of.
_ANTECEDENT = 2
#: Numbers up to this one stand in too many sentences to tell which is meant.
_ANY = 2
#: Texts of that time which a finding names.
_MOST_DATED = 3
#: Kinds that tell of something that happened.
_TOLD_OF = (Kind.COMPANY_NEWS, Kind.AWARD, Kind.TALK, Kind.PUBLICATION, Kind.CERTIFICATION, Kind.POST)


def check(situation: Situation) -> list[Draft]:
    """One draft for each time word that dates something, and for each word that implies "recently"."""
    drafts = []
    for words in situation.reading.times:
        clause = situation.reading.clause_at(words.first)
        if not _dates_an_act(words, clause, situation) and not _any_of_them(words, situation):
            drafts.append(_check_words(words, clause, situation))
    drafts += [_check_implied(match.first, match.last, match.rule, situation) for match in _implied(situation)]
    return [draft for draft in drafts if draft is not None]


def _implied(situation: Situation) -> list[TimeWords]:
    return [
        TimeWords(match.first, match.last, match.name)
        for match in situation.reading.named("congratulations", "fresh")
        if not any("handled" in token.tags for token in situation.reading.tokens[match.first : match.last])
    ]


def _dates_an_act(words: TimeWords, clause: Clause, situation: Situation) -> bool:
    """ "Next week", "one day this month" in a request or offer date the talk, not the evidence."""
    if _ahead(words.rule):
        return clause.open or clause.subject == "self" or "hedged" in clause.moods
    if clause.open and not situation.reading.named("congratulations"):
        return True
    tags = {tag for token in situation.reading.tokens[words.first : words.last] for tag in token.tags}
    return bool(tags & {"handled", "quoted"})


def _any_of_them(words: TimeWords, situation: Situation) -> bool:
    """ "A summer": with an article that may mean any, a season dates nothing."""
    before = situation.reading.tokens[words.first - 1].lower if words.first else ""
    return words.rule.startswith("season") and before in situation.language.numbers.get("weak", [])


def _ahead(rule: str) -> bool:
    """Whether the words name a time to come."""
    name, *rest = rule.split(":")
    return name in ("coming", "next") or (name == "shift" and not rest[1].startswith(("-", "0")))


def _check_words(words: TimeWords, clause: Clause, situation: Situation) -> Draft | None:
    near = _dated_facts(clause, situation)
    if _starts_period(words, situation) and clause.subject != "self":
        near += tuple(fact for fact, _, still in situation.facts.positions if still)  # "since you came in August"
    reported = _report_of(words, situation)
    near = reported or near
    for fact in dict.fromkeys((*near, *(() if reported else _telling(clause, situation)))):
        if _holds(words, fact, clause, situation, situation.today):
            until = _last_day(words, fact, clause, situation)
            return _dated(words.first, words.last, ClaimType.DATE, fact, until)
    said = " ".join(token.text for token in situation.reading.tokens[words.first : words.last])
    first, last = _around(words, clause)
    relative = words.rule.partition(":")[0] in ("within", "ago", "shift")
    if not near:
        return Draft(
            first,
            last,
            ClaimType.RECENCY if relative else ClaimType.DATE,
            Verdict.UNSUPPORTED,
            f"No dated evidence supports “{said}”.",
        )
    fact = near[0]
    of_that_time = _of_that_time(words, clause, situation)
    certain = not of_that_time and _is_about(clause, fact, situation)
    return Draft(
        first,
        last,
        ClaimType.RECENCY if relative else ClaimType.DATE,
        Verdict.CONTRADICTED if certain else Verdict.UNSUPPORTED,
        f"“{said}” does not hold for {dated(fact)}.",
        refs([*of_that_time[:_MOST_DATED], fact]),
        f"It was {when(fact.evidence)}.",
    )


def _of_that_time(words: TimeWords, clause: Clause, situation: Situation) -> list[Fact]:
    """Evidence that lies in a window of the words, or whose text gives such a date: the sentence may mean that."""
    meant = windows(words.rule, situation.today)
    sender = clause.subject == "self"
    facts = situation.facts.all
    if words.rule.partition(":")[0] in ("within", "ago"):  # these hold for much: only of what the clause has a word of
        said = [token for token in clause.tokens if says_something(token, situation) and "company" not in token.tags]
        facts = tuple(holding(said, situation))
    return [
        fact
        for fact in facts
        if (sender or fact.evidence.actor is not Actor.SENDER)
        and any(inside(interval, window) for window in meant for interval in _any_date(fact))
    ]


def _any_date(fact: Fact) -> list[DateInterval]:
    occurred = fact.evidence.occurred
    return [*([occurred] if occurred is not None else []), *fact.dates]


def _is_about(clause: Clause, fact: Fact, situation: Situation) -> bool:
    """Whether the clause itself, not only one beside it, tells of this fact, and the fact has a date to compare."""
    return fact is situation.best[situation.reading.clauses.index(clause)] and bool(_any_date(fact))


def _report_of(words: TimeWords, situation: Situation) -> tuple[Fact, ...]:
    """ "…, as you said in February": the prospect's own texts that share a word of content with what stands before."""
    reading = situation.reading
    match = next(
        (match for match in reading.named("stance_after") if match.first <= words.first <= match.last + 1), None
    )
    if match is None or not match.first:
        return ()
    keys = {key for token in reading.tokens[: match.first] if says_something(token, situation) for key in token.keys}
    own = situation.facts.of(*_OWN_TEXTS)
    return tuple(fact for fact in own if not keys.isdisjoint(fact.keys))


def _dated(first: int, last: int, kind: ClaimType, fact: Fact, until: date | None) -> Draft:
    reason = f"True of {dated(fact)}."
    return Draft(first, last, kind, Verdict.VERIFIED, reason, refs([fact]), valid_until=until)


def _around(words: TimeWords, clause: Clause) -> tuple[int, int]:
    return max(clause.first, words.first - 6), min(clause.last, words.last + 6)


def _dated_facts(clause: Clause, situation: Situation) -> tuple[Fact, ...]:
    near = situation.near(clause)
    if clause.subject == "you" and not any("person" in token.tags for token in situation.reading.tokens):
        near = tuple(fact for fact in near if fact.evidence.kind is not Kind.COLLEAGUE)
    if situation.reading.subject_line:
        return near + situation.facts.all
    if situation.reading.named("reshared"):
        near += situation.facts.of(Kind.RESHARE)
    positions = _positions_meant(near, clause, situation)
    if positions:
        return positions
    dates_only = not any(says_something(token, situation) for token in clause.tokens)
    # "Em 8 de outubro, você publicou um post"
    around = situation.reading.tokens if dates_only and not near else clause.tokens
    if any(situation.language.has("post_nouns", token.lower) for token in around):
        near += situation.facts.of(Kind.POST, *([] if around is not clause.tokens else [Kind.COMMENT]))
    near += _antecedents(clause, situation)
    if dates_only and _reports(clause, situation) and not any(fact.evidence.kind in OWN_WORDS for fact in near):
        near += situation.facts.of(Kind.POST, Kind.COMMENT)  # "In July you wrote …", what follows is in other words
    if clause.subject == "self" and (clause.of_sender or not near):
        senders = tuple(fact for fact in situation.facts.all if fact.evidence.actor is Actor.SENDER)
        near = (*(fact for fact in near if fact.evidence.actor is not Actor.SENDER), *senders)
    return near


def _antecedents(clause: Clause, situation: Situation) -> tuple[Fact, ...]:
    """ "A comment | that you left last winter": the texts that a clause may tell the date of."""
    before = situation.reading.tokens[max(0, clause.first - _ANTECEDENT) : clause.first]
    opened = situation.language.has("clause_openers", clause.tokens[0].lower)
    named = opened and any(situation.language.has("post_nouns", token.lower) for token in before)
    return situation.facts.of(*_OWN_TEXTS) if named else ()


def _telling(clause: Clause, situation: Situation) -> tuple[Fact, ...]:
    """Other facts that hold every word of the clause that says something: it may be of them as well."""
    content = [token for token in clause.tokens if says_something(token, situation) and "company" not in token.tags]
    mask = -1 if any(not token.capital for token in content) else 0  # a name alone tells nothing
    for token in content:
        mask &= situation_mask(token, situation)
    holding = (fact for at, fact in enumerate(situation.facts.all) if mask >> at & 1)
    kinds = (*(OWN_WORDS if len(content) > 1 else ()), *(() if clause.subject == "you" else (Kind.COMPANY_NEWS,)))
    return tuple(fact for fact in holding if fact.evidence.kind in kinds)


def _positions_meant(near: tuple[Fact, ...], clause: Clause, situation: Situation) -> tuple[Fact, ...]:
    """The positions whose start the clause dates: "you joined", "you took on"; () where it tells something else."""
    said = [
        name
        for name in ("enter", "take_on")
        for t in clause.tokens
        if t.word and situation.language.means(name, t.keys)
    ]
    positions = tuple(fact for fact in near if fact.evidence.kind is Kind.POSITION)
    if "take_on" in said and clause.subject == "you":
        return positions or situation.facts.of(Kind.POSITION)
    return positions if "enter" in said else ()


def _reports(clause: Clause, situation: Situation) -> bool:
    return any(clause.first <= match.first < clause.last for match in situation.reading.named("says"))


def _holds(words: TimeWords, fact: Fact, clause: Clause, situation: Situation, day: date) -> bool:
    """Whether an event of the fact, or a date that its text gives for this, lies in a window of the words."""
    dates = _events(fact, clause, situation)
    if words.rule.partition(":")[0] not in ("within", "ago") and not _changes_place(fact, clause, situation):
        dates += fact.dates
    if _starts_period(words, situation) and fact.evidence.kind in (Kind.POST, Kind.COMMENT):
        dates = []
    only = _ahead(words.rule) and not any(says_something(token, situation) for token in situation.reading.tokens)
    dates += _told(fact, clause, situation, everywhere=situation.reading.subject_line or only)
    return any(inside(interval, window) for window in windows(words.rule, day) for interval in dates)


def _changes_place(fact: Fact, clause: Clause, situation: Situation) -> bool:
    """Joining and leaving have one date each: not any date of the position."""
    language = situation.language
    moving = any(
        language.means(name, token.keys) for name in ("join", "leave") for token in clause.tokens if token.word
    )
    entering = any(language.means("enter", token.keys) for token in clause.tokens if token.word)
    moving = entering or (moving and len(companies_named(clause, situation)) > 1)
    return moving and fact.evidence.kind is Kind.POSITION


def _starts_period(words: TimeWords, situation: Situation) -> bool:
    """ "Since July": when something began, which is not when it was written about."""
    before = situation.reading.tokens[max(0, words.first - 2) : words.first]
    return any(situation.language.has("since", token.lower) for token in before)


def _told(fact: Fact, clause: Clause, situation: Situation, *, everywhere: bool) -> list[DateInterval]:
    """Dates that the text gives in a sentence which shares a word or a figure with the clause."""
    keys = {key for token in clause.tokens if token.word and "time" not in token.tags for key in token.keys}
    numbers = [number for number in situation.reading.numbers if clause.first <= number.first < clause.last]
    said = {(number.value, number.unit) for number in numbers if number.value > _ANY}
    found: list[DateInterval] = []
    before: frozenset[str] = frozenset()
    for sentence in fact.sentences:
        # "From 1 February." goes with what was said before it
        fragment = sum(token.word for token in sentence.tokens) <= _FRAGMENT
        shared = not keys.isdisjoint(sentence.keys | (before if fragment else frozenset()))
        counted = any((one.value, one.unit) in said for one in sentence.numbers)
        if sentence.dates and (everywhere or shared or counted):
            found += sentence.dates
        before = sentence.keys
    return found


def _events(fact: Fact, clause: Clause, situation: Situation) -> list[DateInterval]:
    """When what the clause speaks of happened: joining a company is not the start of the latest role there."""
    language = situation.language
    item = fact.evidence
    if item.kind is Kind.POSITION:
        lowers = [token for token in clause.tokens if token.word]
        periods = [period for period in situation.facts.periods if _same_company(period.fact, fact)]
        if _changes_place(fact, clause, situation):
            starts = [p.start for p in companies_named(clause, situation) if p.start is not None]
            return [max(starts, key=lambda start: start.first)] if starts else []
        if any(language.means("leave", token.keys) for token in lowers):
            return [period.end for period in periods if period.end is not None]
        if any(language.means("join", token.keys) for token in lowers):
            starts = sorted(period.start for period in periods if period.start is not None)
            return starts[:1]
    return [item.occurred] if item.occurred is not None else []


def _same_company(one: Fact, other: Fact) -> bool:
    return one.evidence.get("company").casefold() == other.evidence.get("company").casefold()


def _last_day(words: TimeWords, fact: Fact, clause: Clause, situation: Situation) -> date | None:
    """The last day on which it still holds; None when it does not age within a year."""
    today = situation.today
    if _holds(words, fact, clause, situation, today + timedelta(days=_DAYS_AHEAD)):
        return None
    low, high = 0, _DAYS_AHEAD
    while high - low > 1:
        middle = (low + high) // 2
        holds = _holds(words, fact, clause, situation, today + timedelta(days=middle))
        low, high = (middle, high) if holds else (low, middle)
    return today + timedelta(days=low)


def _check_implied(first: int, last: int, name: str, situation: Situation) -> Draft | None:
    """ "Congratulations", "your new …", "first weeks": the event must be as recent as the word implies."""
    clause = situation.reading.clause_at(first)
    if name == "congratulations" and situation.reading.named("belated"):
        return None
    near = situation.near(clause)
    covering = situation.best[situation.reading.clauses.index(clause)]
    if covering is not None and covering.dates:
        near = (*_happenings(covering, clause, situation), covering, *situation.cited)
    roles = _fresh_facts(clause, situation) if name == "fresh" else ()
    near = roles or near
    days = int(situation.language.times.get("implied", {}).get(name, 120))
    implied = TimeWords(first, first, f"within:{days}")
    for fact in near:
        if _holds(implied, fact, clause, situation, situation.today):
            for token in situation.reading.tokens[first:last]:
                token.tags.add("handled")
            return _dated(first, last, ClaimType.RECENCY, fact, _last_day(implied, fact, clause, situation))
    if not near:
        return Draft(
            min(first, clause.first),
            max(last, clause.last),
            ClaimType.RECENCY,
            Verdict.UNSUPPORTED,
            "No dated evidence says that this is recent.",
        )
    return Draft(
        min(first, clause.first),
        max(last, clause.last),
        ClaimType.RECENCY,
        Verdict.CONTRADICTED if roles or _is_about(clause, near[0], situation) else Verdict.UNSUPPORTED,
        f"This sounds recent; the evidence is {dated(near[0])}.",
        refs(near[:1]),
        f"It was {when(near[0].evidence)}.",
    )


def _happenings(covering: Fact, clause: Clause, situation: Situation) -> tuple[Fact, ...]:
    """A position names what it is about; what happened there is told by news, awards and texts with the same words."""
    language = situation.language
    role = any(language.means("role_words", token.keys) for token in clause.tokens if token.word)
    if covering.evidence.kind is not Kind.POSITION or role or situation.reading.titles:
        return ()
    said = [token for token in clause.tokens if says_something(token, situation) and "handled" not in token.tags]
    return tuple(
        fact
        for fact in situation.facts.of(*_TOLD_OF)
        if said and all(not token.keys.isdisjoint(fact.keys) for token in said)
    )


def _fresh_facts(clause: Clause, situation: Situation) -> tuple[Fact, ...]:
    """A new role is the position with that title, or the latest one."""
    from_titles = [
        fact
        for fact, titles, _ in situation.facts.positions
        for mention in situation.reading.titles
        if any(mention.parts in (t.parts, t.core) for t in titles)
    ]
    if from_titles:
        return tuple(from_titles)
    names = ("role_words", "join", "enter") if clause.subject == "you" else ("role_words",)
    roles = any(situation.language.means(name, token.keys) for token in clause.tokens if token.word for name in names)
    still = tuple(fact for fact, _, open_ in situation.facts.positions if open_)
    return still[:1] if roles else ()
