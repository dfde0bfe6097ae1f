"""Same content: each word that says something must come from one piece of evidence, or be listed as harmless."""

from __future__ import annotations

from dataclasses import replace

from messaging.verification.contract import ClaimType, Verdict
from messaging.verification.facts import Fact
from messaging.verification.language import Language
from messaging.verification.naming import named, opening, partly
from messaging.verification.numerals import TIME_UNITS
from messaging.verification.reading import Clause
from messaging.verification.rules.actors import credit_fault
from messaging.verification.rules.base import Draft, Situation, refs, stated, words_of
from messaging.verification.rules.bindings import loose_pair
from messaging.verification.rules.matching import scores_of, together
from messaging.verification.rules.meant import MOST_MEANT, allowed, senders
from messaging.verification.rules.meant import meant as meant_by
from messaging.verification.rules.polarity import contradiction, retold_word_by_word
from messaging.verification.tokens import Token
from prospects.domain.evidence import OWN_WORDS, PROSE, Actor, Kind

#: What kind of claim a clause makes when this evidence covers it.
TYPES = {
    Kind.POSITION: ClaimType.TITLE,
    Kind.EDUCATION: ClaimType.EDUCATION,
    Kind.CERTIFICATION: ClaimType.EDUCATION,
    Kind.COMPANY_NEWS: ClaimType.COMPANY,
    Kind.COMPANY_FACT: ClaimType.COMPANY,
    Kind.COLLEAGUE: ClaimType.COMPANY,
    Kind.JOB: ClaimType.COMPANY,
    Kind.IN_COMMON: ClaimType.CONNECTION,
    Kind.CONNECTION: ClaimType.CONNECTION,
    Kind.AWARD: ClaimType.ACHIEVEMENT,
    Kind.TALK: ClaimType.ACHIEVEMENT,
    Kind.PUBLICATION: ClaimType.ACHIEVEMENT,
    Kind.PROJECT: ClaimType.ACHIEVEMENT,
    Kind.SENDER: ClaimType.SENDER,
    Kind.OFFER: ClaimType.SENDER,
    Kind.PROOF_POINT: ClaimType.SENDER,
}
_SETTLED = frozenset({"time", "number", "title", "handled", "quoted"})
_NO_NAMES = frozenset({"time", "number", "title", "quoted", "handled", "prospect", "sender", "you", "your"})
READ_BY = OWN_WORDS | {Kind.RESHARE}
#: So many letters may an ending add to a name.
_ENDING = 2


def claim_type(fact: Fact | None) -> ClaimType:
    if fact is None:
        return ClaimType.UNDECLARED
    return ClaimType.QUOTE if fact.evidence.kind in READ_BY else TYPES.get(fact.evidence.kind, ClaimType.OTHER)


def check(situation: Situation) -> list[Draft]:
    """One draft for each clause that states something: verified by its fact, or what of it is not covered."""
    drafts = []
    for clause in situation.reading.clauses:
        draft = _check_clause(clause, situation)
        if draft:
            drafts.append(draft)
    return drafts


def _check_clause(clause: Clause, situation: Situation) -> Draft | None:
    said = stated_tokens(clause, situation)
    content = [token for token in said if _needs_licence(token, clause, situation)]
    if not content:
        return _unbound(clause, said, None, situation)
    fact = _covering(content, clause, situation)
    missing, source = _missing(content, fact, clause, situation)
    if missing:
        return _unlicensed(clause, missing, fact, situation)
    unbound = _unbound(clause, said, source, situation)
    if unbound:
        return unbound
    return None if source is None else _verified(clause, source, content, situation)


def stated_tokens(clause: Clause, situation: Situation) -> list[Token]:
    """The words that state something: all, or in an act or a marked guess those before the word that makes it one."""
    if situation.reading.subject_line:
        return []
    if clause.open or ("hedged" in clause.moods and "strict" not in clause.moods):
        before = clause.tokens[: max(0, clause.act_from - clause.first)]
        return [token for token in before if not _part_of_act(token, situation.language)]
    return clause.tokens


def _part_of_act(token: Token, language: Language) -> bool:
    """Where the verb comes second, "your view" may stand before "I would like to hear"."""
    fronted = language.settings.get("verb_second", False) and language.means("possessable", token.keys)
    return fronted or language.means("acts", token.keys)


def _needs_licence(token: Token, clause: Clause, situation: Situation) -> bool:
    if not token.word or (token.tags & _SETTLED and not _insisted_figure(token)) or "particle" in token.tags:
        return False
    if token.tags & {"insist", "weighty"}:
        return True
    language = situation.language
    strict = "strict" in token.tags
    if strict and language.has("strength", token.lower) and not _marks_infinitive(token, clause, language):
        return True
    if clause.subject in ("you", "company", "person") and language.means("feelings", token.keys):
        return True
    own = clause.subject == "self" and "strict" not in clause.moods
    grammar = language.has("function", token.lower) and ("joined" not in token.tags or own)
    credited = clause.subject == "you" and not clause.open and _credited(token, situation)
    if grammar or _idle(token, language, strict=strict or credited):
        return False
    mine = _is_mine(clause, situation) and "strict" not in clause.moods
    done = language.means("acts", token.keys) or language.means("sender", token.keys) or _own_thing(token, clause)
    return not (mine and done)


def _credited(token: Token, situation: Situation) -> bool:
    """ "You won": what the sender may say of their own taste ("a win") tells a deed when it is credited to somebody."""
    found = situation.reading.named("credit")
    return any(token is other for match in found for other in situation.reading.tokens[match.first : match.last])


def _own_thing(token: Token, clause: Clause) -> bool:
    """ "With my printers": one plain noun that is the sender's alone; what "our" company has is a claim."""
    at = next((at for at, other in enumerate(clause.tokens) if other is token), 0)
    before = clause.tokens[at - 1].tags if at else set()
    return "possessive_self" in before and "plural_self" not in before and "capital" not in token.tags


def _insisted_figure(token: Token) -> bool:
    """ "Within the first hour": no figure, though read as one."""
    return "insist" in token.tags and token.tags & _SETTLED == {"number"}


def _is_mine(clause: Clause, situation: Situation) -> bool:
    """The sender's own clause, or one about nobody whose words are those of the sender's facts ("Installed in a day")."""
    if clause.subject:
        return clause.subject == "self"
    best = situation.best[situation.reading.clauses.index(clause)]
    return best is not None and best.evidence.actor is Actor.SENDER


def _marks_infinitive(token: Token, clause: Clause, language: Language) -> bool:
    """ "Te luisteren", "zu hören": where one word is "to" and "too", the verb behind it tells which."""
    if not language.has("to_infinitive", token.lower):
        return False
    at = next(at for at, other in enumerate(clause.tokens) if other is token)
    endings = tuple(str(language.settings.get("infinitive_endings", "")).split())
    following = clause.tokens[at + 1] if at + 1 < len(clause.tokens) else None
    return following is not None and following.word and not following.capital and following.lower.endswith(endings)


def _idle(token: Token, language: Language, *, strict: bool) -> bool:
    """Talk about texts, the names of both sides, and, outside a reported opinion, the sender's taste."""
    if language.means("neutral", token.keys) or token.tags & {"prospect", "sender", "company"}:
        return True
    return not strict and language.means("opinion", token.keys)


def _covering(content: list[Token], clause: Clause, situation: Situation) -> Fact | None:
    """The one allowed fact that covers most of the content."""
    scores = scores_of(content, situation)
    at = situation.reading.clauses.index(clause)
    for index in scores:
        fact = situation.facts.all[index]
        scores[index] += 0.5 * (fact is situation.best[at]) + 0.3 * (fact is situation.primary)
        scores[index] += 0.2 * (fact is situation.previous)
        scores[index] += ("strict" in clause.moods) * (fact.evidence.kind in OWN_WORDS)
        scores[index] += 0.6 * (clause.subject == "self" and fact.evidence.actor is Actor.SENDER)
    usable = [index for index in scores if allowed(situation.facts.all[index], clause)]
    best = max(usable, key=lambda index: (scores[index], -index), default=None)
    return None if best is None else situation.facts.all[best]


def _missing(
    content: list[Token], fact: Fact | None, clause: Clause, situation: Situation
) -> tuple[list[Token], Fact | None]:
    """The words that no one source covers (the clause's, the sentence's, a cited record), and the source that comes nearest."""
    if _mixes_figures(clause, situation):
        return content, fact
    numbers = [number for number in situation.reading.numbers if clause.first <= number.first < clause.last]
    foreign = _speaks_of_text(situation) and "strict" not in clause.moods
    rivals = situation.rivals[situation.reading.clauses.index(clause)][:MOST_MEANT]
    sources = [fact, situation.primary, situation.previous, *situation.cited, *rivals]
    gaps = [
        (_not_in(together(content, numbers, source, foreign=foreign), content, source, clause, situation), source)
        for source in dict.fromkeys(sources)
        if source is not None and allowed(source, clause)
    ]
    nothing = (_not_in(set(), content, None, clause, situation), fact)
    missing, nearest = min(gaps, key=lambda gap: len(gap[0]), default=nothing)
    missing += [token for token in content if _degree_missing(token, fact, situation)]
    found = {id(token) for token in missing}
    return missing + [token for token in _broken_names(clause, situation) if id(token) not in found], nearest


def _not_in(
    licensed: set[int], content: list[Token], source: Fact | None, clause: Clause, situation: Situation
) -> list[Token]:
    """The words that this one source, and what may be named anywhere, leave open."""
    if (source is not None and source.evidence.actor is Actor.SENDER) or clause.subject == "self":
        theirs = _sender_facts(clause, situation)
        licensed |= {id(t) for t in content if any(not t.keys.isdisjoint(other.keys) for other in theirs)}
    insisted = [token for token in content if "insist" in token.tags]
    if insisted and (source is None or not all(token.lower in source.lowers for token in insisted)):
        licensed -= {id(token) for token in insisted}
    return [token for token in content if id(token) not in licensed]


def _sender_facts(clause: Clause, situation: Situation) -> list[Fact]:
    """All that the sender says of themselves; where a figure is given, only the facts that give it and the offer."""
    theirs = senders(situation)
    figures = _sender_figures(clause, situation)
    if not figures:
        return theirs
    whole = (Kind.SENDER, Kind.OFFER)
    return [fact for fact in theirs if figures <= fact.figures or fact.evidence.kind in whole]


def _sender_figures(clause: Clause, situation: Situation) -> set[tuple[float, str]]:
    """The figures of the clause that some fact of the sender gives as they are."""
    known = {figure for fact in senders(situation) for figure in fact.figures}
    said = [number for number in situation.reading.numbers if clause.first <= number.first < clause.last]
    return known & {(number.value, number.unit) for number in said if not number.weak}


def _mixes_figures(clause: Clause, situation: Situation) -> bool:
    """Whether the sender tells figures of two facts in one breath."""
    if clause.subject != "self":
        return False
    figures = _sender_figures(clause, situation)
    return len(figures) > 1 and not any(figures <= fact.figures for fact in senders(situation))


def _speaks_of_text(situation: Situation) -> bool:
    """Whether the sentence says that it is about somebody's post, so that the words of that post may be named."""
    return any(
        "person" in token.tags or situation.language.has("post_nouns", token.lower)
        for token in situation.reading.tokens
    )


def _degree_missing(token: Token, fact: Fact | None, situation: Situation) -> bool:
    """Words of degree are compared as written: "better" is not "good"."""
    degree = "strict" in token.tags and situation.language.has("strength", token.lower)
    return degree and (fact is None or token.lower not in fact.lowers)


def _broken_names(clause: Clause, situation: Situation) -> list[Token]:
    """A name of several words belongs to one record: "University of Missouri" is not two halves of others."""
    broken: list[Token] = []
    for run in _name_runs(clause, situation):
        if len(run) > 1 and not any(_name_together(run, fact, situation.language) for fact in situation.facts.all):
            broken += run
    return broken


def _name_together(run: list[Token], fact: Fact, language: Language) -> bool:
    """Whether one sentence or field of the fact has the words of the name, and misspelt ones as they are written."""
    if not all(any(key in fact.keys for key in token.keys if key[:1] not in "=#") for token in run):
        return False
    return all(language.known(token.lower) or _as_written(token.lower, fact) for token in run)


def _as_written(lower: str, fact: Fact) -> bool:
    """ "Wezsels" is not Wessels, though a stemmer cuts both alike; "Veldwinds" is Veldwind's."""
    return not fact.implied.isdisjoint((lower,)) or any(
        (word.startswith(lower) or lower.startswith(word)) and abs(len(word) - len(lower)) <= _ENDING
        for word in fact.lowers
        if word[:1] == lower[:1]
    )


def _name_runs(clause: Clause, situation: Situation) -> list[list[Token]]:
    if situation.language.settings.get("nouns_capitalised", False):
        return []
    runs: list[list[Token]] = [[]]
    end = -1
    for at, token in enumerate(clause.tokens):
        if token.start > end + 1:
            runs.append([])
        if "capital" in token.tags and not token.tags & _NO_NAMES and clause.first + at != 0 and len(token.text) > 1:
            runs[-1].append(token)
        elif not (runs[-1] and situation.language.has("name_linkers", token.lower)):
            runs.append([])
        end = token.end
    return [run for run in runs if run]


def _unlicensed(clause: Clause, missing: list[Token], fact: Fact | None, situation: Situation) -> Draft:
    said = words_of(missing)
    covered = fact is not None and len(missing) * 2 <= len(clause.tokens)
    kind = _kind_of_gap(clause, fact if covered else None)
    reason = f"Nothing in the dossier says “{said}”."
    meant = meant_by(clause, situation)
    if covered and fact is not None:
        reason = f"{opening(fact)} does not say “{said}”."
        meant = [fact, *(other for other in meant if other is not fact)]
    if kind in (ClaimType.SENDER, ClaimType.QUOTE):
        meant = [one for one in meant if one.evidence.kind in PROSE]  # records are compared as they stand
    verdict = Verdict.UNSUPPORTED if meant or clause.subject else Verdict.UNDECLARED
    hint = f"It says: {stated(fact)}" if covered and fact is not None else ""
    first, last = _gap(clause, missing)
    return Draft(first, last, kind, verdict, reason, refs(meant[:MOST_MEANT]), hint)


def _gap(clause: Clause, missing: list[Token]) -> tuple[int, int]:
    """The uncovered words with two words of context on both sides."""
    gaps = {id(token) for token in missing}
    places = [clause.first + at for at, token in enumerate(clause.tokens) if id(token) in gaps]
    return max(clause.first, places[0] - 2), min(clause.last, places[-1] + 3)


def _kind_of_gap(clause: Clause, fact: Fact | None) -> ClaimType:
    if clause.subject == "self":
        return ClaimType.SENDER
    if fact is not None and fact.evidence.kind in READ_BY - {Kind.HEADLINE}:
        return ClaimType.QUOTE
    if clause.subject in ("you", "company", "person"):
        return ClaimType.INFERENCE
    return ClaimType.UNDECLARED


def _verified(clause: Clause, fact: Fact, content: list[Token], situation: Situation) -> Draft | None:
    reason = contradiction(clause, fact, content, situation)
    if reason and fact.evidence.kind in PROSE and not retold_word_by_word(clause, fact, content, situation.language):
        return replace(_contradicted(clause, fact, reason), verdict=Verdict.UNSUPPORTED)
    reason = reason or credit_fault(clause, fact, situation)
    if reason:
        return _contradicted(clause, fact, reason)
    if reason := _ended(clause, fact, situation):
        draft = _contradicted(clause, fact, reason)
        return replace(draft, verdict=Verdict.UNSUPPORTED) if _lasted(situation) else draft
    return Draft(
        clause.first,
        clause.last,
        claim_type(fact),
        Verdict.VERIFIED,
        f"The words are those of {named(fact)}.",
        refs([fact]),
    )


def _ended(clause: Clause, fact: Fact, situation: Situation) -> str:
    """ "You work at X": a position of the past told with a verb of today, and nothing that says it was before."""
    if fact.evidence.kind is not Kind.POSITION or not fact.evidence.get("end"):
        return ""
    said = [token.lower for token in clause.tokens]
    language = situation.language
    if not any(language.has("held_now", lower) for lower in said) and not situation.reading.named("as_you"):
        return ""
    if any(language.has("past_markers", lower) for lower in said) or any("time" in t.tags for t in clause.tokens):
        return ""
    return (
        f"{opening(fact)} ended {partly(fact.evidence.get('end'))}; the sentence says it of today."
        if clause.subject != "self"
        else ""
    )


def _lasted(situation: Situation) -> bool:
    """ "After more than five years as …": a length of time may put all of it into the past."""
    return any(number.unit in TIME_UNITS for number in situation.reading.numbers)


def _unbound(clause: Clause, tokens: list[Token], fact: Fact | None, situation: Situation) -> Draft | None:
    loose = loose_pair(clause, tokens, fact, situation)
    if loose is None:
        return None
    hint = f"It says: {stated(fact)}" if fact else ""
    first, last = max(clause.first, loose.first - 2), min(clause.last, loose.last + 2)
    meant = [fact] if fact else meant_by(clause, situation)[:MOST_MEANT]
    return Draft(first, last, claim_type(fact), Verdict.UNSUPPORTED, loose.reason, refs(meant), hint)


def _contradicted(clause: Clause, fact: Fact, reason: str) -> Draft:
    return Draft(
        clause.first,
        clause.last,
        claim_type(fact),
        Verdict.CONTRADICTED,
        reason,
        refs([fact]),
        f"It says: {stated(fact)}",
    )
