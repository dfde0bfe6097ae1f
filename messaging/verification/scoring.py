"""How well verdicts agree with a labelled set: blocked, localised, passing, with intervals."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from messaging.verification.confusion import Confusion, places

_BANDS = ((60, "under 60 words"), (100, "60 to 99 words"), (150, "100 to 149 words"), (10**9, "150 words and more"))


@dataclass(slots=True)
class Tally:
    """Counts of one group of labelled messages."""

    bad: int = 0
    blocked: int = 0
    located: int = 0
    good: int = 0
    passed: int = 0


@dataclass(slots=True)
class Scores:
    """Tallies of the whole set and of each language, kind of error and length."""

    total: Tally = field(default_factory=Tally)
    groups: dict[str, dict[str, Tally]] = field(default_factory=dict)
    missed: list[str] = field(default_factory=list)
    stopped: list[str] = field(default_factory=list)
    confusion: Confusion = field(default_factory=Confusion)
    seconds: float = 0.0
    messages: int = 0

    def add(self, given: Mapping[str, Any], line: Mapping[str, Any]) -> None:
        """Count one result; a message without a label counts only as checked."""
        self.messages += 1
        self.seconds += float(line["ms"]) / 1000
        label = given.get("label")
        if label not in ("faithful", "hallucinated"):
            return
        blocked = line["verdict"] == "block"
        located = blocked and located_in(given, line["findings"])
        if label == "hallucinated" and not blocked:
            self.missed.append(str(line["case_id"]))
        if label == "faithful" and blocked:
            self.stopped.append(str(line["case_id"]))
            self.confusion.add_stopped(line)
        if label == "hallucinated":
            self.confusion.add_bad(given, line)
        for tally in self._tallies(given):
            _count(tally, faithful=label == "faithful", blocked=blocked, located=located)

    def _tallies(self, given: Mapping[str, Any]) -> Iterable[Tally]:
        yield self.total
        words = len(str(given.get("body", "")).split())
        yield self._group("length", next(name for limit, name in _BANDS if words < limit))
        yield self._group("language", str(given.get("language")))
        for kind in sorted({str(error.get("kind")) for error in given.get("errors") or []}):
            yield self._group("kind", kind)

    def _group(self, name: str, value: str) -> Tally:
        return self.groups.setdefault(name, {}).setdefault(value, Tally())

    def summary(self) -> dict[str, Any]:
        """Counts, rates with 95% Wilson intervals, the cases that went wrong, and what was taken for what."""
        return {
            "messages": self.messages,
            "seconds": round(self.seconds, 3),
            "total": _shown(self.total),
            "groups": {
                name: {value: _shown(tally) for value, tally in sorted(values.items())}
                for name, values in sorted(self.groups.items())
            },
            "missed": self.missed,
            "stopped": self.stopped,
            **self.confusion.summary(),
        }


def _count(tally: Tally, *, faithful: bool, blocked: bool, located: bool) -> None:
    if faithful:
        tally.good += 1
        tally.passed += not blocked
        return
    tally.bad += 1
    tally.blocked += blocked
    tally.located += located


def located_in(given: Mapping[str, Any], findings: Iterable[Mapping[str, Any]]) -> bool:
    """Whether some finding shares at least half of its characters with a labelled span."""
    spans = [place for error in given.get("errors") or [] for place in places(given, error)]
    return any(
        finding["field"] == name
        and 2 * (min(finding["end"], end) - max(finding["start"], start)) >= finding["end"] - finding["start"] > 0
        for finding in findings
        for name, start, end in spans
    )


def _shown(tally: Tally) -> dict[str, Any]:
    counts: Counter[str] = Counter()
    counts.update(bad=tally.bad, blocked=tally.blocked, located=tally.located, good=tally.good, passed=tally.passed)
    return {
        **counts,
        "blocked_rate": _rate(tally.blocked, tally.bad),
        "located_rate": _rate(tally.located, tally.bad),
        "passed_rate": _rate(tally.passed, tally.good),
    }


def _rate(hits: int, cases: int) -> dict[str, float] | None:
    """The share with its Wilson interval at 95%."""
    if not cases:
        return None
    z = 1.959964
    share = hits / cases
    middle = (share + z * z / (2 * cases)) / (1 + z * z / cases)
    half = z * math.sqrt(share * (1 - share) / cases + z * z / (4 * cases * cases)) / (1 + z * z / cases)
    return {
        "share": round(share, 4),
        "low": round(max(0.0, middle - half), 4),
        "high": round(min(1.0, middle + half), 4),
    }
