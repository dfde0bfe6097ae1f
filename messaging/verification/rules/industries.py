"""What holds for an industry is said of the industry: never of the reader, their company, or us.

A note such as "fintech companies answer to several regulators" is true of many; whether it is true of this one nobody
wrote down. A sentence that names a person or a company is read as if there were no notes.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from messaging.verification.contract import Verdict
from messaging.verification.facts import Fact, Facts
from messaging.verification.naming import opening
from messaging.verification.reading import Reading
from messaging.verification.rules.base import Draft, Situation
from prospects.domain.evidence import Actor

#: Words of a sentence by which it is about somebody: the reader, their name or company, anybody else's name, us.
_SOMEBODY = frozenset({"you", "your", "person", "prospect", "company", "sender"})
_US = frozenset({"self", "possessive_self", "plural_self"})
_SUBJECTS = frozenset({"you", "company", "person"})
_HINT = "Industry notes support sentences about the industry alone, without a person or a company in them."


def facts_for(reading: Reading, facts: Facts) -> Facts:
    """The facts that may support the sentence: all of them, or those that are not the industry's."""
    return facts.of_people if facts.of_people is not None and _of_somebody(reading) else facts


def _of_somebody(reading: Reading) -> bool:
    return bool(reading.titles) or any(token.tags & _SOMEBODY for token in reading.tokens)


def refused_of_somebody(situation: Situation, drafts: list[Draft]) -> list[Draft]:
    """Refuses what rests on a note although the clause is ours, or thanks or congratulates for it."""
    notes = {fact.ref: fact for fact in situation.facts.all if fact.evidence.actor is Actor.INDUSTRY}
    if not notes:
        return drafts
    return [
        _refused(draft, notes)
        if any(ref in notes for ref in draft.evidence) and _is_taken_for_somebody(draft, situation)
        else draft
        for draft in drafts
    ]


def _is_taken_for_somebody(draft: Draft, situation: Situation) -> bool:
    reading = situation.reading
    if draft.verdict is not Verdict.VERIFIED:
        return False
    if any(token.tags & _US for token in reading.tokens[draft.first : draft.last]):
        return True
    clauses = [clause for clause in reading.clauses if clause.first < draft.last and draft.first < clause.last]
    return any(clause.subject in _SUBJECTS or "presupposed" in clause.moods for clause in clauses)


def _refused(draft: Draft, notes: Mapping[str, Fact]) -> Draft:
    """Without evidence: a second reader would find the words in the note, and must not let them pass for that."""
    note = next(notes[ref] for ref in draft.evidence if ref in notes)
    reason = f"{opening(note)} speaks of the industry; nothing says this of a person or a company."
    return replace(draft, verdict=Verdict.UNSUPPORTED, reason=reason, evidence=(), hint=_HINT, valid_until=None)
