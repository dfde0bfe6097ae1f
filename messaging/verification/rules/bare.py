"""A statement about somebody that rests on nothing: grammar, small words and talk alone can be false too.

"Querywright is free in the first year", "You were first", "We are the only ones": none of these words needs a licence in
every sentence, since each may stand beside what the evidence says. Where they are all that is said of the prospect, the
company or the sender, they are the claim, and one piece of evidence has to say it.
"""

from __future__ import annotations

from messaging.verification.contract import ClaimType, Verdict
from messaging.verification.facts import Fact, plain
from messaging.verification.naming import named
from messaging.verification.reading import Clause
from messaging.verification.rules.base import Draft, Situation, refs, words_of
from messaging.verification.rules.coverage import claim_type, stated_tokens
from messaging.verification.rules.meant import allowed
from messaging.verification.tokens import Token

#: Rules of their own read these.
_READ = frozenset({"idiom", "handled", "quoted", "title"})
_NAMES = frozenset({"sender", "company", "prospect", "person"})
#: With fewer words beside the names nothing is said yet ("Querywright shows | what …").
_FEWEST = 2
#: A name says whom the clause is about where it stands among the first words.
_FRONT = 2


def check(situation: Situation, drafts: list[Draft]) -> list[Draft]:
    """One draft for each stated clause about somebody that no other rule has read as a claim."""
    found = []
    for clause in situation.reading.clauses:
        if clause.moods & {"open", "hedged"} or any(d.first < clause.last and clause.first < d.last for d in drafts):
            continue
        if situation.language.has("question_words", clause.tokens[0].lower):
            continue  # "I wonder | what surprised you most": asked, not told
        tokens = [token for token in stated_tokens(clause, situation) if token.word]
        if _about_somebody(clause, tokens) and _says_something(tokens) and not _talks(tokens, situation):
            found.append(_draft(clause, tokens, situation))
    return found


def _about_somebody(clause: Clause, tokens: list[Token]) -> bool:
    """Whether it names the prospect, the company or the sender's firm as what it speaks of; "I" may introduce myself."""
    front = {tag for token in tokens[:_FRONT] for tag in token.tags}
    if clause.subject == "self":
        first = next((t.tags for t in tokens if t.tags & {"self", "possessive_self", "sender"}), frozenset())
        return "plural_self" in first or ("sender" in first and "sender" in front)
    if clause.subject == "you":
        return any(token.tags & {"you", "your"} for token in tokens)
    return clause.subject in front


def _says_something(tokens: list[Token]) -> bool:
    return sum(not token.tags & _NAMES for token in tokens) >= _FEWEST


def _talks(tokens: list[Token], situation: Situation) -> bool:
    """Whether it is about a text ("You mention that …"), gives the sender's name, or another rule has read it."""
    language = situation.language
    names = situation.facts.sender_names - situation.facts.sender_company
    return any(
        token.tags & _READ or language.means("neutral", token.keys) or (token.capital and plain(token.text) in names)
        for token in tokens
    )


def _draft(clause: Clause, tokens: list[Token], situation: Situation) -> Draft:
    weighty = [token for token in tokens if "function" not in token.tags and not token.tags & _NAMES]
    for fact in situation.facts.all if weighty else ():
        if allowed(fact, clause) and _in_one_sentence(weighty, fact):
            reason = f"The words are those of {named(fact)}."
            return Draft(clause.first, clause.last, claim_type(fact), Verdict.VERIFIED, reason, refs([fact]))
    kind = ClaimType.SENDER if clause.subject == "self" else ClaimType.INFERENCE
    reason = f"Nothing in the dossier says “{words_of(tokens)}”."
    return Draft(clause.first, clause.last, kind, Verdict.UNSUPPORTED, reason)


def _in_one_sentence(tokens: list[Token], fact: Fact) -> bool:
    return any(all(not token.keys.isdisjoint(one.keys) for token in tokens) for one in fact.sentences)
