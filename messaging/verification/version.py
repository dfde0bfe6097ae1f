"""Which verifier this is: a number for people, and the content of its rules and languages for machines.

A changed rule or word list is another verifier, whether or not somebody thought of saying so: at the next start the
queue is checked again.
"""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path

CONTRACT = "2"
#: Beside the rules, not part of them.
_NO_RULES = frozenset({"judge.py", "batch.py", "scoring.py", "confusion.py", "scores_text.py", "compile_thesaurus.py"})
_SUFFIXES = frozenset({".py", ".toml", ".txt"})


def fingerprint(folder: Path) -> str:
    """Twelve hex digits over names and content of all rules and languages below the folder."""
    total = sha256()
    for file in sorted(folder.rglob("*"), key=lambda path: path.relative_to(folder).as_posix()):
        if file.suffix in _SUFFIXES and file.name not in _NO_RULES:
            content = sha256(file.read_bytes()).hexdigest()
            total.update(f"{file.relative_to(folder).as_posix()} {content}\n".encode())
    return total.hexdigest()[:12]


VERIFIER_VERSION = f"{CONTRACT}+{fingerprint(Path(__file__).parent)}"
