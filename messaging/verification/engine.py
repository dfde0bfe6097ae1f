"""The entry point: a message and its dossier in, every claim with its verdict out."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date
from pathlib import Path

from messaging.verification import language as languages
from messaging.verification.ageing import seen_of
from messaging.verification.contract import CheckedClaim, CheckInput, ClaimType, Report, Verdict
from messaging.verification.declared import check_declared
from messaging.verification.facts import Facts, prepare
from messaging.verification.folding import TURNING, Folded, fold
from messaging.verification.language import Language
from messaging.verification.reading import read_sentence
from messaging.verification.rules import (
    actors,
    bare,
    connections,
    coverage,
    figures,
    hidden,
    industries,
    matching,
    meant,
    names,
    observed,
    presuppositions,
    quotes,
    recency,
    stances,
    titles_rule,
    turned,
)
from messaging.verification.rules.base import Draft, Situation
from messaging.verification.rules.verbatim import whole_proof_point
from messaging.verification.signature import signature_from
from messaging.verification.tokens import Sentence, sentences
from messaging.verification.version import VERIFIER_VERSION

__all__ = ["VERIFIER_VERSION", "verify"]

#: Nobody corrects more; it bounds the work that hostile text can cause.
_MOST_FAULTS = 100

#: The order matters: rules that recognise a phrase mark it, so that coverage does not read it as content.
_RULES = (
    titles_rule.check,
    connections.check,
    quotes.check,
    actors.check,
    recency.check,
    figures.check,
    coverage.check,
    presuppositions.check,
    hidden.check,
    turned.check,
)


def verify(check: CheckInput, *, folder: Path = languages.FOLDER) -> Report:
    """Read every sentence of the message against the dossier. Never raises for any text.

    folder holds the languages, one folder each.
    """
    code = languages.resolve(check.message.language, folder)
    if not code:
        known = ", ".join(languages.available(folder))
        reason = f"No lexicon for the language “{check.message.language}”; it cannot be verified (known: {known})."
        return Report((), VERIFIER_VERSION, refused=reason)
    language = languages.load(code, folder)
    facts = prepare(check.dossier, language)
    claims: list[CheckedClaim] = []
    for field_name, text in (("subject", check.message.subject), ("body", check.message.body)):
        if text:
            claims += _check_field(field_name, text, check, facts, language)
    if check.declared is not None:
        claims = check_declared(check, facts, language, claims)
    claims.sort(key=lambda claim: (claim.field_name != "subject", claim.start, claim.end))
    return Report(tuple(claims), VERIFIER_VERSION, valid_until=_earliest(claims))


def _earliest(claims: Iterable[CheckedClaim]) -> date | None:
    days = [claim.valid_until for claim in claims if claim.valid_until is not None]
    return min(days, default=None)


def _check_field(field_name: str, text: str, check: CheckInput, facts: Facts, language: Language) -> list[CheckedClaim]:
    folded = fold(text)
    found = sentences(folded.text, language)
    claims = _turned_about(field_name, text)
    if field_name == "body" and found:
        claims += _take_greeting(folded, found, check, facts, language)
        found = found[: signature_from(found, facts, language)]
    previous = None
    faults = 0
    seen = seen_of(facts, check.max_observed_days, check.earliest or check.dossier.send_by)
    shared: set[str] = set()
    for sentence in found:
        own = whole_proof_point(sentence, facts)
        if own is not None:
            claims.append(_placed(own, field_name, folded, sentence))
            continue
        reading = read_sentence(sentence, facts, language, subject_line=field_name == "subject")
        if reading is None:
            continue
        used = industries.facts_for(reading, facts)
        situation = Situation(used, language, check.dossier.send_by, reading, previous, shared=shared, seen=seen)
        drafts = _run(situation, check.others.names)
        claims += [_placed(draft, field_name, folded, sentence) for draft in drafts]
        previous = situation.primary or previous
        faults += sum(draft.verdict is not Verdict.VERIFIED for draft in drafts)
        if faults >= _MOST_FAULTS:
            return [*claims, _unread(field_name, claims[-1].end, text)]
    return claims


def _turned_about(field_name: str, text: str) -> list[CheckedClaim]:
    """The line of the first character that shows the text in another order than the one that is checked."""
    if text.isascii() or TURNING.isdisjoint(text):
        return []
    start = next(at for at, letter in enumerate(text) if letter in TURNING)
    reason = (
        f"A hidden character (U+{ord(text[start]):04X}) shows this in another order than it is written. Take it out."
    )
    end = len(text) if (line := text.find("\n", start)) < 0 else line
    return [CheckedClaim(field_name, start, end, text[start:end], ClaimType.UNDECLARED, Verdict.UNDECLARED, reason)]


def _unread(field_name: str, start: int, text: str) -> CheckedClaim:
    reason = f"The text was not read beyond its first {_MOST_FAULTS} faults."
    span = text[start:]
    return CheckedClaim(field_name, start, len(text), span, ClaimType.UNDECLARED, Verdict.UNDECLARED, reason)


def _run(situation: Situation, others: frozenset[str]) -> list[Draft]:
    stances.mark(situation)
    matching.choose_facts(situation)
    drafts = [meant.cited(draft, situation) for rule in _RULES for draft in rule(situation)]
    drafts += [meant.cited(draft, situation) for draft in bare.check(situation, drafts)]
    drafts = observed.check(situation, industries.refused_of_somebody(situation, drafts))
    drafts += names.check_others(situation, others)
    return _without_overruled(drafts)


def _without_overruled(drafts: list[Draft]) -> list[Draft]:
    """Where one rule finds a fault, another's verified claim over the same words is not shown."""
    faults = [draft for draft in drafts if draft.verdict is not Verdict.VERIFIED]
    kept = []
    for draft in drafts:
        overruled = draft.verdict is Verdict.VERIFIED and any(
            fault.first < draft.last and draft.first < fault.last for fault in faults
        )
        if not overruled:
            kept.append(draft)
    return kept


def _take_greeting(
    folded: Folded, found: list[Sentence], check: CheckInput, facts: Facts, language: Language
) -> list[CheckedClaim]:
    draft, used = names.greeting(found[0], facts, language)
    if not used:
        return []
    seen = seen_of(facts, check.max_observed_days, check.earliest or check.dossier.send_by)
    drafts = [observed.limited(draft, seen)] if draft else []
    claims = [_placed(one, "body", folded, found[0]) for one in drafts]
    rest = found[0].tokens[used:]
    if rest:
        found[0] = Sentence(rest, found[0].line, found[0].question)
    else:
        found.pop(0)
    return claims


def _placed(draft: Draft, field_name: str, folded: Folded, sentence: Sentence) -> CheckedClaim:
    tokens = sentence.tokens[draft.first : max(draft.last, draft.first + 1)]
    start, end = folded.span(tokens[0].start, tokens[-1].end)
    return CheckedClaim(
        field_name=field_name,
        start=start,
        end=end,
        span=folded.original[start:end],
        type=ClaimType(draft.type),
        verdict=draft.verdict,
        reason=draft.reason,
        evidence=draft.evidence,
        hint=draft.hint,
        valid_until=draft.valid_until,
    )
