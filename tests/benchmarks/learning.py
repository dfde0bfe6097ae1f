"""Every row of the learning loop's targets against simulated markets; the baseline is the value to reach.

FOOTNOTE_RUNS sets the number of simulated markets (400); FOOTNOTE_EVERY the days between reallocations (1).
"""

from __future__ import annotations

import itertools
import os
import time
from collections.abc import Iterator
from typing import Any

import numpy as np

from analytics.domain.learning.effects import fit
from analytics.domain.learning.factorial import METHOD_EFFECTS, METHOD_NAMES
from analytics.domain.learning.synthetic import table
from analytics.domain.learning.targets import Target, measure


def run() -> Iterator[dict[str, Any]]:
    runs, every = int(os.environ.get("FOOTNOTE_RUNS", "400")), int(os.environ.get("FOOTNOTE_EVERY", "1"))
    for target in itertools.chain(measure(runs=runs, every=every), _refits()):
        side = "reached" if target.reached else ("failed" if target.failed else "between reach and fail")
        yield {
            "name": f"learning, {target.name}",
            "value": round(target.value, 4),
            "baseline": target.reach,
            "ratio": round(target.value / target.reach, 4),
            "unit": side,
            "size": f"{runs} markets",
        }


def _refits() -> Iterator[Target]:
    """How long a fit of a team's whole table takes, in seconds of the processor."""
    cells = table(seed=1, messages=100_000, effects=np.log(METHOD_EFFECTS), segments=7, strategies=30)
    begun = time.process_time()
    fit(cells, METHOD_NAMES)
    yield Target("refit of 210 cells: seconds", time.process_time() - begun, 1.0, 10.0)
