"""What was already sent to a person in this campaign, and what follows for the next message of the sequence.

A follow-up says none of it again and adds something: a hook or a proof point that no earlier message cited.
Earlier messages are context. What they claim is evidence of nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import Protocol

from messaging.hooks.domain.kinds import Layer
from messaging.hooks.domain.ranking import Hook
from messaging.hooks.domain.relevance import content_words, stem
from messaging.writing.domain.quality import BLOCK, WARN, QualityFinding
from prospects.domain.evidence import Dossier, Evidence, Kind

EMAIL, REPLY = "email", "Re: "
#: What happened since the last message is the better reason to write again.
NEWS_SINCE = 1.25
#: Shorter sentences (a greeting, "Would a call be useful?") may stand in every message.
LEAST_WORDS = 4
#: Share of the shorter sentence's words that the other one has, from which they say the same.
SAME_WORDS = 0.8
#: Words in a row that are no accident.
LONGEST_RUN = 8

#: Citing one of these is saying something: a hook, or a proof point. A role, a name and a company's size are none.
NEW = (
    Kind.POST, Kind.COMMENT, Kind.TALK, Kind.PUBLICATION, Kind.PROJECT, Kind.AWARD, Kind.ABOUT, Kind.IN_COMMON,
    Kind.CERTIFICATION, Kind.COMPANY_NEWS, Kind.JOB, Kind.INDUSTRY_NOTE, Kind.PROOF_POINT,
)  # fmt: skip

_SENTENCES = re.compile(r"(?<=[.!?…])\s+|\n+")
_WORDS = re.compile(r"\w+")
_REPLY = re.compile(r"^\s*(?:re|aw|sv|antw|rif|r)\s*:\s*", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Said:
    """One earlier message. sent_on: None while it is not known; cited: row ids and content hashes of its evidence."""

    step: int
    channel: str
    subject: str
    body: str
    sent_on: date | None = None
    cited: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Thread:
    """The messages before this one, oldest first; empty for a first message."""

    said: tuple[Said, ...] = ()

    @property
    def bodies(self) -> tuple[str, ...]:
        return tuple(one.body for one in self.said)

    @property
    def last_on(self) -> date | None:
        """The day of the newest message."""
        return max((one.sent_on for one in self.said if one.sent_on), default=None)

    @property
    def cited(self) -> frozenset[str]:
        return frozenset().union(*(one.cited for one in self.said))

    def has_said(self, item: Evidence) -> bool:
        """An earlier message cites the item, or the same thing under another name."""
        return bool({item.row_id, item.content_hash} & self.cited)

    def subject(self, channel: str) -> str:
        """The subject of a reply in the same e-mail conversation; "" where none was begun."""
        if channel != EMAIL:
            return ""
        first = next((one.subject for one in self.said if one.channel == EMAIL and one.subject), "")
        return f"{REPLY}{_REPLY.sub('', first)}" if first else ""

    def without_mark(self, subject: str, channel: str) -> str:
        """The subject with blanks for the mark of a reply, so that positions stay, where it truly is one."""
        return " " * len(REPLY) + subject[len(REPLY) :] if subject and subject == self.subject(channel) else subject


NO_THREAD = Thread()


class Cites(Protocol):
    """A claim of a checked text: what it rests on."""

    @property
    def evidence(self) -> Sequence[str]: ...


def fresh_hooks(*, hooks: Iterable[Hook], dossier: Dossier, thread: Thread) -> tuple[Hook, ...]:
    """The hooks that no earlier message used, best first; what happened since the last one is lifted, and says so."""
    if not thread.said:
        return tuple(hooks)
    items = {item.ref: item for item in dossier.items}
    kept = [_lifted(hook, items[hook.ref], thread) for hook in hooks if not thread.has_said(items[hook.ref])]
    return tuple(sorted(kept, key=lambda hook: -hook.score))


def _lifted(hook: Hook, item: Evidence, thread: Thread) -> Hook:
    if thread.last_on is None or item.occurred is None or item.occurred.first <= thread.last_on:
        return hook
    score = round(min(hook.score * NEWS_SINCE, 1.0), 4)
    return replace(hook, score=score, reason=f"{hook.reason} Lifted: new since the last message.")


def layers_for(
    *, hooks: Iterable[Hook], layers: tuple[Layer, ...], dossier: Dossier, thread: Thread
) -> tuple[Layer, ...]:
    """The layers a follow-up may use: the strategy's, or all where those leave nothing new to say.

    hooks: of every layer, without the used ones. A first message keeps to its strategy.
    """
    unsaid = _unsaid(dossier, thread)
    allowed = {hook.ref for hook in hooks if hook.layer in layers}
    proofs = {item.ref for item in dossier.of(Kind.PROOF_POINT)}
    return tuple(Layer) if thread.said and unsaid and not unsaid & (allowed | proofs) else layers


def _sentences(body: str) -> list[str]:
    return [one.strip() for one in _SENTENCES.split(body) if one.strip()]


def _stems(sentence: str) -> frozenset[str]:
    return frozenset(stem(word) for word in content_words(sentence))


def _runs(sentence: str) -> frozenset[tuple[str, ...]]:
    words = [word.casefold() for word in _WORDS.findall(sentence)]
    return frozenset(tuple(words[at : at + LONGEST_RUN]) for at in range(len(words) - LONGEST_RUN + 1))


def _alike(one: str, other: str) -> bool:
    a, b = _stems(one), _stems(other)
    fewest = min(len(a), len(b))
    return (fewest >= LEAST_WORDS and len(a & b) >= SAME_WORDS * fewest) or bool(_runs(one) & _runs(other))


def repeated(*, body: str, thread: Thread, free: Iterable[str] = ()) -> tuple[tuple[str, Said], ...]:
    """Sentences that say what a sentence of an earlier message said, each with that message.

    free: sentences that every message may hold, as the campaign's request.
    """
    allowed = {" ".join(_sentences(text)).casefold() for text in free if text}
    found = []
    for sentence in _sentences(body):
        if sentence.casefold() in allowed:
            continue
        where = next((one for one in thread.said if any(_alike(sentence, was) for was in _sentences(one.body))), None)
        if where is not None:
            found.append((sentence, where))
    return tuple(found)


def check_thread(
    *, body: str, claims: Iterable[Cites], dossier: Dossier, thread: Thread, request: str = ""
) -> tuple[QualityFinding, ...]:
    """What is wrong with a text as the next message of the thread; nothing for a first message.

    claims   as the author declared them, or as the check found them in a person's text
    request  the campaign's call to action, which may stand in each
    """
    if not thread.said:
        return ()
    found = [
        QualityFinding(
            "repeats-thread",
            BLOCK,
            f"“{sentence}” says again what message {was.step} said.",
            "Leave it out, or say something new.",
        )
        for sentence, was in repeated(body=body, thread=thread, free=(request,))
    ]
    unsaid = _unsaid(dossier, thread)
    cited = {ref for claim in claims for ref in claim.evidence} | _told(body, dossier, unsaid)
    if not unsaid:
        found.append(
            QualityFinding(
                "nothing-new",
                WARN,
                "Nothing is known that earlier messages have not said.",
                "Add evidence or a proof point, or leave this step out.",
            )
        )
    elif not cited & unsaid:
        found.append(
            QualityFinding(
                "nothing-new",
                BLOCK,
                "It adds nothing to the earlier messages: it cites no hook and no proof point that they did not.",
                f"Use one of {', '.join(sorted(unsaid, key=_natural)[:5])}.",
            )
        )
    return tuple(found)


def _told(body: str, dossier: Dossier, refs: frozenset[str]) -> frozenset[str]:
    """Those of the items that a sentence of the body tells; what the sender says of us is no claim of the check."""
    sentences = _sentences(body)
    return frozenset(
        item.ref
        for item in dossier.items
        if item.ref in refs and any(_alike(one, told) for one in sentences for told in _sentences(item.text))
    )


def _natural(ref: str) -> tuple[int, str]:
    return (len(ref), ref)


def _unsaid(dossier: Dossier, thread: Thread) -> frozenset[str]:
    """Refs of hooks and proof points that no earlier message cites."""
    said = " ".join(thread.bodies).casefold()
    return frozenset(
        item.ref
        for item in dossier.of(*NEW)
        if not thread.has_said(item) and item.text.rstrip(".").casefold() not in said
    )
