"""Reads a language's folder once. The files are part of the package, so their values are constants of the program."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from types import MappingProxyType
from typing import Any

_FILES = ("style.toml", "phrases.toml", "quality.toml")
_PACKAGE = "messaging.writing.languages"


@dataclass(frozen=True, slots=True)
class LanguageData:
    """One language. phrases: sentences by dotted key; style and quality: the files as read."""

    code: str
    style: Mapping[str, Any]
    phrases: Mapping[str, tuple[str, ...]]
    quality: Mapping[str, Any]

    def sentences(self, key: str, *, formality: str = "", tone: str = "") -> tuple[str, ...]:
        """The sentences for a key: those of the formality where there are any, else the general ones; plus the tone's."""
        general = self.phrases.get(key, ()) + self.phrases.get(f"{key}.any", ())
        chosen = self.phrases.get(f"{key}.{formality}", general)
        return tuple(dict.fromkeys(chosen + self.phrases.get(f"{key}.{tone}", ())))


def _flat(table: Mapping[str, Any], path: str = "") -> Iterator[tuple[str, tuple[str, ...]]]:
    for key, value in table.items():
        place = f"{path}.{key}".lstrip(".")
        if isinstance(value, Mapping):
            yield from _flat(value, place)
        else:
            yield place, tuple(value)


@lru_cache(maxsize=1)
def available() -> tuple[str, ...]:
    """Codes of the languages that can be written."""
    return tuple(
        sorted(folder.name for folder in files(_PACKAGE).iterdir() if folder.joinpath("phrases.toml").is_file())
    )


def resolve(language: str) -> str:
    """The folder for a language tag: the tag itself, else its primary part; "" when there is none."""
    tag = language.strip().replace("_", "-").casefold()
    codes = {code.casefold(): code for code in available()}
    primary = tag.partition("-")[0]
    related = next((codes[code] for code in sorted(codes) if code.partition("-")[0] == primary), "")
    return codes.get(tag) or codes.get(primary) or related


@lru_cache(maxsize=16)
def load(code: str) -> LanguageData:
    """The folder of exactly this code. Raises FileNotFoundError when it is not shipped."""
    folder = files(_PACKAGE).joinpath(code)
    style, phrases, quality = (tomllib.loads(folder.joinpath(name).read_text(encoding="utf-8")) for name in _FILES)
    return LanguageData(
        code=code,
        style=MappingProxyType(style),
        phrases=MappingProxyType(dict(_flat(phrases))),
        quality=MappingProxyType(quality),
    )


@dataclass(frozen=True, slots=True)
class Starter:
    """An example of tone and length that ships with the product, for campaigns without examples of their own."""

    channel: str
    subject: str
    body: str


@lru_cache(maxsize=16)
def starters(code: str) -> tuple[tuple[Starter, ...], Mapping[str, Any]]:
    """The shipped examples of a language and the invented dossier they are true of; empty where none ship."""
    path = files(_PACKAGE).joinpath(code, "starters.toml")
    if not path.is_file():
        return (), MappingProxyType({})
    read = tomllib.loads(path.read_text(encoding="utf-8"))
    listed = tuple(Starter(one["channel"], one["subject"], one["body"]) for one in read["starters"])
    return listed, MappingProxyType(read["dossier"])
