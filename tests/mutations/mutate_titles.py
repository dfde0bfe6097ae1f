"""Titles: up, sideways, a colleague's, a former one; and the forms in which the true one may be given."""

from collections.abc import Iterator

from .cases import Kind, Sentence, false, true
from .known import Json, Known
from .wording import Wording


def titles(known: Known, words: Wording) -> Iterator[Sentence]:
    """Who the prospect is today."""
    company = known.current["company"]
    for frame in words.frames("title"):
        for title in [known.current["title"], *known.titles("same")]:
            yield true(frame.format(title=title, company=company), Kind.TITLE_FORM)
        for which, kind in (("up", Kind.TITLE_UP), ("side", Kind.TITLE_SIDEWAYS)):
            for title in known.titles(which):
                yield false(frame.format(title=title, company=company), kind, part=title)
        for colleague in _with_other_titles(known):
            text = frame.format(title=colleague["title"], company=company)
            yield false(text, Kind.TITLE_SIDEWAYS, part=colleague["title"])
        for position in _really_former(known):
            text = frame.format(title=position["title"], company=position["company"])
            yield false(text, Kind.FORMER_AS_CURRENT, part=position["title"])
    yield from _employers(known, words)
    yield from _colleagues(known, words)


def _with_other_titles(known: Known) -> list[Json]:
    own = {known.current["title"], *known.titles("same")}
    return [person for person in known.part("people") if person.get("title") and person["title"] not in own]


def _really_former(known: Known) -> list[Json]:
    own = {known.current["title"], *known.titles("same")}
    return [position for position in known.former if position["title"] not in own]


def _employers(known: Known, words: Wording) -> Iterator[Sentence]:
    companies = {position["company"] for position in known.part("positions") if not position.get("end")}
    for frame in words.frames("works_at"):
        yield true(frame.format(company=known.current["company"]), Kind.LITERAL)
        for position in known.former:
            if position["company"] not in companies:
                text = frame.format(company=position["company"])
                yield false(text, Kind.FORMER_AS_CURRENT, part=position["company"])
    for frame in words.frames("former"):
        for position in known.former:
            yield true(frame.format(title=position["title"], company=position["company"]), Kind.LITERAL)


def _colleagues(known: Known, words: Wording) -> Iterator[Sentence]:
    people = _with_other_titles(known)
    for frame in words.frames("colleague"):
        for person in people:
            values = {"name": person["full_name"], "company": known.current["company"]}
            yield true(frame.format(title=person["title"], **values), Kind.LITERAL)
            for other in people:
                if other["title"] != person["title"]:
                    text = frame.format(title=other["title"], **values)
                    yield false(text, Kind.TITLE_SIDEWAYS, part=other["title"])
