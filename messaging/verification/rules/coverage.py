"""Same content: each word that says something must come from one piece of evidence, or be listed as harmless."""

from __future__ import annotations

from messaging.verification.contract import ClaimType, Verdict
from messaging.verification.facts import Fact, Segment
from messaging.verification.reading import Clause
from messaging.verification.rules.base import Draft, Situation, refs, stated, words_of
from messaging.verification.tokens import Token
from prospects.domain.evidence import OWN_WORDS, Actor, Kind

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
#: A fact with this share of the best one's score may be meant instead.
_CLOSE = 0.75
_READ_BY = OWN_WORDS | {Kind.RESHARE}


def claim_type(fact: Fact | None) -> ClaimType:
    if fact is None:
        return ClaimType.UNDECLARED
    return ClaimType.QUOTE if fact.evidence.kind in _READ_BY else TYPES.get(fact.evidence.kind, ClaimType.OTHER)


def choose_facts(situation: Situation) -> None:
    """Find what the sentence and each of its clauses is about. The other rules start from there."""
    reading = situation.reading
    situation.primary = next(iter(_ranked(reading.tokens, 0, situation)), None)
    for clause in reading.clauses:
        ranked = _ranked(clause.tokens, clause.first, situation)
        situation.best.append(ranked[0] if ranked else None)
        situation.rivals.append(tuple(ranked[1:]))


def _ranked(tokens: list[Token], first: int, situation: Situation) -> list[Fact]:
    """Facts that share most words and figures, and those close behind; words as written count more than synonyms."""
    scores = _scores([token for token in tokens if _says_something(token, situation)], situation)
    for number in situation.reading.numbers:
        if first <= number.first < first + len(tokens) and not number.weak:
            for index, fact in enumerate(situation.facts.all):
                if (number.value, number.unit) in fact.figures:
                    scores[index] = scores.get(index, 0.0) + 1.0
    for index in scores:
        fact = situation.facts.all[index]
        scores[index] += 0.6 * (fact is situation.primary) + 0.4 * (fact is situation.previous)
    top = max(scores.values(), default=0.0)
    near = sorted(
        (index for index in scores if scores[index] >= _CLOSE * top), key=lambda index: (-scores[index], index)
    )
    return [situation.facts.all[index] for index in near]


def _scores(tokens: list[Token], situation: Situation) -> dict[int, float]:
    scores: dict[int, float] = {}
    for token in tokens:
        mask = situation_mask(token, situation)
        direct = situation_mask(token, situation, direct=True) if mask else 0
        share = 1.0 / max(1, mask.bit_count())
        while mask:
            index = (mask & -mask).bit_length() - 1
            mask &= mask - 1
            scores[index] = scores.get(index, 0.0) + (1.0 if direct >> index & 1 else 0.6) + 0.2 * share
    return scores


def situation_mask(token: Token, situation: Situation, *, direct: bool = False) -> int:
    """One bit for each fact that holds the word, an inflection or a listed synonym."""
    masks = situation.facts.masks
    mask = 0
    for key in token.keys:
        if not direct or key[:1] != "=":
            mask |= masks.get(key, 0)
    if not mask and situation.language.compounds:
        mask = _compound_mask(token, masks)
    return mask


def _compound_mask(token: Token, masks: dict[str, int]) -> int:
    """A compound is covered by a fact that holds both of its parts."""
    word = token.lower
    if len(word) < 8 or len(word) > 60:
        return 0
    for cut in range(4, len(word) - 3):
        head, tail = word[:cut], word[cut:]
        for link in ("", "s", "n", "en", "es"):
            if link and not head.endswith(link):
                continue
            left = masks.get(head.removesuffix(link) if link else head, 0)
            right = masks.get(tail, 0) if left else 0
            if left & right:
                return left & right
    return 0


def _says_something(token: Token, situation: Situation) -> bool:
    """Whether the word can be about evidence at all (also names and numbers' measures)."""
    language = situation.language
    if not token.word or token.tags & {"time", "number"}:
        return False
    return not (language.has("function", token.lower) or language.means("neutral", token.keys))


def check(situation: Situation) -> list[Draft]:
    """One draft for each clause that states something: verified by its fact, or what of it is not covered."""
    drafts = []
    for clause in situation.reading.clauses:
        draft = _check_clause(clause, situation)
        if draft:
            drafts.append(draft)
    return drafts


def _check_clause(clause: Clause, situation: Situation) -> Draft | None:
    content = [token for token in clause.tokens if _needs_licence(token, clause, situation)]
    if not content:
        return None
    fact = _covering(content, clause, situation)
    missing = _missing(content, fact, clause, situation)
    if missing:
        if _excused(clause, situation):
            return None
        return _unlicensed(clause, missing, fact)
    return None if fact is None else _verified(clause, fact, content, situation)


def _excused(clause: Clause, situation: Situation) -> bool:
    """Acts and marked opinions state nothing; a subject line is a heading."""
    if clause.open or situation.reading.subject_line:
        return True
    return "hedged" in clause.moods and "strict" not in clause.moods


def _needs_licence(token: Token, clause: Clause, situation: Situation) -> bool:
    language = situation.language
    if not token.word or token.tags & {"time", "number", "title", "handled", "quoted"}:
        return False
    strict = "strict" in token.tags
    if strict and language.has("strength", token.lower):
        return True
    if language.has("function", token.lower) or language.means("neutral", token.keys):
        return False
    if token.tags & {"prospect", "sender", "company"}:
        return False
    if not strict and language.means("opinion", token.keys):
        return False
    mine = clause.subject == "self" and "strict" not in clause.moods
    return not (mine and (language.means("acts", token.keys) or language.means("sender", token.keys)))


def _bit(fact: Fact | None, situation: Situation) -> int:
    return 0 if fact is None else 1 << situation.facts.all.index(fact)


def _covering(content: list[Token], clause: Clause, situation: Situation) -> Fact | None:
    """The one allowed fact that covers most of the content."""
    scores = _scores(content, situation)
    at = situation.reading.clauses.index(clause)
    for index in scores:
        fact = situation.facts.all[index]
        scores[index] += 0.5 * (fact is situation.best[at]) + 0.3 * (fact is situation.primary)
        scores[index] += 0.2 * (fact is situation.previous)
    allowed = [index for index in scores if _allowed(situation.facts.all[index], clause)]
    best = max(allowed, key=lambda index: (scores[index], -index), default=None)
    return None if best is None else situation.facts.all[best]


def _allowed(fact: Fact, clause: Clause) -> bool:
    """The sender's facts never speak of the prospect or their company."""
    return fact.evidence.actor is not Actor.SENDER or clause.subject not in ("you", "company", "person")


def _missing(content: list[Token], fact: Fact | None, clause: Clause, situation: Situation) -> list[Token]:
    facts = situation.facts
    bits = _bit(fact, situation)
    primary = situation.primary
    if primary is not None and _allowed(primary, clause):
        bits |= _bit(primary, situation)
    if (fact is not None and fact.evidence.actor is Actor.SENDER) or clause.subject == "self":
        for index, other in enumerate(facts.all):
            if other.evidence.actor is Actor.SENDER:
                bits |= 1 << index
    return [
        token
        for token in content
        if not _licensed(token, bits, fact, situation) and facts.entity_keys.isdisjoint(token.keys)
    ]


def _licensed(token: Token, bits: int, fact: Fact | None, situation: Situation) -> bool:
    """Words of degree are compared as written: "better" is not "good"."""
    if "strict" in token.tags and situation.language.has("strength", token.lower):
        return fact is not None and token.lower in fact.lowers
    return bool(situation_mask(token, situation) & bits)


def _unlicensed(clause: Clause, missing: list[Token], fact: Fact | None) -> Draft:
    said = words_of(missing)
    covered = fact is not None and len(missing) * 2 <= len(clause.tokens)
    kind = _kind_of_gap(clause, fact if covered else None)
    reason = f"Nothing in the dossier says “{said}”."
    if covered and fact is not None:
        reason = f"The evidence {fact.ref} does not say “{said}”."
    verdict = Verdict.UNSUPPORTED if covered or clause.subject else Verdict.UNDECLARED
    hint = f"It says: {stated(fact)}" if covered and fact is not None else ""
    first, last = _gap(clause, missing)
    return Draft(first, last, kind, verdict, reason, refs([fact] if covered and fact else []), hint)


def _gap(clause: Clause, missing: list[Token]) -> tuple[int, int]:
    """The uncovered words with two words of context on both sides."""
    places = [clause.first + at for at, token in enumerate(clause.tokens) if any(token is gap for gap in missing)]
    return max(clause.first, places[0] - 2), min(clause.last, places[-1] + 3)


def _kind_of_gap(clause: Clause, fact: Fact | None) -> ClaimType:
    if clause.subject == "self":
        return ClaimType.SENDER
    if fact is not None and fact.evidence.kind in _READ_BY:
        return ClaimType.QUOTE
    if clause.subject in ("you", "company", "person"):
        return ClaimType.INFERENCE
    return ClaimType.UNDECLARED


def _verified(clause: Clause, fact: Fact, content: list[Token], situation: Situation) -> Draft | None:
    contradiction = _polarity(clause, fact, content, situation)
    if contradiction:
        return None if _excused(clause, situation) else contradiction
    return Draft(
        clause.first,
        clause.last,
        claim_type(fact),
        Verdict.VERIFIED,
        f"The words are those of {fact.ref}.",
        refs([fact]),
    )


def _polarity(clause: Clause, fact: Fact, content: list[Token], situation: Situation) -> Draft | None:
    """Yes stays yes, no stays no, and what is planned is not done."""
    segments = _segments_for(content, fact)
    if not segments:
        return None
    language = situation.language
    negated = any(language.has("negation", token.lower) for token in clause.tokens)
    softly = any(language.has("soft_negation", token.lower) for token in clause.tokens)
    if all(segment.negated != negated and not (softly if segment.negated else segment.softly) for segment in segments):
        word = "denies" if not negated else "affirms"
        return _contradicted(clause, fact, f"{fact.ref} {word} this.")
    future = any(language.has("future", token.lower) for token in clause.tokens)
    done = any(language.has("done", token.lower) for token in clause.tokens)
    planned = [segment.future for segment in segments]
    if done and not future and (any(planned) if "presupposed" in clause.moods else all(planned)):
        return _contradicted(clause, fact, f"{fact.ref} speaks of it as planned, not as done.")
    return None


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
