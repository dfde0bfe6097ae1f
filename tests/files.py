"""Sample files that tests read."""

from __future__ import annotations

import csv
from pathlib import Path

DATA = Path(__file__).parent / "data"
SAMPLES = DATA / "prospects"
ARCHIVE = SAMPLES / "01_linkedin_archive_current" / "Basic_LinkedInDataExport_12-20-2024.zip"
CONNECTIONS = ARCHIVE.with_name("Connections.csv")
MESSY = SAMPLES / "26_messy_csv"
DOSSIERS = DATA / "gold" / "dossiers.jsonl"


def table(name: str) -> list[dict[str, str]]:
    """The rows of a CSV with cases and their expected answers."""
    with (MESSY / name).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))
