"""Sample files that tests read."""

from __future__ import annotations

from pathlib import Path

DATA = Path(__file__).parent / "data"
ARCHIVE = DATA / "prospects" / "Basic_LinkedInDataExport_12-20-2024.zip"
CONNECTIONS = DATA / "prospects" / "Connections.csv"
DOSSIERS = DATA / "gold" / "dossiers.jsonl"
