"""What hides in a sentence that seems to state nothing: in thanks, wishes, questions, subject lines, and under a denial.

Nothing here can license a word; each finding only blocks.
"""

from __future__ import annotations

from collections.abc import Iterable

from messaging.verification.contract import ClaimType, Verdict
from messaging.verification.facts import plain
from messaging.verification.naming import opening
from messaging.verification.reading import Clause
from messaging.verification.rules.base import Draft, Situation, words_of
from messaging.verification.rules.matching import situation_mask
from messaging.verification.statements import FactSentence
from messaging.verification.titles import TitleMention, same_title
from messaging.verification.tokens import Token
from prospects.domain.evidence import Kind

#: Phrases after which the rest of the sentence is taken as so, and the words that may stand there all the same.
_TAKEN_AS_SO = (
    ("factive", ("neutral", "opinion")),
    ("thanks_for", ("thankable",)),
    ("hopes_for", ("wishable", "opinion", "acts", "neutral")),
)
#: Word classes that make no statement in a subject line.
_SUBJECT_WORDS = ("neutral", "opinion", "acts", "possessable", "sender", "wishable")
_KNOWN_TAGS = frozenset({"time", "number", "title", "company", "prospect", "sender", "handled", "quoted", "person"})
#: So many words before a title may deny it or move it to another time.
_REACH = 5


def check(situation: Situation) -> list[Draft]:
    """Findings only; most sentences have none."""
    if situation.reading.subject_line:
        return _subject_line(situation)
    drafts = [draft for name, allowed in _TAKEN_AS_SO for draft in _taken_as_so(name, allowed, situation)]
    drafts += [draft for mention in situation.reading.titles for draft in _of_another_time(mention, situation)]
    return drafts + _told_as_done(situation) + _taken_over(situation) + _never_recorded(situation)


def _taken_as_so(name: str, allowed: tuple[str, ...], situation: Situation) -> list[Draft]:
    """ "Did you know that you won …", "Why did they …", "Thank you for winning …": what follows must be in the record."""
    drafts = []
    tokens = situation.reading.tokens
    for match in situation.reading.named(name):
        open_words = [token for token in tokens[match.last :] if token.word and not _known(token, allowed, situation)]
        if open_words:
            reason = f"This takes for granted what no evidence says: “{words_of(open_words)}”."
            drafts.append(_draft(match.first, len(tokens), reason))
    return drafts


def _never_recorded(situation: Situation) -> list[Draft]:
    """ "Is it true that …", "get well", "thanks for introducing me": no dossier licenses it; a book, where one is recorded."""
    reading = situation.reading
    published = any(fact.evidence.kind is Kind.PUBLICATION for fact in situation.facts.all)
    found = reading.named("unrecorded") if published else reading.named("unrecorded", "read_book")
    return [_draft(one.first, one.last, "No evidence records this.") for one in found]


def _taken_over(situation: Situation) -> list[Draft]:
    """ "Since Havenlink was taken over": some sentence of the evidence must name it behind a word of buying, or "by" whom."""
    drafts = []
    for match in situation.reading.named("taken_over"):
        told = (one for fact in situation.facts.all for one in fact.sentences)
        if not any(_names_bought(sentence, situation) for sentence in told):
            drafts.append(_draft(match.first, match.last, "No evidence says that this company was bought."))
    return drafts


def _names_bought(sentence: FactSentence, situation: Situation) -> bool:
    language = situation.language
    at = next((at for at, token in enumerate(sentence.tokens) if language.means("takeovers", token.keys)), None)
    if at is None:
        return False
    words = situation.facts.company_words
    named = [place for place, token in enumerate(sentence.tokens) if plain(token.text) in words]
    by = any(language.has("agents", token.lower) for token in sentence.tokens[at + 1 : at + _REACH])
    return any(place > at for place in named) or (bool(named) and by)


def _subject_line(situation: Situation) -> list[Draft]:
    reading = situation.reading
    if reading.sentence.question:
        return []
    unknown = [token for token in reading.tokens if token.word and not _known(token, _SUBJECT_WORDS, situation)]
    said = [
        token
        for token in reading.tokens
        if token.kind != "sign" and not situation.language.has("function", token.lower)
    ]
    about = any(token.tags & {"you", "your", "company", "person", "prospect"} for token in reading.tokens)
    # One unknown noun beside dates and known words names a topic; anything more says something.
    if not unknown or (len(unknown) == 1 and len(said) > 2 and not about and not unknown[0].capital):
        return []
    return [_draft(0, len(reading.tokens), f"Nothing in the dossier says “{words_of(unknown)}”.")]


def _known(token: Token, classes: Iterable[str], situation: Situation) -> bool:
    """Grammar, what was read by another rule, a word of the record, or one of the classes."""
    language = situation.language
    if token.tags & _KNOWN_TAGS or language.has("function", token.lower) or language.has("greetings", token.lower):
        return True
    return bool(situation_mask(token, situation, direct=True)) or any(
        language.means(name, token.keys) for name in classes
    )


def _of_another_time(mention: TitleMention, situation: Situation) -> list[Draft]:
    """ "You are not / were / will be Head of …" of a position that the record says is held today."""
    clause = situation.reading.clause_at(mention.first)
    if clause.open or "hedged" in clause.moods or not _is_held(mention, situation):
        return []
    before = situation.reading.tokens[max(clause.first, mention.first - _REACH) : mention.first]
    said = next((at for at, token in reversed(list(enumerate(before))) if "you" in token.tags), -1)
    if said < 0:
        return []
    denied = _says("negation", before[said + 1 :], situation) or _says("not_now", before[said + 1 :], situation)
    if not denied or _says("keeps_title", situation.reading.tokens, situation):
        return []
    reason = "The record gives this title today; the sentence denies it or puts it into another time."
    return [Draft(mention.first, mention.last, ClaimType.TITLE, Verdict.CONTRADICTED, reason)]


def _is_held(mention: TitleMention, situation: Situation) -> bool:
    held = [
        still
        for _, titles, still in situation.facts.positions
        if any(same_title(mention.parts, title) for title in titles)
    ]
    return bool(held) and all(held)


def _plans(verb: Token, sentence: FactSentence, planned: frozenset[str]) -> bool:
    """Whether the evidence says the verb right after a word of planning: "plans to hire"."""
    tokens = [token for token in sentence.tokens if token.word]
    return any(
        not token.keys.isdisjoint(verb.keys) and any(before.lower in planned for before in tokens[max(0, at - 3) : at])
        for at, token in enumerate(tokens)
    )


def _says(name: str, tokens: Iterable[Token], situation: Situation) -> bool:
    return any(situation.language.has(name, token.lower) for token in tokens)


def _told_as_done(situation: Situation) -> list[Draft]:
    """ "Hired 30 engineers" where every sentence of the evidence that says it says it as planned."""
    language = situation.language
    planned = language.words.get("planned", frozenset())
    drafts = []
    for at, clause in enumerate(situation.reading.clauses):
        fact = situation.best[at] if at < len(situation.best) else None
        asked = situation.reading.sentence.question or "hedged" in clause.moods or _proposes(clause, situation)
        if fact is None or asked or _says("planned", clause.tokens, situation):
            continue
        for token in clause.tokens:
            if not token.word or not language.has("past_forms", token.lower):
                continue
            plans = [_plans(token, one, planned) for one in fact.sentences if not token.keys.isdisjoint(one.keys)]
            if plans and all(plans):
                reason = f"{opening(fact)} speaks of it as planned, not as done."
                drafts.append(
                    Draft(clause.first, clause.last, ClaimType.INFERENCE, Verdict.CONTRADICTED, reason, (fact.ref,))
                )
    return drafts


def _proposes(clause: Clause, situation: Situation) -> bool:
    """Whether the clause is an act; "when he has retired" under a condition still tells it as done."""
    conditions = [m for m in situation.reading.named("conditional") if clause.first <= m.first < clause.last]
    return "open" in clause.moods and not conditions


def _draft(first: int, last: int, reason: str) -> Draft:
    return Draft(first, last, ClaimType.INFERENCE, Verdict.UNSUPPORTED, reason)
