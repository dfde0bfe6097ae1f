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
from messaging.writing.domain.strategy import StrategyParameters
from messaging.writing.ports import Usage
from outreach.campaigns.domain.offer import CampaignOffer

#: Texts a model may hand in before layers are dropped.
TRIES = 3


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
