"""The dossier most cases are about."""

import json
from functools import lru_cache
from pathlib import Path

from messaging.verification.contract import CheckInput, MessageText, Report
from messaging.verification.engine import verify
from prospects.domain.dossier_json import read_dossier
from prospects.domain.evidence import Dossier

GOLD = Path(__file__).parents[2] / "data" / "gold"


@lru_cache(maxsize=32)
def dossier(dossier_id: str = "W2-D1") -> Dossier:
    """A dossier of the labelled set."""
    lines = (GOLD / "dossiers.jsonl").read_text(encoding="utf-8").splitlines()
    return next(read_dossier(json.loads(line)) for line in lines if f'"{dossier_id}"' in line)


def report(body: str, *, dossier_id: str = "W2-D1", subject: str = "", language: str = "en") -> Report:
    """The report on a message to that dossier's prospect."""
    return verify(CheckInput(MessageText(subject, body, language, "email"), dossier(dossier_id)))
