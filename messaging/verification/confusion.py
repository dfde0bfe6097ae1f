"""What the findings took each labelled error for, and what stopped faithful messages; with examples to look at."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

#: Cases that are named for each cell.
MOST_EXAMPLES = 5
LONGEST_SPAN = 80
#: What became of a labelled error that no finding touches.
ELSEWHERE, MISSED = "blocked elsewhere", "passed"


@dataclass(slots=True)
class Cell:
    """How often, and the first few cases."""

    count: int = 0
    examples: list[Any] = field(default_factory=list)

    def add(self, example: object) -> None:
        self.count += 1
        if len(self.examples) < MOST_EXAMPLES:
            self.examples.append(example)


@dataclass(slots=True)
class Confusion:
    """errors: by labelled kind, then by the kind of a finding that touches it. stopped: by verdict and kind of finding."""

    errors: dict[str, dict[str, Cell]] = field(default_factory=dict)
    stopped: dict[str, Cell] = field(default_factory=dict)

    def add_bad(self, given: Mapping[str, Any], line: Mapping[str, Any]) -> None:
        """Each labelled error of a message counts once for each kind of finding that shares words with it."""
        for error in given.get("errors") or []:
            row = self.errors.setdefault(str(error.get("kind")), {})
            for name in _taken_for(given, error, line):
                row.setdefault(name, Cell()).add(str(line["case_id"]))

    def add_stopped(self, line: Mapping[str, Any]) -> None:
        """A faithful message counts once for each kind of finding that stopped it."""
        first: dict[str, Mapping[str, Any]] = {}
        for finding in line["findings"]:
            first.setdefault(f"{finding['verdict']} {finding['kind']}", finding)
        for name, finding in first.items():
            example = {"case_id": line["case_id"], "span": _short(finding["span"]), "reason": finding["reason"]}
            self.stopped.setdefault(name, Cell()).add(example)

    def summary(self) -> dict[str, Any]:
        """As part of the summary in JSON, the most frequent first."""
        return {
            "confusion": {kind: _shown(row) for kind, row in sorted(self.errors.items())},
            "stopped_by": _shown(self.stopped),
        }


def places(given: Mapping[str, Any], error: Mapping[str, Any]) -> list[tuple[str, int, int]]:
    """(field, start, end) of a labelled span, in each text that holds it."""
    span = str(error.get("span"))
    found = [(name, str(given.get(name) or "").find(span)) for name in ("subject", "body")]
    return [(name, at, at + len(span)) for name, at in found if at >= 0]


def _taken_for(given: Mapping[str, Any], error: Mapping[str, Any], line: Mapping[str, Any]) -> Iterable[str]:
    spans = places(given, error)
    kinds = {
        str(finding["kind"])
        for finding in line["findings"]
        for name, start, end in spans
        if finding["field"] == name and finding["start"] < end and start < finding["end"]
    }
    return sorted(kinds) or [MISSED if line["verdict"] == "pass" else ELSEWHERE]


def _shown(row: Mapping[str, Cell]) -> dict[str, Any]:
    ordered = sorted(row.items(), key=lambda entry: (-entry[1].count, entry[0]))
    return {name: {"count": cell.count, "examples": cell.examples} for name, cell in ordered}


def _short(text: str) -> str:
    words = " ".join(text.split())
    return words if len(words) <= LONGEST_SPAN else words[: LONGEST_SPAN - 1] + "…"
