"""Figures that no evidence states but arithmetic gives, dates of fragments, and shared years, in German and Dutch."""

import json
from typing import Any

import pytest

from messaging.verification.contract import CheckInput, MessageText
from messaging.verification.engine import verify
from prospects.domain.dossier_json import read_dossier

from .cases import GOLD

GERMAN, DUTCH = "W3-D2", "W3-D6"
POSTS = {
    GERMAN: "Die Leiharbeit ging von 9 auf 4 Stellen zurück. Kosten je Wohnung: 90 Euro, für alle 640 Wohnungen. "
    "Nicht weil etwas defekt war. 83 Prozent der Rechnungen kommen digital, der Rest als Foto.",
    DUTCH: "Het verzuim ging van 8,1 naar 6,3 procent. We gaan één nummer invoeren voor ICT. Per 1 februari. "
    "Dat kost 90 euro voor elk van de 640 woningen. 83 procent van de facturen komt digitaal, de rest als foto.",
}
SCHOOL = {"kind": "school", "name": "TU Eindhoven", "sender_years": "2012-2015", "prospect_years": "2013-2016"}


def _findings(dossier_id: str, text: str) -> list[str]:
    lines = (GOLD / "dossiers.jsonl").read_text(encoding="utf-8").splitlines()
    raw: dict[str, Any] = json.loads(next(line for line in lines if f'"{dossier_id}"' in line))
    post = raw["prospect"]["posts"][0] | {"text": POSTS[dossier_id]}
    raw["prospect"]["posts"] = [post]
    raw["in_common"] = [SCHOOL]
    language = "de" if dossier_id == GERMAN else "nl"
    report = verify(CheckInput(MessageText("", text, language, "email"), read_dossier(raw)))
    return [claim.span for claim in report.findings]


@pytest.mark.parametrize(
    ("dossier_id", "text"),
    [
        (GERMAN, "Mehr als die Hälfte der Leiharbeit ist gestrichen."),
        (GERMAN, "Für die Wohnungen sind das zusammen rund 58.000 Euro."),
        (GERMAN, "17 Prozent der Rechnungen kommen als Foto."),
        (GERMAN, "Alle 640 Wohnungen, schreibst du."),
        (DUTCH, "Het verzuim ligt bijna twee procentpunten lager."),
        (DUTCH, "Vanaf 1 februari dus één nummer voor ICT."),
        (DUTCH, "Voor de woningen is dat bij elkaar zo'n 58.000 euro."),
        (DUTCH, "We zaten allebei op de TU/e."),
        (DUTCH, "Misschien hebben we elkaar daar ooit gezien."),
    ],
)
def test_what_follows_from_the_evidence_passes(dossier_id: str, text: str) -> None:
    assert _findings(dossier_id, text) == []


@pytest.mark.parametrize(
    ("dossier_id", "text"),
    [
        (GERMAN, "Drei Viertel der Leiharbeit ist gestrichen."),
        (GERMAN, "Für die Wohnungen sind das zusammen rund 68.000 Euro."),
        (GERMAN, "27 Prozent der Rechnungen kommen als Foto."),
        (GERMAN, "Alle neun Stellen, schreibst du."),
        (GERMAN, "Weil etwas defekt war, schreibst du."),
        (DUTCH, "Het verzuim ligt bijna drie procentpunten lager."),
        (DUTCH, "Vanaf 1 maart dus één nummer voor ICT."),
        (DUTCH, "We zaten allebei op de TU Delft."),
        (DUTCH, "We hebben elkaar daar gezien."),
    ],
)
def test_what_does_not_follow_is_found(dossier_id: str, text: str) -> None:
    assert _findings(dossier_id, text)
