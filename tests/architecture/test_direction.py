"""What the import contracts cannot see: foreign keys, parent packages, submodules of a library."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from django.apps import apps
from django.db.models import Model

from tests.architecture.sources import ROOMS, ROOT, domain_files, imports, module_name, python_files, shown

ROOM_ORDER = {"teams": 0, "campaigns": 1, "prospects": 2, "messaging": 3, "analytics": 4, "home": 5}
STAGE_ORDER = {"enrolments": 0, "strategies": 1, "drafts": 2, "examples": 2, "review": 3, "delivery": 4, "replies": 5}
IMPORTS_EVERYTHING = "import importlib, sys; [importlib.import_module(n) for n in sys.argv[1:]]; print(*sys.modules)"


def test_foreign_keys_point_down_the_rooms() -> None:
    assert [link for link in foreign_keys() if room(link[1]) > room(link[0])] == []


def test_foreign_keys_point_to_earlier_stages() -> None:
    within = [link for link in foreign_keys() if {room(link[0]), room(link[1])} == {ROOM_ORDER["messaging"]}]
    assert [link for link in within if stage(link[1]) > stage(link[0])] == []


def foreign_keys() -> list[tuple[type[Model], type[Model]]]:
    ours = [model for model in apps.get_models() if model._meta.app_label in ROOM_ORDER]
    return [
        (model, field.related_model)
        for model in ours
        for field in model._meta.get_fields()
        if field.is_relation
        and not field.auto_created
        and getattr(field.related_model, "_meta", None)
        and field.related_model in ours
    ]


def room(model: type[Model]) -> int:
    return ROOM_ORDER[model._meta.app_label]


def stage(model: type[Model]) -> int:
    if model.__name__ == "Payload":  # frozen by the approval; delivery only hands it over
        return STAGE_ORDER["review"]
    return STAGE_ORDER[model.__module__.rpartition(".")[2]]


def test_domain_modules_load_no_framework() -> None:
    names = [module_name(path) for path in domain_files()]
    loaded = run_python(IMPORTS_EVERYTHING, *names).split()
    assert len(names) > 5
    assert {"django", "celery", "openai", "psycopg", "rest_framework"}.isdisjoint(loaded)


def test_the_supervisor_runs_without_any_package() -> None:
    names = [module_name(path) for path in python_files("outreach/embedded")]
    probe = subprocess.run(
        [
            sys.executable,
            "-I",
            "-S",
            "-c",
            f"import sys; sys.path.insert(0, {str(ROOT)!r}); {IMPORTS_EVERYTHING}",
            *names,
        ],
        capture_output=True,
        text=True,
        check=False,
    )
    assert probe.returncode == 0, probe.stderr


def test_only_the_channels_of_delivery_send_mail() -> None:
    senders = {
        shown(path)
        for path in python_files(*ROOMS)
        for name in imports(path)
        if name.startswith(("django.core.mail", "smtplib"))
    }
    # These open the connections that the channels send by, and try them; they hand nothing over themselves.
    connect = {"outreach/campaigns/adapters/mail.py", "outreach/campaigns/adapters/mail_check.py"}
    allowed = ("messaging/delivery/adapters", "messaging/delivery/channels/")
    assert [path for path in senders - connect if not path.startswith(allowed)] == []
    handing_over = (".sendmail(", ".send_message(", ".data(", ".rcpt(")
    assert [path for path in connect if any(call in (ROOT / path).read_text() for call in handing_over)] == []


@pytest.mark.parametrize(
    ("file", "line", "contract"),
    [
        ("prospects/models.py", "import messaging.models", "Rooms"),
        ("messaging/verification/contract.py", "import django.utils.timezone", "Domain and verification"),
        ("messaging/enrolment/__init__.py", "import messaging.review", "Stages"),
        ("messaging/hooks/queries.py", "import outreach.scripts.run", "Rooms know nothing"),
    ],
)
def test_a_planted_import_breaks_its_contract(tmp_path: Path, file: str, line: str, contract: str) -> None:
    for folder in ROOMS:
        shutil.copytree(ROOT / folder, tmp_path / folder, ignore=shutil.ignore_patterns("__pycache__"))
    with (tmp_path / file).open("a") as source:
        source.write(f"\n{line}\n")
    broken = [row for row in lint_imports(tmp_path) if row.endswith("BROKEN")]
    assert [row for row in broken if row.startswith(contract)]


def lint_imports(folder: Path) -> list[str]:
    command = [Path(sys.executable).parent / "lint-imports", "--no-logo", "--no-cache", ROOT / "pyproject.toml"]
    done = subprocess.run(
        command, cwd=folder, env={"PYTHONPATH": str(folder)}, capture_output=True, text=True, check=False
    )
    return done.stdout.splitlines()


def run_python(code: str, *arguments: str) -> str:
    command = [sys.executable, "-P", "-c", code, *arguments]
    done = subprocess.run(command, env={"PYTHONPATH": str(ROOT)}, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout
