"""The summary of a checked file as lines for a terminal."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

_HEAD = ("", "bad", "blocked", "located", "faithful", "passing")
_WIDTHS = (24, 6, 30, 30, 9, 30)
_GROUPS = {"kind": "Labelled kind", "language": "Language", "length": "Length"}


def lines_of(summary: Mapping[str, Any]) -> Iterator[str]:
    """Tables of shares with their 95% intervals, then what was taken for what, with examples."""
    yield f"{summary['messages']} messages checked in {summary['seconds']} s"
    if summary["total"]["bad"] or summary["total"]["good"]:
        yield from _table("All", {"all": summary["total"]})
        for name, values in summary["groups"].items():
            yield from _table(_GROUPS.get(name, name), values)
    yield from _confusion(summary["confusion"])
    yield from _stopped(summary["stopped_by"])
    if summary["missed"]:
        yield ""
        yield f"Bad messages that passed: {', '.join(summary['missed'])}"
    if "judge" in summary:
        yield ""
        yield "The judge: " + ", ".join(f"{name.replace('_', ' ')} {count}" for name, count in summary["judge"].items())
    for fault in summary["unreadable_dossiers"]:
        yield f"Cannot be read: {fault}"
    if summary["unmatched"]:
        yield f"Not checked, and blocked: {summary['unmatched']}"


def _table(title: str, rows: Mapping[str, Mapping[str, Any]]) -> Iterator[str]:
    yield ""
    yield _row((title, *_HEAD[1:]))
    for name, counts in rows.items():
        yield _row(
            (
                name,
                str(counts["bad"]),
                _share(counts["blocked"], counts["blocked_rate"]),
                _share(counts["located"], counts["located_rate"]),
                str(counts["good"]),
                _share(counts["passed"], counts["passed_rate"]),
            )
        )


def _row(cells: tuple[str, ...]) -> str:
    return "".join(cell.ljust(width) for cell, width in zip(cells, _WIDTHS, strict=True)).rstrip()


def _share(hits: int, rate: Mapping[str, float] | None) -> str:
    if rate is None:
        return "–"
    return f"{hits}  {rate['share']:.1%} ({rate['low']:.1%} to {rate['high']:.1%})"


def _confusion(kinds: Mapping[str, Mapping[str, Any]]) -> Iterator[str]:
    if kinds:
        yield ""
        yield "What the findings took each labelled error for"
    for kind, row in kinds.items():
        for taken, cell in row.items():
            yield f"  {kind.ljust(14)} {taken.ljust(18)} {cell['count']:>5}  {', '.join(cell['examples'])}"


def _stopped(row: Mapping[str, Any]) -> Iterator[str]:
    if row:
        yield ""
        yield "What stopped faithful messages"
    for name, cell in row.items():
        yield f"  {name.ljust(28)} {cell['count']:>5}"
        for example in cell["examples"]:
            yield f"    {example['case_id']}: “{example['span']}” {example['reason']}"
