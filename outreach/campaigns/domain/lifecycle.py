"""Which step a campaign may take from where it stands. The database refuses every other move."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Step(StrEnum):
    READY = "ready"
    START = "start"
    PAUSE = "pause"
    FINISH = "finish"


@dataclass(frozen=True, slots=True)
class Move:
    """From which states a step leads where. complete: whether nothing may be missing."""

    allowed_from: frozenset[str]
    to: str
    otherwise: str
    complete: bool = False


MOVES = {
    Step.READY: Move(frozenset({"draft"}), "ready", "Only a campaign in draft can become ready.", complete=True),
    Step.START: Move(
        frozenset({"draft", "ready", "paused"}), "running", "Only a campaign that is ready or paused can be started.",
        complete=True,
    ),
    Step.PAUSE: Move(frozenset({"running"}), "paused", "Only a running campaign can be paused."),
    Step.FINISH: Move(
        frozenset({"draft", "ready", "running", "paused"}), "finished", "The campaign is finished already."
    ),
}  # fmt: skip
#: A campaign that people are written to for, or were: its channels stay, its statements may not vanish.
STARTED = frozenset({"running", "paused"})


def steps_from(*, status: str) -> tuple[Step, ...]:
    """What can be done next, in the order of the table."""
    return tuple(step for step, move in MOVES.items() if status in move.allowed_from)
