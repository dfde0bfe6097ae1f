"""The language model that the settings name, or none."""

from __future__ import annotations

from functools import lru_cache

from django.conf import settings

from messaging.writing.adapters.openai_model import OpenAIModel, Prices
from messaging.writing.domain.retry import RetryPolicy


def configured_model() -> OpenAIModel | None:
    """The model to write with; None when neither endpoint nor key is set, and the composer writes."""
    if not (settings.OPENAI_BASE_URL or settings.OPENAI_API_KEY):
        return None
    return _model(
        settings.OPENAI_BASE_URL,
        settings.OPENAI_API_KEY,
        settings.OPENAI_MODEL,
        settings.OPENAI_TIMEOUT,
        Prices(settings.OPENAI_PRICE_PROMPT, settings.OPENAI_PRICE_CACHED, settings.OPENAI_PRICE_COMPLETION),
    )


@lru_cache(maxsize=4)
def _model(base_url: str, api_key: str, model: str, timeout: int, prices: Prices) -> OpenAIModel:
    """One client a process: its connections are kept open and shared between threads."""
    return OpenAIModel(
        base_url=base_url, api_key=api_key, model=model, timeout=timeout, prices=prices,
        policy=RetryPolicy(budget=max(90.0, float(timeout))),
    )  # fmt: skip
