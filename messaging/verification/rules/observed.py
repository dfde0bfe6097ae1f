"""How long what is said of today may be said: an open position holds for as long as somebody saw it not long ago.

A profile says what was so on the day it was seen. A claim in the present tense that rests on it holds until the day on
which that observation is too old for its kind; what is told with its past date ("you joined in March 2021") does not age.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import date, timedelta

from messaging.verification.ageing import Seen
from messaging.verification.contract import ClaimType, Verdict
from messaging.verification.facts import Facts
from messaging.verification.naming import named, opening
from messaging.verification.numerals import TIME_UNITS, Quantity
from messaging.verification.reading import Clause
from messaging.verification.rules.base import Draft, Situation, refs
from messaging.verification.rules.tenure import tenure_of
from prospects.domain.evidence import Kind

_HINT = "Refresh the profile."
_DAYS_AHEAD = 366
#: Claims that may be lifted as other words of what they cite.
_RETOLD = frozenset({ClaimType.INFERENCE, ClaimType.UNDECLARED})
_PAST = ("past_markers",)
_BEGUN = ("join", "enter")
_TODAY = ("since", "current", "held_now", "present")


def check(situation: Situation, drafts: Sequence[Draft]) -> list[Draft]:
    """The drafts of the other rules as far as what they rest on was seen lately; lengths of time and employers with them."""
    checked = [*drafts, *_tenures(situation, drafts)]
    if not situation.seen:
        return checked
    checked = [_limited(draft, situation) for draft in checked]
    return [*checked, *_employers(situation, checked)]


def limited(draft: Draft, seen: Mapping[str, Seen]) -> Draft:
    """The draft with the last day of what it rests on; unsupported where that was seen too long ago."""
    resting = [seen[ref] for ref in draft.evidence if ref in seen]
    if not resting:
        return draft
    stale = [one for one in resting if one.stale]
    if draft.verdict is Verdict.VERIFIED and stale:
        kind = ClaimType.TITLE if draft.type in _RETOLD else draft.type
        reason = stale[0].reason
        draft = replace(draft, type=kind, verdict=Verdict.UNSUPPORTED, reason=reason, hint=_HINT, valid_until=None)
        return replace(draft, evidence=_without(stale, draft))
    if draft.verdict is Verdict.UNSUPPORTED:
        draft = replace(draft, evidence=_without(stale, draft))
    days = [one.last_day for one in resting if one.last_day and one not in stale]
    return replace(draft, valid_until=min([*days, *([draft.valid_until] if draft.valid_until else [])], default=None))


def _without(stale: Sequence[Seen], draft: Draft) -> tuple[str, ...]:
    """No second reader may lift it by what nobody knows to be so today."""
    gone = {one.fact.ref for one in stale}
    return tuple(ref for ref in draft.evidence if ref not in gone)


def _limited(draft: Draft, situation: Situation) -> Draft:
    clause = situation.reading.clause_at(draft.first)
    resting = [situation.seen[ref] for ref in draft.evidence if ref in situation.seen]
    if not resting or (
        all(one.fact.evidence.kind is Kind.POSITION for one in resting) and _of_the_past(clause, situation)
    ):
        return draft
    return limited(draft, situation.seen)


def _of_the_past(clause: Clause, situation: Situation) -> bool:
    """ "You joined in March 2021": dated, with a word of beginning or of the past, and none of today."""
    language = situation.language
    words = [token for token in clause.tokens if token.word and "title" not in token.tags]
    if any(language.has(name, token.lower) for name in _TODAY for token in words):
        return False
    if not any("time" in token.tags for token in words):
        return False
    if any(language.has(name, token.lower) for name in _PAST for token in words):
        return True
    return any(language.means(name, token.keys) for name in _BEGUN for token in words)


def _tenures(situation: Situation, drafts: Sequence[Draft]) -> list[Draft]:
    """ "Three years in the role" by arithmetic: until the day on which it is no longer three."""
    found = []
    for number in situation.reading.numbers:
        clause = situation.reading.clause_at(number.first)
        if number.unit not in TIME_UNITS or clause.open or clause.subject == "self" or "hedged" in clause.moods:
            continue
        if any(draft.first <= number.first < draft.last for draft in drafts):
            continue
        resting = tenure_of(number, clause, situation)
        if resting:
            reason = f"True of {named(resting[0])} by its dates."
            until = _last_day(number, clause, situation)
            cited = refs(resting)
            found.append(Draft(number.first, number.last, ClaimType.DATE, Verdict.VERIFIED, reason, cited, "", until))
    return found


def _last_day(number: Quantity, clause: Clause, situation: Situation) -> date | None:
    """The last day on which the length holds; None when it does not age within a year."""
    today = situation.today
    if tenure_of(number, clause, situation, today + timedelta(days=_DAYS_AHEAD)):
        return None
    low, high = 0, _DAYS_AHEAD
    while high - low > 1:
        middle = (low + high) // 2
        holds = tenure_of(number, clause, situation, today + timedelta(days=middle))
        low, high = (middle, high) if holds else (low, middle)
    return today + timedelta(days=low)


def _employers(situation: Situation, drafts: Iterable[Draft]) -> list[Draft]:
    """ "You at Brightloom", in a question too, says that the prospect works there today."""
    cited = {(draft.first, ref) for draft in drafts for ref in draft.evidence}
    found = []
    for clause in situation.reading.clauses:
        places = [at for at, token in enumerate(clause.tokens, clause.first) if "company" in token.tags]
        if not places or not any(token.tags & {"you", "your"} for token in clause.tokens):
            continue
        held = [one for one in situation.seen.values() if _at_company(one, situation.facts)]
        told_already = any((at, one.fact.ref) in cited for at in range(clause.first, clause.last) for one in held)
        if not held or told_already or _of_the_past(clause, situation):
            continue
        first, last = places[0], places[-1] + 1
        newest = max(held, key=lambda one: one.last_day or date.min)
        reason = f"{opening(newest.fact)} is open."
        draft = Draft(first, last, ClaimType.COMPANY, Verdict.VERIFIED, reason, (newest.fact.ref,))
        found.append(limited(draft, situation.seen))
    return found


def _at_company(one: Seen, facts: Facts) -> bool:
    company = one.fact.evidence.get("company").casefold()
    return one.fact.evidence.kind is Kind.POSITION and any(alias[0] in company for alias in facts.company_aliases)
