"""As whom the embedded servers run. Standard library only."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from outreach.embedded.launch import AS_NOBODY, IN_NAMESPACE, NOBODY, ONESELF, Account
from outreach.embedded.layout import EmbeddedError, Layout, postgres_binary

_REACHABLE = "import os, sys; sys.exit(not all(os.access(path, os.X_OK) for path in sys.argv[1:]))"


def choose_account(*, layout: Layout) -> Account:
    """The account for this data folder; what an existing cluster was made with decides.

    Raises `EmbeddedError` where a folder belongs to somebody else, or root finds no way to lower itself.
    """
    owner = _owner(layout.cluster)
    if os.geteuid() != 0:
        if owner not in {None, os.geteuid()}:
            raise EmbeddedError(
                f"{layout.cluster} belongs to another user (number {owner}): start Footnote as that user, "
                "or set FOOTNOTE_DATA to a folder of your own."
            )
        return ONESELF
    candidates = {None: (AS_NOBODY, IN_NAMESPACE), 0: (IN_NAMESPACE,), NOBODY: (AS_NOBODY,)}.get(owner, ())
    for account in candidates:
        if _works(account, layout.data, postgres_binary("postgres")):
            return account
    if owner not in {None, 0, NOBODY}:
        raise EmbeddedError(
            f"{layout.cluster} belongs to user number {owner}, and you are root: start Footnote as that user, "
            "or set FOOTNOTE_DATA to another folder."
        )
    raise EmbeddedError(
        "PostgreSQL refuses to run as root, and neither the user `nobody` can reach "
        f"{layout.data} nor are user namespaces allowed: start Footnote as an ordinary user, or set "
        "FOOTNOTE_DATA to a folder below one that everybody may enter (and keep the clone there too)."
    )


def own(path: Path, *, account: Account) -> None:
    """Make a private folder that the server's account owns.

    Raises `EmbeddedError` where somebody else has put something in its place.
    """
    path.mkdir(mode=0o700, parents=True, exist_ok=True)
    found = path.lstat()
    if path.is_symlink() or found.st_uid not in {os.geteuid(), account.user}:
        raise EmbeddedError(f"{path} was made by somebody else: remove it, or set FOOTNOTE_DATA to another folder.")
    if account.user is not None:
        os.chown(path, account.user, account.user)
    path.chmod(0o700)


def _owner(path: Path) -> int | None:
    try:
        return path.stat().st_uid
    except FileNotFoundError:
        return None
    except PermissionError as error:
        raise EmbeddedError(f"{path} cannot be read by you: set FOOTNOTE_DATA to a folder of your own.") from error


def _works(account: Account, *paths: Path) -> bool:
    command = [*account.prefix, sys.executable, "-I", "-S", "-c", _REACHABLE, *map(str, paths)]
    try:
        trial = subprocess.run(
            command,
            check=False,
            capture_output=True,
            user=account.user,
            group=account.user,
            extra_groups=account.groups,
        )
    except OSError:
        return False
    return trial.returncode == 0
