"""What only looks the same: a plan told as done, a thought that the evidence has only denied, a pain told as sure.

Nothing here can license a word. Every finding is unsupported: the words are those of the evidence, and whether they are
turned is for a reader to decide.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from messaging.verification.contract import ClaimType, Verdict
from messaging.verification.facts import Fact
from messaging.verification.language import Language
from messaging.verification.naming import opening
from messaging.verification.reading import Clause
from messaging.verification.rules.base import Draft, Situation, refs
from messaging.verification.rules.coverage import claim_type
from messaging.verification.rules.matching import says_something
from messaging.verification.rules.polarity import reports_denial
from messaging.verification.statements import FactSentence, Segment
from messaging.verification.times import windows
from messaging.verification.tokens import Token
from prospects.domain.evidence import PROSE, Actor, Kind

_UNREAD = frozenset({"time", "number", "title", "handled", "quoted", "company", "prospect", "sender", "you", "your"})
#: Texts that tell what has been done and what is planned.
_TELLING = frozenset({Kind.POST, Kind.COMMENT, Kind.RESHARE, Kind.COMPANY_NEWS})
#: Who leads a project and what is sought for it says nothing about whether it has begun.
_ABOUT_PLANS = frozenset({Kind.COLLEAGUE, Kind.JOB})
#: Nobody writes more in one sentence or clause; it bounds the work that hostile text can cause.
_MOST_CLAUSES = 40
_MOST_WORDS = 60
#: Words that a clause and the evidence share at least, when they are about the same matter.
_SHARED = 2


def check(situation: Situation) -> list[Draft]:
    """Findings only; most sentences have none."""
    drafts = []
    for clause in situation.reading.clauses[:_MOST_CLAUSES]:
        pressed = _pressed(clause, situation)
        if pressed:
            drafts.append(pressed)
        elif _states(clause, situation):
            draft = _plan_as_done(clause, situation) or _never_affirmed(clause, situation)
            drafts += [draft] if draft else []
    return drafts


def _states(clause: Clause, situation: Situation) -> bool:
    """Whether the clause tells something of the prospect's side: no act, no guess, nothing of the sender's."""
    if situation.reading.subject_line or clause.subject == "self" or "hedged" in clause.moods:
        return False
    best = situation.best[situation.reading.clauses.index(clause)]
    if best is not None and best.evidence.actor is Actor.SENDER:
        return False
    return not clause.open or "presupposed" in clause.moods


def _pressed(clause: Clause, situation: Situation) -> Draft | None:
    """ "You are surely struggling with …", "Havenlink clearly needs …": a guess does not make a pain less of a claim."""
    if clause.open or situation.reading.subject_line or clause.subject not in ("you", "company"):
        return None
    language = situation.language
    texts = [fact for fact in situation.facts.all if fact.evidence.actor is not Actor.SENDER]
    for at, token in enumerate(clause.tokens[:_MOST_WORDS], clause.first):
        if not token.word or token.tags & _UNREAD:
            continue
        pain = language.means("pains", token.keys) and not any(_direct(token) & fact.keys for fact in texts)
        sure = language.has("assertive", token.lower) and not any(token.lower in fact.lowers for fact in texts)
        if pain or sure:
            first, last = max(clause.first, at - 2), min(clause.last, at + 3)
            reason = f"Nothing in the dossier says “{token.text}” of them."
            return Draft(first, last, ClaimType.INFERENCE, Verdict.UNSUPPORTED, reason)
    return None


def _content(clause: Clause, situation: Situation) -> list[Token]:
    return [token for token in clause.tokens[:_MOST_WORDS] if _tells(token, situation)]


def _direct(token: Token) -> set[str]:
    return {key for key in token.keys if key[:1] not in "=#"}


def _plan_as_done(clause: Clause, situation: Situation) -> Draft | None:
    """ "Built a plant": every sentence that shares most with the clause tells it as planned or of a day to come."""
    if not _told_as_done(clause, situation):
        return None
    content = _content(clause, situation)
    scored = [
        (score, fact, sentence)
        for fact in situation.facts.all
        if fact.evidence.actor is not Actor.SENDER and fact.evidence.kind not in _ABOUT_PLANS
        for sentence in fact.sentences
        if not _is_heading(sentence, fact) and (score := _shares(content, clause, sentence, situation))
    ]
    most = max((score for score, _, _ in scored), default=0)
    telling = [(fact, sentence) for score, fact, sentence in scored if score == most]
    weighty = any(says_something(token, situation) for token in content)
    at = situation.reading.clauses.index(clause)
    news = any(fact is situation.best[at] and fact.evidence.kind is Kind.COMPANY_NEWS for fact, _ in telling)
    alone = any("company" in token.tags for token in clause.tokens) or len(situation.reading.clauses) == 1
    titled = any(clause.first <= title.first < clause.last for title in situation.reading.titles)
    enough = 1 if news and alone and not titled else _SHARED
    if not telling or not weighty or most < enough:
        return None
    if any(fact.evidence.kind not in _TELLING for fact, _ in telling):
        return None
    if not all(_ahead(one, content, situation) or _announces(one, fact, situation) for fact, one in telling):
        return None
    return _draft(clause, telling[0][0], f"{opening(telling[0][0])} speaks of it as planned, not as done.")


def _told_as_done(clause: Clause, situation: Situation) -> bool:
    words = [token.lower for token in clause.tokens[:_MOST_WORDS] if token.word]
    language = situation.language
    coming = any(language.has("future", word) and not language.has("done", word) for word in words)
    if coming or _says(("planned", "wanted", "announcing"), words, situation) or _later(clause, situation):
        return False
    return _says(("done", "past_forms", "since"), words, situation) or "presupposed" in clause.moods


def _says(names: Iterable[str], words: Sequence[str], situation: Situation) -> bool:
    return any(situation.language.has(name, word) for name in names for word in words)


def _later(clause: Clause, situation: Situation) -> bool:
    """Whether the clause gives a day to come for what it says."""
    meant = [
        windows(words.rule, situation.today)
        for words in situation.reading.times
        if clause.first <= words.first < clause.last
    ]
    return any(found and all(window.first > situation.today for window in found) for found in meant)


def _shares(content: list[Token], clause: Clause, sentence: FactSentence, situation: Situation) -> int:
    """Words and figures of the clause that the sentence has; a figure tells more than a word."""
    words = sum(not token.keys.isdisjoint(sentence.keys) for token in content)
    figures = {(number.value, number.unit) for number in sentence.numbers}
    said = [number for number in situation.reading.numbers if clause.first <= number.first < clause.last]
    return words + 2 * sum((number.value, number.unit) in figures for number in said if not number.weak)


def _ahead(sentence: FactSentence, content: list[Token], situation: Situation) -> bool:
    if sentence.dates and all(day.first > situation.today for day in sentence.dates):
        return True
    language = sentence.written or situation.language
    scored = [(sum(not token.keys.isdisjoint(one.keys) for token in content), one) for one in sentence.segments]
    most = max((score for score, _ in scored), default=0)
    holding = [one for score, one in scored if score == most]
    return bool(holding) and all(one.future or _wanted(one.lowers, language) for one in holding)


def _is_heading(sentence: FactSentence, fact: Fact) -> bool:
    """The title of a piece of news tells what is to come in the present."""
    return sentence.head or (fact.evidence.kind is Kind.COMPANY_NEWS and sentence is fact.sentences[0])


def _announces(sentence: FactSentence, fact: Fact, situation: Situation) -> bool:
    """ "Announces a new line", where another sentence of the same news tells of a day to come."""
    language = sentence.written or situation.language
    if not any(language.has("announcing", lower) for lower in sentence.lowers):
        return False
    return any(one.dates and all(day.first > situation.today for day in one.dates) for one in fact.sentences)


def _wanted(lowers: Iterable[str], language: Language) -> bool:
    return any(language.has("wanted", lower) for lower in lowers)


def _never_affirmed(clause: Clause, situation: Situation) -> Draft | None:
    """ "You swear that …" of "I would not swear that …": the words that the evidence has only behind a denial."""
    language = situation.language
    if any(language.has("negation", token.lower) and "idiom" not in token.tags for token in clause.tokens):
        return None
    if reports_denial(clause, situation) or any(language.has("supposed", token.lower) for token in clause.tokens):
        return None
    for fact in _texts(clause, situation):
        word = _only_denied(clause, fact, situation)
        if word:
            return _draft(clause, fact, f"{opening(fact)} says “{word}” only to deny it.")
    return None


def _only_denied(clause: Clause, fact: Fact, situation: Situation) -> str:
    """A word of the clause right behind each denial of a text that is about something else of the sentence too."""
    sentences = [sentence for sentence in fact.sentences if not sentence.foreign]
    denied = {key for sentence in sentences for one in sentence.segments for key in one.denied}
    if not denied:
        return ""
    near = situation.reading.tokens[max(0, clause.first - _MOST_WORDS) : clause.first + 2 * _MOST_WORDS]
    said = [token for token in near if _tells(token, situation)]
    content = _content(clause, situation)
    for token in content:
        direct = _direct(token)
        if direct.isdisjoint(denied):
            continue
        others = {key for other in content if other is not token for key in _direct(other) - direct}
        holding = [(at, one) for at, each in enumerate(sentences) for one in each.segments if direct & one.keys]
        holding = [(at, one) for at, one in holding if others & sentences[at].keys] or holding
        if not holding or not all(one.negated and direct & one.denied for _, one in holding):
            continue
        around = {key for at, _ in holding for near in sentences[max(0, at - 1) : at + 1] for key in near.keys}
        shared = any(not _direct(other).isdisjoint(around - direct) for other in said if other is not token)
        if shared and not _softened(clause, [one for _, one in holding], situation.language):
            return token.text
    return ""


def _tells(token: Token, situation: Situation) -> bool:
    return token.word and not token.tags & _UNREAD and not situation.language.has("function", token.lower)


def _texts(clause: Clause, situation: Situation) -> list[Fact]:
    return [
        fact
        for fact in situation.near(clause)
        if fact.evidence.kind in PROSE and fact.evidence.actor is not Actor.SENDER
    ]


def _softened(clause: Clause, holding: list[Segment], language: Language) -> bool:
    """Whether the clause denies in other words ("without", "less"), which the text does not have there."""
    soft = [token.lower for token in clause.tokens if language.has("soft_negation", token.lower)]
    return any(all(lower not in segment.lowers for segment in holding) for lower in soft)


def _draft(clause: Clause, fact: Fact, reason: str) -> Draft:
    return Draft(clause.first, clause.last, claim_type(fact), Verdict.UNSUPPORTED, reason, refs([fact]))
