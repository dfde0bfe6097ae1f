"""What the generator makes: a sentence whose truth is known, and the message it stands in."""

from dataclasses import dataclass
from datetime import date
from enum import StrEnum

from messaging.verification.contract import MessageText
from prospects.domain.evidence import Dossier


class Label(StrEnum):
    FAITHFUL = "faithful"
    HALLUCINATED = "hallucinated"


class Kind(StrEnum):
    """What was done to a true sentence; the last ones leave it true."""

    TITLE_UP = "title one step up"
    TITLE_SIDEWAYS = "title sideways"
    FORMER_AS_CURRENT = "former as current"
    DATE_SHIFTED = "date shifted"
    TENURE_SHIFTED = "tenure shifted"
    OLD_AS_RECENT = "old as recent"
    ACTOR_SWAPPED = "actor swapped"
    OTHERS_WORDS = "others' words"
    NUMBER = "number changed"
    UNIT = "unit changed"
    QUOTE_WORD = "word of a quote changed"
    NEAR_PERSON = "near-miss person"
    NEAR_COMPANY = "near-miss company"
    NEAR_SCHOOL = "near-miss school"
    NEAR_EVENT = "near-miss event"
    STANCE = "stance reversed"
    INVENTED_CONTACT = "invented contact"
    INVENTED_EVENT = "invented event"
    INVENTED_SCHOOL = "invented school"
    INSERTION = "undeclared insertion"
    SENDER = "sender inflated"
    PRESUPPOSITION = "presupposition"
    MOTIVATION = "motivation as fact"
    PLAN_AS_DONE = "plan as done"
    OTHER_PROSPECT = "another prospect's record"

    LITERAL = "literal"
    REWORDED = "reworded"
    TITLE_FORM = "other form of a title"
    DATE_FORM = "other form of a date"
    TENURE = "duration computed"
    QUOTE = "exact quote"
    COMMON = "recorded in common"
    SENDER_FACT = "sender's fact"
    SPEECH_ACT = "speech acts only"


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence for a dossier. span: the false part inside the text; day: another day of sending, if any."""

    text: str
    kind: Kind
    label: Label
    span: tuple[int, int]
    day: date | None = None


@dataclass(frozen=True, slots=True)
class Case:
    """A labelled message.

    sentence    begin and end, in the body, of the sentence that it is about
    start, end  the false part of it; 0, 0 in a faithful message
    """

    case_id: str
    label: Label
    kind: Kind
    language: str
    dossier: Dossier
    message: MessageText
    sentence: tuple[int, int]
    start: int
    end: int

    @property
    def span(self) -> str:
        return self.message.body[self.start : self.end]


def true(text: str, kind: Kind, *, day: date | None = None) -> Sentence:
    """A sentence that the dossier supports."""
    return Sentence(text, kind, Label.FAITHFUL, (0, 0), day)


def false(text: str, kind: Kind, *, part: str = "", day: date | None = None) -> Sentence:
    """A sentence that the dossier does not support; `part` is what is wrong with it, all of it when not given."""
    begin = text.find(part) if part else 0
    begin = max(begin, 0)
    size = len(part) if part and part in text else len(text)
    return Sentence(text, kind, Label.HALLUCINATED, (begin, begin + size), day)
