"""How fast messages of 80 to 120 words are read against dossiers of 40 items, and what the languages cost.

The baseline is what no verifier can avoid: splitting the same texts into words and signs with one regular
expression, for loading the plain reading of the same files, for memory the same process without any language.
Seconds are the processor's, of one thread: what else the machine does meanwhile does not count.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from messaging.verification import batch, language
from messaging.verification.contract import CheckInput, MessageText
from messaging.verification.engine import verify
from prospects.domain.evidence import Dossier, Evidence

ROOT = Path(__file__).parents[2]
GOLD = ROOT / "tests" / "data" / "gold"
ITEMS, LEAST, MOST = 40, 80, 120
#: Seconds each measurement takes at least, so that a slow moment of the machine is not the result.
LONG_ENOUGH = 3.0
_WORD = re.compile(r"\w+|[^\w\s]")

_LOAD = """
import json, sys, time
from pathlib import Path
from messaging.verification import language
from messaging.verification.contract import CheckInput, MessageText
from messaging.verification.engine import verify
from prospects.domain.evidence import Dossier
from datetime import date
def resident():
    return int(next(l for l in open("/proc/self/status") if l.startswith("VmRSS")).split()[1]) / 1024
codes = sys.argv[1:]
before, begun = resident(), time.process_time()
for code in codes:
    verify(CheckInput(MessageText("", "Hi.", code, "email"), Dossier("", date(2026, 12, 1), ())))
took = time.process_time() - begun
begun = time.process_time()
for code in codes:
    for file in (language.FOLDER / code).iterdir():
        file.read_text(encoding="utf-8").split()
print(json.dumps({"before": before, "after": resident(), "took": took, "read": time.process_time() - begun}))
"""


def run() -> Iterator[dict[str, Any]]:
    """Speed per message, then per language the first use, then all languages together."""
    inputs = [check for code in language.available() for check in _inputs(code)]
    for check in inputs:
        verify(check)
    size = f"{len(inputs)} messages of {LEAST}-{MOST} words, dossiers of {ITEMS} items"
    plain = _timed(inputs, _tokenised)
    warm = _timed(inputs, verify)
    yield _line("verification, dossier known", _rate(warm), _rate(plain), "messages/s", size)
    yield _line("verification, 95th percentile", _p95(warm), _p95(plain), "ms", size)
    new = _timed(inputs, lambda check: verify(replace(check, dossier=replace(check.dossier))))
    yield _line("verification, dossier new", _rate(new), _rate(plain), "messages/s", size)
    yield _line("verification, dossier new, 95th percentile", _p95(new), _p95(plain), "ms", size)
    for code in language.available():
        cost = _loaded(code)
        yield _line(f"verification, first use of {code}", cost["took"], cost["read"], "s", "one language")
    cost = _loaded(*language.available())
    count = f"{len(language.available())} languages"
    yield _line("verification, memory of all languages", cost["after"] - cost["before"], cost["before"], "MB", count)


def _inputs(code: str) -> list[CheckInput]:
    """The labelled messages of one language, joined to the wanted length, with dossiers padded to the wanted size."""
    known = batch.dossiers(batch.records((GOLD / "dossiers.jsonl").read_bytes(), "dossiers"), "dossiers")
    listed = batch.records((GOLD / "messages.jsonl").read_bytes(), "messages")
    cases = [case for case in batch.cases(listed, known, "messages") if isinstance(case, batch.Case)]
    mine = [case for case in cases if language.resolve(case.message.language) == code]
    fillers = [item for case in mine for item in case.dossier.items]
    dossiers = {case.dossier.dossier_id: _padded(case.dossier, fillers) for case in mine}
    found = []
    for at, case in enumerate(mine):
        own = [other.message.body for other in (*mine[at:], *mine[:at]) if other.dossier is case.dossier]
        message = MessageText(case.message.subject, _joined(own), case.message.language, case.message.channel)
        found.append(CheckInput(message, dossiers[case.dossier.dossier_id]))
    return found


def _padded(dossier: Dossier, fillers: list[Evidence]) -> Dossier:
    items = list(dossier.items)
    for number, item in enumerate(fillers):
        if len(items) >= ITEMS:
            break
        if item not in dossier.items:
            items.append(replace(item, ref=f"filler{number}"))
    return replace(dossier, items=tuple(items[:ITEMS]))


def _joined(bodies: list[str]) -> str:
    words: list[str] = []
    for body in bodies:
        words += body.split(" ")
        if len(words) >= LEAST:
            break
    return " ".join(words[:MOST])


def _tokenised(check: CheckInput) -> int:
    texts = (check.message.subject, check.message.body, *(item.text for item in check.dossier.items))
    return sum(len(_WORD.findall(text)) for text in texts)


def _timed(inputs: list[CheckInput], work: Callable[[CheckInput], object]) -> list[float]:
    """Seconds of each call, over as many rounds as take long enough."""
    took: list[float] = []
    while sum(took) < LONG_ENOUGH:
        for check in inputs:
            begun = time.thread_time()
            work(check)
            took.append(time.thread_time() - begun)
    return took


def _rate(took: list[float]) -> float:
    return round(len(took) / sum(took), 1)


def _p95(took: list[float]) -> float:
    return round(sorted(took)[int(len(took) * 0.95)] * 1000, 3)


def _loaded(*codes: str) -> dict[str, float]:
    """A process of its own, since a language is loaded once in each."""
    command = [sys.executable, "-c", _LOAD, *codes]
    done = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True)
    read: dict[str, float] = json.loads(done.stdout)
    return read


def _line(name: str, value: float, baseline: float, unit: str, size: str) -> dict[str, Any]:
    ratio = round(value / baseline, 4) if baseline else 0.0
    return {
        "name": name, "value": round(value, 4), "baseline": round(baseline, 4), "ratio": ratio, "unit": unit, "size": size,
    }  # fmt: skip
