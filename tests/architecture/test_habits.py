"""How every file is written."""

import ast
import re
from pathlib import Path

import pytest
from django.apps import apps
from django.db.migrations.loader import MigrationLoader

from tests.architecture.sources import ROOMS, ROOT, domain_files, imports, python_files, shown, templates

LINES = 450
EVERYTHING = (*ROOMS, "tests")
# Written in pieces, as this file is read by its own test.
UNWANTED = [
    ("time.sleep" + "(", "wait for an event, or pass the clock in"),
    ("pytest.mark." + "skip(", "a test runs or is not there"),
    ("pytest.mark." + "xfail", "a test runs or is not there"),
    ("# TO" + "DO", "do it, or leave it out"),
    ("unittest" + ".mock", "hand in a fake of the Protocol"),
    ("monkeypatch" + ".setattr", "hand in a fake of the Protocol"),
]
# Where a module or model is found by its name, no contract sees the import. The site may: it ties the rooms together.
BY_NAME = ("import_module(", "__import__(", "get_model(")
TIES = {"outreach/apps.py", "outreach/scripts/bench.py", "outreach/scripts/prepare.py"}
TEMPLATE_FAULTS = [
    (
        r"<script(?![^>]*\bsrc=)(?![^>]*type=[\"']application/json)[^>]*>",
        "inline script: the content policy refuses it",
    ),
    (r"<style\b", "inline style sheet: the content policy refuses it"),
    (r"\sstyle=", "inline style: the content policy refuses it"),
    (r"\son[a-z]+=[\"']", "inline event handler: the content policy refuses it"),
    (r"\|\s*safe\b", "other people's text is escaped, always"),
    (r"\{%\s*autoescape off", "other people's text is escaped, always"),
]
CLOCKS = {"now", "today", "utcnow"}


def test_files_stay_short() -> None:
    long = {shown(path): count for path in python_files(*EVERYTHING) if (count := len(lines(path))) > LINES}
    assert long == {}


def test_no_file_is_a_drawer_for_everything() -> None:
    assert [shown(path) for path in python_files(*ROOMS) if path.stem in {"utils", "helpers", "misc", "common"}] == []


def test_package_files_of_apps_stay_empty() -> None:
    folders = [Path(config.path) for config in apps.get_app_configs() if Path(config.path).is_relative_to(ROOT)]
    packages = [path for folder in folders if ".venv" not in folder.parts for path in folder.glob("__init__.py")]
    packages += [path.parent.parent / "__init__.py" for path in domain_files() if path.parent.name == "domain"]
    assert [shown(path) for path in packages if path.read_text().strip()] == []


@pytest.mark.parametrize(("text", "instead"), UNWANTED)
def test_unwanted_habits_are_absent(text: str, instead: str) -> None:
    found = [shown(path) for path in python_files(*EVERYTHING) if text in path.read_text(encoding="utf-8")]
    assert found == [], instead


def test_no_room_finds_another_by_name() -> None:
    texts = {shown(path): path.read_text(encoding="utf-8") for path in python_files(*ROOMS)}
    assert {file for file, text in texts.items() if any(call in text for call in BY_NAME)} - TIES == set()


@pytest.mark.parametrize(("pattern", "reason"), TEMPLATE_FAULTS)
def test_templates_obey_the_content_policy(pattern: str, reason: str) -> None:
    found = [shown(path) for path in templates() if re.search(pattern, path.read_text(encoding="utf-8"))]
    assert found == [], reason


def test_rules_read_no_clock_and_draw_no_chance_of_their_own() -> None:
    found = [
        f"{shown(path)}:{node.lineno}" for path in domain_files() for node in calls(path) if is_clock_or_chance(node)
    ]
    assert found == []


def test_migrations_are_named_for_what_they_do() -> None:
    names = [name for label, name in MigrationLoader(None).disk_migrations if label in {"teams", "campaigns", *ROOMS}]
    assert names
    assert [name for name in names if "auto_" in name] == []


def test_models_have_no_ordering_of_their_own() -> None:
    ours = [model for model in apps.get_models() if model.__module__.split(".")[0] in ROOMS]
    assert [model for model in ours if model._meta.ordering] == []


def test_nothing_imports_the_signals_of_models() -> None:
    found = [shown(path) for path in python_files(*ROOMS) if any("db.models.signals" in name for name in imports(path))]
    assert found == []


def lines(path: Path) -> list[str]:
    return path.read_text(encoding="utf-8").splitlines()


def calls(path: Path) -> list[ast.Call]:
    return [node for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))) if isinstance(node, ast.Call)]


def is_clock_or_chance(call: ast.Call) -> bool:
    function = call.func
    if not isinstance(function, ast.Attribute):
        return False
    chance = isinstance(function.value, ast.Name) and function.value.id == "random" and function.attr != "Random"
    return chance or (function.attr in CLOCKS and not call.args)
