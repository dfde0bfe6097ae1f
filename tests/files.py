"""Sample files that tests read."""

from __future__ import annotations

import csv
from pathlib import Path

DATA = Path(__file__).parent / "data"
ARCHIVE = DATA / "prospects" / "Basic_LinkedInDataExport_12-20-2024.zip"
CONNECTIONS = DATA / "prospects" / "Connections.csv"
DOSSIERS = DATA / "gold" / "dossiers.jsonl"


def table(name: str) -> list[dict[str, str]]:
    """The rows of a CSV with cases and their expected answers."""
    with (DATA / "prospects" / name).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))
