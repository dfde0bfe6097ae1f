"""Getting one text: the model up to three times with machine reasons, then with fewer layers, then the composer.

Nothing here touches the database or knows a transaction: models are slow, rows are not.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from messaging.hooks.domain.kinds import Layer
from messaging.hooks.domain.ranking import Hook
from messaging.models import AuthorKind
from messaging.verification.contract import DeclaredClaim
from messaging.writing.checking import Checked, Checker
from messaging.writing.domain.composer import compose
from messaging.writing.domain.strategy import StrategyParameters, limits_of
from messaging.writing.domain.style import Style, UnsupportedLanguage, decide_style
from messaging.writing.ports import Usage
from outreach.campaigns.domain.offer import CampaignOffer

#: Texts a model may hand in before layers are dropped.
TRIES = 3
#: Texts the composer makes of each plan before it takes a plainer one.
SEEDS = 4


@dataclass(frozen=True, slots=True)
class Brief:
    """Everything one message is written from."""

    checker: Checker
    offer: CampaignOffer
    hooks: tuple[Hook, ...]
    parameters: StrategyParameters
    prompt: str
    instruction: str
    seed: int
    #: bodies of the same batch, which this one must not resemble
    others: tuple[str, ...] = ()

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
    """One request to the model as it is kept: outcome is used, rejected, malformed, refused or error."""

    outcome: str
    detail: str
    usage: Usage


@dataclass(slots=True)
class Story:
    """What happened while one message was written: texts in order, the last one counts."""

    texts: list[Text] = field(default_factory=list)
    calls: list[Call] = field(default_factory=list)
    #: why the composer stepped in for the model, "" when it did not
    fallback: str = ""
    #: the lease was lost on the way; nothing may be stored
    lost: bool = False
    #: the model cannot be used until somebody changes the settings
    model_unusable: str = ""


def write_text(*, brief: Brief) -> Story:
    """Write one message."""
    return Story(texts=[_composed(brief)])


def _composed(brief: Brief) -> Text:
    """The composer's first text that passes; plainer and plainer ones, and in the end the plainest as it is."""
    try:
        style = decide_style(dossier=brief.checker.dossier, language=brief.checker.language, tone=brief.parameters.tone)
    except UnsupportedLanguage:
        # The verifier's refusal says which languages there are; nothing is written in one nobody can check.
        return _unwritten(brief)
    for plan in _plans(brief.parameters):
        for seed in range(SEEDS):
            text = _rendered(replace(brief, parameters=plan, seed=brief.seed * SEEDS + seed), style)
            if text.checked.clean:
                return text
    return text


def _plans(parameters: StrategyParameters) -> tuple[StrategyParameters, ...]:
    """The strategy itself, then without motive, with one reference, with none."""
    unmoved = tuple(layer for layer in parameters.layers if layer is not Layer.MOTIVATIONAL)
    fewer = replace(parameters, layers=unmoved)
    return (parameters, fewer, replace(fewer, depth=min(parameters.depth, 1)), replace(fewer, depth=0))


def _rendered(brief: Brief, style: Style) -> Text:
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
    )
    return Text(
        author_kind=AuthorKind.COMPOSER,
        subject=composed.subject,
        body=composed.body,
        declared=composed.declared,
        layers=tuple(str(layer) for layer in composed.layers),
        dropped_layers=tuple({"layer": str(one.layer), "reason": one.reason} for one in composed.dropped_layers),
        checked=checker.check(subject=composed.subject, body=composed.body, declared=composed.declared),
    )


def _unwritten(brief: Brief) -> Text:
    checked = brief.checker.check(subject="", body="")
    return Text(AuthorKind.COMPOSER, "", "", None, (), (), checked)
