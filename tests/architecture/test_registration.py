"""What the frameworks find by looking around is really found."""

import ast
import os
import subprocess
import sys

from outreach.schedule import SCHEDULE
from tests.architecture.sources import ROOMS, module_name, python_files

# In a process of its own: here other tests have imported what a worker would have to find.
REGISTERED = """
from outreach.celery import app
app.loader.import_default_modules()
for name, task in app.tasks.items():
    print(name, f"{task.run.__module__}.{task.run.__name__}")
"""


def test_a_worker_finds_every_task_of_every_stage() -> None:
    assert declared_tasks() - set(registered().values()) == set()


def test_beat_dispatches_only_tasks_that_exist() -> None:
    assert {str(entry["task"]) for entry in SCHEDULE.values()} - set(registered()) == set()


def registered() -> dict[str, str]:
    """Task name → function."""
    command = [sys.executable, "-P", "-c", REGISTERED]
    done = subprocess.run(command, env=os.environ, capture_output=True, text=True, check=True)
    return dict(line.split(" ", 1) for line in done.stdout.splitlines())


def declared_tasks() -> set[str]:
    return {
        f"{module_name(path)}.{node.name}"
        for path in python_files(*ROOMS)
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.FunctionDef) and any("shared_task" in ast.unparse(one) for one in node.decorator_list)
    }
