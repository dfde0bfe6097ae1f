"""People, companies, schools and events: near misses, inventions, and more than the record says of them."""

import re
from collections.abc import Iterator

from .cases import Kind, Sentence, false, true
from .known import Json, Known
from .wording import Wording

_NEXT = {
    "a": "o", "e": "a", "i": "e", "o": "u", "u": "a", "b": "d", "d": "t", "l": "r", "m": "n", "n": "r", "r": "l",
    "s": "z", "t": "d", "v": "b", "k": "g", "g": "k", "p": "b", "c": "g", "f": "v", "h": "n",
}  # fmt: skip


def misspelt(name: str) -> list[str]:
    """Names one letter away: never the first or last letter of a word, where inflection and case live."""
    found = []
    for index in range(2, len(name) - 2):
        inside = name[index - 2 : index + 3].isalpha()
        if inside and name[index] in _NEXT:
            found.append(name[:index] + _NEXT[name[index]] + name[index + 1 :])
    edition = re.search(r"\b20\d\d\b", name)
    if edition:
        found.insert(0, name.replace(edition.group(), str(int(edition.group()) - 1)))
    return found[::3][:4]


def names(known: Known, words: Wording) -> Iterator[Sentence]:
    """All there is about names."""
    yield from _contacts(known, words)
    yield from _companies(known, words)
    yield from _schools(known, words)
    yield from _events(known, words)


def _unknown(known: Known, names_: list[str]) -> list[str]:
    return [name for name in names_ if name not in known.everything]


def _said(frames: list[str], place: str, wrong: list[str], kind: Kind, *, whole: bool = False) -> Iterator[Sentence]:
    """Every frame with every wrong name at that place; `whole` marks the sentence and not the name as false."""
    for frame in frames:
        for name in wrong:
            yield false(frame.format(**{place: name}), kind, part="" if whole else name)


def _contacts(known: Known, words: Wording) -> Iterator[Sentence]:
    firsts, lasts = words.listed("first_names"), words.listed("last_names")
    invented = [f"{first} {last}" for first, last in zip(firsts, lasts, strict=True)]
    strangers = _unknown(known, invented) + [person["full_name"] for person in known.part("people")]
    yield from _said(words.frames("mutual"), "name", strangers, Kind.INVENTED_CONTACT)
    for person in known.in_common("mutual_connection"):
        name = person["full_name"]
        yield from (true(frame.format(name=name), Kind.COMMON) for frame in words.frames("mutual"))
        first, _, last = name.partition(" ")
        near = [f"{first} {other}" for other in lasts] + [f"{other} {last}" for other in firsts] + misspelt(name)
        yield from _said(words.frames("mutual"), "name", _unknown(known, near), Kind.NEAR_PERSON)
        yield from _said(words.frames("mutual_more"), "name", [name], Kind.INVENTED_CONTACT, whole=True)
        of_company = [frame.replace("{name}", name) for frame in words.frames("mutual_of")]
        yield from (true(frame.format(company=person["company"]), Kind.COMMON) for frame in of_company)
        elsewhere = _unknown(known, [*words.listed("companies"), *misspelt(person["company"])])
        yield from _said(of_company, "company", elsewhere, Kind.NEAR_COMPANY)


def _companies(known: Known, words: Wording) -> Iterator[Sentence]:
    title, company = known.current["title"], known.current["company"]
    wrong = _unknown(known, [*misspelt(company), *words.listed("companies")])
    frames = [frame.replace("{title}", title) for frame in words.frames("title")]
    yield from _said(frames, "company", wrong, Kind.NEAR_COMPANY)


def _schools(known: Known, words: Wording) -> Iterator[Sentence]:
    shared = {item["name"]: item for item in known.in_common("school")}
    both, together = words.frames("school_both"), words.frames("school_together")
    for education in known.part("education"):
        school = education["school"]
        wrong = _unknown(known, [*misspelt(school), *words.listed("schools")])
        yield from (true(frame.format(school=school), Kind.LITERAL) for frame in words.frames("school"))
        yield from _said(words.frames("school"), "school", wrong, Kind.NEAR_SCHOOL)
        yield from _said(both, "school", wrong, Kind.INVENTED_SCHOOL, whole=True)
        if school in shared:
            yield from (true(frame.format(school=school), Kind.COMMON) for frame in both)
        else:
            yield from _said(both, "school", [school], Kind.INVENTED_SCHOOL, whole=True)
        if not _overlap(shared.get(school)):
            yield from _said(together, "school", [school], Kind.INVENTED_SCHOOL, whole=True)


def _overlap(item: Json | None) -> bool:
    if item is None:
        return False
    mine, theirs = (item[key].split("-") for key in ("sender_years", "prospect_years"))
    return not (mine[-1] < theirs[0] or theirs[-1] < mine[0])


def _events(known: Known, words: Wording) -> Iterator[Sentence]:
    shared = [item["name"] for item in known.in_common("event")]
    spoken = [talk["event"] for talk in known.part("talks")]
    invented = _unknown(known, words.listed("events"))
    not_shared = [name for name in spoken if name not in shared] + invented
    both, talk = words.frames("event_both"), words.frames("talk")
    yield from (true(frame.format(event=name), Kind.COMMON) for frame in both for name in shared)
    yield from (true(frame.format(event=name), Kind.LITERAL) for frame in talk for name in spoken)
    yield from _said(both, "event", not_shared, Kind.INVENTED_EVENT, whole=True)
    yield from _said(words.frames("event_met"), "event", [*shared, *not_shared], Kind.INVENTED_EVENT, whole=True)
    near_shared = [near for name in shared for near in _unknown(known, misspelt(name))]
    near_spoken = [near for name in spoken for near in _unknown(known, misspelt(name))]
    yield from _said(both, "event", near_shared, Kind.NEAR_EVENT)
    yield from _said(talk, "event", [*near_spoken, *invented], Kind.NEAR_EVENT)
