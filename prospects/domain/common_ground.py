"""Things in common between a prospect and a team mate, as far as both records show them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from datetime import date

from prospects.domain.dates import DateInterval
from prospects.domain.evidence import Actor, Evidence, Kind
from prospects.domain.identity import normalized_company
from prospects.domain.imported import fact
from prospects.domain.names import NoName, fold_name, names_agree, read_name
from prospects.domain.wild_dates import iso_of

_PLACES = ((Kind.EDUCATION, "school", "school"), (Kind.POSITION, "company", "employer"))
_RELATIVE = frozenset({Kind.IN_COMMON, Kind.CONNECTION})


def connection(*, to: str, to_id: int, connected: DateInterval | None, observed_at: date, source: str) -> Evidence:
    """First-degree connection between a prospect and the team mate `to`, made on the day `connected`."""
    connected_on = iso_of(connected)
    since = f" since {connected_on}" if connected_on else ""
    return fact(
        Kind.CONNECTION,
        f"First-degree connection of {to}{since}",
        ref="connection",
        actor=Actor.OTHER,
        observed_at=observed_at,
        source=source,
        occurred=connected,
        fields=(("degree", "1"), ("connected_on", connected_on), ("to", to), ("to_id", str(to_id))),
    )


def is_relative(item: Evidence) -> bool:
    """Whether the evidence holds between the prospect and one particular sender only."""
    return item.kind in _RELATIVE


def concerns(item: Evidence, *, owner_id: int, owner_names: Iterable[str]) -> bool:
    """Whether relative evidence holds for this team mate: recorded for them by id, or for a sender of that name."""
    to_id = item.get("to_id")
    if to_id:
        return to_id == str(owner_id)
    recorded = read_name(item.get("with"))
    if isinstance(recorded, NoName):
        return False
    known = (read_name(name) for name in owner_names)
    return any(
        not isinstance(name, NoName)
        and fold_name(name.full) == fold_name(recorded.full)
        and names_agree(name, recorded)
        for name in known
    )


def _years(items: Iterable[Evidence]) -> str:
    """The span of the periods, as "2016-2018", "2019-" while one is open, "" when undated."""
    starts = [item.get("start")[:4] for item in items if item.get("start")]
    ends = [item.get("end")[:4] for item in items]
    if not starts:
        return ""
    if "" in ends:
        return f"{min(starts)}-"
    known = [end for end in ends if re.fullmatch(r"\d{4}", end)]
    return f"{min(starts)}-{max(known)}" if known else ""


def _by_place(items: Iterable[Evidence], kind: Kind, field: str) -> dict[str, list[Evidence]]:
    found: dict[str, list[Evidence]] = {}
    for item in items:
        if item.kind is kind and normalized_company(item.get(field)):
            found.setdefault(normalized_company(item.get(field)), []).append(item)
    return found


def shared_places(*, prospect: Sequence[Evidence], owner: Sequence[Evidence], owner_name: str) -> tuple[Evidence, ...]:
    """Schools and employers in both records, with the years of each side. Derived; rests on the prospect's row."""
    found: list[Evidence] = []
    for kind, field, name in _PLACES:
        theirs, ours = _by_place(prospect, kind, field), _by_place(owner, kind, field)
        for place in sorted(theirs.keys() & ours.keys()):
            found.append(_shared(name, theirs[place], ours[place], field, owner_name=owner_name, index=len(found)))
    return tuple(found)


def _shared(
    kind: str, theirs: Sequence[Evidence], ours: Sequence[Evidence], field: str, *, owner_name: str, index: int
) -> Evidence:
    place = theirs[0].get(field)
    sender_years, prospect_years = _years(ours), _years(theirs)
    dates = [item.observed_at for item in (*theirs, *ours) if item.observed_at]
    return Evidence(
        ref=f"shared[{index}]",
        kind=Kind.IN_COMMON,
        actor=Actor.OTHER,
        text=", ".join(part for part in (kind, place, sender_years, prospect_years) if part),
        fields=fact(
            Kind.IN_COMMON,
            "",
            ref="",
            observed_at=min(dates) if dates else date.min,
            source="",
            fields=(
                ("kind", kind),
                ("name", place),
                ("sender_years", sender_years),
                ("prospect_years", prospect_years),
            ),
        ).fields,
        observed_at=min(dates) if dates else None,
        source=f"derived from {theirs[0].source} and from {owner_name}'s own {ours[0].source}",
        row_id=theirs[0].row_id,
    )
