"""Any OpenAI-compatible endpoint, through the `openai` library.

Asks for structured output by JSON schema; a server that does not know it is asked for plain JSON, once and for
all. Retries are ours, not the library's: capped, with jitter, and countable.
"""

from __future__ import annotations

import json
import random
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any, Protocol

import openai
from openai.types.chat import ChatCompletion, ChatCompletionMessage

from messaging.writing.adapters.bounded import TooLong, bounded_client
from messaging.writing.adapters.guarded import guarded_client
from messaging.writing.adapters.turnstile import Turnstile
from messaging.writing.domain.json_answer import NotFound, find_object, storable
from messaging.writing.domain.retry import RetryPolicy, retry_after
from messaging.writing.ports import Failed, ModelAnswer, ModelFailure, ModelRequest, Usage
from outreach.egress import Guard

TOO_MANY = 429
_RETRIED_STATUS = frozenset({408, 409, 425, TOO_MANY})
ONE = Usage(requests=1)
#: Seconds during which a server that refused our key or our model is not asked again.
REST = 60.0
#: Letters a token has at least, on average of a long prompt in the languages that are written.
FEWEST_LETTERS = 2
#: Tokens of one request that are believed; no context is so long.
MOST_TOKENS = 10_000_000
#: Letters kept of what a server says went wrong.
LONGEST_REASON = 500
#: Seconds of a Retry-After that are believed.
LONGEST_REST = 3_600.0
_PLAIN_JSON = "Answer with one JSON object and nothing else, no code fence. It must fit this JSON schema:\n"


class Clock(Protocol):
    """Time as the adapter needs it; tests pass one that does not sleep."""

    def monotonic(self) -> float:
        """Seconds from any fixed point."""

    def now(self) -> datetime:
        """The time of day, with a zone."""

    def sleep(self, seconds: float) -> None:
        """Wait."""


class SystemClock:
    """The machine's own time."""

    def monotonic(self) -> float:
        return time.monotonic()

    def now(self) -> datetime:
        return datetime.now(UTC)

    def sleep(self, seconds: float) -> None:
        threading.Event().wait(seconds)


@dataclass(frozen=True, slots=True)
class Prices:
    """Per million tokens, in the account's currency."""

    prompt: Decimal = Decimal(0)
    cached: Decimal = Decimal(0)
    completion: Decimal = Decimal(0)

    def of(self, *, prompt: int, cached: int, completion: int) -> Decimal:
        """What the tokens cost; cached ones are part of the prompt's."""
        fresh = max(prompt - cached, 0)
        total = fresh * self.prompt + cached * self.cached + completion * self.completion
        return total / Decimal(1_000_000)


@dataclass(frozen=True, slots=True)
class _Dialect:
    """What a server understands. Learnt from its refusals, once for all requests that follow."""

    structured: bool = True
    length_field: str = "max_tokens"
    temperature: bool = True

    def without_what(self, error: openai.APIStatusError) -> _Dialect:
        """The dialect without what the server complains of; unchanged when it complains of something else."""
        text = f"{error.message} {error.param or ''}".lower()
        if "max_tokens" in text and self.length_field == "max_tokens":
            return replace(self, length_field="max_completion_tokens")
        if "temperature" in text and self.temperature:
            return replace(self, temperature=False)
        about_format = any(word in text for word in ("response_format", "schema", "structured", "json"))
        # 422 is how strict servers refuse an unknown key, often without naming it.
        if self.structured and (about_format or error.status_code == 422):
            return replace(self, structured=False)
        return self


class OpenAIModel:
    """A model behind an OpenAI-compatible endpoint. Safe to share between threads."""

    def __init__(
        self,
        *,
        base_url: str,
        api_key: str,
        model: str,
        timeout: float = 60.0,
        prices: Prices | None = None,
        policy: RetryPolicy | None = None,
        clock: Clock | None = None,
        draw: Callable[[], float] = random.random,
        guard: Guard | None = None,
    ) -> None:
        """timeout in seconds, for one request. A local server that needs no key gets a stand-in.

        guard: which addresses may be asked, for a server that a team named; None for the installation's own.

        Without a model's name the first one that the server lists is used.
        """
        self._client = openai.OpenAI(
            base_url=base_url or None, api_key=api_key or "none", timeout=timeout, max_retries=0,
            http_client=guarded_client(guard=guard, timeout=timeout) if guard else bounded_client(timeout=timeout),
        )  # fmt: skip
        self._model = model
        self._timeout = timeout
        self._prices = prices or Prices()
        self._policy = policy or RetryPolicy()
        self._clock = clock or SystemClock()
        self._draw = draw
        self._dialect = _Dialect()
        self._unusable: ModelFailure | None = None
        self._unusable_until = 0.0
        self._turnstile = Turnstile()

    @property
    def name(self) -> str:
        return self._model or "unknown"

    @property
    def longest(self) -> float:
        return self._policy.budget + self._timeout

    def most(self, *, request: ModelRequest) -> Decimal:
        """By a careful count of the letters asked, no cache hit, and the longest answer."""
        letters = sum(len(one.content) for one in request.messages) + len(_compact(request.schema))
        return self._prices.of(prompt=letters // FEWEST_LETTERS, cached=0, completion=request.max_tokens)

    def close(self) -> None:
        self._client.close()

    def complete(self, *, request: ModelRequest) -> ModelAnswer | ModelFailure:
        """One answer or the reason there is none. Blocks for at most the policy's budget and one timeout more."""
        begun = self._clock.monotonic()
        if self._unusable is not None and begun < self._unusable_until:
            return self._unusable
        outcome, usage = self._persistently(request, begun)
        took = round((self._clock.monotonic() - begun) * 1000)
        usage = replace(usage, milliseconds=took)
        if isinstance(outcome, _Retry):
            # With attempts left it was the server's own wish that ended this call.
            wait = self._turnstile.wait(now=self._clock.monotonic()) if usage.requests < self._policy.attempts else 0.0
            return ModelFailure(Failed.UNAVAILABLE, f"{outcome.why} ({usage.requests} requests)", usage, wait=wait)
        answer = replace(outcome, usage=usage)
        if isinstance(answer, ModelFailure):
            answer = replace(answer, message=storable(answer.message)[:LONGEST_REASON])
        if isinstance(answer, ModelFailure) and answer.lasting:
            # Nobody mends a key between two messages of a batch: the rest is not sent to be refused as well.
            self._unusable, self._unusable_until = replace(answer, usage=Usage()), begun + REST
        return answer

    def _persistently(self, request: ModelRequest, begun: float) -> tuple[ModelAnswer | ModelFailure | _Retry, Usage]:
        """Requests until one is answered, the attempts are used up, or the next would begin after the budget."""
        usage, attempt = Usage(), 0
        outcome: ModelAnswer | ModelFailure | _Retry = _Retry("the server asked everyone to wait", usage=usage)
        while attempt < self._policy.attempts:
            rest = self._turnstile.wait(now=self._clock.monotonic())
            if self._clock.monotonic() - begun + rest > self._policy.budget:
                break
            if rest:
                self._clock.sleep(rest)
                continue
            attempt += 1
            outcome = self._ask(request)
            usage = _added(usage, outcome.usage)
            if not isinstance(outcome, _Retry):
                break
            wait = self._policy.wait(attempt=attempt, draw=self._draw())
            if outcome.asked is not None or outcome.busy:
                asked = wait if outcome.asked is None else min(outcome.asked, LONGEST_REST)
                self._turnstile.close_until(self._clock.monotonic() + asked)
                continue
            if attempt == self._policy.attempts or self._clock.monotonic() - begun + wait > self._policy.budget:
                break
            self._clock.sleep(wait)
        return outcome, usage

    def _ask(self, request: ModelRequest) -> ModelAnswer | ModelFailure | _Retry:
        """One request; more only when the server turns out not to know something we ask of it."""
        dialect = self._dialect
        try:
            return self._read(self._send(request, dialect))
        except (openai.BadRequestError, openai.UnprocessableEntityError) as error:
            simpler = dialect.without_what(error)
            if simpler == dialect:
                return ModelFailure(Failed.MISCONFIGURED, f"The server refused the request: {_said(error)}", ONE)
            self._dialect = simpler
            return self._ask(request)
        except openai.APIError as error:
            return self._failed(error)
        except RecursionError:
            return _Retry("the server's answer cannot be read: it is nested too deeply")
        except ValueError as error:  # a body that is no JSON
            return _Retry(f"the server's answer cannot be read: {error}")

    def _send(self, request: ModelRequest, dialect: _Dialect) -> ChatCompletion:
        messages = [{"role": one.role, "content": one.content} for one in request.messages]
        arguments: dict[str, Any] = {"model": request.model or self._named(), dialect.length_field: request.max_tokens}
        if dialect.temperature:
            arguments["temperature"] = request.temperature
        if dialect.structured:
            arguments["response_format"] = {
                "type": "json_schema",
                "json_schema": {
                    "name": request.schema_name,
                    "schema": json.loads(_compact(request.schema)),
                    "strict": True,
                },
            }
        else:
            messages.append({"role": "system", "content": _PLAIN_JSON + _compact(request.schema)})
        # The body is plain JSON already: `chat.completions.create` would walk through all of it once more.
        return self._client.post(
            "/chat/completions", cast_to=ChatCompletion, body={"messages": messages, **arguments},
            options={"security": {"bearer_auth": True}},
        )  # fmt: skip

    def _named(self) -> str:
        if not self._model:
            self._model = next((str(listed.id) for listed in self._client.models.list()), "default")
        return self._model

    def _read(self, completion: ChatCompletion) -> ModelAnswer | ModelFailure | _Retry:
        usage = self._usage(completion)
        # Servers are "compatible" to different degrees: nothing about the shape is taken for granted.
        choices: Any = getattr(completion, "choices", None)
        message = getattr(choices[0], "message", None) if isinstance(choices, list) and choices else None
        if not isinstance(message, ChatCompletionMessage):
            return _Retry("the server answered without a message", usage=usage)
        if getattr(message, "refusal", None):
            return ModelFailure(Failed.DECLINED, f"The model declined: {message.refusal}", usage)
        reason = getattr(choices[0], "finish_reason", None)
        if reason == "content_filter":
            return ModelFailure(Failed.DECLINED, "The server's content filter stopped the answer.", usage)
        content = message.content if isinstance(message.content, str) else ""
        found = find_object(content)
        if isinstance(found, NotFound):
            ended = ", it reached the token limit" if reason == "length" else ""
            return ModelFailure(Failed.MALFORMED, f"No usable answer: {found.reason}{ended}.", usage)
        return ModelAnswer(found.data, usage, found.how)

    def _usage(self, completion: ChatCompletion) -> Usage:
        used = getattr(completion, "usage", None)
        details = getattr(used, "prompt_tokens_details", None)
        prompt, completed = _count(used, "prompt_tokens"), _count(used, "completion_tokens")
        cached = min(_count(details, "cached_tokens"), prompt)
        cost = self._prices.of(prompt=prompt, cached=cached, completion=completed)
        return Usage(prompt, cached, completed, cost, requests=1)

    def _failed(self, error: openai.APIError) -> ModelFailure | _Retry:
        if isinstance(error, openai.APIConnectionError):
            return _Retry(_unreached(error))
        if isinstance(error, (openai.AuthenticationError, openai.PermissionDeniedError)):
            return ModelFailure(
                Failed.WRONG_KEY, f"The server refused the key; check OPENAI_API_KEY ({_said(error)}).", ONE
            )
        if isinstance(error, openai.NotFoundError):
            return ModelFailure(
                Failed.MISCONFIGURED,
                f"The server does not know this; check OPENAI_MODEL and OPENAI_BASE_URL ({_said(error)}).",
                ONE,
            )
        if isinstance(error, openai.APIStatusError):
            return self._by_status(error)
        return _Retry("the server's answer cannot be read")

    def _by_status(self, error: openai.APIStatusError) -> ModelFailure | _Retry:
        if error.code == "insufficient_quota":
            return ModelFailure(Failed.MISCONFIGURED, f"The account's quota is used up ({_said(error)}).", ONE)
        if error.status_code in _RETRIED_STATUS or error.status_code >= 500:
            asked = retry_after(value=error.response.headers.get("retry-after", ""), now=self._clock.now())
            return _Retry(f"the server answered {error.status_code}", asked=asked, busy=error.status_code == TOO_MANY)
        return ModelFailure(Failed.MISCONFIGURED, _said(error), ONE)


@dataclass(frozen=True, slots=True)
class _Retry:
    """Worth another request. asked: what the server wants us to wait, in seconds; busy: it has too many requests."""

    why: str
    asked: float | None = None
    busy: bool = False
    usage: Usage = ONE


def _added(one: Usage, other: Usage) -> Usage:
    return Usage(
        one.prompt_tokens + other.prompt_tokens,
        one.cached_tokens + other.cached_tokens,
        one.completion_tokens + other.completion_tokens,
        one.cost + other.cost,
        requests=one.requests + other.requests,
    )


def _count(holder: object, name: str) -> int:
    value = getattr(holder, name, None)
    if not isinstance(value, int) or isinstance(value, bool):
        return 0
    return value if 0 < value <= MOST_TOKENS else 0


def _unreached(error: openai.APIConnectionError) -> str:
    if isinstance(error, openai.APITimeoutError):
        return "the server did not answer in time"
    return (
        str(error.__cause__)
        if isinstance(error.__cause__, TooLong)
        else "the server cannot be reached; check OPENAI_BASE_URL"
    )


def _said(error: openai.APIError) -> str:
    """What the server said, short: it goes into records that people read. Never holds the key in full."""
    return " ".join(str(error.message).split())[:300]


def _compact(schema: object) -> str:
    return json.dumps(schema, ensure_ascii=False, separators=(",", ":"), default=dict)
