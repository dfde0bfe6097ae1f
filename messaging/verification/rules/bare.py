"""A statement about somebody that rests on nothing: grammar, small words and talk alone can be false too.

"Querywright is free in the first year", "You were first", "We are the only ones": none of these words needs a licence in
every sentence, since each may stand beside what the evidence says. Where they are all that is said of the prospect, the
company or the sender, they are the claim, and one piece of evidence has to say it.
"""

from __future__ import annotations

from messaging.verification.contract import ClaimType, Verdict
from messaging.verification.facts import Fact, plain
from messaging.verification.language import Language
from messaging.verification.naming import named
from messaging.verification.numerals import TIME_UNITS
from messaging.verification.reading import Clause
from messaging.verification.rules.base import Draft, Situation, refs, words_of
from messaging.verification.rules.coverage import claim_type, stated_tokens
from messaging.verification.rules.meant import allowed
from messaging.verification.tokens import Token
from prospects.domain.evidence import PROSE, Kind

#: Rules of their own read these.
_READ = frozenset({"idiom", "handled", "quoted", "title"})
_NAMES = frozenset({"sender", "company", "prospect", "person"})
#: With fewer words beside the names nothing is said yet ("Querywright shows | what …").
_FEWEST = 2
#: A name says whom the clause is about where it stands among the first words.
_FRONT = 2
#: So few words before and behind "are" make a short clause.
_SHORT = 4


def check(situation: Situation, drafts: list[Draft]) -> list[Draft]:
    """One draft for each stated clause about somebody that no rule has read as a claim, or that one word alone supports."""
    found = []
    for clause in situation.reading.clauses:
        if clause.moods & {"open", "hedged"}:
            continue
        if _subordinate(clause, situation):
            continue  # "I wonder | what surprised you most": asked, not told
        near = [draft for draft in drafts if draft.first < clause.last and clause.first < draft.last]
        tokens = [token for token in stated_tokens(clause, situation) if token.word]
        if _lasting(clause, situation):
            continue  # "a little over four years": and "since March": the rule of tenure has read it
        if not _about_somebody(clause, tokens) or not _says_something(tokens) or _talks(tokens, situation):
            continue
        draft = _thin(clause, tokens, near, situation) if near else _draft(clause, tokens, situation)
        if draft is not None:
            found.append(draft)
    return found


def _thin(clause: Clause, tokens: list[Token], drafts: list[Draft], situation: Situation) -> Draft | None:
    """ "You are new there": one word that some text has somewhere is no support for a statement that is made of it."""
    whole = [draft for draft in drafts if (draft.first, draft.last) == (clause.first, clause.last)]
    if len(drafts) > 1 or not whole or whole[0].verdict is not Verdict.VERIFIED:
        return None
    if clause is not situation.reading.clauses[0]:
        return None  # it goes on with what the clause before has said
    cited = [fact for fact in situation.facts.all if fact.evidence.ref in whole[0].evidence]
    if any(token.tags & {"number", "time"} for token in tokens) or any(
        f.evidence.kind is Kind.IN_COMMON for f in cited
    ):
        return None
    weighty = [token for token in tokens if "function" not in token.tags and not token.tags & _NAMES]
    if clause.subject == "self":
        theirs = situation.facts.sender_keys
        language = situation.language
        added = [t for t in weighty if not _held(t, theirs) and not language.means("sender", t.keys)]
        degree = [t for t in tokens if _of_degree(t, situation) and t.keys.isdisjoint(theirs)]
        return _finding(clause, [*added, *degree]) if added or degree else None
    if any("negation" in token.tags for token in tokens):
        return None  # what is denied has been compared with the text as a whole
    prose = all(fact.evidence.kind in PROSE for fact in cited)
    return _finding(clause, tokens) if len(weighty) <= 1 and prose else None


def _lasting(clause: Clause, situation: Situation) -> bool:
    inside = (one for one in situation.reading.numbers if clause.first <= one.first < clause.last)
    clauses = situation.reading.clauses
    at = clauses.index(clause) + 1
    since = at < len(clauses) and situation.language.has("since", clauses[at].tokens[0].lower)
    return clause.subject != "self" and (since or any(one.unit in TIME_UNITS and not one.weak for one in inside))


def _held(token: Token, keys: frozenset[str]) -> bool:
    """The word, or a compound by all of its parts."""
    return not token.keys.isdisjoint(keys) or (bool(token.parts) and all(not p.isdisjoint(keys) for p in token.parts))


def _subordinate(clause: Clause, situation: Situation) -> bool:
    first = clause.tokens[0].lower
    classes = ("question_words", "question_openers", "relatives", "clause_openers")
    return any(situation.language.has(name, first) for name in classes) and not clause.tokens[0].tags & {"you", "self"}


def _of_degree(token: Token, situation: Situation) -> bool:
    """ "Everything", "first", "only": how much or which of them, said of the sender."""
    language = situation.language
    listed = any(language.has(name, token.lower) for name in ("strength", "order", "universals"))
    return listed and not any(language.has(name, token.lower) for name in ("negation", "to_infinitive"))


def _about_somebody(clause: Clause, tokens: list[Token]) -> bool:
    """Whether it names the prospect, the company or the sender's firm as what it speaks of; "I" may introduce myself."""
    front = {tag for token in tokens[:_FRONT] for tag in token.tags}
    if clause.subject == "self":
        first: set[str] = next((t.tags for t in tokens if t.tags & {"self", "possessive_self", "sender"}), set())
        introduces = any("self" in token.tags and "plural_self" not in token.tags for token in tokens)
        return "plural_self" in first or ("sender" in first and "sender" in front and not introduces)
    if clause.subject == "you":
        return any(token.tags & {"you", "your"} for token in tokens)
    return clause.subject in front


def _is_told_of(tokens: list[Token], language: Language) -> bool:
    """ "You are new", "We are the only ones": what is said stands behind "are", and little else."""
    at = next((at for at, token in enumerate(tokens[:_SHORT]) if language.has("being", token.lower)), -1)
    return at > 0 and len(tokens) - at <= _SHORT


def _says_something(tokens: list[Token]) -> bool:
    return sum(not token.tags & _NAMES for token in tokens) >= _FEWEST


def _talks(tokens: list[Token], situation: Situation) -> bool:
    """Whether it is about a text ("You mention that …"), gives the sender's name, or another rule has read it."""
    language = situation.language
    names = situation.facts.sender_names - situation.facts.sender_company
    if any(token.capital and plain(token.text) in names for token in tokens):
        return True
    if any(token.tags & _READ for token in tokens):
        return True
    talk = [t for t in tokens if "function" not in t.tags and language.means("neutral", t.keys)]
    return bool(talk) and not _is_told_of(tokens, language)


def _draft(clause: Clause, tokens: list[Token], situation: Situation) -> Draft:
    weighty = [token for token in tokens if "function" not in token.tags and not token.tags & _NAMES]
    for fact in situation.facts.all if len(weighty) >= _FEWEST else ():
        if allowed(fact, clause) and _in_one_sentence(weighty, fact):
            reason = f"The words are those of {named(fact)}."
            return Draft(clause.first, clause.last, claim_type(fact), Verdict.VERIFIED, reason, refs([fact]))
    return _finding(clause, tokens)


def _finding(clause: Clause, tokens: list[Token]) -> Draft:
    kind = ClaimType.SENDER if clause.subject == "self" else ClaimType.INFERENCE
    reason = f"Nothing in the dossier says “{words_of(tokens)}”."
    return Draft(clause.first, clause.last, kind, Verdict.UNSUPPORTED, reason)


def _in_one_sentence(tokens: list[Token], fact: Fact) -> bool:
    return any(all(_held(token, one.keys) for token in tokens) for one in fact.sentences)
