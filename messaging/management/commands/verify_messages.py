"""Verify messages of a file against dossiers of a file. Needs no database."""

from __future__ import annotations

import json
import time
from argparse import ArgumentParser
from collections import Counter
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from messaging.verification import batch
from messaging.verification.contract import Report, Verdict
from messaging.verification.judge import Effect, Judge, Judged
from messaging.verification.scores_text import lines_of
from messaging.verification.scoring import Scores
from messaging.writing.adapters.configured import judge_named

MOST_AT_ONCE = 32


class Command(BaseCommand):
    help = "Verify free-text messages against dossiers (JSON lines); prints findings and a summary."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--dossiers", required=True, type=Path, help="file of dossiers")
        parser.add_argument("--messages", required=True, type=Path, help="file of messages")
        parser.add_argument("--json", action="store_true", help="one JSON object a line, the last is the summary")
        parser.add_argument(
            "--judge", action="store_true",
            help="put each message before the judge too (OPENAI_BASE_URL, OPENAI_JUDGE_MODEL, OPENAI_JUDGE_TIMEOUT)",
        )  # fmt: skip
        parser.add_argument(
            "--at-once", type=int, default=4, help=f"messages before the judge at once (4, at most {MOST_AT_ONCE})"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        judge = _judge(at_once=options["at_once"]) if options["judge"] else None
        try:
            known = batch.dossiers(_read(options["dossiers"]), str(options["dossiers"]))
            cases = list(batch.cases(_read(options["messages"]), known, str(options["messages"])))
        except batch.UnreadableInput as error:
            raise CommandError(str(error), returncode=2) from error
        scores, heard = Scores(), Counter[str]()
        unmatched = 0
        for case, (line, judged) in zip(cases, _lines(cases, judge, options["at_once"]), strict=True):
            self._print(line, as_json=options["json"])
            _count(heard, judged)
            if isinstance(case, batch.Case):
                scores.add(case.given, line)
            else:
                unmatched += 1
        summary = {**scores.summary(), "unmatched": unmatched, "unreadable_dossiers": known.faults}
        self._print({"summary": summary | ({"judge": dict(heard)} if judge else {})}, as_json=options["json"])
        self._end(unmatched, len(cases), known.faults)

    def _end(self, unmatched: int, messages: int, faults: list[str]) -> None:
        """Status 1 when something could not be read, though all else was checked."""
        told = [f"{unmatched} of {messages} messages could not be checked; see their findings."] if unmatched else []
        if faults:
            told.append(f"{len(faults)} of the dossiers cannot be read; the first: {faults[0]}")
        if told:
            raise CommandError(" ".join(told), returncode=1)

    def _print(self, line: dict[str, Any], *, as_json: bool) -> None:
        if as_json:
            self.stdout.write(json.dumps(line, ensure_ascii=False))
        elif "summary" in line:
            self.stdout.write("\n" + "\n".join(lines_of(line["summary"])))
        else:
            self.stdout.write(f"{line['case_id']}: {line['verdict']}")
            for finding in line["findings"]:
                self.stdout.write(f"  {finding['kind']}: “{finding['span']}” {finding['reason']}")


def _judge(*, at_once: int) -> Judge:
    if not (settings.OPENAI_BASE_URL or settings.OPENAI_API_KEY):
        raise CommandError("--judge needs a model: set OPENAI_BASE_URL or OPENAI_API_KEY, and OPENAI_JUDGE_MODEL.")
    if not 1 <= at_once <= MOST_AT_ONCE:
        raise CommandError(f"--at-once must be from 1 to {MOST_AT_ONCE}.")
    return judge_named(model=settings.OPENAI_JUDGE_MODEL or settings.OPENAI_MODEL)


def _read(path: Path) -> list[batch.Record]:
    try:
        return batch.records(path.read_bytes(), str(path))
    except OSError as error:
        raise batch.UnreadableInput(f"{path}: {error.strerror}.") from error


_Read = batch.Unmatched | tuple[batch.Case, Report, float]
_Checked = tuple[dict[str, Any], Judged | None]


def _lines(cases: Iterable[batch.Case | batch.Unmatched], judge: Judge | None, at_once: int) -> Iterator[_Checked]:
    """The result of each case, in order; with a judge several wait for it at once.

    The rules read in one thread: only waiting is done side by side, and a language is loaded once.
    """
    read = map(_read_by_rules, cases)
    if judge is None:
        yield from map(_put_before, read)
        return
    with ThreadPoolExecutor(max_workers=at_once) as pool:
        yield from pool.map(partial(_put_before, judge=judge), read)


def _read_by_rules(case: batch.Case | batch.Unmatched) -> _Read:
    """ms is the rules' time; how long a judge takes is not ours."""
    if isinstance(case, batch.Unmatched):
        return case
    begun = time.perf_counter()
    report = batch.check(case)
    return case, report, (time.perf_counter() - begun) * 1000


def _put_before(read: _Read, judge: Judge | None = None) -> _Checked:
    if isinstance(read, batch.Unmatched):
        return batch.refused_line(read), None
    case, report, took = read
    judged = batch.with_judge(case, report, judge) if judge is not None else None
    return batch.line_of(case.case_id, judged.report if judged else report, took), judged


def _count(heard: Counter[str], judged: Judged | None) -> None:
    """What the judge did: messages asked about, unanswered, and claims by what became of them."""
    if judged is None or judged.heard is None:
        return
    heard["asked"] += 1
    heard["unanswered"] += bool(judged.heard.failure)
    heard["lifted"] += sum(one.effect is Effect.LIFTS for one in judged.opinions)
    heard["vetoed"] += sum(one.effect in (Effect.VETOES, Effect.UNDECLARED) for one in judged.opinions)
    heard["let_through"] += judged.report.passes and any(
        claim.verdict is Verdict.JUDGE_CORROBORATED for claim in judged.report.claims
    )
