"""What someone is said to think: after "you argue that …" nothing is free, not even "always" or "better"."""

from __future__ import annotations

from messaging.verification.rules.base import Situation


def mark(situation: Situation) -> None:
    """The rest of the clause after a stance phrase, and the clause it opens, are read strictly."""
    reading = situation.reading
    for match in reading.named("stance"):
        clause = reading.clause_at(min(match.last, len(reading.tokens) - 1))
        clause.moods.add("strict")
        clause.moods.discard("open")
        for token in reading.tokens[match.first : match.last]:
            token.tags.add("handled")
