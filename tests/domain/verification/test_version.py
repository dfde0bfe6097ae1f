"""A changed rule or word list is another verifier, whether or not somebody thought of saying so."""

from __future__ import annotations

from pathlib import Path

import pytest

from messaging.verification.version import fingerprint


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "languages" / "en").mkdir(parents=True)
    (tmp_path / "languages" / "en" / "words.toml").write_text("greetings = 'hi'")
    (tmp_path / "engine.py").write_text("RULES = ()")
    (tmp_path / "judge.py").write_text("")
    return tmp_path


@pytest.mark.parametrize(
    "name", ["engine.py", "languages/en/words.toml", "languages/en/synonyms-x.txt", "rules_new.py"]
)
def test_a_changed_or_added_file_of_rules_changes_the_version(folder: Path, name: str) -> None:
    before = fingerprint(folder)
    (folder / name).write_text("changed")
    assert fingerprint(folder) != before


@pytest.mark.parametrize("name", ["judge.py", "engine.pyc", "README.md"])
def test_what_decides_nothing_leaves_it(folder: Path, name: str) -> None:
    before = fingerprint(folder)
    (folder / name).write_text("changed")
    assert fingerprint(folder) == before


def test_a_file_moved_to_another_language_changes_it(folder: Path) -> None:
    before = fingerprint(folder)
    (folder / "languages" / "en").rename(folder / "languages" / "de")
    assert fingerprint(folder) != before
