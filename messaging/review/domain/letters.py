"""Verdicts as letters: one a claim, in reading order, for lists that show a draft's state at a glance."""

from __future__ import annotations

from collections import Counter

from messaging.verification.contract import Verdict

#: As a check writes them into the draft's row.
_VERDICTS = {
    "v": Verdict.VERIFIED,
    "j": Verdict.JUDGE_CORROBORATED,
    "c": Verdict.CONTRADICTED,
    "u": Verdict.UNSUPPORTED,
    "n": Verdict.UNDECLARED,
    "a": Verdict.AMBIGUOUS,
}
_WORST_FIRST = (
    Verdict.CONTRADICTED,
    Verdict.UNSUPPORTED,
    Verdict.UNDECLARED,
    Verdict.AMBIGUOUS,
    Verdict.JUDGE_CORROBORATED,
    Verdict.VERIFIED,
)


def tally(letters: str) -> tuple[tuple[Verdict, int], ...]:
    """How many claims have which verdict, the worst first; verdicts that do not occur are left out."""
    counts = Counter(_VERDICTS[letter] for letter in letters if letter in _VERDICTS)
    return tuple((verdict, counts[verdict]) for verdict in _WORST_FIRST if counts[verdict])


def findings(letters: str) -> tuple[tuple[Verdict, int], ...]:
    """The part of the tally that blocks."""
    return tuple(pair for pair in tally(letters) if pair[0] not in (Verdict.VERIFIED, Verdict.JUDGE_CORROBORATED))
