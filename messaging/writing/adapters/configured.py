"""The language model that the settings name, or none."""

from __future__ import annotations

from functools import lru_cache

from django.conf import settings

from messaging.writing.adapters.judge_model import ModelJudge
from messaging.writing.adapters.openai_model import OpenAIModel, Prices
from messaging.writing.domain.retry import RetryPolicy
from outreach.campaigns.adapters.mail import team_guard
from outreach.campaigns.domain.budget import ModelAccess
from outreach.egress import Guard


def configured_model() -> OpenAIModel | None:
    """The model to write with; None when neither endpoint nor key is set, and the composer writes."""
    if not _reachable():
        return None
    timeout = settings.OPENAI_TIMEOUT
    return _model(settings.OPENAI_MODEL, timeout, RetryPolicy(budget=max(90.0, float(timeout))))


def team_model(access: ModelAccess) -> OpenAIModel:
    """The model that a team named for itself, at the installation's prices and patience."""
    timeout = settings.OPENAI_TIMEOUT
    prices = Prices(settings.OPENAI_PRICE_PROMPT, settings.OPENAI_PRICE_CACHED, settings.OPENAI_PRICE_COMPLETION)
    policy = RetryPolicy(budget=max(90.0, float(timeout)))
    return _shared(access.base_url, access.key, access.name, timeout, (prices, policy, team_guard()))


def configured_judge() -> ModelJudge | None:
    """The model to judge with; None unless the settings name one."""
    if not (settings.OPENAI_JUDGE_MODEL and _reachable()):
        return None
    return judge_named(model=settings.OPENAI_JUDGE_MODEL)


def judge_named(*, model: str) -> ModelJudge:
    """A judge at the configured endpoint; "" is the first model that it lists. Asked once: late is no answer."""
    timeout = settings.OPENAI_JUDGE_TIMEOUT
    return ModelJudge(model=_model(model, timeout, RetryPolicy(attempts=1, budget=float(timeout))))


def _reachable() -> bool:
    return bool(settings.OPENAI_BASE_URL or settings.OPENAI_API_KEY)


def _model(name: str, timeout: int, policy: RetryPolicy) -> OpenAIModel:
    prices = Prices(settings.OPENAI_PRICE_PROMPT, settings.OPENAI_PRICE_CACHED, settings.OPENAI_PRICE_COMPLETION)
    return _shared(settings.OPENAI_BASE_URL, settings.OPENAI_API_KEY, name, timeout, (prices, policy, None))


@lru_cache(maxsize=64)
def _shared(
    base_url: str,
    api_key: str,
    name: str,
    timeout: int,
    terms: tuple[Prices, RetryPolicy, Guard | None],
) -> OpenAIModel:
    """One client a process: its connections are kept open and shared between threads. The guard is for a team's own server."""
    return OpenAIModel(
        base_url=base_url, api_key=api_key, model=name, timeout=timeout, prices=terms[0], policy=terms[1], guard=terms[2]
    )
