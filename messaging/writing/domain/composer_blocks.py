"""One attempt at a message: the blocks of a structure, each turned into a sentence, phrases never used twice."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from random import Random

from messaging.hooks.domain.kinds import Layer
from messaging.verification.contract import ClaimType
from messaging.writing.domain.composer_facts import Reference
from messaging.writing.domain.composer_material import NEAR_THE_OFFER, Material, claim, offering, question
from messaging.writing.domain.composer_text import Segment, filled, slots_in
from messaging.writing.domain.style import Style
from messaging.writing.languages.reader import LanguageData

#: Hooks that score at least this share of the best one may open the message instead.
NEAR_THE_BEST = 0.8
#: What they said or did themselves opens before their company's press, and what touches the offer before what does
#: not, unless it scores less than this share of it.
OWN, OWN_BEFORE_PRESS = ("words", "doing"), 0.6
NOTE = "linkedin_connection"
#: How often a note takes the short form of a sentence where there is one.
SHORT_FORM = 0.7


@dataclass(frozen=True, slots=True)
class Motive:
    """Whether the motivational question may be asked, how sure we are (0 to 1), and why not."""

    confidence: float
    reason: str = ""


def motive_of(reference: Reference | None) -> Motive:
    """How well their own words carry a question about what they are after."""
    if reference is None:
        return Motive(0.0, "There is nothing of their own to ask about.")
    if reference.group == "words" and not reference.aim and reference.keys[0].startswith("about"):
        return Motive(0.3, "What a profile says of somebody is no recent concern of theirs.")
    if reference.group == "words":
        return Motive(min((0.7 if reference.aim else 0.5) + 0.3 * reference.bearing, 1.0))
    if reference.group == "doing":
        return Motive((0.5 if reference.subject == "talk" else 0.4) + 0.3 * reference.bearing)
    return Motive(0.0, "What could be cited says nothing about what moves them.")


@dataclass(slots=True)
class Attempt:
    """Draws references and phrases once; blocks are then asked for by name."""

    data: LanguageData
    style: Style
    material: Material
    channel: str
    depth: int
    layers: tuple[Layer, ...]
    threshold: float
    rng: Random
    used_phrases: set[str] = field(default_factory=set)
    cited: set[str] = field(default_factory=set)
    made: dict[str, Segment | None] = field(default_factory=dict)
    primary: Reference | None = None
    count: int = 0
    proofs_left: list[int] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.primary = self._draw_primary()
        order = list(range(len(self.material.proofs)))
        if len(order) > 1 and self.rng.random() < 0.4:
            order[0], order[1] = order[1], order[0]
        self.proofs_left = order

    # -- drawing ------------------------------------------------------------------------------

    def _allowed(self) -> list[tuple[float, tuple[Reference, ...]]]:
        return [
            (hook.score, tuple(ref for ref in refs if ref.layer in self.layers))
            for hook, refs in self.material.specific
            if any(ref.layer in self.layers for ref in refs)
        ]

    def _draw_primary(self) -> Reference | None:
        hooks = self._allowed() if self.depth else []
        if not hooks:
            return None
        own = [(score, refs) for score, refs in hooks if refs[0].group in OWN]
        if own and hooks[0][1][0].group not in OWN and own[0][0] >= OWN_BEFORE_PRESS * hooks[0][0]:
            hooks = own
        touching = [(score, refs) for score, refs in hooks if refs[0].bearing > 0]
        if touching and hooks[0][1][0].bearing == 0 and touching[0][0] >= OWN_BEFORE_PRESS * hooks[0][0]:
            hooks = touching
        near = [refs for score, refs in hooks if score >= NEAR_THE_BEST * hooks[0][0]]
        refs = near[0] if self.rng.random() < 0.75 else self.rng.choice(near)
        return self.rng.choice(refs)

    def phrase(self, key: str, slots: Mapping[str, str]) -> str | None:
        """A sentence of that key which these slots fill, one not used in this message where there is another."""
        drawn = self.drawn(key, slots)
        return drawn[1] if drawn else None

    def drawn(self, key: str, slots: Mapping[str, str]) -> tuple[str, str] | None:
        """The same as (template, sentence)."""
        sentences = self.data.sentences(key, formality=self.style.formality, tone=self.style.tone)
        forms = self.data.style.get("forms", {}).get(self.style.formality, {})
        ready = [(template, filled(template, {**forms, **slots})) for template in sentences]
        usable = [(template, text) for template, text in ready if text]
        alone = [pair for pair in usable if not self._said_before(pair[0])]
        fresh = [pair for pair in alone if pair[0] not in self.used_phrases] or alone
        if not fresh:
            return None
        chosen = self.rng.choice(fresh)
        self.used_phrases.add(chosen[0])
        return chosen

    def _said_before(self, template: str) -> bool:
        """Whether a phrase of the same sense stands already: a message gives one reason for writing, not two."""
        said = " | ".join(self.used_phrases).casefold()
        new = template.casefold()
        return any(
            any(mark in new for mark in row) and any(mark in said for mark in row)
            for row in self.data.style.get("once", ())
        )

    def _say(self, reference: Reference, *, second: bool = False) -> Segment | None:
        """The reference as a sentence; a second one has phrases that join on, where the language has them."""
        if self.cited.intersection(reference.evidence):
            return None
        slots = {**self.material.slots, **reference.slots}
        key = self.rng.choice(reference.keys)
        joined = f"{key}_second" if key.endswith("shared") else f"{key.partition('.')[0]}.second"
        short = self.channel == NOTE and self.rng.random() < SHORT_FORM
        drawn = (
            (self.drawn(joined, slots) if second else None)
            or (self.drawn(f"{key}_note", slots) if short else None)
            or self.drawn(key, slots)
        )
        if drawn is None:
            return None
        self.cited.update(reference.evidence)
        return claim(text=drawn[1], reference=reference, slots=slots_in(drawn[0]))

    # -- blocks -------------------------------------------------------------------------------

    def block(self, name: str) -> Segment | None:
        """The block's sentence, made once; None when nothing supports it."""
        if name not in self.made:
            self.made[name] = _BLOCKS[name](self)
        return self.made[name]

    def reference(self) -> Segment | None:
        if self.primary is None:
            return None
        self.count += 1
        return self._say(self.primary)

    def reference2(self) -> Segment | None:
        """Another hook than the first, of another group where there is one."""
        if self.count >= self.depth or self.primary is None:
            return None
        others = [refs for _, refs in self._allowed() if not self.cited.intersection(refs[0].evidence)]
        other_groups = [refs for refs in others if refs[0].group != self.primary.group]
        joining = [refs for refs in other_groups or others if self._joins_on(refs[0])]
        if not joining:
            return None
        self.count += 1
        return self._say(self.rng.choice(joining[0]), second=True)

    def _joins_on(self, reference: Reference) -> bool:
        """Whether the language has a sentence for it that goes on from another reference; news must touch the offer."""
        if reference.group == "news" and reference.bearing < NEAR_THE_OFFER:
            return False
        return bool(self.data.sentences(f"{reference.keys[0].partition('.')[0]}.second"))

    def common(self) -> Segment | None:
        if self.count >= self.depth or Layer.CONTEXTUAL not in self.layers:
            return None
        for reference in self.material.common:
            said = self._say(reference)
            if said is not None:
                self.count += 1
                return said
        return None

    def contextual(self) -> Segment | None:
        """Their role as the reason for writing; stands before the offer."""
        return self._role(after_offer=False)

    def fit(self) -> Segment | None:
        """Their role as what lets them judge; stands after the offer."""
        return self._role(after_offer=True)

    def _role(self, *, after_offer: bool) -> Segment | None:
        if Layer.CONTEXTUAL not in self.layers or not self.material.role:
            return None
        reference = self.rng.choice(self.material.role)
        keys = tuple(key for key in reference.keys if ("fit" in key) is after_offer)
        return self._say(replace(reference, keys=keys)) if keys else None

    def motive(self) -> Segment | None:
        """Only after their own words or doing, only above the strategy's threshold."""
        if self.primary is None or Layer.MOTIVATIONAL not in self.layers:
            return None
        if motive_of(self.primary).confidence < self.threshold:
            return None
        words = "motive.aim" if self.primary.aim else "motive.open"
        text = self.phrase(words if self.primary.group == "words" else "motive.doing", self.material.slots)
        return question(text=text, layer=Layer.MOTIVATIONAL, evidence=self.primary.evidence) if text else None

    def link(self) -> Segment | None:
        """What a proof point would be worth to them, on the condition that the subject matters to them."""
        if self.motive_confidence() < self.threshold or Layer.MOTIVATIONAL not in self.layers or not self.proofs_left:
            return None
        return self._proof("link")

    def motive_confidence(self) -> float:
        return motive_of(self.primary).confidence

    def bridge(self) -> Segment | None:
        """From what they said or did to the offer; from news of the company there is none."""
        return self.glue("bridge") if self.primary is not None and self.primary.group in OWN else None

    def reaction(self) -> Segment | None:
        if self.primary is None or self.primary.group not in OWN:
            return None
        return self.glue(f"reaction.{self.primary.group}")

    def shortest(self, key: str) -> Segment:
        """The shortest sentence of a key that needs no slot."""
        sentences = self.data.sentences(key, formality=self.style.formality)
        return Segment(kind="question", text=min((one for one in sentences if not slots_in(one)), key=len))

    def glue(self, key: str) -> Segment | None:
        """A sentence that states nothing."""
        text = self.phrase(key, self.material.slots)
        return Segment(kind="glue", text=text) if text else None

    def greeting(self) -> Segment | None:
        names = self.material.greeting
        drawn = self.drawn("greeting", {**self.material.slots, "name": names.first, "full_name": names.full})
        if drawn is None or not names.first:
            return self.glue("greeting_nameless")
        said = {"name": {"first_name": names.first}, "full_name": {"full_name": names.full}}
        arguments = {key: value for slot in slots_in(drawn[0]) for key, value in said.get(slot, {}).items()}
        return Segment("claim", drawn[1], ClaimType.OTHER, arguments, (names.ref,))

    def intro(self) -> Segment | None:
        text = self.phrase("intro", self.material.slots)
        company = self.material.slots["sender_company"]
        return offering(text=text, refs=self.material.sender_ref, sender_company=company) if text else None

    def offer(self) -> Segment | None:
        if not self.material.offer_key:
            return self.intro()
        text = self.phrase(self.material.offer_key, self.material.slots)
        refs = self.material.sender_ref + self.material.offer_refs
        company = self.material.slots["sender_company"]
        return (
            offering(text=text, refs=refs, offer=self.material.slots["offer"], sender_company=company) if text else None
        )

    def proof(self) -> Segment | None:
        return self._proof("proof") if self.proofs_left else None

    def _proof(self, key: str) -> Segment | None:
        """The next proof point in a sentence of that key."""
        at = min(self.proofs_left) if key == "link" else self.proofs_left[0]
        point = self.material.proofs[at]
        text = self.phrase(key, {**self.material.slots, "proof": point.text, "proof_in": point.inner})
        if not text:
            return None
        self.proofs_left.remove(at)
        return offering(text=text, refs=(point.ref,), proof=point.text)

    def cta(self) -> Segment | None:
        own = self.material.cta
        if own and self.channel != NOTE:
            return question(text=own)
        key = "cta_note" if self.channel == NOTE else "cta" if self.material.offer_key else "cta_unsaid"
        text = self.phrase(key, self.material.slots)
        return question(text=text) if text else None

    def sign(self) -> Segment | None:
        text = self.phrase("sign", self.material.slots)
        return offering(text=text, refs=self.material.sender_ref) if text else None

    def _card(self) -> str:
        """Name, title and company, as far as they are known."""
        slots = self.material.slots
        return self.phrase("card", slots) or self.phrase("card_short", slots) or slots["sender_name"]

    def signoff(self) -> Segment | None:
        closing = self.phrase("signoff", self.material.slots)
        card = self.material.signature or self._card()
        text = "\n".join(filter(None, (closing, card)))
        return offering(text=text, refs=self.material.sender_ref) if text else None


_BLOCKS: dict[str, Callable[[Attempt], Segment | None]] = {
    "greeting": Attempt.greeting,
    "reference": Attempt.reference,
    "reference2": Attempt.reference2,
    "common": Attempt.common,
    "contextual": Attempt.contextual,
    "fit": Attempt.fit,
    "motive": Attempt.motive,
    "link": Attempt.link,
    "hello": lambda attempt: attempt.glue("hello"),
    "reaction": Attempt.reaction,
    "opener": lambda attempt: attempt.glue("opener"),
    "bridge": Attempt.bridge,
    "brief": lambda attempt: attempt.glue("brief"),
    "intro": Attempt.intro,
    "offer": Attempt.offer,
    "proof": Attempt.proof,
    "proof2": Attempt.proof,
    "proof3": Attempt.proof,
    "cta": Attempt.cta,
    "decline": lambda attempt: attempt.glue("decline"),
    "sign": Attempt.sign,
    "signoff": Attempt.signoff,
}
#: What stays when room is short, first to last.
PRIORITY = (
    "reference",
    "motive",
    "contextual",
    "fit",
    "link",
    "common",
    "proof",
    "reference2",
    "hello",
    "intro",
    "reaction",
    "proof2",
    "bridge",
    "sign",
    "decline",
    "brief",
    "proof3",
)
LAYERED = ("motive", "contextual", "fit", "link")
