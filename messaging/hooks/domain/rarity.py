"""How rare a thing is among the people of a team: from counts that are kept, into numbers that the ranking takes."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from types import MappingProxyType

from prospects.domain.evidence import Actor, Dossier, Evidence, Kind

#: What makes two people's evidence the same thing, by kind; "" is the text itself.
COUNTED_BY: Mapping[Kind, str] = MappingProxyType(
    {
        Kind.SKILL: "name",
        Kind.CERTIFICATION: "name",
        Kind.EDUCATION: "school",
        Kind.TALK: "event",
        Kind.AWARD: "title",
        Kind.IN_COMMON: "name",
        Kind.HEADLINE: "",
    }
)
#: A list of fewer people is treated as one of so many: among three people two are no crowd.
SMALLEST_LIST = 50
#: What everybody has is still worth so much.
LEAST = 0.25
LONGEST_KEY = 200


def key_of(item: Evidence) -> str:
    """The name under which the item is counted; "" where it is not. Long texts share a key by their beginning."""
    if item.kind not in COUNTED_BY:
        return ""
    field = COUNTED_BY[item.kind]
    return key_from(kind=item.kind, value=item.get(field) if field else item.text)


def key_from(*, kind: Kind, value: str) -> str:
    """The key of a value of this kind, "" for nothing."""
    plain = " ".join(value.lower().split())
    return f"{kind}:{plain}"[:LONGEST_KEY] if plain else ""


def rarity_of(*, holders: int, people: int) -> float:
    """1 where one person has it, LEAST where all have: it falls with the logarithm of the holders."""
    if holders <= 1:
        return 1.0
    share = math.log(holders) / math.log(max(people, holders, SMALLEST_LIST))
    return round(max(LEAST, 1.0 - share), 4)


def rarities(*, dossier: Dossier, holders: Mapping[str, int], people: int, colleagues: int = 1) -> Mapping[str, float]:
    """The rarity of each item that somebody else has too, by ref.

    holders     people of the team by key_of; a missing key is one person
    colleagues  people of the list at the same company: what the company does, all of them have
    """
    found = {}
    for item in dossier.items:
        number = colleagues if item.actor is Actor.COMPANY else holders.get(key_of(item), 1)
        rare = rarity_of(holders=number, people=people)
        if rare < 1.0:
            found[item.ref] = rare
    return found


def keys_of(*, items: Iterable[Evidence]) -> frozenset[str]:
    """All keys under which something of the items may be counted."""
    return frozenset(filter(None, map(key_of, items)))
