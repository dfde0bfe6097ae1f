"""The judge: an optional second reader, and the little that its answers may change.

The rules decide. A judge is asked about single claims. It sees the dossier once, and of each claim what the rules cite
for it: what they cite for words that they cannot follow is a guess, and the proof often stands in the next item. What
it may do:

- *lift* what is unsupported, and only that, with exact words of one item as proof, which the claim cites from then on;
  it is then judge-corroborated, never verified. What is contradicted, about nothing in the dossier or ambiguous stays
  so. For titles, dates, contacts and schools the rules name what alone may be the proof: the records and texts that
  could show it. Where a record says otherwise they contradict, and where nothing could show it they name nothing;
- *veto* anything that the rules let pass, the words outside all claims too, when it says why.

An answer that is missing, late or malformed lifts nothing. It does not veto what the rules have verified either:
they carry the promise without any judge, and a server that is down must not stop every message with a reason that
nobody could act on.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any, Protocol

from messaging.verification.contract import (
    APPROVABLE,
    CheckedClaim,
    CheckInput,
    ClaimType,
    MessageText,
    Report,
    Verdict,
)
from messaging.verification.naming import called
from prospects.domain.evidence import PROSE, Evidence, Kind

#: Decided by equality and arithmetic on records: where these do not contradict, only what the rules name may be proof.
_RECORDED = frozenset({ClaimType.TITLE, ClaimType.DATE, ClaimType.RECENCY, ClaimType.CONNECTION, ClaimType.EDUCATION})
#: Told of a career, which records hold as well as prose.
_ANY_KIND = _RECORDED | {ClaimType.INFERENCE, ClaimType.UNDECLARED}
#: Records of the sender, and of what sender and prospect share: school, employer, event, contact.
_OF_SENDER = frozenset({Kind.SENDER, Kind.IN_COMMON})
#: The number of the question about all words outside the claims.
REST = 0
#: A message with more claims is not put before the judge; the rules' verdicts stand.
MOST_QUESTIONS = 40
#: Letters a support quote has at least: a word like "the" stands in every text.
SHORTEST_QUOTE = 8
LONGEST_REASON = 300
#: Letters of evidence that one hearing shows at most; what claims cite comes first and always.
MOST_EVIDENCE = 40_000
_SENTENCE_END = re.compile(r"[.!?…][\"'”’»)\]]*\s|\n")
#: Groups of three behind a point, comma or narrow space are one number.
_FIGURE = re.compile(r"\d{1,3}(?:[.,\u00a0\u202f]\d{3})+(?!\d)|\d+")


@dataclass(frozen=True, slots=True)
class Example:
    """A claim that reviewers decided about, for the judge to learn from."""

    sentence: str
    evidence: str
    holds: bool
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Question:
    """One claim as the judge sees it. number: from 1. sentence: where its words stand. evidence: what it cites."""

    number: int
    claim: CheckedClaim
    sentence: str
    evidence: tuple[Evidence, ...]


@dataclass(frozen=True, slots=True)
class Hearing:
    """Everything one judge is asked about one message, in one go. evidence: what it may take its proof from."""

    message: MessageText
    send_by: str
    questions: tuple[Question, ...]
    evidence: tuple[Evidence, ...]
    examples: tuple[Example, ...] = ()


@dataclass(frozen=True, slots=True)
class Answer:
    """holds: yes or no. quote: words of the evidence (of the message, for REST). reason: one sentence."""

    number: int
    holds: bool
    quote: str = ""
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Heard:
    """What a judge said. failure: why there are no answers. usage: the adapter's own record, not read here."""

    model: str
    answers: tuple[Answer, ...] = ()
    failure: str = ""
    usage: object = None


class Judge(Protocol):
    """Anything that answers a hearing. Never raises for what a server does."""

    @property
    def longest(self) -> float:
        """Seconds that one hearing may block at most."""

    def hear(self, hearing: Hearing) -> Heard:
        """Blocks until there is an answer or none will come; never called inside a transaction."""


class Effect(StrEnum):
    LIFTS = "lifts"
    VETOES = "vetoes"
    DENIES = "denies"  # agrees with the rules that it is unsupported; tells people why
    UNDECLARED = "undeclared"  # a statement in words outside all claims


@dataclass(frozen=True, slots=True)
class Opinion:
    """One valid answer and the words it holds for. Kept with a check, so that a later run need not ask again.

    evidence: what the claim cited when it was judged, and the item that the proof was taken from.
    """

    field_name: str
    start: int
    end: int
    evidence: tuple[str, ...]
    effect: Effect
    reason: str

    def covers(self, claim: CheckedClaim) -> bool:
        """Whether the claim says part of what was judged, on evidence that the judge saw."""
        inside = self.start <= claim.start and claim.end <= self.end
        return inside and self.field_name == claim.field_name and set(claim.evidence) <= set(self.evidence)


@dataclass(frozen=True, slots=True)
class Judged:
    """A report after the judge. heard: None when there was nothing to ask."""

    report: Report
    opinions: tuple[Opinion, ...] = ()
    heard: Heard | None = None


def judged(check: CheckInput, report: Report, judge: Judge, examples: Sequence[Example] = ()) -> Judged:
    """Put a message before the judge, if its answers could matter. Blocks; not for inside a transaction."""
    hearing = hearing_of(check, report)
    if hearing is None:
        return Judged(report)
    heard = judge.hear(replace(hearing, examples=tuple(examples)))
    opinions = opinions_of(hearing, heard)
    return Judged(applied(report, opinions, check), opinions, heard)


def liftable(claim: CheckedClaim, dossier: Sequence[Evidence]) -> bool:
    """Whether the claim is unsupported and some item may prove it. What it cites must be in the dossier."""
    if claim.verdict is not Verdict.UNSUPPORTED or not claim.evidence:
        return False
    if not {item.ref for item in dossier}.issuperset(claim.evidence):
        return False
    return any(_proves(item, claim, dossier) for item in dossier)


def _proves(item: Evidence, claim: CheckedClaim, dossier: Sequence[Evidence]) -> bool:
    """Whether words of the item can prove the claim: prose, or a record too for what records tell.

    For titles, dates, contacts and schools only what the claim cites. A figure must be in the item or in what is
    cited, or be the sum, the difference or the rest to a hundred of figures there: reckoned, not invented.
    """
    if claim.type in _RECORDED and item.ref not in claim.evidence:
        return False
    if not _kind_proves(item, claim):
        return False
    wanted = set(_figures(claim.span))
    if not wanted:
        return True
    texts = (_with_date(one, claim) for one in dossier if one is item or one.ref in claim.evidence)
    known = {figure for text in texts for figure in _figures(text)}
    own = Counter(_figures(item.text))
    return all(figure in known or _reckoned(figure, own) for figure in wanted)


def _kind_proves(item: Evidence, claim: CheckedClaim) -> bool:
    """Prose proves anything; a record a career, what is shared, and a number where the rules name that record."""
    if item.kind in PROSE or claim.type in _ANY_KIND:
        return True
    if claim.type is ClaimType.SENDER:
        return item.kind in _OF_SENDER
    return claim.type is ClaimType.NUMBER and item.ref in claim.evidence


def _with_date(item: Evidence, claim: CheckedClaim) -> str:
    """For a date the day of the item is a figure that it gives."""
    if claim.type not in (ClaimType.DATE, ClaimType.RECENCY) or item.occurred is None:
        return item.text
    return f"{item.text} {item.occurred.first.isoformat()} {item.occurred.last.isoformat()}"


def _reckoned(figure: int, own: Counter[int]) -> bool:
    """Whether it is the sum or the difference of two of them, or what one lacks to a hundred."""
    if figure == 0 or 100 - figure in own:
        return figure != 0
    return any(
        other + figure in own or (figure - other in own and (figure != 2 * other or own[other] > 1)) for other in own
    )


def _figures(text: str) -> list[int]:
    """Their digits; of endless ones the first, because Python reads none of more than 4,300."""
    return [int("".join(filter(str.isdecimal, found))[:400]) for found in _FIGURE.findall(text)]


def hearing_of(check: CheckInput, report: Report) -> Hearing | None:
    """What to ask about a message; None when no answer could let it pass or stop it.

    One finding that cannot be lifted blocks the message whatever a judge says: nobody is asked then.
    """
    if report.refused:
        return None
    items = check.dossier.items
    if any(claim.verdict not in APPROVABLE and not liftable(claim, items) for claim in report.claims):
        return None
    asked = [(claim, cited) for claim in report.claims if (cited := _cited(claim, check))]
    if not asked or len(asked) > MOST_QUESTIONS:
        return None
    questions = tuple(
        Question(number, claim, _sentence(_text(check.message, claim.field_name), claim), cited)
        for number, (claim, cited) in enumerate(asked, start=1)
    )
    return Hearing(check.message, check.dossier.send_by.isoformat(), questions, _shown(questions, check))


def _shown(questions: Sequence[Question], check: CheckInput) -> tuple[Evidence, ...]:
    """The dossier in its order; of a very long one what is cited and then what still fits."""
    cited = {item.ref for question in questions for item in question.evidence}
    room = MOST_EVIDENCE - sum(len(item.text) for item in check.dossier.items if item.ref in cited)
    shown = []
    for item in check.dossier.items:
        if item.ref not in cited:
            if len(item.text) > room:
                continue
            room -= len(item.text)
        shown.append(item)
    return tuple(shown)


def opinions_of(hearing: Hearing, heard: Heard) -> tuple[Opinion, ...]:
    """The answers that count. One without proof or reason, twice given or for no question, does not.

    About the words outside the claims there may be several, one for each statement.
    """
    given: dict[int, list[Answer]] = {}
    for answer in heard.answers:
        given.setdefault(answer.number, []).append(answer)
    found = [_opinion(one, given.get(one.number, []), hearing.evidence, heard.model) for one in hearing.questions]
    found += [_about_rest(hearing.message, answer, heard.model) for answer in given.get(REST, [])]
    return tuple(opinion for opinion in found if opinion is not None)


def applied(report: Report, opinions: Sequence[Opinion], check: CheckInput) -> Report:
    """The rules' report as a judge's opinions change it."""
    if report.refused or not opinions:
        return report
    claims = [_changed(claim, opinions, check) for claim in report.claims]
    claims += [_undeclared(opinion, check.message) for opinion in opinions if opinion.effect is Effect.UNDECLARED]
    claims.sort(key=lambda claim: (claim.field_name != "subject", claim.start, claim.end))
    return replace(report, claims=tuple(claims))


def _changed(claim: CheckedClaim, opinions: Sequence[Opinion], check: CheckInput) -> CheckedClaim:
    covering = {opinion.effect: opinion for opinion in opinions if opinion.covers(claim)}
    if claim.verdict is Verdict.VERIFIED and Effect.VETOES in covering:
        return replace(claim, verdict=Verdict.UNSUPPORTED, reason=covering[Effect.VETOES].reason, valid_until=None)
    if claim.verdict is not Verdict.UNSUPPORTED:
        return claim
    if Effect.LIFTS in covering and liftable(claim, check.dossier.items):
        lift = covering[Effect.LIFTS]
        if {item.ref for item in check.dossier.items}.issuperset(lift.evidence):
            cited = tuple(dict.fromkeys((*claim.evidence, *lift.evidence)))
            corroborated = Verdict.JUDGE_CORROBORATED
            return replace(claim, verdict=corroborated, reason=lift.reason, hint="", evidence=cited)
    if Effect.DENIES in covering:
        return replace(claim, reason=f"{claim.reason} {covering[Effect.DENIES].reason}")
    return claim


def _undeclared(opinion: Opinion, message: MessageText) -> CheckedClaim:
    span = _text(message, opinion.field_name)[opinion.start : opinion.end]
    return CheckedClaim(
        opinion.field_name, opinion.start, opinion.end, span, ClaimType.UNDECLARED, Verdict.UNDECLARED, opinion.reason
    )


def _opinion(question: Question, answers: Sequence[Answer], shown: Sequence[Evidence], model: str) -> Opinion | None:
    if len(answers) != 1:
        return None
    answer, claim = answers[0], question.claim
    why = _shortened(answer.reason)
    if claim.verdict is Verdict.UNSUPPORTED:
        return _on_unsupported(question, answer, shown, model)
    if answer.holds or not why:
        return None
    return _placed(claim, Effect.VETOES, f"The judge ({model}) does not read this in the evidence: {why}")


def _on_unsupported(question: Question, answer: Answer, shown: Sequence[Evidence], model: str) -> Opinion | None:
    if not answer.holds:
        why = _shortened(answer.reason)
        return _placed(question.claim, Effect.DENIES, f"Nor does the judge ({model}): {why}") if why else None
    source = _holding(answer.quote, question, shown)
    if source is None:
        reason = f"The judge ({model}) said yes, but its proof is in no text of the dossier that could prove this."
        return _placed(question.claim, Effect.DENIES, reason)
    reason = f"In other words; the judge ({model}) reads it in {called(source)}: “{_shortened(answer.quote)}”."
    return _placed(question.claim, Effect.LIFTS, reason, source)


def _about_rest(message: MessageText, answer: Answer, model: str) -> Opinion | None:
    """A statement outside the claims; where the judge's words are not in the message, all of it is meant."""
    if answer.holds or not answer.reason.strip():
        return None
    reason = f"The judge ({model}) reads a statement here that nothing was cited for: {_shortened(answer.reason)}"
    quote = answer.quote.strip()
    for name in ("body", "subject"):
        at = _text(message, name).find(quote) if quote else -1
        if at >= 0:
            return Opinion(name, at, at + len(quote), (), Effect.UNDECLARED, reason)
    return Opinion("body", 0, len(message.body), (), Effect.UNDECLARED, reason)


def _placed(claim: CheckedClaim, effect: Effect, reason: str, *sources: Evidence) -> Opinion:
    evidence = tuple(dict.fromkeys((*claim.evidence, *(item.ref for item in sources))))
    return Opinion(claim.field_name, claim.start, claim.end, evidence, effect, reason)


def _holding(quote: str, question: Question, shown: Sequence[Evidence]) -> Evidence | None:
    """The item whose text holds exactly these words and can prove the claim; a cited one before any other."""
    words = quote.strip()
    if sum(letter.isalnum() for letter in words) < SHORTEST_QUOTE:
        return None
    candidates = (*question.evidence, *shown)
    return next((item for item in candidates if words in item.text and _proves(item, question.claim, shown)), None)


def _cited(claim: CheckedClaim, check: CheckInput) -> tuple[Evidence, ...]:
    wanted = set(claim.evidence)
    return tuple(item for item in check.dossier.items if item.ref in wanted)


def _text(message: MessageText, field_name: str) -> str:
    return message.subject if field_name == "subject" else message.body


def _sentence(text: str, claim: CheckedClaim) -> str:
    """The sentence around the claim, its words between ⟦ and ⟧."""
    starts = [match.end() for match in _SENTENCE_END.finditer(text) if match.end() <= claim.start]
    ends = [match.end() for match in _SENTENCE_END.finditer(text, claim.end)]
    first, last = (starts[-1] if starts else 0), (ends[0] if ends else len(text))
    inside = text[claim.start : claim.end].strip()
    return f"{text[first : claim.start]}⟦{inside}⟧{text[claim.end : last]}".strip()


def _shortened(text: str) -> str:
    words = " ".join(text.split())
    return words if len(words) <= LONGEST_REASON else words[: LONGEST_REASON - 1] + "…"


def as_json(opinions: Sequence[Opinion]) -> list[dict[str, Any]]:
    """As kept with a check."""
    return [
        {
            "field_name": one.field_name, "start": one.start, "end": one.end, "evidence": list(one.evidence),
            "effect": str(one.effect), "reason": one.reason,
        }
        for one in opinions
    ]  # fmt: skip


def from_json(kept: Sequence[Mapping[str, Any]]) -> tuple[Opinion, ...]:
    """What `as_json` wrote."""
    return tuple(
        Opinion(
            one["field_name"], one["start"], one["end"], tuple(one["evidence"]), Effect(one["effect"]), one["reason"]
        )
        for one in kept
    )
