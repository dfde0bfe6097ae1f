"""Reading for stage 2: dossiers of a file, ranked. No database."""

from __future__ import annotations

from dataclasses import dataclass

from messaging.hooks.domain.ranking import Hook, rank
from prospects.domain.dossier_json import UnreadableDossier, read_dossier
from prospects.domain.evidence import Dossier
from prospects.domain.json_text import load_json


@dataclass(frozen=True, slots=True)
class RankedDossier:
    """The hooks of one dossier of the file, best first."""

    dossier_id: str
    hooks: tuple[Hook, ...]


@dataclass(frozen=True, slots=True)
class UnreadableFile:
    """Why a file could not be ranked, with the line and what to do."""

    message: str


def _objects(text: str) -> list[tuple[str, object]]:
    """Each JSON value of the file with the words that name its place; raises ValueError."""
    try:
        whole = load_json(text)
    except ValueError:
        lines = [(number, line) for number, line in enumerate(text.splitlines(), 1) if line.strip()]
        return [(f"line {number}", _line(number, line)) for number, line in lines]
    entries = whole if isinstance(whole, list) else [whole]
    return [(f"entry {number}", entry) for number, entry in enumerate(entries, 1)]


def _line(number: int, line: str) -> object:
    try:
        return load_json(line)
    except ValueError as error:
        raise ValueError(f"line {number} is not JSON ({error}).") from error


def _ranked(dossier: Dossier) -> RankedDossier:
    return RankedDossier(dossier_id=dossier.dossier_id, hooks=rank(dossier=dossier, value_proposition=""))


def rank_file(*, data: bytes) -> tuple[RankedDossier, ...] | UnreadableFile:
    """Rank every dossier of a .json (one object or a list) or .jsonl file; the sender's offer is the file's own."""
    try:
        objects = _objects(data.decode("utf-8-sig"))
    except UnicodeDecodeError:
        return UnreadableFile("The file is not UTF-8 text; save it as UTF-8 JSON.")
    except ValueError as error:
        return UnreadableFile(f"Not a dossier file: {error} Give one JSON object, a list, or one object a line.")
    if not objects:
        return UnreadableFile("The file is empty; give one dossier as a JSON object, or one a line.")
    ranked = []
    for place, entry in objects:
        try:
            ranked.append(_ranked(read_dossier(entry)))
        except UnreadableDossier as error:
            return UnreadableFile(f"{place}: {error}")
    return tuple(ranked)
