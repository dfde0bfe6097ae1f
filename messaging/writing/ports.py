"""The language model as the writing stage sees it. Adapters implement it; tests have one of their own."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from enum import StrEnum
from typing import Any, Protocol, TypeVar

from messaging.writing.domain.spending import Stop
from outreach.campaigns.domain.budget import ModelAccess

Value = TypeVar("Value")


@dataclass(frozen=True, slots=True)
class Message:
    """One message of a prompt. role: "system", "user" or "assistant"."""

    role: str
    content: str


@dataclass(frozen=True, slots=True)
class ModelRequest:
    """What is asked. The answer must be one JSON object of the schema. model: "" is the endpoint's own choice."""

    messages: tuple[Message, ...]
    schema: Mapping[str, Any]
    schema_name: str
    temperature: float = 0.7
    max_tokens: int = 2_000
    model: str = ""


@dataclass(frozen=True, slots=True)
class Usage:
    """What a request took, retries included. Tokens as the server counted them; cost in the account's currency."""

    prompt_tokens: int = 0
    cached_tokens: int = 0
    completion_tokens: int = 0
    cost: Decimal = Decimal(0)
    milliseconds: int = 0
    requests: int = 0


class Failed(StrEnum):
    """How a request ended without an answer."""

    UNAVAILABLE = "unavailable"  # timeouts, 5xx, 429 until the retries ran out
    WRONG_KEY = "wrong-key"
    MISCONFIGURED = "misconfigured"  # no such model, address that is no such server, request refused as invalid
    DECLINED = "declined"  # the model would not write it
    MALFORMED = "malformed"  # an answer that is no JSON object, or one cut off


#: The same request would fail the same way until somebody changes the settings.
LASTING = frozenset({Failed.WRONG_KEY, Failed.MISCONFIGURED})


@dataclass(frozen=True, slots=True)
class ModelAnswer:
    """A JSON object as parsed. Nothing about its content is known to be true, or even to fit the schema."""

    data: Mapping[str, Any]
    usage: Usage = field(default_factory=Usage)
    #: "" or how the object was found in an answer that was more than it
    repaired: str = ""


@dataclass(frozen=True, slots=True)
class ModelFailure:
    """No answer. message says what happened and, where a person can help, what to do."""

    kind: Failed
    message: str
    usage: Usage = field(default_factory=Usage)
    #: seconds for which the server wants to be left alone from now on; 0 when it did not say
    wait: float = 0.0

    @property
    def lasting(self) -> bool:
        return self.kind in LASTING


class LanguageModel(Protocol):
    """Anything that answers a request. Never raises for what a server does."""

    @property
    def name(self) -> str:
        """The model's name, as kept with each draft."""

    @property
    def longest(self) -> float:
        """Seconds that one call may block at most; a worker's lease must outlast it."""

    def most(self, *, request: ModelRequest) -> Decimal:
        """What the request costs at most, in the account's currency; 0 where no prices are known."""

    def complete(self, *, request: ModelRequest) -> ModelAnswer | ModelFailure:
        """One answer, or why there is none. Blocks until then; never called inside a transaction."""


class OwnModel(Protocol):
    """Makes the language model that a team named for itself."""

    def __call__(self, access: ModelAccess, /) -> LanguageModel: ...


class AtDesk(Protocol):
    """Runs work that needs the database, and waits for what it returns."""

    def __call__(self, work: Callable[[], Value], /) -> Value: ...


class Funds(Protocol):
    """What may still be spent. Set aside before each request, settled after it."""

    def set_aside(self, price: Decimal) -> Stop | None:
        """None when the money is ours; else why it is not."""

    def settle(self, *, price: Decimal, cost: Decimal) -> None:
        """What was set aside became a cost."""


class _Boundless:
    """Funds without a limit and without a ledger."""

    def set_aside(self, price: Decimal) -> Stop | None:
        del price
        return None

    def settle(self, *, price: Decimal, cost: Decimal) -> None:
        """Nothing is kept."""


BOUNDLESS: Funds = _Boundless()
