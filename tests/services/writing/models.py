"""Language models for tests: one that answers through the real adapter, one that breaks, and messages to answer with."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import UTC, datetime
from decimal import Decimal

from messaging.writing.adapters.openai_model import OpenAIModel, Prices
from messaging.writing.ports import ModelAnswer, ModelFailure, ModelRequest
from tests.factories import SUBJECT
from tests.services.writing.model_server import ModelServer, Reply

GREETING, CLOSING = "Hi Diego,\n\n", "\n\nBest regards,\nNaledi Mokoena"
ROLE = "You are Head of Platform Engineering at Pipewren. "
OFFER = "Hearthdesk is a shared support inbox for engineering teams.\n\n"
ASK = "Would a short call be useful?"


class StillClock:
    """Time stands still: sleeping is written down and takes none."""

    def __init__(self) -> None:
        self.slept: list[float] = []

    def monotonic(self) -> float:
        return sum(self.slept)

    def now(self) -> datetime:
        return datetime(2026, 12, 1, 12, tzinfo=UTC)

    def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)


class BrokenModel:
    """Raises what no model should; stands for a bug or a kill in the middle of a call."""

    name = "broken"
    longest = 1.0

    def __init__(self, error: BaseException) -> None:
        self.error = error

    def most(self, *, request: ModelRequest) -> Decimal:
        return Decimal(0)

    def complete(self, *, request: ModelRequest) -> ModelAnswer | ModelFailure:
        raise self.error


def model_at(server: ModelServer, *, timeout: float = 5.0, prices: Prices | None = None) -> OpenAIModel:
    """The real adapter on the server, which never sleeps."""
    return OpenAIModel(
        base_url=server.url, api_key="k", model="tester", clock=StillClock(), timeout=timeout, prices=prices
    )


def claim(text: str, *evidence: str, kind: str = "other", **arguments: str) -> dict[str, object]:
    pairs = [{"name": name, "value": value} for name, value in arguments.items()]
    return {"kind": "claim", "text": text, "claim_type": kind, "arguments": pairs, "evidence": list(evidence)}


def plain(kind: str, text: str) -> dict[str, object]:
    return {"kind": kind, "text": text, "claim_type": None, "arguments": [], "evidence": []}


def message(*said: dict[str, object], subject: str = SUBJECT, layers: Sequence[str] = ("contextual",)) -> Reply:
    """A message with the usual greeting, offer, question and closing around what is said."""
    body = [plain("glue", GREETING), *said, plain("offer", OFFER), plain("question", ASK), plain("glue", CLOSING)]
    return Reply(
        json.dumps({"subject": [plain("glue", subject)], "body": body, "layers": list(layers), "motivation": None})
    )


#: True on the evidence of `a_prospect`, citing its position.
FAITHFUL = message(claim(ROLE, "2", kind="title", title="Head of Platform Engineering", company="Pipewren"))
ANALYSIS = Reply(json.dumps({"reasoning": "", "hooks": [], "motivation": None}))
