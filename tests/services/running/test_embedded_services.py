"""The embedded database and broker, really started."""

import os
import signal
import socket
import subprocess
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

from outreach.embedded.client import embedded_services, join, leave, make_data_folder
from outreach.embedded.layout import EmbeddedError, Layout
from tests.services.running.processes import embedded_environment, python, until


@pytest.fixture
def layout(tmp_path: Path) -> Layout:
    return Layout(tmp_path / "a data folder with spaces, and a 'quote'")


@pytest.fixture
def user(layout: Layout) -> Iterator[socket.socket]:
    connection = join(layout, throwaway=True)
    yield connection
    leave(connection)


def query(layout: Layout, sql: str) -> object:
    found = layout.database()
    with psycopg.connect(host=str(found["HOST"]), user=str(found["USER"]), dbname=str(found["NAME"])) as connection:
        row = connection.execute(sql).fetchone()  # type: ignore[arg-type,call-overload]
    return row[0]


def answers(layout: Layout) -> bool:
    try:
        return query(layout, "SELECT 1") == 1
    except psycopg.OperationalError:
        return False


def number_in(path: Path) -> int:
    return int(path.read_text().split()[0])


def alive(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except FileNotFoundError:
        return False
    return state != "Z"


def test_the_site_connects_as_a_role_that_triggers_bind(layout: Layout, user: socket.socket) -> None:
    assert query(layout, "SELECT rolsuper FROM pg_roles WHERE rolname = current_user") is False


def test_the_servers_listen_on_no_port(layout: Layout, user: socket.socket) -> None:
    assert query(layout, "SHOW listen_addresses") == ""
    assert layout.sockets.stat().st_mode & 0o077 == 0


def test_commands_share_one_server_and_the_last_one_stops_it(layout: Layout, user: socket.socket) -> None:
    postmaster = number_in(layout.cluster / "postmaster.pid")
    with embedded_services(layout):
        assert number_in(layout.cluster / "postmaster.pid") == postmaster
    assert answers(layout)
    leave(user)
    assert not alive(postmaster)
    assert not layout.valkey_socket.exists()


def test_many_first_users_at_once_share_one_server(layout: Layout) -> None:
    command = [*python("tests.services.running.use_services"), str(layout.data)]
    users = [
        subprocess.Popen(command, env=embedded_environment(layout.data), stdout=subprocess.PIPE, text=True)
        for _ in range(5)
    ]
    assert [user.communicate(timeout=180)[0] for user in users] == ["1\n"] * 5
    assert not layout.valkey_socket.exists()


def test_killing_the_keeper_leaves_no_orphan_and_loses_nothing(layout: Layout) -> None:
    connection = join(layout)
    query(layout, "SELECT 1; CREATE TABLE kept AS SELECT 42 AS answer")
    postmaster = number_in(layout.cluster / "postmaster.pid")
    os.kill(number_in(layout.keeper_lock), signal.SIGKILL)
    assert until(lambda: not alive(postmaster))
    connection.close()
    with embedded_services(layout):
        assert query(layout, "SELECT answer FROM kept") == 42


def test_killing_keeper_and_server_at_once_can_be_started_from(layout: Layout) -> None:
    connection = join(layout)
    for path in (layout.keeper_lock, layout.cluster / "postmaster.pid"):
        os.kill(number_in(path), signal.SIGKILL)
    connection.close()
    with embedded_services(layout):
        assert answers(layout)


def test_a_killed_server_is_started_again(layout: Layout, user: socket.socket) -> None:
    postmaster = number_in(layout.cluster / "postmaster.pid")
    os.kill(postmaster, signal.SIGKILL)
    assert until(lambda: not alive(postmaster))
    assert until(lambda: answers(layout))


def test_the_process_id_of_something_else_does_not_stop_the_start(layout: Layout) -> None:
    with embedded_services(layout, throwaway=True):
        pass
    (layout.cluster / "postmaster.pid").write_text(f"{os.getpid()}\n{layout.cluster}\n")
    with embedded_services(layout, throwaway=True):
        assert answers(layout)


def test_a_cluster_of_another_version_is_refused_with_instructions(layout: Layout) -> None:
    make_data_folder(layout)
    layout.cluster.mkdir(mode=0o700)
    (layout.cluster / "PG_VERSION").write_text("17\n")
    with pytest.raises(EmbeddedError, match=r"made by PostgreSQL 17.*pg_dump"):
        join(layout)


def test_a_folder_of_other_files_is_never_emptied(layout: Layout) -> None:
    make_data_folder(layout)
    layout.cluster.mkdir(mode=0o700)
    (layout.cluster / "thesis.txt").write_text("years of work")
    with pytest.raises(EmbeddedError, match="holds files but no PostgreSQL cluster"):
        join(layout)
    assert (layout.cluster / "thesis.txt").exists()


def test_a_data_folder_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(EmbeddedError, match="FOOTNOTE_DATA"):
        join(Layout(tmp_path / "file" / "data"))


@pytest.mark.parametrize("name", ["short", "x" * 120, "with space", "with,comma", "größe"])
def test_socket_paths_fit_the_limit_and_need_no_quoting(tmp_path: Path, name: str) -> None:
    for path in (Layout(tmp_path / name).postgres_socket, Layout(tmp_path / name).keeper_socket):
        assert len(os.fsencode(path)) < 104
        assert {" ", ","}.isdisjoint(str(path))
