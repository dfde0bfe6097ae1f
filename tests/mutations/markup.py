"""True sentences with places to falsify.

    You moved [[140 => 104 ; 410 | number]] databases [[in fourteen months ~ in 14 months => in four months | number]].

A place holds wordings that are true, parted by ` ~ `, then what is false, parted by ` ; `, then the class of the
falsehoods. Its true part may be empty (an insertion). A place with true wordings only is a rewording.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from .cases import Kind, Label, Sentence, false, true

_PLACE = re.compile(r"\[\[(.*?)\]\]")

CLASSES = {
    "up": Kind.TITLE_UP, "side": Kind.TITLE_SIDEWAYS, "date": Kind.DATE_SHIFTED, "recent": Kind.OLD_AS_RECENT,
    "actor": Kind.ACTOR_SWAPPED, "words": Kind.OTHERS_WORDS, "number": Kind.NUMBER, "unit": Kind.UNIT,
    "person": Kind.NEAR_PERSON, "company": Kind.NEAR_COMPANY, "school": Kind.NEAR_SCHOOL, "event": Kind.NEAR_EVENT,
    "stance": Kind.STANCE, "insert": Kind.INSERTION, "sender": Kind.SENDER, "presume": Kind.PRESUPPOSITION,
    "motive": Kind.MOTIVATION, "plan": Kind.PLAN_AS_DONE, "contact": Kind.INVENTED_CONTACT,
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Place:
    """One place of a sentence: its true wordings, and the false ones with their class."""

    true: tuple[str, ...]
    false: tuple[str, ...]
    kind: Kind | None


def _place(inner: str) -> Place:
    given, _, rest = inner.partition("=>")
    wordings = tuple(part.strip() for part in given.split(" ~ "))
    if not rest:
        return Place(wordings, (), None)
    falsehoods, _, name = rest.rpartition("|")
    return Place(wordings, tuple(part.strip() for part in falsehoods.split(" ; ")), CLASSES[name.strip()])


def _parse(marked: str) -> tuple[list[str], list[Place]]:
    pieces = _PLACE.split(marked)
    return pieces[::2], [_place(inner) for inner in pieces[1::2]]


def _joined(texts: list[str], fillings: list[str]) -> str:
    whole = "".join(text + filling for text, filling in zip(texts, [*fillings, ""], strict=True))
    return re.sub(r" +([.,;:?!])", r"\1", re.sub(r"  +", " ", whole)).strip()


def plain(marked: str) -> str:
    """The sentence with the first true wording at every place."""
    texts, places = _parse(marked)
    return _joined(texts, [place.true[0] for place in places])


def variants(marked: str) -> Iterator[Sentence]:
    """Every sentence that changes one place: the true ones first."""
    texts, places = _parse(marked)
    first = [place.true[0] for place in places]
    yield true(_joined(texts, first), Kind.LITERAL)
    for index, place in enumerate(places):
        for wording in place.true[1:]:
            yield true(_joined(texts, [*first[:index], wording, *first[index + 1 :]]), Kind.REWORDED)
        for wording in place.false:
            text = _joined(texts, [*first[:index], wording, *first[index + 1 :]])
            if place.kind is not None:
                yield false(text, place.kind, part=wording)


def is_factual(marked: str) -> bool:
    """Whether the sentence says something that could be wrong: another's record must not hold it."""
    return any(sentence.label is Label.HALLUCINATED for sentence in variants(marked))
