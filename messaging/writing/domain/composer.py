"""The embedded composer: a plain, fully cited message without a language model.

It renders evidence literally and nothing else, so every sentence can be checked. The seed decides structure,
references and phrases; the same input gives the same message.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import Any

from messaging.hooks.domain.kinds import Layer
from messaging.hooks.domain.ranking import Hook
from messaging.verification.contract import CheckInput, DeclaredClaim, MessageText
from messaging.verification.engine import verify
from messaging.writing.domain.composer_blocks import LAYERED, NOTE, PRIORITY, Attempt
from messaging.writing.domain.composer_material import claim, gather, without_said
from messaging.writing.domain.composer_plan import DroppedLayer, Plan, dropped, reachable
from messaging.writing.domain.composer_text import SPACE, Laid, Segment, lay_out, slots_in
from messaging.writing.domain.quality import BLOCK, LONGEST_SUBJECT, check_quality, shingles
from messaging.writing.domain.strategy import ChannelLimits, LengthBand, limits_of
from messaging.writing.domain.style import Style
from messaging.writing.languages.reader import load
from outreach.campaigns.domain.offer import CampaignOffer
from prospects.domain.evidence import Dossier

ATTEMPTS = 32
#: Refusals by the verifier after which a simpler plan is taken.
MOST_REFUSALS = 5
#: So many courses a follow-up takes: little is left to say, and some structures have no room for it.
COURSES = 6
#: A quotation may take this share of a note; elsewhere this many characters.
QUOTE_SHARE, LONGEST_QUOTE = 0.45, 200
#: Similarity to another message of the batch from which an attempt is worth less than any other.
TOO_SIMILAR = 0.4
#: A follow-up may be this short, in words or characters of its band.
SHORTEST_FOLLOW_UP = 25


#: Subject, body and claims of a text → whether it may stand.
Accepts = Callable[[tuple[str, str, tuple[DeclaredClaim, ...]]], bool]
Shingles = frozenset[tuple[str, ...]]
#: How many of the costs are faults; the rest is taste.
FAULTS = 5


@dataclass(frozen=True, slots=True)
class Composed:
    """The message, its claims with exact spans, the layers it uses and those it had to leave out.

    structure  names of the blocks in their order: what a language's style sheet calls them
    """

    subject: str
    body: str
    declared: tuple[DeclaredClaim, ...]
    layers: tuple[Layer, ...]
    dropped_layers: tuple[DroppedLayer, ...]
    segments: tuple[Segment, ...] = ()
    structure: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _Candidate:
    subject: Laid
    body: Laid
    segments: tuple[Segment, ...]
    structure: tuple[str, ...] = ()
    opening: tuple[str, ...] = ()

    def stands(self, accepts: Accepts) -> bool:
        return accepts((self.subject.text, self.body.text, self.subject.declared + self.body.declared))


_Paragraphs = list[list[tuple[str, Segment]]]


def _tokens(structure: str) -> list[list[tuple[str, bool]]]:
    """Paragraphs of (block, optional)."""
    return [
        [(word.rstrip("?"), word.endswith("?")) for word in paragraph.split()] for paragraph in structure.split("|")
    ]


def _wanted(plan: Plan, rng: Random) -> int:
    """A length within the band: its lower half for somebody who writes short, its upper for somebody who writes long."""
    middle = (plan.band.least + plan.band.most) // 2
    least, most = {"short": (plan.band.least, middle), "long": (middle, plan.band.most)}.get(
        plan.style.length, (plan.band.least, plan.band.most)
    )
    return rng.randint(least, most)


def _chosen(plan: Plan, structure: list[list[tuple[str, bool]]], attempt: Attempt, rng: Random) -> set[str]:
    """The blocks to use: all that must be, then the optional ones that fit, until the length is right."""
    blocks = [pair for paragraph in structure for pair in paragraph]
    chosen = {name for name, optional in blocks if not optional and attempt.block(name) is not None}
    wanted = _wanted(plan, rng)
    place = {name: PRIORITY.index(name) + (0 if name in LAYERED else rng.uniform(0, 3)) for name in PRIORITY}
    for name in sorted((name for name, optional in blocks if optional), key=place.__getitem__):
        adds_layer = name in LAYERED
        size = plan.band.measure(_laid(plan, structure, attempt, chosen).text)
        if size >= (plan.band.most if adds_layer else wanted) or attempt.block(name) is None:
            continue
        larger = chosen | {name}
        if plan.band.measure(_laid(plan, structure, attempt, larger).text) <= plan.band.most:
            chosen = larger
    return chosen


def _paragraphs(plan: Plan, structure: list[list[tuple[str, bool]]], attempt: Attempt, chosen: set[str]) -> _Paragraphs:
    keep = plan.data.style.get("keep_capital", ())
    lower = plan.data.style.get("lower_after_greeting", "inline")
    paragraphs: _Paragraphs = []
    greeted = False
    for names in structure:
        segments: list[tuple[str, Segment]] = []
        for name, _ in names:
            segment = attempt.block(name) if name in chosen else None
            if segment is None:
                continue
            if greeted and (segments or lower == "always"):
                segment = segment.lowered(keep)
            greeted = name == "greeting"
            segments.append((SPACE, segment))
        if segments:
            paragraphs.append(segments)
    return paragraphs


def _laid(plan: Plan, structure: list[list[tuple[str, bool]]], attempt: Attempt, chosen: set[str]) -> Laid:
    return lay_out(field_name="body", paragraphs=_paragraphs(plan, structure, attempt, chosen))


def _structures(plan: Plan, attempt: Attempt) -> Sequence[str]:
    kind = "structures" if attempt.primary is not None else "plain"
    if plan.follow_up and plan.channel in plan.data.style["follow_up"]:
        kind = "follow_up"
    listed: dict[str, Any] = plan.data.style[kind]
    return tuple(listed[plan.channel])


def _own_subject(plan: Plan, attempt: Attempt) -> Segment | None:
    """A subject made of the first reference."""
    primary, rng = attempt.primary, attempt.rng
    if primary is None or not primary.subject or rng.random() > 0.9:
        return None
    short = len(primary.slots.get("quote_bare", "")) in range(1, 50) and rng.random() < 0.6
    key = "subject.quote" if short else f"subject.{primary.subject}"
    drawn = attempt.drawn(key, {**plan.material.slots, **primary.slots})
    return claim(text=drawn[1].rstrip(","), reference=primary, slots=slots_in(drawn[0])) if drawn else None


def _subject(plan: Plan, attempt: Attempt) -> Laid:
    """The subject: from the first reference, or a plain one; "" where the channel has none or nothing is short enough."""
    if not plan.limits.subject or plan.channel == NOTE:
        return Laid("", (), ())
    plain = [attempt.glue("subject.plain"), attempt.glue("subject.company")]
    attempt.rng.shuffle(plain)
    for segment in (_own_subject(plan, attempt), *plain):
        if segment is not None and len(segment.text) <= min(plan.limits.subject, LONGEST_SUBJECT):
            return lay_out(field_name="subject", paragraphs=[[(SPACE, segment)]])
    return Laid("", (), ())


def _attempt(plan: Plan, rng: Random) -> _Candidate:
    attempt = Attempt(
        data=plan.data,
        style=plan.style,
        material=plan.material,
        channel=plan.channel,
        depth=plan.depth,
        layers=plan.layers,
        threshold=plan.threshold,
        rng=rng,
    )
    structure = _tokens(rng.choice(_structures(plan, attempt)))
    chosen = _chosen(plan, structure, attempt, rng)
    paragraphs = _paragraphs(plan, structure, attempt, chosen)
    subject = _subject(plan, attempt)
    segments = tuple(segment for paragraph in paragraphs for _, segment in paragraph)
    names = tuple(name for paragraph in structure for name, _ in paragraph if name in chosen and attempt.block(name))
    opening = attempt.primary.evidence if attempt.primary is not None else ()
    return _Candidate(subject, lay_out(field_name="body", paragraphs=paragraphs), segments, names, opening)


def _bare(plan: Plan) -> list[_Candidate]:
    """What always fits: a greeting and a request and nothing else; the longest that the limit takes first."""
    attempt = Attempt(
        data=plan.data,
        style=plan.style,
        material=plan.material,
        channel=plan.channel,
        depth=0,
        layers=(),
        threshold=1.0,
        rng=Random(0),  # noqa: S311 - phrases, not secrets
    )
    keep = plan.data.style.get("keep_capital", ())
    attempt.material = replace(plan.material, cta="")
    greeting, request = attempt.block("greeting"), attempt.block("cta")
    shortest = attempt.shortest("greeting_nameless"), attempt.shortest("cta_note")
    found = []
    for first, second in ((greeting, request), (greeting, shortest[1]), shortest):
        used = tuple(segment for segment in (first, second and second.lowered(keep)) if segment)
        body = lay_out(field_name="body", paragraphs=[[(SPACE, segment) for segment in used]])
        found.append(_Candidate(_subject(plan, attempt), body, used))
    return [one for one in found if len(one.body.text) <= (plan.limits.body or len(one.body.text))] or found[-1:]


def _likeness(body: str, others: Sequence[Shingles]) -> float:
    """The largest share of shingles in common with another text, as `similarity` counts it."""
    own = shingles(body)
    return max((len(own & other) / len(own | other) for other in others if own and other), default=0.0)


def _cost(plan: Plan, candidate: _Candidate, others: Sequence[Shingles], reachable: int) -> tuple[float, ...]:
    """What is wrong with an attempt, the gravest first; all zero is as good as it gets."""
    findings = check_quality(
        subject=candidate.subject.text,
        body=candidate.body.text,
        channel=plan.channel,
        language=plan.data.code,
        band=plan.band,
        limits=plan.limits,
        must_not_say=plan.offer.must_not_say,
        call_to_action=plan.material.cta,
    )
    alike = _likeness(candidate.body.text, others)
    return (
        sum(finding.rule in ("hard-limit", "subject-limit", "must-not-say") for finding in findings),
        sum(finding.level == BLOCK for finding in findings),
        max(alike - TOO_SIMILAR, 0.0),
        max(reachable - len(candidate.body.layers), 0),
        plan.band.distance(candidate.body.text),
        len(findings),
    )


def _verified(text: tuple[str, str, tuple[DeclaredClaim, ...]], dossier: Dossier, language: str, channel: str) -> bool:
    message = MessageText(subject=text[0], body=text[1], language=language, channel=channel)
    return verify(CheckInput(message=message, dossier=dossier, declared=text[2])).passes


def _simpler(plan: Plan, blamed: set[str]) -> Iterator[Plan]:
    """The plan, then without what refused texts opened with, without role or first hook, then with less and less.

    blamed  filled while a plan is tried: evidence that a refused text opened with
    """
    yield plan
    whole = plan.material
    blameless = tuple(one for one in whole.specific if blamed.isdisjoint(one[1][0].evidence))
    if blameless and blameless != whole.specific:
        yield replace(plan, material=replace(whole, specific=blameless))
    bare = replace(whole, signature="", cta="")
    for own in (whole, bare):
        roleless, later = replace(own, role=()), replace(own, specific=own.specific[1:])
        variants = (own, roleless, later, replace(later, role=()))
        yield from (replace(plan, material=one) for one in variants if one != whole and (own is whole or bare != whole))
    unsaid = replace(bare, offer_key="", role=())
    yield replace(plan, material=unsaid)
    yield replace(plan, material=replace(unsaid, proofs=()))
    yield replace(plan, material=bare, depth=0)
    yield replace(plan, material=replace(bare, role=()), depth=0)
    yield replace(plan, material=replace(bare, role=()), depth=0, layers=())


def _standing(
    plan: Plan, seed: str, *, others: Sequence[Shingles], accepts: Accepts, blamed: set[str]
) -> _Candidate | None:
    """The first faultless attempt that stands, else the least faulty one; None after too many refusals."""
    most, refused = reachable(plan), 0
    faulty: list[tuple[tuple[float, ...], int, _Candidate]] = []
    for number in range(ATTEMPTS):
        candidate = _attempt(plan, Random(f"{seed}:{number}"))  # noqa: S311 - phrases, not secrets
        cost = _cost(plan, candidate, others, most)
        if any(cost[:FAULTS]):
            faulty.append((cost, number, candidate))
        elif candidate.stands(accepts):
            return candidate
        else:
            refused += 1
            blamed.update(candidate.opening)
        if refused >= MOST_REFUSALS:
            break
    near = [candidate for cost, _, candidate in sorted(faulty, key=lambda one: one[:2]) if not cost[0]]
    return next((candidate for candidate in near[:MOST_REFUSALS] if candidate.stands(accepts)), None)


def _best(plan: Plan, seed: str, others: Sequence[Shingles], accepts: Accepts) -> tuple[_Candidate, bool]:
    """What can be said of the plan, else of a simpler one, else a greeting and a request; and whether it is simpler."""
    for course in (seed, *(f"{seed}:again{number}" for number in range(1, COURSES if plan.follow_up else 1))):
        blamed: set[str] = set()
        for simpler in _simpler(plan, blamed):
            candidate = _standing(simpler, course, others=others, accepts=accepts, blamed=blamed)
            if candidate is not None:
                return candidate, simpler is not plan
    bare = _bare(plan)
    return next((one for one in bare if one.stands(accepts)), bare[-1]), True


def compose(
    *,
    dossier: Dossier,
    hooks: tuple[Hook, ...],
    offer: CampaignOffer,
    style: Style,
    channel: str,
    language: str = "",
    length: LengthBand,
    seed: int,
    limits: ChannelLimits | None = None,
    depth: int = 2,
    layers: tuple[Layer, ...] = tuple(Layer),
    threshold: float = 0.5,
    others: Sequence[str] = (),
    previous: Sequence[str] = (),
    accepts: Accepts | None = None,
) -> Composed:
    """Write the message. Missing evidence makes it plainer, never wrong; it never raises for it.

    language  of the style where empty; length is the strategy's band, limits the channel's hard ones
    depth     number of specific references, 0 for none
    threshold least confidence for the motivational question
    others    bodies of the same batch, which this one must not resemble
    previous  bodies of the thread so far: a follow-up repeats none of their references and proof points
    accepts   (subject, body, claims) → whether it may stand; the verifier on this dossier where not given
    Raises FileNotFoundError for a language that decide_style would have refused.
    """
    data = load(language if language in (style.language, "") and language else style.language)
    hard = limits or limits_of(channel=channel)
    longest = int(hard.body * QUOTE_SHARE) if channel == NOTE else LONGEST_QUOTE
    material = gather(dossier=dossier, hooks=hooks, offer=offer, data=data, longest_quote=longest)
    if previous:
        material = without_said(material, tuple(previous))
        length = LengthBand(min(length.least, SHORTEST_FOLLOW_UP), length.most, length.unit)
    plan = Plan(
        data, style, material, offer, channel, length, hard, depth, tuple(layers), threshold, follow_up=bool(previous)
    )
    accepted = accepts or (lambda text: _verified(text, dossier, data.code, channel))
    best, refused = _best(
        plan, f"{seed}:{channel}:{dossier.content_hash}", [shingles(body) for body in (*others, *previous)], accepted
    )
    return Composed(
        subject=best.subject.text,
        body=best.body.text,
        declared=best.subject.declared + best.body.declared,
        layers=best.body.layers,
        dropped_layers=dropped(plan, best.body.layers, refused=refused),
        segments=best.segments,
        structure=best.structure,
    )
