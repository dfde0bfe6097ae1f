"""Which prompt is live. Versions are immutable; a pointer says which one is used, and drafts are stamped with it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from types import MappingProxyType
from typing import Any

from django.db import IntegrityError, transaction
from django.db.models import Max, Q

from messaging.models import PromptPointer, PromptVersion
from messaging.models.strategies import Stage
from outreach.teams.models import Team

_SHIPPED = Path(__file__).parent / "prompts"


@lru_cache
def shipped_prompts() -> Mapping[tuple[str, str], str]:
    """The product's own texts by stage and channel; "" is any channel. A channel's text is the common one and more."""
    texts = {(str(stage), ""): _text(f"{stage}.md") for stage in (Stage.ANALYSIS, Stage.WRITING)}
    common = texts[(str(Stage.WRITING), "")].rstrip()
    for path in sorted((_SHIPPED / "channels").glob("*.md")):
        texts[(str(Stage.WRITING), path.stem)] = f"{common}\n\n{path.read_text(encoding='utf-8')}"
    return MappingProxyType(texts)


def _text(name: str) -> str:
    return (_SHIPPED / name).read_text(encoding="utf-8")


def ensure_shipped_prompts() -> None:
    """Publish the product's own prompts: a changed text becomes a new version, old drafts keep the old one."""
    pointers = PromptPointer.objects.filter(team=None, language="").select_related("version")
    live = {(pointer.stage, pointer.channel): pointer.version.text for pointer in pointers}
    for (stage, channel), text in shipped_prompts().items():
        if live.get((stage, channel)) != text:
            _publish({"team": None, "stage": stage, "channel": channel, "language": ""}, text)


def _publish(ours: dict[str, Any], text: str) -> None:
    with suppress(IntegrityError), transaction.atomic():  # another process was faster
        highest = PromptVersion.objects.filter(**ours).aggregate(highest=Max("number"))["highest"] or 0
        same = PromptVersion.objects.filter(**ours, text=text).first()
        version = same or PromptVersion.objects.create(**ours, number=highest + 1, text=text, notes="Shipped.")
        PromptPointer.objects.update_or_create(**ours, defaults={"version": version})


def live_prompt(*, team: Team, channel: str, language: str, stage: Stage, number: int = 0) -> PromptVersion | None:
    """The most specific live prompt: the team's before the product's, then channel and language before any.

    number: of the version that a strategy wants instead, of the team's before the product's; 0, and one that does not
    exist, is the published one.
    """
    fitting = (Q(team=team) | Q(team=None)) & Q(stage=stage, channel__in=("", channel), language__in=("", language))
    wanted = _most_specific(PromptVersion.objects.filter(fitting, number=number)) if number else None
    if wanted is not None:
        return wanted
    pointers = PromptPointer.objects.filter(fitting).select_related("version")
    return _most_specific(pointer.version for pointer in pointers)


def _most_specific(versions: Iterable[PromptVersion]) -> PromptVersion | None:
    ranked = sorted(versions, key=lambda one: (one.team_id is not None, bool(one.channel), bool(one.language)))
    return ranked[-1] if ranked else None
