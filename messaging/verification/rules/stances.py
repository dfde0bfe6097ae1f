"""What someone is said to think: after "you argue that …" nothing is free, not even "always" or "better"."""

from __future__ import annotations

from messaging.verification.patterns import Match
from messaging.verification.reading import Clause
from messaging.verification.rules.base import Situation

#: Within a phrase that reports, a time is still a claim.
_MEASURES = frozenset({"time"})


def mark(situation: Situation) -> None:
    """The rest of the clause after a stance phrase is read strictly, up to where the sender speaks of themselves."""
    reading = situation.reading
    for name, tag in (("idiom", "handled"), ("idiom", "idiom"), ("insist", "insist"), ("stance", "handled")):
        for match in reading.named(name):
            _tag(match.first, match.last, tag, situation)
    for match in reading.named("directions"):
        _tag(match.last - 1, match.last, "weighty", situation)
    for match in reading.named("stance"):
        clause = _reported_in(match, situation)
        if clause is not None:
            clause.moods.add("strict")
            clause.moods.discard("open")
            _tag(match.last, _end(match.last, clause.last, situation), "strict", situation)
    for match in reading.named("says"):
        reading.clause_at(min(match.last, len(reading.tokens) - 1)).moods.add("own_words")
    _mark_before(situation)
    _mark_universals(situation)


def _reported_in(match: Match, situation: Situation) -> Clause | None:
    """The clause that holds what is reported; None where the phrase reports nothing."""
    reading = situation.reading
    if match.last >= len(reading.tokens):
        return None
    clause = reading.clause_at(match.last)
    supposed = any(clause.first <= one.first < match.first for one in reading.named("conditional"))
    # "Si no es para vos, prometo no insistir": the sender promises.
    said = reading.tokens[match.first + 1 : match.last]
    mine = any("self" in token.tags and "you" not in token.tags for token in said)
    mine = mine or (reading.tokens[match.last - 1].kind == "sign" and "self" in reading.tokens[match.last].tags)
    return None if supposed or mine else clause  # "if you ever want to": nobody is said to want it


def _mark_universals(situation: Situation) -> None:
    """ "Always", "constantly": about others they must stand in the evidence as they are."""
    for clause in situation.reading.clauses:
        if clause.subject == "self" or clause.moods & {"open", "hedged"}:
            continue
        for token in clause.tokens:
            if situation.language.has("universals", token.lower):
                token.tags.add("insist")
            if situation.language.means("predicates", token.keys):
                token.tags.add("predicate")
            close = situation.language.settings.get("close_names", False)
            if close and token.capital and not situation.language.known(token.lower):
                token.tags.add("proper")


def _mark_before(situation: Situation) -> None:
    """ "…, you wrote": the report stands before it."""
    reading = situation.reading
    for match in reading.named("stance_after"):
        clause = reading.clause_at(match.first)
        if match.first != clause.first or match.first == 0 or match.last < clause.last - 1:
            continue
        for before in reading.clauses[: reading.clauses.index(clause)]:
            before.moods.add("strict")
            before.moods.discard("open")
            _tag(before.first, before.last, "strict", situation)


def _tag(first: int, last: int, tag: str, situation: Situation) -> None:
    for token in situation.reading.tokens[first:last]:
        if tag == "handled" and token.tags & _MEASURES:
            continue  # "you wrote on 31 January that": the day is one of its own
        token.tags.add(tag)


def _end(first: int, last: int, situation: Situation) -> int:
    """ "… made me laugh": from a word about the sender's own mind the sentence is no longer a report."""
    tokens = situation.reading.tokens
    for at in range(first, last):
        if tokens[at].tags & {"self", "possessive_self"}:
            return max(first, at - 1)
    return last
