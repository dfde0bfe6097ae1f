"""Texts that a finding may be about: where a person or a judge looks first. They support nothing by themselves."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from messaging.verification.contract import ClaimType, Verdict
from messaging.verification.facts import Fact
from messaging.verification.reading import Clause
from messaging.verification.rules.base import Draft, Situation, refs
from messaging.verification.rules.matching import situation_mask
from messaging.verification.tokens import Token
from prospects.domain.evidence import OWN_WORDS, PROSE, Actor, Kind

#: Texts that a finding names.
MOST_MEANT = 3
_NOT_SAID = frozenset({Kind.COMPANY_NEWS, Kind.COLLEAGUE, Kind.JOB})
#: A name that the dossier does not have is in none of its texts.
_OF_NOTHING = frozenset({ClaimType.OTHER})


def allowed(fact: Fact, clause: Clause) -> bool:
    """The sender's facts never speak of the prospect or their company, and news is nothing that the prospect said."""
    if "own_words" in clause.moods and fact.evidence.kind in _NOT_SAID:
        return False
    if fact.evidence.actor is Actor.SENDER:
        return clause.subject not in ("you", "company", "person")
    return not clause.of_sender or fact.evidence.kind is Kind.IN_COMMON


def senders(situation: Situation) -> list[Fact]:
    return [fact for fact in situation.facts.all if fact.evidence.actor is Actor.SENDER]


def meant(clause: Clause, situation: Situation) -> list[Fact]:
    """The texts that the clause may put into other words: what it or the sentences before are about, prose first."""
    near = [fact for fact in situation.near(clause) if allowed(fact, clause)]
    if clause.subject == "self" or not near:
        near += senders(situation)
    prose = [fact for fact in near if fact.evidence.kind in PROSE]
    return list({fact.ref: fact for fact in prose or near}.values())


def holding(tokens: Iterable[Token], situation: Situation) -> list[Fact]:
    """The facts that hold one of the words, those that hold most of them first."""
    masks = [mask for token in tokens if token.word and (mask := situation_mask(token, situation))]
    counted = [(sum(mask >> at & 1 for mask in masks), -at) for at in range(len(situation.facts.all))]
    return [situation.facts.all[-at] for score, at in sorted(counted, reverse=True) if score]


def cited(draft: Draft, situation: Situation) -> Draft:
    """An unsupported draft that names no text yet names those it may be about; what the prospect wrote last, if none."""
    if draft.verdict is not Verdict.UNSUPPORTED or draft.evidence or draft.type in _OF_NOTHING:
        return draft
    clause = situation.reading.clause_at(draft.first)
    found = meant(clause, situation) or list(situation.facts.of(*sorted(OWN_WORDS & PROSE)))
    return replace(draft, evidence=refs(found[:MOST_MEANT]))
