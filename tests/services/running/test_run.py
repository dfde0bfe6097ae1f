"""`bin/run`, really started on embedded services of its own."""

import signal
import socket
import subprocess
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from outreach.scripts.run import free_port, open_port
from tests.services.running.processes import belonging_to, embedded_environment, named, python, until


@dataclass
class Running:
    data: Path
    port: int
    process: subprocess.Popen[str]

    def page(self) -> int:
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{self.port}/accounts/login/", timeout=10) as answer:
                status: int = answer.status
                return status
        except OSError:
            return 0


def start(data: Path, *, port: int) -> subprocess.Popen[str]:
    command = [*python("outreach.scripts.run"), "--no-demo", "--port", str(port)]
    pipe = subprocess.PIPE
    return subprocess.Popen(command, env=embedded_environment(data), stdout=pipe, stderr=pipe, text=True, cwd="/")


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Used by one start after the other."""
    return tmp_path_factory.mktemp("run") / "its data"


@pytest.fixture
def running(data: Path) -> Iterator[Running]:
    port = free_port()
    process = start(data, port=port)
    product = Running(data, port, process)
    assert until(lambda: process.poll() is not None or product.page() == 200, seconds=240)
    yield product
    if process.poll() is None:
        process.send_signal(signal.SIGINT)
    process.communicate(timeout=90)


def test_everything_comes_up_comes_back_and_ends_with_it(running: Running) -> None:
    second = start(running.data, port=free_port())
    assert f"already running for {running.data}: http://localhost:{running.port}" in second.communicate(timeout=120)[1]
    for text in ("gunicorn", "worker", "beat", "outreach.embedded.keeper"):
        victim = named(running.data, text)[0]
        victim.kill()
        assert until(lambda text=text, gone=victim.pid: {p.pid for p in named(running.data, text)} - {gone})
    assert until(lambda: running.page() == 200)
    running.process.send_signal(signal.SIGINT)
    assert running.process.wait(timeout=90) == 0
    assert until(lambda: belonging_to(running.data) == [])


def test_killing_the_supervisor_leaves_no_orphan(running: Running) -> None:
    running.process.kill()
    assert until(lambda: belonging_to(running.data) == [])


def test_two_that_start_at_once_never_take_the_same_port() -> None:
    first, second = open_port(None), open_port(None)
    assert first.getsockname() != second.getsockname()
    first.close()
    second.close()


def test_a_port_in_use_is_named_before_anything_starts(tmp_path: Path) -> None:
    with socket.socket() as occupied:
        occupied.bind(("127.0.0.1", 0))
        occupied.listen()
        port = occupied.getsockname()[1]
        attempt = start(tmp_path / "data", port=port)
        complaint = attempt.communicate(timeout=120)[1]
    assert attempt.returncode == 1
    assert f"Port {port} cannot be used" in complaint
    assert "--port" in complaint
