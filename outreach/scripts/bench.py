"""`bin/bench`: every module of `tests/benchmarks`, on a database of its own.

A module has `run()`, which yields for each benchmark a dictionary of name, value, baseline, ratio,
unit and size: the value is only comparable to the baseline measured in the same run.
"""

from __future__ import annotations

import argparse
import json
import os
import pkgutil
import shutil
import signal
import sys
import tempfile
from importlib import import_module
from inspect import signature
from pathlib import Path

from outreach.embedded.client import ROOT, embedded_services
from outreach.embedded.layout import EmbeddedError, Layout
from outreach.scripts.prepare import output_to_stderr, prepare_database
from outreach.scripts.test import environment

FOLDER = ROOT / "tests" / "benchmarks"
FIELDS = ("name", "value", "baseline", "ratio", "unit", "size")


def available() -> list[str]:
    return sorted(module.name for module in pkgutil.iter_modules([str(FOLDER)]))


def measure(name: str, *, as_json: bool, size: int | None = None) -> None:
    """Print a line for each benchmark of one module, as soon as it is known. A module of fixed size ignores `size`."""
    run = import_module(f"tests.benchmarks.{name}").run
    sized = {"size": size} if size is not None and "size" in signature(run).parameters else {}
    for result in run(**sized):
        line = {field: result[field] for field in FIELDS}
        if as_json:
            text = json.dumps(line)
        else:
            text = "{name}: {value:.4g} {unit} against {baseline:.4g} (ratio {ratio:.3g}, {size})".format(**line)
        sys.stdout.write(f"{text}\n")
        sys.stdout.flush()


def main(arguments: list[str]) -> int:
    signal.signal(signal.SIGINT, signal.default_int_handler)
    parser = argparse.ArgumentParser(prog="bin/bench", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"one of: {', '.join(available()) or 'none yet'}")
    parser.add_argument("--json", action="store_true", help="one JSON object a line")
    parser.add_argument("--size", type=int, metavar="ROWS", help="rows instead of a benchmark's own number")
    options = parser.parse_args(arguments)
    if unknown := sorted(set(options.names) - set(available())):
        sys.stderr.write(f"No benchmark is called {', '.join(unknown)}; there are: {', '.join(available())}.\n")
        return 1
    folder = Path(tempfile.mkdtemp(prefix="footnote-bench-"))
    try:
        layout = Layout(folder)
        with embedded_services(layout):
            os.environ.update(environment(layout))
            with output_to_stderr():
                prepare_database(demo=False)
            for name in options.names or available():
                measure(name, as_json=options.json, size=options.size)
    except EmbeddedError as error:
        sys.stderr.write(f"{error}\n")
        return 1
    except KeyboardInterrupt:
        return 130
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
