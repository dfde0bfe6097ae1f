"""`bin/lint`: every static check, all of them even when one fails."""

from __future__ import annotations

import os
import subprocess
import sys

from outreach.embedded.client import ROOT

CHECKS = (
    ("style", ["ruff", "check", "--quiet", "."]),
    ("contracts", ["importlinter"]),
    ("types", ["mypy"]),
)


def main(_arguments: list[str]) -> int:
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "DJANGO_SETTINGS_MODULE": "outreach.settings"}
    failed = []
    for name, command in CHECKS:
        if subprocess.run([sys.executable, "-m", *command], cwd=ROOT, check=False, env=environment).returncode:
            failed.append(name)
    sys.stderr.write(f"lint: {', '.join(failed)} failed\n" if failed else "lint: clean\n")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
