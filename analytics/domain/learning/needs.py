"""How long an answer will take: messages that a comparison still needs, and weeks at the present rate."""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil, inf, log

from analytics.domain.learning.delay import WINDOW
from analytics.domain.learning.gate import ALPHA, RATIOS

#: Weeks beyond which their number says no more than "not in this way".
_LONGEST = 260


@dataclass(frozen=True)
class Needed:
    """messages to both sides of the comparison, inf when no number of them would do; weeks includes the window that
    the last outcomes need to mature."""

    messages: float
    weeks: float

    @property
    def known(self) -> bool:
        return self.messages < inf


def growth(ratio: float, odds: float) -> float:
    """Expected log growth of the evidence for each matured reply, at the best of the gate's ratios.

    ratio: true rate of the arm over the incumbent's. odds: messages of the arm for each of the incumbent.
    """
    of_arm = odds * ratio / (1 + odds * ratio)
    return max(of_arm * log(bet) + log((1 + odds) / (1 + bet * odds)) for bet in RATIOS)


def needed(
    *,
    base: float,
    ratio: float,
    odds: float = 1.0,
    weekly: float,
    comparisons: int = 1,
    alpha: float = ALPHA,
    gathered: float = 0.0,
    window: int = WINDOW,
) -> Needed:
    """What a claim takes on average. base: reply rate of the incumbent. weekly: messages a week to both together.
    gathered: log evidence so far."""  # fmt: skip
    pace = growth(ratio, odds) if ratio > 1 else 0.0
    missing = max(0.0, log(comparisons / alpha) + log(len(RATIOS)) - gathered)
    if pace <= 0 or weekly <= 0 or not 0 < base < 1:
        return Needed(inf, inf)
    per_message = base * (odds * ratio + 1) / (odds + 1)
    messages = float(ceil(missing / pace / per_message))
    return Needed(messages, messages / weekly + window / 7)


def in_words(needs: Needed) -> str:
    """ "too little to tell: about 1,200 more messages, 6 weeks at this rate"."""
    if not needs.known:
        return "too little to tell, and no difference that more messages would show"
    weeks = max(1, round(needs.weeks))
    time = f"{weeks} weeks" if weeks <= _LONGEST else "more than five years"
    return f"too little to tell: about {_rounded(needs.messages):,} more messages, {time} at this rate"


def _rounded(number: float) -> int:
    """Two leading digits: more would be made up."""
    whole = max(1, round(number))
    step = 10 ** max(0, len(str(whole)) - 2)
    return int(ceil(whole / step) * step)
