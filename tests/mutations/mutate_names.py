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


def _contacts(known: Known, words: Wording) -> Iterator[Sentence]:
    firsts, lasts = words.listed("first_names"), words.listed("last_names")
    for frame in words.frames("mutual"):
        for person in known.in_common("mutual_connection"):
            name = person["full_name"]
            yield true(frame.format(name=name), Kind.COMMON)
            first, _, last = name.partition(" ")
            near = [f"{first} {other}" for other in lasts] + [f"{other} {last}" for other in firsts] + misspelt(name)
            for wrong in _unknown(known, near):
                yield false(frame.format(name=wrong), Kind.NEAR_PERSON, part=wrong)
        invented = [f"{first} {last}" for first, last in zip(firsts, lasts, strict=True)]
        strangers = _unknown(known, invented) + [person["full_name"] for person in known.part("people")]
        for wrong in strangers:
            yield false(frame.format(name=wrong), Kind.INVENTED_CONTACT, part=wrong)
    for frame in words.frames("mutual_more"):
        for person in known.in_common("mutual_connection"):
            yield false(frame.format(name=person["full_name"]), Kind.INVENTED_CONTACT)
    for frame in words.frames("mutual_of"):
        for person in known.in_common("mutual_connection"):
            values = {"name": person["full_name"]}
            yield true(frame.format(company=person["company"], **values), Kind.COMMON)
            for wrong in _unknown(known, [*words.listed("companies"), *misspelt(person["company"])]):
                yield false(frame.format(company=wrong, **values), Kind.NEAR_COMPANY, part=wrong)


def _companies(known: Known, words: Wording) -> Iterator[Sentence]:
    title, company = known.current["title"], known.current["company"]
    wrong_ones = _unknown(known, [*misspelt(company), *words.listed("companies")])
    for frame in words.frames("title"):
        for wrong in wrong_ones:
            yield false(frame.format(title=title, company=wrong), Kind.NEAR_COMPANY, part=wrong)


def _schools(known: Known, words: Wording) -> Iterator[Sentence]:
    shared = {item["name"]: item for item in known.in_common("school")}
    for education in known.part("education"):
        school = education["school"]
        wrong_ones = _unknown(known, [*misspelt(school), *words.listed("schools")])
        for frame in words.frames("school"):
            yield true(frame.format(school=school), Kind.LITERAL)
            for wrong in wrong_ones:
                yield false(frame.format(school=wrong), Kind.NEAR_SCHOOL, part=wrong)
        for frame in words.frames("school_both"):
            if school in shared:
                yield true(frame.format(school=school), Kind.COMMON)
            else:
                yield false(frame.format(school=school), Kind.INVENTED_SCHOOL)
            for wrong in wrong_ones:
                yield false(frame.format(school=wrong), Kind.INVENTED_SCHOOL)
        for frame in words.frames("school_together"):
            if not _overlap(shared.get(school)):
                yield false(frame.format(school=school), Kind.INVENTED_SCHOOL)


def _overlap(item: Json | None) -> bool:
    if item is None:
        return False
    mine, theirs = (item[key].split("-") for key in ("sender_years", "prospect_years"))
    return not (mine[-1] < theirs[0] or theirs[-1] < mine[0])


def _events(known: Known, words: Wording) -> Iterator[Sentence]:
    shared = [item["name"] for item in known.in_common("event")]
    alone = [talk["event"] for talk in known.part("talks") if talk["event"] not in shared]
    invented = _unknown(known, words.listed("events"))
    for frame in words.frames("event_both"):
        for name in shared:
            yield true(frame.format(event=name), Kind.COMMON)
            for wrong in _unknown(known, misspelt(name)):
                yield false(frame.format(event=wrong), Kind.NEAR_EVENT, part=wrong)
        for name in [*alone, *invented]:
            yield false(frame.format(event=name), Kind.INVENTED_EVENT)
    for frame in words.frames("event_met"):
        for name in [*shared, *alone, *invented]:
            yield false(frame.format(event=name), Kind.INVENTED_EVENT)
    for frame in words.frames("talk"):
        for talk in known.part("talks"):
            yield true(frame.format(event=talk["event"]), Kind.LITERAL)
            for wrong in _unknown(known, [*misspelt(talk["event"]), *invented]):
                yield false(frame.format(event=wrong), Kind.NEAR_EVENT, part=wrong)
