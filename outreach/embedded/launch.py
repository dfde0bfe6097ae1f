"""Starting a program so that it cannot outlive its owner. Standard library only."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO

NOBODY = 65534

# Runs between fork and the program itself, as a program of its own: only there do a new user
# namespace and a changed user no longer undo the parent-death signal. Signals that a background
# job inherits as ignored are made normal again. (macOS has no such signal: there the keeper
# stops what it finds running when it starts.)
_PROLOGUE = """
import ctypes, os, signal, sys
number, parent, program = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3:]
for each in (signal.SIGINT, signal.SIGQUIT, signal.SIGTERM, signal.SIGHUP, signal.SIGPIPE):
    signal.signal(each, signal.SIG_DFL)
signal.pthread_sigmask(signal.SIG_SETMASK, ())
if sys.platform == "linux":
    ctypes.CDLL(None).prctl(1, number, 0, 0, 0)
    if os.getppid() != parent:
        sys.exit("the owner is gone")
os.execv(program[0], program)
"""
_NAMESPACE = ("unshare", "--user", f"--map-user={NOBODY}", f"--map-group={NOBODY}")


@dataclass(frozen=True)
class Account:
    """As whom the servers run: as oneself, or, since PostgreSQL refuses root, as `nobody`."""

    prefix: tuple[str, ...] = ()
    user: int | None = None

    @property
    def groups(self) -> list[int] | None:
        """Supplementary groups to run with: none of root's."""
        return None if self.user is None else []


ONESELF = Account()
IN_NAMESPACE = Account(prefix=_NAMESPACE)
AS_NOBODY = Account(user=NOBODY)


@dataclass(frozen=True)
class Program:
    """A program with what it needs; `on_owner_death` is the signal it gets when its owner is killed.

    `inherited`: file descriptors that it keeps.
    """

    command: Sequence[str | Path]
    on_owner_death: signal.Signals
    stop_signal: signal.Signals = signal.SIGTERM
    account: Account = ONESELF
    inherited: tuple[int, ...] = ()
    environment: Mapping[str, str] = field(default_factory=lambda: dict(os.environ))

    def start(self, *, log: IO[bytes] | int | None) -> subprocess.Popen[bytes]:
        """Start it in a session of its own. Must be called from the owner's main thread, whose end counts as death."""
        return subprocess.Popen(
            [
                *self.account.prefix,
                sys.executable,
                "-I",
                "-S",
                "-c",
                _PROLOGUE,
                str(int(self.on_owner_death)),
                str(os.getpid()),
                *map(str, self.command),
            ],
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=subprocess.STDOUT if log is not None else None,
            start_new_session=True,
            pass_fds=self.inherited,
            env=dict(self.environment),
            cwd="/",
            user=self.account.user,
            group=self.account.user,
            extra_groups=self.account.groups,
        )
