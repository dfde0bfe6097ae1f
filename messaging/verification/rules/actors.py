"""Achievements: a personal verb needs the prospect as actor; the company's news licenses the company only."""

from __future__ import annotations

from messaging.verification.contract import ClaimType, Verdict
from messaging.verification.facts import Fact, plain
from messaging.verification.naming import opening
from messaging.verification.reading import Clause, is_oblique
from messaging.verification.rules.base import Draft, Situation, refs, stated
from messaging.verification.rules.matching import says_something
from messaging.verification.statements import FactSentence
from messaging.verification.tokens import Token
from prospects.domain.evidence import Kind

#: So many words of a reshared text make a clause be about it.
_ENOUGH = 2
_OTHERS = frozenset({Kind.COMPANY_NEWS, Kind.COLLEAGUE, Kind.JOB})


def check(situation: Situation) -> list[Draft]:
    """Drafts for what is credited to the prospect without their part in it, and for lost qualifiers of awards."""
    drafts = []
    for clause in situation.reading.clauses:
        if not clause.open:
            drafts += [draft for draft in (_shared(clause, situation), _of_others(clause, situation)) if draft]
            drafts += [draft for draft in (_credit(clause, situation), _qualifier(clause, situation)) if draft]
    return drafts


def _shared(clause: Clause, situation: Situation) -> Draft | None:
    """The words of a reshared post need its author, or the word that says it was shared."""
    fact = situation.best[situation.reading.clauses.index(clause)]
    if situation.reading.subject_line and clause.subject != "you":
        return None  # a heading says nobody wrote it
    if fact is None or fact.evidence.kind is not Kind.RESHARE or situation.author_named(fact):
        return None
    if clause.subject == "self" and not any(token.tags & {"you", "your"} for token in clause.tokens):
        return None
    held = [
        token for token in clause.tokens if says_something(token, situation) and not token.keys.isdisjoint(fact.keys)
    ]
    figures = sum((number.value, number.unit) in fact.figures for number in situation.reading.numbers)
    if not held or len(held) + figures < _ENOUGH:
        return None
    if clause.subject == "self" and all(not token.keys.isdisjoint(situation.facts.sender_keys) for token in held):
        return None  # the sender's own offer happens to be what the text is about
    author = fact.evidence.get("original_author") or "someone else"
    return _draft(
        clause, fact, ClaimType.QUOTE, f"{opening(fact)} was written by {author}; the prospect only shared it."
    )


def _of_others(clause: Clause, situation: Situation) -> Draft | None:
    """ "Nobody outside the team noticed" is not told as "your team noticed"."""
    fact = situation.best[situation.reading.clauses.index(clause)]
    if fact is None or fact.evidence.kind not in (Kind.POST, Kind.COMMENT):
        return None
    for at, token in enumerate(clause.tokens):
        if not token.tags & {"you", "your"} or token.tags & {"handled", "quoted"}:
            continue
        following = clause.tokens[at + 1 : at + 4]
        said = next((other for other in following if says_something(other, situation)), None)
        if said is not None and any(situation.language.has("anaphora", other.lower) for other in following):
            continue  # "you let them arrive": others do it here too
        if said is not None and _only_elsewhere(said, fact):
            return _draft(clause, fact, ClaimType.QUOTE, f"{opening(fact)} says “{said.text}” of others.")
    return None


def _only_elsewhere(said: Token, fact: Fact) -> bool:
    direct = {key for key in said.keys if key[:1] not in "=#"}
    holding = [part for sentence in fact.sentences for part in sentence.segments if not direct.isdisjoint(part.keys)]
    return bool(holding) and all(part.elsewhere for part in holding)


def _credit(clause: Clause, situation: Situation) -> Draft | None:
    fact = situation.best[situation.reading.clauses.index(clause)]
    reason = credit_fault(clause, fact, situation) if fact is not None else ""
    return _draft(clause, fact, ClaimType.ACHIEVEMENT, reason) if fact is not None and reason else None


def credit_fault(clause: Clause, fact: Fact, situation: Situation) -> str:
    """Why the fact does not license what the clause credits to the prospect, "" when it does or nothing is credited."""
    if fact.evidence.kind not in _OTHERS or _speaks_to_all(clause, situation):
        return ""
    if not _credits_prospect(clause, situation):
        return ""
    if fact.evidence.kind is Kind.JOB and any(
        situation.language.means("of_job", token.keys) for token in clause.tokens if token.word
    ):
        return ""  # "you are hiring"
    if _prospects_part(fact, situation) or not any(_is_content(token, situation) for token in clause.tokens):
        return ""
    whose = fact.evidence.get("full_name") or "the company or a colleague"
    return f"{opening(fact)} is about {whose}; no evidence gives the prospect a part in it."


def _speaks_to_all(clause: Clause, situation: Situation) -> bool:
    """ "Ihr", "jullie": the people of the company, where a language lists `plural_you`."""
    spoken_to = [token for token in clause.tokens if token.tags & {"you", "your"}]
    several = spoken_to and all(situation.language.has("plural_you", token.lower) for token in spoken_to)
    return bool(several) and not _in_clause("congratulations", clause, situation)


def _is_content(token: Token, situation: Situation) -> bool:
    """Not only a title and the company's name: those have rules of their own."""
    return not token.tags & {"title", "company"} and says_something(token, situation)


def _draft(clause: Clause, fact: Fact, kind: ClaimType, reason: str) -> Draft:
    return Draft(clause.first, clause.last, kind, Verdict.CONTRADICTED, reason, refs([fact]))


def _credits_prospect(clause: Clause, situation: Situation) -> bool:
    """ "You led …", "congratulations on …", "your award …"; not "your company", not "congratulations to Havenlink"."""
    tokens = clause.tokens
    if _in_clause("congratulated_doing", clause, situation):
        return True
    if any("person" in token.tags or "company" in token.tags for token in tokens) and clause.subject != "you":
        return False
    named_at = next((index for index, token in enumerate(tokens) if token.tags & {"person", "company"}), len(tokens))
    if _in_clause("congratulations", clause, situation):
        return not _to_others(clause, situation)
    for index, token in enumerate(tokens):
        if clause.subject != "you" and is_oblique(tokens, index, situation.language):
            continue
        if "you" in token.tags and index < named_at:
            return _in_clause("credit", clause, situation) or not _takes_note(tokens[index:], situation)
        if "your" in token.tags and index + 1 < len(tokens):
            return _own_achievement(tokens[index + 1 : index + 4], situation)
    return _in_clause("credit", clause, situation)


def _in_clause(name: str, clause: Clause, situation: Situation) -> bool:
    return any(clause.first <= match.first < clause.last for match in situation.reading.named(name))


def _to_others(clause: Clause, situation: Situation) -> bool:
    """Congratulations passed on to a named person, a team or the company."""
    return _in_clause("congratulations_to", clause, situation)


def _takes_note(tokens: list[Token], situation: Situation) -> bool:
    """ "You will have read …": to know of the company's news is no part in it."""
    language = situation.language
    said = [token for token in tokens if token.word and not token.tags & {"title", "company"}]
    said = [token for token in said if not language.has("function", token.lower)]
    verbs = (token for token in said if "predicate" in token.tags)  # "je hebt de prijs gewonnen": it may stand last
    first = next(verbs, said[0] if said else None)
    return first is None or language.means("neutral", first.keys) or language.means("opinion", first.keys)


def _own_achievement(tokens: list[Token], situation: Situation) -> bool:
    for token in tokens:
        if situation.language.has("own_people", token.lower):
            return True
        if situation.language.means("company_nouns", token.keys):
            return False
        if situation.language.means("achievements", token.keys):
            return True
    return False


def _prospects_part(fact: Fact, situation: Situation) -> bool:
    """A sentence of the news that names the prospect gives them a part; "van" and "de" are words of any sentence."""
    names = situation.facts.prospect_names
    return any(
        len({plain(token.text) for token in sentence.tokens if token.text[:1].isupper()} & names) >= min(2, len(names))
        for sentence in fact.sentences
    )


def _qualifier(clause: Clause, situation: Situation) -> Draft | None:
    """ "Runner-up", "finalist", "shortlisted": an award is told with the word that limits it."""
    at = situation.reading.clauses.index(clause)
    fact = situation.best[at] or situation.primary
    if fact is None or fact.evidence.kind not in (Kind.AWARD, Kind.COMPANY_NEWS):
        return None
    language = situation.language
    told = fact.sentences if fact.evidence.kind is Kind.AWARD else _about_the_named(clause, fact, situation)
    limited = [any(language.means("award_limits", token.keys) for token in sentence.tokens) for sentence in told]
    said = any(language.means("award_limits", token.keys) for token in situation.reading.tokens)
    if said or not (any(limited) if fact.evidence.kind is Kind.AWARD else limited and all(limited)):
        return None
    return _draft(clause, fact, ClaimType.ACHIEVEMENT, f"{opening(fact)} says “{stated(fact)}”.")


def _about_the_named(clause: Clause, fact: Fact, situation: Situation) -> list[FactSentence]:
    """The only sentences of the news that name what the clause names: who came second there did not win."""
    if not any(situation.language.means("of_award", token.keys) for token in clause.tokens if token.word):
        return []
    named = [
        [
            sentence
            for sentence in fact.sentences
            if any(plain(token.text) == plain(other.text) for other in sentence.tokens)
        ]
        for at, token in enumerate(clause.tokens)
        if "capital" in token.tags and clause.first + at > 0 and "company" not in token.tags
    ]
    return min((held for held in named if held), key=len, default=[])
