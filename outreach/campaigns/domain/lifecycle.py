"""Which step a campaign may take from where it stands."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Step(StrEnum):
    START = "start"
    PAUSE = "pause"
    FINISH = "finish"


@dataclass(frozen=True, slots=True)
class Move:
    """From which states a step leads where."""

    allowed_from: frozenset[str]
    to: str
    otherwise: str


MOVES = {
    Step.START: Move(
        frozenset({"draft", "ready", "paused"}), "running", "Only a campaign in draft, ready or paused can be started."
    ),
    Step.PAUSE: Move(frozenset({"running"}), "paused", "Only a running campaign can be paused."),
    Step.FINISH: Move(
        frozenset({"draft", "ready", "running", "paused"}), "finished", "The campaign is finished already."
    ),
}


def steps_from(*, status: str) -> tuple[Step, ...]:
    """What can be done next, in the order of the table."""
    return tuple(step for step, move in MOVES.items() if status in move.allowed_from)
