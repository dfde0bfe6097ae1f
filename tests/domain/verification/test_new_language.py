"""A language is a folder of data: adding one touches no Python."""

from pathlib import Path

from messaging.verification.contract import CheckInput, MessageText, Report
from messaging.verification.engine import verify

from .cases import dossier

#: A small invented language: enough for a greeting, a title and a closing.
FILES = {
    "language.toml": 'name = "Test"\nstemmer = ""\nlemmatizer = ""\ndecimal = ","\n',
    "words.toml": 'you = "vo"\nfunction = "vo esas la en"\ngreetings = "hola"\nclosings = "dankon"\nnegation = "ne"\n',
    "patterns.toml": 'thanks = ["dankon"]\n',
    "times.toml": "[months]\nmajo = 5\n",
    "numbers.toml": "[words]\nunu = 1\n",
    "titles.toml": (
        'heads = "direktisto"\nmodifiers = "vica operacia deputy operations director"\nlinkers = ""\njoiners = ""\n'
        'fillers = ""\n[canonical]\nvica = "deputy"\noperacia = "operations"\ndirektisto = "director"\n'
    ),
}


def _report(folder: Path, body: str) -> Report:
    home = folder / "xx"
    home.mkdir(exist_ok=True)
    for name, text in FILES.items():
        (home / name).write_text(text, encoding="utf-8")
    return verify(CheckInput(MessageText("", body, "xx-XX", "email"), dossier()), folder=folder)


def test_a_folder_is_enough_to_read_a_message(tmp_path: Path) -> None:
    assert _report(tmp_path, "Hola Sian,\n\nvo esas vica operacia direktisto.\n\nDankon,\nElliot Farrow").passes


def test_the_rules_hold_in_it(tmp_path: Path) -> None:
    findings = _report(tmp_path, "Hola Sian,\n\nvo esas operacia direktisto.").findings
    assert [str(claim.type) for claim in findings] == ["title"]


def test_what_it_does_not_know_blocks(tmp_path: Path) -> None:
    assert not _report(tmp_path, "Hola Sian,\n\nvo vendas domojn.").passes
