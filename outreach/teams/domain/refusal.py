"""An expected failure, as a value that says what to do."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Refusal:
    """Why something was not done.

    code: stable and short, for programs and tests (`not-allowed`, `last-admin`).
    message: one or two sentences for the person, with what to do about it.
    """

    code: str
    message: str

    def __str__(self) -> str:
        return self.message
