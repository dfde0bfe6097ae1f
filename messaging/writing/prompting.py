"""Which prompt is live. Versions are immutable; a pointer says which one is used, and drafts are stamped with it."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import Any

from django.db import IntegrityError, transaction
from django.db.models import Max, Q

from messaging.models import PromptPointer, PromptVersion
from messaging.models.strategies import Stage
from outreach.teams.models import Team

_SHIPPED = Path(__file__).parent / "prompts"


def ensure_shipped_prompts() -> None:
    """Publish the product's own prompts: a changed text becomes a new version, old drafts keep the old one."""
    for stage in (Stage.ANALYSIS, Stage.WRITING):
        text = (_SHIPPED / f"{stage}.md").read_text(encoding="utf-8")
        ours: dict[str, Any] = {"team": None, "stage": stage, "channel": "", "language": ""}
        live = PromptPointer.objects.filter(**ours).select_related("version").first()
        if live is not None and live.version.text == text:
            continue
        with suppress(IntegrityError), transaction.atomic():  # another process was faster
            highest = PromptVersion.objects.filter(**ours).aggregate(highest=Max("number"))["highest"] or 0
            same = PromptVersion.objects.filter(**ours, text=text).first()
            version = same or PromptVersion.objects.create(**ours, number=highest + 1, text=text, notes="Shipped.")
            PromptPointer.objects.update_or_create(**ours, defaults={"version": version})


def live_prompt(*, team: Team, channel: str, language: str, stage: Stage) -> PromptVersion | None:
    """The most specific live prompt: the team's before the product's, then channel and language before any."""
    pointers = PromptPointer.objects.filter(
        Q(team=team) | Q(team=None), stage=stage, channel__in=("", channel), language__in=("", language)
    ).select_related("version")
    ranked = sorted(pointers, key=lambda one: (one.team_id is not None, bool(one.channel), bool(one.language)))
    return ranked[-1].version if ranked else None
