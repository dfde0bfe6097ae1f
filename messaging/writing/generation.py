"""Getting one text: the model up to three times with machine reasons, then with fewer layers, then the composer.

Nothing here touches the database or knows a transaction: models are slow, rows are not.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from messaging.hooks.domain.kinds import Layer, without_weakest
from messaging.hooks.domain.ranking import Hook
from messaging.models import AuthorKind
from messaging.verification.contract import DeclaredClaim
from messaging.verification.judge import Example, Heard, Judge
from messaging.writing.checking import Checked, Checker
from messaging.writing.domain.analysis import Settled, as_json, fault_of_layers, settle
from messaging.writing.domain.composer import compose
from messaging.writing.domain.prompt_text import rendered
from messaging.writing.domain.schema import (
    ANALYSIS_SCHEMA,
    GENERATION_SCHEMA,
    Generation,
    Malformed,
    PainPoint,
    read_analysis,
    read_generation,
)
from messaging.writing.domain.spending import Stop
from messaging.writing.domain.strategy import StrategyParameters, limits_of
from messaging.writing.domain.style import Style, UnsupportedLanguage, decide_style
from messaging.writing.domain.window import Example as Shown
from messaging.writing.domain.window import (
    Rejected,
    Window,
    analysis_window,
    context_window,
)
from messaging.writing.ports import (
    BOUNDLESS,
    Failed,
    Funds,
    LanguageModel,
    Message,
    ModelAnswer,
    ModelFailure,
    ModelRequest,
    Usage,
)
from outreach.campaigns.domain.offer import CampaignOffer

#: Texts a model may hand in before layers are dropped.
TRIES = 3
_OUTCOME = {
    Failed.UNAVAILABLE: "error",
    Failed.WRONG_KEY: "error",
    Failed.MISCONFIGURED: "error",
    Failed.DECLINED: "refused",
    Failed.MALFORMED: "malformed",
}


@dataclass(frozen=True, slots=True)
class Brief:
    """Everything one message is written from."""

    checker: Checker
    offer: CampaignOffer
    hooks: tuple[Hook, ...]
    parameters: StrategyParameters
    prompt: str
    analysis_prompt: str
    instruction: str
    seed: int
    #: what the campaign says about the step
    step_instruction: str = ""
    #: bodies of the same batch, which this one must not resemble
    others: tuple[str, ...] = ()
    #: how reviewers decided about claims, for the judge
    decided: tuple[Example, ...] = ()
    #: of tone and length, for the writing model
    examples: tuple[Shown, ...] = ()

    def with_layers(self, layers: tuple[Layer, ...]) -> Brief:
        """The same brief without the hooks of other layers."""
        kept = tuple(hook for hook in self.hooks if hook.layer in layers)
        return replace(self, hooks=kept, parameters=replace(self.parameters, layers=layers))


@dataclass(frozen=True, slots=True)
class Text:
    """One text as written, and what the checks said of it."""

    author_kind: AuthorKind
    subject: str
    body: str
    declared: tuple[DeclaredClaim, ...] | None
    layers: tuple[str, ...]
    dropped_layers: tuple[dict[str, str], ...]
    checked: Checked


@dataclass(frozen=True, slots=True)
class Call:
    """One request to a model as it is kept: outcome is used, rejected, malformed, refused or error.

    model: "" is the one that writes.
    """

    stage: str
    outcome: str
    detail: str
    usage: Usage
    model: str = ""


def call_of(heard: Heard) -> Call:
    """What asking a judge took."""
    usage = heard.usage if isinstance(heard.usage, Usage) else Usage()
    return Call("judge", "error" if heard.failure else "used", heard.failure, usage, heard.model)


@dataclass(frozen=True, slots=True)
class Postponed:
    """Why a message is not written now, and in how many seconds it is due again.

    counts: as one of the times that a draft may be begun.
    """

    reason: str
    seconds: float
    counts: bool = True


@dataclass(slots=True)
class Story:
    """What happened while one message was written: texts in order, the last one counts."""

    texts: list[Text] = field(default_factory=list)
    calls: list[Call] = field(default_factory=list)
    #: why the composer stepped in for the model, "" when it did not
    fallback: str = ""
    #: the lease was lost on the way; nothing may be stored
    lost: bool = False
    #: the model is not asked any more for this message
    stopped: bool = False
    #: written later instead of by the composer now; no text counts
    postponed: Postponed | None = None
    dropped_layers: tuple[dict[str, str], ...] = ()
    #: what stage 2 made of the evidence, as kept with the draft; {} when it was not asked
    analysis: dict[str, Any] = field(default_factory=dict)


def write_text(
    *,
    brief: Brief,
    model: LanguageModel | None,
    still_ours: Callable[[str], bool],
    judge: Judge | None = None,
    may_wait: bool = False,
    funds: Funds = BOUNDLESS,
) -> Story:
    """Write one message. still_ours: told what comes next, renews the lease; False ends the writing.

    may_wait: a server that wants to be left alone for longer than a call lasts puts the message off; else the
    composer writes it.
    """
    story = Story()
    style = _style(brief)
    if style is None:
        # The verifier's refusal says which languages there are; nothing is written in one nobody can check.
        story.texts.append(_unwritten(brief))
        return story
    if not still_ours("Reading the evidence."):
        story.lost = True
    elif model is None or not _Dialogue(brief, style, model, still_ours, story, funds, judge, may_wait).ends_well():
        story.texts.append(_composed(brief, style))
    return story


def _style(brief: Brief) -> Style | None:
    checker = brief.checker
    try:
        return decide_style(dossier=checker.dossier, language=checker.language, tone=brief.parameters.tone)
    except UnsupportedLanguage:
        return None


@dataclass(slots=True)
class _Dialogue:
    """The tries of one model at one message. Every text, good or bad, goes into the story."""

    brief: Brief
    style: Style
    model: LanguageModel
    still_ours: Callable[[str], bool]
    story: Story
    funds: Funds
    judge: Judge | None = None
    may_wait: bool = False
    motivation: str = ""
    pains: tuple[PainPoint, ...] = ()
    rejected: list[Rejected] = field(default_factory=list)

    def ends_well(self) -> bool:
        """Whether the last text of the story passes (or the lease was lost, and nothing counts any more)."""
        if self._analysed() and any(self._written(brief) for brief in self._plans()):
            return True
        return self.story.lost or self.story.postponed is not None

    def _plans(self) -> Iterator[Brief]:
        """Three times the whole strategy, then once without its weakest layer."""
        yield from (self.brief for _ in range(TRIES))
        fewer = without_weakest(self.brief.parameters.layers)
        if fewer and not self.story.stopped:
            self.motivation = ""
            yield self.brief.with_layers(fewer)

    def _asked(self, *, stage: str, window: Window, schema: Mapping[str, Any], now: str) -> ModelAnswer | None:
        """The answer to one request; None when there was none, with the reason in the story. now: for who watches."""
        if not self.still_ours(now):
            self.story.lost = True
        if self.story.lost or self.story.stopped:
            return None
        request = ModelRequest(
            messages=tuple(Message(turn.role, turn.content) for turn in window.turns),
            schema=schema,
            schema_name=stage,
            temperature=self.brief.parameters.temperature,
            model=self.brief.parameters.model,
        )
        price = self.model.most(request=request)
        stop = self.funds.set_aside(price)
        if stop is not None:
            self._halted(stop)
            return None
        try:
            answer = self.model.complete(request=request)
        except Exception:
            self.funds.settle(price=price, cost=Usage().cost)
            raise
        self.funds.settle(price=price, cost=answer.usage.cost)
        if isinstance(answer, ModelAnswer):
            return answer
        self._failed(stage, answer)
        return None

    def _halted(self, stop: Stop) -> None:
        """No more money: the message waits where that ends by itself, and is the composer's where it does not."""
        self.story.stopped = True
        self.story.fallback = stop.reason
        if stop.seconds:
            self.story.postponed = Postponed(stop.reason, stop.seconds, counts=False)

    def _failed(self, stage: str, failure: ModelFailure) -> None:
        self.story.calls.append(Call(stage, _OUTCOME[failure.kind], failure.message, failure.usage))
        self.story.fallback = failure.message
        # A server that cannot be reached is not asked again for this message; one that talks rubbish is.
        self.story.stopped = failure.lasting or failure.kind is Failed.UNAVAILABLE
        if failure.wait and self.may_wait:
            self.story.postponed = Postponed(f"Waits for the language model: {failure.message}", failure.wait)

    def _analysed(self) -> bool:
        """Stage 2: the model's choice of hooks, as far as the scores bear it out. False when nothing can be asked."""
        brief = self.brief
        if not brief.analysis_prompt or not brief.hooks:
            return True
        window = analysis_window(
            prompt=_rendered_prompt(brief.analysis_prompt, brief),
            dossier=brief.checker.dossier,
            hooks=brief.hooks,
            offer=brief.offer,
            parameters=brief.parameters,
        )
        answer = self._asked(stage="analysis", window=window, schema=ANALYSIS_SCHEMA, now="Choosing what to open with.")
        if answer is None:
            return not (self.story.stopped or self.story.lost)
        analysis = read_analysis(answer=answer.data)
        if isinstance(analysis, Malformed):
            self.story.calls.append(Call("analysis", "malformed", analysis.reason, answer.usage))
            return True
        settled = settle(
            analysis=analysis, hooks=brief.hooks, dossier=brief.checker.dossier, parameters=brief.parameters
        )
        ignored = " ".join(settled.ignored)
        self.story.calls.append(Call("analysis", "used", f"{settled.dropped} {ignored}".strip(), answer.usage))
        self._take(settled)
        return True

    def _take(self, settled: Settled) -> None:
        self.brief = replace(self.brief, hooks=settled.hooks)
        self.motivation, self.pains = settled.motivation, settled.pains
        self.story.analysis = as_json(settled)
        if settled.dropped:
            # Below the threshold the layer is dropped, not hinted at.
            kept = tuple(layer for layer in self.brief.parameters.layers if layer is not Layer.MOTIVATIONAL)
            self.brief = self.brief.with_layers(kept)
            self.story.dropped_layers = ({"layer": str(Layer.MOTIVATIONAL), "reason": settled.dropped},)

    def _told(self, brief: Brief) -> str:
        """Where the writing stands, for who watches."""
        if brief.parameters.layers != self.brief.parameters.layers:
            return "Writing with fewer layers, after three tries were stopped."
        why = f" The last one was stopped: {self.rejected[-1].reasons[0]}" if self.rejected else ""
        return f"Writing, try {len(self.rejected) + 1} of {TRIES}.{why}"

    def _written(self, brief: Brief) -> bool:
        """One try. True ends the tries: the text passes, or there is no point in another."""
        checker = brief.checker
        window = context_window(
            prompt=_rendered_prompt(brief.prompt, brief),
            dossier=checker.dossier,
            hooks=brief.hooks,
            offer=brief.offer,
            parameters=brief.parameters,
            style=self.style,
            channel=checker.channel,
            limits=limits_of(channel=checker.channel, note_limit=checker.note_limit),
            rejected=self.rejected,
            instruction=brief.instruction,
            motivation=self.motivation,
            pains=self.pains,
            thread=checker.thread,
            step_instruction=brief.step_instruction,
            examples=brief.examples,
        )
        answer = self._asked(stage="writing", window=window, schema=GENERATION_SCHEMA, now=self._told(brief))
        if answer is None:
            return self.story.lost
        read = read_generation(answer=answer.data)
        if isinstance(read, Malformed):
            return self._refused("malformed", (read.reason,), answer)
        return self._judged(brief, read, answer)

    def _judged(self, brief: Brief, read: Generation, answer: ModelAnswer) -> bool:
        subject, declared = brief.checker.in_conversation(subject=read.subject, declared=read.declared, body=read.body)
        read = replace(read, subject=subject, declared=declared)
        checked = brief.checker.check(subject=read.subject, body=read.body, declared=read.declared)
        if self.judge is not None and not checked.blocking:
            checked = self._read_again(brief, read, checked, self.judge)
        if self.story.lost:
            return True
        text = Text(
            author_kind=AuthorKind.MODEL,
            subject=read.subject,
            body=read.body,
            declared=read.declared,
            layers=tuple(str(layer) for layer in read.layers if layer in brief.parameters.layers),
            dropped_layers=self.story.dropped_layers,
            checked=checked,
        )
        self.story.texts.append(text)
        held = fault_of_layers(read=read, parameters=brief.parameters, given=bool(self.motivation))
        if held or not checked.clean:
            return self._refused("rejected", (*held, *checked.reasons), answer, read)
        self.story.calls.append(Call("writing", "used", read.repaired or answer.repaired, answer.usage))
        self.story.fallback = ""
        return True

    def _read_again(self, brief: Brief, read: Generation, checked: Checked, judge: Judge) -> Checked:
        """The judge's say, before anything is stored: it may save a paraphrase, or stop what the rules let pass."""
        if not self.still_ours("A second model reads what was written."):
            self.story.lost = True
            return checked
        checked, heard = brief.checker.put_before(
            judge=judge, checked=checked, subject=read.subject, body=read.body, declared=read.declared,
            examples=brief.decided,
        )  # fmt: skip
        if heard is not None:
            self.story.calls.append(call_of(heard))
        return checked

    def _refused(
        self, outcome: str, reasons: tuple[str, ...], answer: ModelAnswer, read: Generation | None = None
    ) -> bool:
        """Keep what was wrong, for the record and for the next try."""
        subject, body = (read.subject, read.body) if read is not None else ("", "")
        self.rejected.append(Rejected(subject, body, reasons))
        self.story.calls.append(Call("writing", outcome, " ".join(reasons)[:2_000], answer.usage))
        self.story.fallback = f"The model's last try was {outcome}: {reasons[0]}"
        return False


def _rendered_prompt(text: str, brief: Brief) -> str:
    return rendered(
        text=text,
        values={
            "sender_name": brief.offer.sender.full_name,
            "sender_company": brief.offer.sender.company,
            "channel": brief.checker.channel,
            "language": brief.checker.language,
        },
    )


def _composed(brief: Brief, style: Style) -> Text:
    """The composer's text: it only hands out what the same checks let stand, plainer and plainer if need be."""
    checker, parameters = brief.checker, brief.parameters
    composed = compose(
        dossier=checker.dossier,
        hooks=brief.hooks,
        offer=brief.offer,
        style=style,
        channel=checker.channel,
        language=checker.language,
        length=parameters.band(checker.channel),
        seed=brief.seed,
        limits=limits_of(channel=checker.channel, note_limit=checker.note_limit),
        depth=parameters.depth,
        layers=parameters.layers,
        threshold=parameters.threshold,
        others=brief.others,
        previous=checker.thread.bodies,
        accepts=lambda text: checker.check(subject=text[0], body=text[1], declared=text[2]).clean,
    )
    subject, declared = checker.in_conversation(
        subject=composed.subject, declared=composed.declared, body=composed.body
    )
    return Text(
        author_kind=AuthorKind.COMPOSER,
        subject=subject,
        body=composed.body,
        declared=declared,
        layers=tuple(str(layer) for layer in composed.layers),
        dropped_layers=tuple({"layer": str(one.layer), "reason": one.reason} for one in composed.dropped_layers),
        checked=checker.check(subject=subject, body=composed.body, declared=declared),
    )


def _unwritten(brief: Brief) -> Text:
    checked = brief.checker.check(subject="", body="")
    return Text(AuthorKind.COMPOSER, "", "", None, (), (), checked)
