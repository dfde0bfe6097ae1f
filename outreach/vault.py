"""Passwords and keys at rest: encrypted under keys of the environment, bound to what they are for.

The newest key writes, all of them read: a new key is put in front, `rotate_secrets` writes everything anew, and only
then the old one is taken away. Nothing here is logged, and no value has a text form that shows it.
"""

from __future__ import annotations

import base64
import json
from dataclasses import dataclass, field
from functools import lru_cache

from cryptography.fernet import Fernet, InvalidToken, MultiFernet
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from django.conf import settings


@dataclass(frozen=True)
class Opened:
    """A secret in the clear, for the one call that needs it. `repr` and logs show nothing of it."""

    value: str = field(repr=False)


@dataclass(frozen=True)
class Closed:
    """It cannot be read; the text says why and what to do."""

    reason: str


_LOST = "The stored password cannot be read with the keys of this installation any more. Enter it again."


def seal(*, purpose: str, value: str) -> str:
    """Encrypt. purpose: what it is for ("account 7 smtp"); it opens for nothing else."""
    return _keys().encrypt(json.dumps([purpose, value]).encode()).decode()


def unseal(*, purpose: str, token: str) -> Opened | Closed:
    """Decrypt what was sealed for this very purpose."""
    try:
        meant, value = json.loads(_keys().decrypt(token.encode()))
    except (InvalidToken, ValueError):
        return Closed(_LOST)
    return Opened(value) if meant == purpose else Closed(_LOST)


def reseal(*, token: str) -> str | None:
    """The same under the newest key; None when no key reads it."""
    try:
        return _keys().rotate(token.encode()).decode()
    except InvalidToken:
        return None


def _keys() -> MultiFernet:
    return _made(tuple(sorted(settings.SECRET_STORE_KEYS.items(), reverse=True)))


@lru_cache(maxsize=4)
def _made(numbered: tuple[tuple[int, str], ...]) -> MultiFernet:
    return MultiFernet([_fernet(key) for _number, key in numbered])


def _fernet(key: str) -> Fernet:
    derived = HKDF(algorithm=SHA256(), length=32, salt=None, info=b"footnote: secrets at rest").derive(key.encode())
    return Fernet(base64.urlsafe_b64encode(derived))
