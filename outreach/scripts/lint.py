"""`bin/lint`: every static check, all of them even when one fails."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from outreach.embedded.client import ROOT

CHECKS: tuple[tuple[str, str, list[str]], ...] = (
    ("style", "ruff", ["check", "--quiet", "."]),
    ("contracts", "lint-imports", ["--no-logo"]),
    ("types", "mypy", []),
)


def main(_arguments: list[str]) -> int:
    """0 when all is clean. Says nothing about what is in order but its name."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "DJANGO_SETTINGS_MODULE": "outreach.settings"}
    programs = Path(sys.executable).parent
    failed = []
    for name, program, options in CHECKS:
        command = [str(programs / program), *options]
        done = subprocess.run(command, cwd=ROOT, check=False, env=environment, capture_output=True, text=True)
        if done.returncode:
            sys.stderr.write(done.stdout + done.stderr)
            failed.append(name)
    sys.stderr.write(
        f"lint: {', '.join(failed)} failed\n" if failed else "lint: style, contracts and types are clean\n"
    )
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
