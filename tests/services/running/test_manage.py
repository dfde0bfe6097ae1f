"""`bin/manage`, really run on an empty data folder."""

import os
import subprocess
from pathlib import Path

import pytest

from outreach.embedded.layout import Layout
from outreach.scripts.manage import address_of_run
from tests.services.running.processes import belonging_to, embedded_environment, python

PRINT_TABLES = "from django.db import connection; print(len(connection.introspection.table_names()) > 20)"


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("manage") / "its data"


def start(data: Path, *arguments: str) -> subprocess.Popen[str]:
    command = [*python("outreach.scripts.manage"), *arguments]
    pipe = subprocess.PIPE
    return subprocess.Popen(command, env=embedded_environment(data), stdout=pipe, stderr=pipe, text=True, cwd="/")


def test_two_commands_on_an_empty_folder_make_it_ready_together_and_clean_up(data: Path) -> None:
    commands = [start(data, "shell", "--verbosity", "0", "--command", PRINT_TABLES) for _ in range(2)]
    assert [command.communicate(timeout=300)[0] for command in commands] == ["True\n", "True\n"]
    assert belonging_to(data) == []


@pytest.mark.parametrize(
    ("arguments", "status", "reason"),
    [
        (["no_such_command"], 1, "Unknown command"),
        (["migrate", "--no-such-option"], 2, "unrecognized arguments"),
        (["shell", "--verbosity", "0", "--command", "raise SystemExit(2)"], 2, ""),
    ],
)
def test_the_exit_status_is_the_commands_own(data: Path, arguments: list[str], status: int, reason: str) -> None:
    command = start(data, *arguments)
    printed, complaint = command.communicate(timeout=300)
    assert (command.returncode, printed) == (status, "")
    assert reason in complaint


def test_links_lead_to_where_the_product_runs(tmp_path: Path) -> None:
    layout = Layout(tmp_path)
    layout.run_lock.parent.mkdir(parents=True, exist_ok=True)
    assert address_of_run(layout) == ""
    ended = subprocess.Popen(["true"])
    ended.wait()
    for number, expected in ((os.getpid(), "http://localhost:8790"), (ended.pid, "")):
        layout.run_lock.write_text(f"http://localhost:8790 (process {number})", encoding="ascii")
        assert address_of_run(layout) == expected
    layout.run_lock.write_text("", encoding="ascii")
    assert address_of_run(layout) == ""


def test_a_database_that_does_not_answer_is_named() -> None:
    command = [*python("outreach.scripts.manage"), "showmigrations"]
    environment = {**os.environ, "DATABASE_URL": "postgres://nobody@127.0.0.1:1/nothing"}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, cwd="/", check=False)
    assert done.returncode == 1
    assert "Check DATABASE_URL" in done.stderr
