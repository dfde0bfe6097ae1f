"""What a campaign says of us and a team of industries, frozen into a dossier: whether it says so still, and whether a text repeats it."""

from __future__ import annotations

from collections.abc import Iterable

from prospects.domain.evidence import Evidence, Kind

#: Items that come from the campaign or the team's industry notes, and not from stored evidence.
STATEMENTS = frozenset({Kind.SENDER, Kind.OFFER, Kind.PROOF_POINT, Kind.INDUSTRY_NOTE})


def withdrawn(*, items: Iterable[Evidence], current: Iterable[Evidence]) -> tuple[Evidence, ...]:
    """The frozen statements that are no longer made in these words: changed, removed or expired."""
    said = {item.content_hash for item in current}
    return tuple(item for item in items if item.kind in STATEMENTS and item.content_hash not in said)


def repeats(*, text: str, statement: Evidence) -> bool:
    """Whether the text holds the statement word for word, whatever was cited for it."""
    words = _plain(statement.text).rstrip(".!")
    return bool(words) and words in _plain(text)


def _plain(text: str) -> str:
    return " ".join(text.casefold().split())
