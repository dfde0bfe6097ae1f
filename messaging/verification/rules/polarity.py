"""Yes stays yes, no stays no, and what is planned is not done."""

from __future__ import annotations

from itertools import pairwise

from messaging.verification.facts import Fact
from messaging.verification.language import Language
from messaging.verification.naming import opening, partly
from messaging.verification.reading import Clause
from messaging.verification.rules.base import Situation
from messaging.verification.statements import FactSentence, Segment, carries_denial
from messaging.verification.times import windows
from messaging.verification.tokens import Token
from prospects.domain.evidence import Kind

#: So many words after (or before) a denying word are what it denies.
_SCOPE = 4
#: So many words of content in one clause of the evidence tell that it is the same matter.
_TELLING = 2


def contradiction(clause: Clause, fact: Fact, content: list[Token], situation: Situation) -> str:
    """Why the fact says the opposite, "" when it does not."""
    language = situation.language
    denials = [
        at
        for at, token in enumerate(clause.tokens)
        if language.has("negation", token.lower) and not token.tags & {"idiom", "quoted"}
    ]
    if reports_denial(clause, situation):
        denials.insert(0, -1)
    softly = any(language.has("soft_negation", token.lower) for token in clause.tokens)
    softly = softly or _denied_behind(clause, situation)
    if denials and _affirmed(denials, clause, fact, content) and not _denied_too(denials, clause, fact, language):
        return f"{opening(fact)} affirms this."
    if not denials and not softly and _left_out(content, fact):
        return f"{opening(fact)} denies this."
    if _still(clause, fact, situation):
        return f"{opening(fact)} ended {partly(fact.evidence.get('end'))}."
    weighty = [token for token in content if not language.has("strength", token.lower)]
    segments = _segments_for(weighty, fact)
    ended = _told_of_what_ceased(clause, segments, language) or (segments and all(one.negated for one in segments))
    part = _of_all(clause, content, fact, language)
    if part or (not denials and not softly and ended):
        return f"{opening(fact)} " + (
            "tells this of some of them." if part else "denies this, or says that it is no more."
        )
    told = not denials and clause.subject != "self"
    if told and (_only_denied(clause, fact, language) or (not softly and _never_affirmed(content, fact))):
        return f"{opening(fact)} denies this."
    opposite = _opposite(clause, fact, content, situation)
    turned = f"{opening(fact)} says “{opposite}”." if opposite else ""
    return turned or _not_yet(clause, fact, content, segments, situation)


def retold_word_by_word(clause: Clause, fact: Fact, content: list[Token], language: Language) -> bool:
    """Whether one clause of the evidence has all words of content as they stand: then "yes" against "no" is certain.

    Where the words are scattered, are synonyms, or the denial falls on a word that the clause does not have ("nobody
    had told them that they would be alone"), it may be one thought in other words, and a reader has to decide.
    """
    weighty = [token for token in content if not language.has("strength", token.lower)]
    if len(weighty) < _TELLING:
        return False
    said = {key for token in clause.tokens for key in token.keys if key[:1] != "="}
    direct = [{key for key in token.keys if key[:1] not in "=#"} for token in weighty]
    sharing = [s for s in fact.sentences if any(not token.keys.isdisjoint(s.keys) for token in content)]
    segments = [segment for sentence in sharing for segment in sentence.segments]
    holding = [one for one in segments if all(not keys.isdisjoint(one.keys) for keys in direct)]
    if any(language.has("negation", token.lower) for token in clause.tokens):
        return bool(holding) and not any(one.negated or _ceased(one, language) for one in segments)
    return bool(holding) and not any(segment.denied and said.isdisjoint(segment.denied) for segment in holding)


def _told_of_what_ceased(clause: Clause, segments: list[Segment], language: Language) -> bool:
    """ "Sent them to extra training" where the text says that the extra training was dropped."""
    if not segments or not all(_ceased(segment, language) for segment in segments):
        return False
    said = {key for token in clause.tokens for key in token.keys if key[:1] != "="}
    ended = {lower for segment in segments for lower in segment.lowers if language.has("ceased", lower)}
    return all(said.isdisjoint(language.keys(lower)) for lower in ended)


def _denied_behind(clause: Clause, situation: Situation) -> bool:
    """ "Four days, *without* any shutdown": the denial stands at the head of the clause that follows."""
    clauses = situation.reading.clauses
    at = clauses.index(clause) + 1
    first = clauses[at].tokens[0].lower if at < len(clauses) else ""
    return any(situation.language.has(name, first) for name in ("soft_negation", "negation"))


def _of_all(clause: Clause, content: list[Token], fact: Fact, language: Language) -> bool:
    """ "All of them got their table back" where the text tells it of three of them."""
    words = [token.lower for token in clause.tokens]
    told = any(language.has("wholes", one) and language.has("partitive", two) for one, two in pairwise(words))
    if not told or not any(not token.keys.isdisjoint(fact.keys) for token in content):
        return False
    scored = [(len(sentence.lowers.intersection(words)), sentence) for sentence in fact.sentences]
    most = max(score for score, _ in scored)
    return all(_of_some(sentence, language) for score, sentence in scored if score == most)


def _of_some(sentence: FactSentence, language: Language) -> bool:
    """Whether the sentence begins with a number of those it speaks of, and says nothing of all."""
    lowers = [token.lower for token in sentence.tokens]
    parts = [number for number in sentence.numbers if number.last < len(lowers)]
    some = any(language.has("partitive", lowers[number.last]) for number in parts)
    some = some or (len(sentence.numbers) > 1 and language.has("partitive", lowers[0]))
    return some and not any(language.has("wholes", lower) for lower in lowers)


def _ceased(segment: Segment, language: Language) -> bool:
    return any(language.has("ceased", lower) for lower in segment.lowers)


def _still(clause: Clause, fact: Fact, situation: Situation) -> bool:
    """ "You work at Loja Farol" of a position that has ended, where the language lists such present forms."""
    item = fact.evidence
    if item.kind is not Kind.POSITION or not item.get("end") or not _has(clause, "present", situation):
        return False
    timed = any(token.tags & {"time", "number"} for token in clause.tokens)
    positions = situation.facts.positions
    same = any(still and other.evidence.get("company") == item.get("company") for other, _, still in positions)
    return not timed and not same and not _has(clause, "past_markers", situation)


def reports_denial(clause: Clause, situation: Situation) -> bool:
    """Whether the clause before denies what this one says ("I do not say | that …")."""
    at = situation.reading.clauses.index(clause)
    return at > 0 and carries_denial(situation.reading.clauses[at - 1].tokens, clause.tokens, situation.language)


def _never_affirmed(content: list[Token], fact: Fact) -> bool:
    """ "Because something was broken", where the text says "not because something was broken": its one word decides."""
    if len(content) != 1:
        return False
    direct = {key for key in content[0].keys if key[:1] not in "=#"}
    holding = [part for sentence in fact.sentences for part in sentence.segments if not direct.isdisjoint(part.keys)]
    return bool(holding) and all(part.negated and not part.softly for part in holding)


def _only_denied(clause: Clause, fact: Fact, language: Language) -> bool:
    """ "Nobody knew": a verb of talk and thought that the text only denies."""
    for token in clause.tokens:
        if not token.word or token.tags or not language.means("neutral", token.keys):
            continue
        direct = {key for key in token.keys if key[:1] not in "=#"}
        holding = [
            part for sentence in fact.sentences for part in sentence.segments if not direct.isdisjoint(part.keys)
        ]
        if holding and all(part.negated for part in holding):
            return True
    return False


def _narrowest_segments(content: list[Token], fact: Fact) -> list[Segment]:
    """The clauses of the text that hold the word which the fewest of them hold."""
    segments = [segment for sentence in fact.sentences if not sentence.head for segment in sentence.segments]
    holding = [
        [segment for segment in segments if not token.keys.isdisjoint(segment.keys)]
        for token in content
        if "capital" not in token.tags
    ]
    narrow = min((held for held in holding if held), key=len, default=[])
    shared = [sum(not token.keys.isdisjoint(sentence.keys) for token in content) for sentence in narrow]
    return [sentence for sentence, count in zip(narrow, shared, strict=True) if count == max(shared)]


def _opposite(clause: Clause, fact: Fact, content: list[Token], situation: Situation) -> str:
    """The word of a listed pair of opposites that the evidence has where the clause has the other one."""
    figures = {at for number in situation.reading.numbers for at in range(number.first - _SCOPE, number.first)}
    said = {token.lower for at, token in enumerate(clause.tokens, clause.first) if at not in figures}
    pairs = situation.language.settings.get("opposites", [])
    turned = [
        (mine, theirs) for pair in pairs for mine, theirs in (pair, pair[::-1]) if mine in said and theirs not in said
    ]
    if not turned:
        return ""
    holding = fullest(content, fact)
    for mine, theirs in turned:
        if holding and all(theirs in sentence.lowers and mine not in sentence.lowers for sentence in holding):
            return str(theirs)
    return ""


def fullest(content: list[Token], fact: Fact) -> list[FactSentence]:
    """The sentences that hold most of the content, when they hold two words of it."""
    scored = [
        (sum(not token.keys.isdisjoint(sentence.keys) for token in content), sentence) for sentence in fact.sentences
    ]
    most = max((score for score, _ in scored), default=0)
    return [sentence for score, sentence in scored if score == most] if most > 1 else []


def _not_yet(clause: Clause, fact: Fact, content: list[Token], segments: list[Segment], situation: Situation) -> str:
    """What the evidence plans, dates in the future or only supposes, the clause may not tell as a fact."""
    if _has(clause, "supposed", situation):
        return ""
    if segments and all(segment.supposed for segment in segments):
        return f"{opening(fact)} only supposes this."
    narrow = _narrowest(content, fact)
    dated = fact.evidence.kind is Kind.COMPANY_NEWS and _dated_back(clause, situation)
    planned = [segment.future for segment in segments]
    if "presupposed" in clause.moods:
        planned += [_planned(sentence, situation.language) for sentence in narrow]
    elif dated:
        planned = [segment.future for segment in _narrowest_segments(content, fact)]
    told_done = dated or _has(clause, "done", situation) or ("presupposed" in clause.moods and any(planned))
    if not told_done or _has(clause, "future", situation) or _told_of_later(clause, situation):
        return ""
    ahead = [any(day.first > situation.today for day in sentence.dates) for sentence in narrow]
    if (planned and (any(planned) if "presupposed" in clause.moods else all(planned))) or (ahead and all(ahead)):
        return f"{opening(fact)} speaks of it as planned, not as done."
    return ""


def _dated_back(clause: Clause, situation: Situation) -> bool:
    """Whether a time stands in the clause, and not one that lies ahead."""
    times = [words for words in situation.reading.times if clause.first <= words.first < clause.last]
    return any(
        all(window.first <= situation.today for window in windows(words.rule, situation.today)) for words in times
    )


def _left_out(content: list[Token], fact: Fact) -> bool:
    """ "…, not out of principle": a word that the evidence has only in a short denial at the end."""
    segments = [segment for sentence in fact.sentences for segment in sentence.segments]
    for token in content:
        holding = [segment for segment in segments if not token.keys.isdisjoint(segment.keys)]
        if holding and all(segment.contrast for segment in holding):
            return True
    return False


def _told_of_later(clause: Clause, situation: Situation) -> bool:
    """Whether the clause gives a day to come for what it says."""
    meant = [
        windows(words.rule, situation.today)
        for words in situation.reading.times
        if clause.first <= words.first < clause.last
    ]
    return any(found and all(window.first > situation.today for window in found) for found in meant)


def _has(clause: Clause, name: str, situation: Situation) -> bool:
    return any(situation.language.has(name, token.lower) for token in clause.tokens)


def _planned(sentence: FactSentence, language: Language) -> bool:
    return any(language.has("planned", lower) for lower in sentence.lowers)


def _narrowest(content: list[Token], fact: Fact) -> list[FactSentence]:
    """The sentences that hold the word which the fewest sentences hold."""
    holding = [
        [sentence for sentence in fact.sentences if not sentence.head and not token.keys.isdisjoint(sentence.keys)]
        for token in content
        if "person" not in token.tags
    ]
    return min((held for held in holding if held), key=len, default=[])


def _affirmed(denials: list[int], clause: Clause, fact: Fact, content: list[Token]) -> bool:
    """Whether the words that the clause denies are only ever affirmed by the fact."""
    listed = {id(token) for token in content}
    denied = [
        token
        for at, token in enumerate(clause.tokens)
        if id(token) in listed and any(0 < abs(at - place) <= _SCOPE for place in denials)
    ]
    holding = [
        segment
        for token in denied
        for sentence in fact.sentences
        for segment in sentence.segments
        if not token.keys.isdisjoint(segment.keys)
    ]
    return bool(holding) and not any(segment.negated or segment.softly for segment in holding)


def _denied_too(denials: list[int], clause: Clause, fact: Fact, language: Language) -> bool:
    """ "You do not yet dare …": a word of taste or talk beside the denial that the evidence denies as well."""
    near = [
        token
        for at, token in enumerate(clause.tokens)
        if token.word and any(0 < abs(at - place) <= _SCOPE for place in denials)
    ]
    weighed = [
        token for token in near if language.means("opinion", token.keys) and not language.has("function", token.lower)
    ]
    segments = [segment for sentence in fact.sentences for segment in sentence.segments if segment.negated]
    return any(
        any(key in segment.keys for key in token.keys if key[:1] not in "=#")
        for token in weighed
        for segment in segments
    )


def _segments_for(content: list[Token], fact: Fact) -> list[Segment]:
    """The clauses of the evidence that hold most of the content; none when that is too little to tell."""
    if len(content) < 2:
        return []
    scored = [
        (sum(not token.keys.isdisjoint(segment.keys) for token in content), segment)
        for sentence in fact.sentences
        for segment in sentence.segments
    ]
    most = max((score for score, _ in scored), default=0)
    if most < 2:
        return []
    return [segment for score, segment in scored if score == most]
