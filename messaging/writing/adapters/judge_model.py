"""A language model as the judge."""

from __future__ import annotations

from messaging.verification.judge import Heard, Hearing
from messaging.writing.domain.judging import SCHEMA, Unreadable, read_answers, turns_of
from messaging.writing.ports import LanguageModel, Message, ModelFailure, ModelRequest


class ModelJudge:
    """Puts a hearing before a model, coldly: the same question should get the same answer."""

    def __init__(self, *, model: LanguageModel) -> None:
        self._model = model

    @property
    def longest(self) -> float:
        return self._model.longest

    def hear(self, hearing: Hearing) -> Heard:
        """The model's answers, or why there are none; either way what it took."""
        answer = self._model.complete(
            request=ModelRequest(
                messages=tuple(Message(turn.role, turn.content) for turn in turns_of(hearing=hearing)),
                schema=SCHEMA,
                schema_name="judgement",
                temperature=0.0,
                max_tokens=4_000,
            )
        )
        if isinstance(answer, ModelFailure):
            return Heard(self._model.name, failure=answer.message, usage=answer.usage)
        read = read_answers(data=answer.data)
        if isinstance(read, Unreadable):
            return Heard(self._model.name, failure=read.reason, usage=answer.usage)
        return Heard(self._model.name, answers=read, usage=answer.usage)
