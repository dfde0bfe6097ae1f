"""One small question to a language model, and in words what came of it. Nothing of any prospect is in it."""

from __future__ import annotations

from urllib.parse import urlsplit

from messaging.writing.adapters.configured import configured_model
from messaging.writing.adapters.openai_model import OpenAIModel
from messaging.writing.domain.retry import RetryPolicy
from messaging.writing.ports import Message, ModelFailure, ModelRequest
from outreach.campaigns.adapters.mail import team_guard
from outreach.campaigns.domain.budget import ModelAccess
from outreach.campaigns.ports import Tried
from outreach.egress import Guard, Refused

#: Seconds; somebody waits for the page.
TIMEOUT = 20.0
TRIAL = ModelRequest(
    messages=(Message("user", 'Answer with the JSON object {"ready": true} and nothing else.'),),
    schema={
        "type": "object",
        "properties": {"ready": {"type": "boolean"}},
        "required": ["ready"],
        "additionalProperties": False,
    },
    schema_name="trial",
    temperature=0,
    max_tokens=200,
)
#: What the messages of the adapter call by its variable, a team has in a field.
_FIELDS = {
    "OPENAI_API_KEY": "the key",
    "OPENAI_MODEL": "the name of the model",
    "OPENAI_BASE_URL": "the address",
}


def try_model(*, access: ModelAccess, guard: Guard | None = None) -> Tried:
    """access: empty is the installation's own. guard: which addresses may be asked; that of the settings when not given."""
    guard = guard or team_guard()
    if not access.own:
        model = configured_model()
        if model is None:
            return Tried(works=True, text="No model is named: the embedded composer writes, and needs no connection.")
        return _asked(model, {}, "")
    fault = _address_fault(guard, access.base_url)
    if fault:
        return Tried(works=False, text=fault)
    model = OpenAIModel(
        base_url=access.base_url, api_key=access.key, model=access.name, timeout=TIMEOUT,
        policy=RetryPolicy(attempts=1, budget=TIMEOUT), guard=guard,
    )  # fmt: skip
    try:
        return _asked(model, _FIELDS, access.key)
    finally:
        model.close()


def _address_fault(guard: Guard, base_url: str) -> str:
    parts = urlsplit(base_url)
    try:
        guard.addresses(parts.hostname or "", parts.port or (443 if parts.scheme == "https" else 80))
    except Refused as refused:
        here = "asked only where this installation allows it (PRIVATE_SERVERS)"
        return str(refused).replace("The site", "The server").replace("never fetched", here)
    return ""


def _asked(model: OpenAIModel, fields: dict[str, str], key: str) -> Tried:
    answer = model.complete(request=TRIAL)
    took = answer.usage.milliseconds
    if isinstance(answer, ModelFailure):
        text = answer.message
        for variable, field in fields.items():
            text = text.replace(variable, field)
        return Tried(works=False, text=text.replace(key, "…") if key else text, milliseconds=took)
    tokens = answer.usage.prompt_tokens + answer.usage.completion_tokens
    return Tried(
        works=True, text=f"{model.name} answers in {took} ms; the question took {tokens} tokens.", milliseconds=took
    )
