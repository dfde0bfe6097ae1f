"""Makes the clone's own `.venv` with the pinned requirements; prints the path of its Python.

Run by whatever Python was found, so it is standard library only and imports nothing of ours.
"""

from __future__ import annotations

import fcntl
import hashlib
import os
import subprocess
import sys
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent


def stamp(*, requirements: list[Path], folder: Path) -> str:
    """Changes when a requirement, the Python behind it or the place of the folder changes."""
    digest = hashlib.sha256(f"{sys.version_info[:2]} {folder}".encode())
    for path in requirements:
        digest.update(path.read_bytes())
    return digest.hexdigest()


def ensure(*, root: Path, development: bool) -> Path:
    """The Python of an environment that holds what is required. Says on standard error what takes time."""
    folder = root / ".venv"
    python = folder / "bin" / "python"
    if folder.is_symlink():  # the developer's own, kept by its owner
        return python
    files = [root / "requirements.txt", *([root / "requirements-dev.txt"] if development else [])]
    marks = [folder / f"installed-{path.stem}" for path in files]
    wanted = {mark: stamp(requirements=files[: index + 1], folder=folder) for index, mark in enumerate(marks)}
    if not all(_matches(mark, text) for mark, text in wanted.items()):
        with (root / ".venv.lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if not all(_matches(mark, text) for mark, text in wanted.items()):
                _install(folder=folder, python=python, requirements=files[-1])
                for mark, text in wanted.items():
                    mark.write_text(text)
    return python


def _install(*, folder: Path, python: Path, requirements: Path) -> None:
    note("Installing what Footnote needs into .venv (once; a minute or two) …")
    if not _runs(python):
        venv.EnvBuilder(with_pip=True, clear=folder.exists()).create(folder)
    command = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "-r", str(requirements)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        note(done.stdout + done.stderr)
        sys.exit(
            "The packages could not be installed (pip's reason is above). Check the network and the free space, then "
            "start again; a proxy or mirror is set with pip's own variables, as PIP_INDEX_URL."
        )


def _matches(mark: Path, text: str) -> bool:
    try:
        return mark.read_text() == text
    except OSError:
        return False


def _runs(python: Path) -> bool:
    try:
        found = subprocess.run([python, "-m", "pip", "--version"], capture_output=True, text=True, check=False)
    except OSError:
        return False
    return found.returncode == 0 and str(python.parent.parent) in found.stdout


def note(text: str) -> None:
    sys.stderr.write(f"{text}\n")


def main(*flags: str) -> int:
    try:
        python = ensure(root=ROOT, development="--development" in flags)
    except (OSError, subprocess.CalledProcessError) as error:
        note(f"The environment {ROOT / '.venv'} cannot be made ({error}): check that you may write to {ROOT}.")
        return 1
    sys.stdout.write(f"{os.fspath(python)}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
