"""Declared claims: a declaration can only make the reading stricter.

The free-text reader has judged every word already. Here the other direction is checked: what the
model says it cited must exist, and must support the arguments it gave.
"""

from __future__ import annotations

from messaging.verification.contract import CheckedClaim, CheckInput, ClaimType, DeclaredClaim, Verdict
from messaging.verification.facts import Fact, Facts
from messaging.verification.folding import fold
from messaging.verification.language import Language
from messaging.verification.numerals import quantities
from messaging.verification.tokens import tokenise
from prospects.domain.dates import partial_date


def check_declared(
    check: CheckInput, facts: Facts, language: Language, claims: list[CheckedClaim]
) -> list[CheckedClaim]:
    """The claims of the reading plus one for each declaration that its own citations do not support."""
    known = {fact.ref: fact for fact in facts.all}
    found = list(claims)
    for declared in check.declared or ():
        reason = _fault(declared, check, known, language)
        if reason:
            found.append(_claim(declared, check, reason))
    return found


def _text_of(declared: DeclaredClaim, check: CheckInput) -> str:
    return check.message.subject if declared.field_name == "subject" else check.message.body


def _fault(declared: DeclaredClaim, check: CheckInput, known: dict[str, Fact], language: Language) -> str:
    """Why the declaration does not hold, "" when it does."""
    text = _text_of(declared, check)
    if not 0 <= declared.start < declared.end <= len(text):
        return "The declared span lies outside the text."
    if not declared.evidence:
        return "The declaration cites no evidence."
    missing = [ref for ref in declared.evidence if ref not in known]
    if missing:
        return f"The cited evidence {', '.join(missing)} is not in the dossier."
    cited = [known[ref] for ref in declared.evidence]
    for name, value in declared.arguments.items():
        if value.strip() and not _supports(value, cited, language):
            return f"The cited evidence does not support {name} “{value}”."
    return ""


def _supports(value: str, cited: list[Fact], language: Language) -> bool:
    """Every word, number and date of the argument is in one of the cited items."""
    return any(_holds(value, fact, language) for fact in cited)


def _holds(value: str, fact: Fact, language: Language) -> bool:
    interval = partial_date(value)
    if interval is not None:
        return any(interval.first <= date.first and date.last <= interval.last for date in fact.dates)
    tokens = tokenise(fold(value).text, language)
    numbers = quantities(tokens, language)
    recorded = {(number.value, number.unit) for _, number in fact.numbers()}
    if any((number.value, number.unit) not in recorded for number in numbers if not number.weak):
        return False
    counted = {index for number in numbers for index in range(number.first, number.last)}
    return all(
        not token.keys.isdisjoint(fact.keys) or token.lower in fact.lowers
        for index, token in enumerate(tokens)
        if token.word and index not in counted and not language.has("function", token.lower)
    )


def _claim(declared: DeclaredClaim, check: CheckInput, reason: str) -> CheckedClaim:
    text = _text_of(declared, check)
    start = max(0, min(declared.start, len(text)))
    end = max(start, min(declared.end, len(text)))
    return CheckedClaim(
        field_name=declared.field_name,
        start=start,
        end=end,
        span=text[start:end],
        type=ClaimType(declared.type),
        verdict=Verdict.UNSUPPORTED,
        reason=reason,
        evidence=declared.evidence,
    )
