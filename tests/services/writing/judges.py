"""A judge for tests, with one answer for every unsupported claim, and a text that needs it."""

from __future__ import annotations

from collections.abc import Callable

from messaging.verification.contract import Verdict
from messaging.verification.judge import Answer, Heard, Hearing
from tests.factories import BODY

#: The post says "does"; that is the same thing in other words, and too far for the rules.
REWORDED = "Every engineer at Pipewren, you included, shoulders customer support one day every two weeks."
REWORDED_BODY = BODY.replace("You are Head of Platform Engineering at Pipewren.", REWORDED)
PROOF = "does one day of customer support every two weeks"


class TestJudge:
    """Says yes, with `proof`, to what the rules could not follow, and no with `veto` to what they verified."""

    __test__ = False
    longest = 1.0

    def __init__(
        self, *, proof: str = PROOF, veto: str = "", failure: str = "", before: Callable[[], object] = lambda: None
    ) -> None:
        self.proof, self.veto, self.failure, self.before = proof, veto, failure, before
        self.hearings: list[Hearing] = []

    def hear(self, hearing: Hearing) -> Heard:
        self.before()
        self.hearings.append(hearing)
        if self.failure:
            return Heard("judge-1", failure=self.failure)
        answers = []
        for question in hearing.questions:
            if question.claim.verdict is Verdict.UNSUPPORTED:
                answers.append(Answer(question.number, holds=bool(self.proof), quote=self.proof, reason="So it says."))
            else:
                answers.append(Answer(question.number, holds=not self.veto, reason=self.veto))
        return Heard("judge-1", tuple(answers))
