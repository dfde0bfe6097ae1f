"""A dossier of the generator: its JSON, what the mutations need of it, and the notes about it."""

import json
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from functools import cache, cached_property, lru_cache
from pathlib import Path
from typing import Any

from prospects.domain.dates import DateInterval, partial_date
from prospects.domain.dossier_json import read_dossier
from prospects.domain.evidence import Dossier

LANGUAGES = Path(__file__).parent / "languages"
GOLD = Path(__file__).parents[1] / "data" / "gold" / "dossiers.jsonl"

Json = dict[str, Any]


def _interval(text: str | None) -> DateInterval | None:
    return partial_date(text) if text else None


@dataclass(frozen=True)
class Known:
    """One prospect. `notes` holds `titles` (same, up, side) and `sentences` in the markup of markup.py."""

    raw: Json
    notes: Mapping[str, Any]

    @property
    def dossier_id(self) -> str:
        return str(self.raw["dossier_id"])

    @property
    def language(self) -> str:
        return str(self.raw["prospect"]["profile_language"])

    @property
    def day(self) -> date:
        return date.fromisoformat(self.raw["as_of"])

    @property
    def first_name(self) -> str:
        return str(self.raw["prospect"]["full_name"]).split()[0]

    def part(self, name: str) -> list[Json]:
        """A list of the prospect's, the company's or the sender's part, or what is in common; empty when missing."""
        for holder in (self.raw["prospect"], self.raw["company"], self.raw, self.raw["sender"]):
            if name in holder:
                return list(holder[name] or [])
        return []

    @property
    def sentences(self) -> list[str]:
        return list(self.notes.get("sentences", []))

    def titles(self, which: str) -> list[str]:
        """Titles near the current one: "same", "up" or "side"."""
        return list(self.notes.get("titles", {}).get(which, []))

    @property
    def current(self) -> Json:
        return next(position for position in self.part("positions") if not position.get("end"))

    @property
    def former(self) -> list[Json]:
        return [position for position in self.part("positions") if position.get("end")]

    @property
    def posts(self) -> list[Json]:
        return [post for post in self.part("posts") if post["kind"] == "post"]

    @property
    def own_posts(self) -> list[Json]:
        """Posts and comments: the prospect's own words."""
        return [post for post in self.part("posts") if post["kind"] != "reshare"]

    @property
    def reshares(self) -> list[Json]:
        return [post for post in self.part("posts") if post["kind"] == "reshare"]

    def in_common(self, kind: str) -> list[Json]:
        return [item for item in self.part("in_common") if item["kind"] == kind]

    @cached_property
    def everything(self) -> str:
        """All text of the dossier: what an invented name must not be part of."""
        return json.dumps(self.raw, ensure_ascii=False)

    @cache  # noqa: B019 - as many as there are dossiers and days
    def on(self, day: date | None = None) -> Dossier:
        """The evidence as it stood on that day of sending: nothing in it is dated later."""
        if day is None or day == self.day:
            return read_dossier(self.raw)
        return read_dossier(_as_of(self.raw, day))

    def __hash__(self) -> int:
        return hash(self.dossier_id)


def start_of(position: Json) -> DateInterval:
    """When a position began; the notes' authors date every one."""
    interval = _interval(position["start"])
    assert interval is not None
    return interval


def _as_of(raw: Json, day: date) -> Json:
    return {name: _until(value, day) for name, value in raw.items()} | {"as_of": day.isoformat()}


def _until(value: Any, day: date) -> Any:
    if isinstance(value, dict):
        return {name: _until(inner, day) for name, inner in value.items()}
    if not isinstance(value, list):
        return value
    return [_until(entry, day) for entry in value if not (isinstance(entry, dict) and _later(entry, day))]


def _later(entry: Json, day: date) -> bool:
    dated = _interval(entry.get("date") or entry.get("start"))
    return dated is not None and dated.first > day


def _lines(path: Path) -> list[Json]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]


@lru_cache(maxsize=1)
def everybody() -> tuple[Known, ...]:
    """All dossiers that have notes, by language and id."""
    found = []
    for folder in sorted(path for path in LANGUAGES.iterdir() if path.is_dir()):
        notes = tomllib.loads((folder / "notes.toml").read_text(encoding="utf-8"))
        own = [*_lines(folder / "dossiers.jsonl"), *_lines(GOLD)]
        found += [Known(raw, notes[raw["dossier_id"]]) for raw in own if raw["dossier_id"] in notes]
    return tuple(sorted(found, key=lambda known: (known.language, known.dossier_id)))
