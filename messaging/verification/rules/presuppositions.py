"""Questions, offers and requests state nothing, unless they presuppose something."""

from __future__ import annotations

from messaging.verification.contract import ClaimType, Verdict
from messaging.verification.facts import plain
from messaging.verification.reading import Clause
from messaging.verification.rules.base import Draft, Situation, words_of
from messaging.verification.rules.matching import situation_mask
from messaging.verification.tokens import Token


def check(situation: Situation) -> list[Draft]:
    """ "Your Kubernetes migration" in a question presupposes one; a foreign name is one of a claim anywhere."""
    drafts = []
    for clause in situation.reading.clauses:
        free = clause.open or "hedged" in clause.moods or situation.reading.subject_line
        if free and "strict" not in clause.moods:
            drafts += _possessions(clause, situation)
            drafts += _unknown_names(clause, situation)
    return drafts


def _possessions(clause: Clause, situation: Situation) -> list[Draft]:
    drafts = []
    for index, token in enumerate(clause.tokens):
        if "your" not in token.tags:
            continue
        owned = _noun_phrase(clause.tokens[index + 1 :], situation)
        if owned and not _known(owned, situation):
            first = clause.first + index
            reason = f"“{words_of([token, *owned])}” presupposes something that no evidence says."
            last = first + 1 + len(owned)
            drafts.append(Draft(first, last, ClaimType.INFERENCE, Verdict.UNSUPPORTED, reason))
    return drafts


def _noun_phrase(tokens: list[Token], situation: Situation) -> list[Token]:
    """Up to three words after the possessive, as far as they carry content."""
    found: list[Token] = []
    for token in tokens[:3]:
        if not token.word or situation.language.has("function", token.lower):
            break
        found.append(token)
    return found


def _known(owned: list[Token], situation: Situation) -> bool:
    """Something everyone has, or words of the record."""
    language = situation.language
    for token in owned:
        if language.means("possessable", token.keys):
            return True
        if situation_mask(token, situation) or token.tags & {
            "number",
            "time",
            "title",
            "company",
            "prospect",
            "handled",
        }:
            continue
        if not any(language.means(name, token.keys) for name in ("neutral", "opinion", "acts")):
            return False
    return True


def _unknown_names(clause: Clause, situation: Situation) -> list[Draft]:
    if situation.language.settings.get("nouns_capitalised", False):
        return []
    drafts = []
    for index, token in enumerate(clause.tokens):
        if not _looks_foreign(token, clause.first + index, situation):
            continue
        at = clause.first + index
        reason = f"The name “{token.text}” is not in the dossier."
        drafts.append(Draft(at, at + 1, ClaimType.OTHER, Verdict.UNSUPPORTED, reason))
    return drafts


def _looks_foreign(token: Token, at: int, situation: Situation) -> bool:
    language = situation.language
    if (
        "capital" not in token.tags
        or len(token.text) < 2
        or token.tags & {"time", "number", "title", "quoted", "handled"}
    ):
        return False
    tokens = situation.reading.tokens
    if at == 0 or tokens[at - 1].text in '.:?!"(¿¡' or (situation.reading.subject_line and token.text.isupper()):
        return False
    known = situation_mask(token, situation) or plain(token.text) in situation.facts.prospect_names
    listed = any(language.has(name, token.lower) for name in ("function", "greetings", "common_names"))
    return (
        not known
        and not listed
        and not any(language.means(name, token.keys) for name in ("neutral", "opinion", "acts", "possessable"))
    )
