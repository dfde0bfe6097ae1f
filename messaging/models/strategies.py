"""What can be tuned: strategies with weights, and immutable prompt versions published by pointer."""

from __future__ import annotations

import pgtrigger
from django.conf import settings
from django.db import models
from django.utils import timezone

from outreach.campaigns.models import Campaign, Channel
from outreach.teams.models import Team


class Stage(models.TextChoices):
    ANALYSIS = "analysis", "Analysis"
    WRITING = "writing", "Writing"


class PromptVersion(models.Model):
    """Immutable text for one stage. Team null is shipped with the product."""

    team = models.ForeignKey(Team, on_delete=models.CASCADE, null=True, blank=True, related_name="prompt_versions")
    stage = models.CharField(max_length=16, choices=Stage)
    channel = models.CharField(max_length=32, choices=Channel, blank=True)
    language = models.CharField(max_length=16, blank=True)
    number = models.PositiveIntegerField()
    text = models.TextField()
    notes = models.TextField(blank=True)
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, related_name="+"
    )
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["team", "stage", "channel", "language", "number"],
                nulls_distinct=False,
                name="prompt_number_once",
            )
        ]
        triggers = [
            pgtrigger.Protect(
                name="immutable",
                operation=pgtrigger.Update,
                condition=pgtrigger.AnyChange("team", "stage", "channel", "language", "number", "text"),
            )
        ]

    def __str__(self) -> str:
        return f"{self.stage} {self.channel or 'any channel'} {self.language or 'any language'} v{self.number}"


class PromptPointer(models.Model):
    """Which version is live for a stage, channel and language; team null is the product's default."""

    team = models.ForeignKey(Team, on_delete=models.CASCADE, null=True, blank=True, related_name="+")
    stage = models.CharField(max_length=16, choices=Stage)
    channel = models.CharField(max_length=32, choices=Channel, blank=True)
    language = models.CharField(max_length=16, blank=True)
    version = models.ForeignKey(PromptVersion, on_delete=models.PROTECT, related_name="pointers")
    published_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, related_name="+"
    )
    published_at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["team", "stage", "channel", "language"], nulls_distinct=False, name="one_live_prompt"
            )
        ]

    def __str__(self) -> str:
        return f"live: {self.version}"


class Strategy(models.Model):
    """A version of what can be tuned. Parameters as in messaging.writing.domain.strategy; immutable."""

    team = models.ForeignKey(Team, on_delete=models.CASCADE, related_name="strategies")
    key = models.SlugField()
    version = models.PositiveIntegerField(default=1)
    name = models.CharField(max_length=200)
    parameters = models.JSONField(default=dict)
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, related_name="+"
    )
    created_at = models.DateTimeField(default=timezone.now)
    retired_at = models.DateTimeField(null=True, blank=True, help_text="From then on no new draft draws it.")

    class Meta:
        verbose_name_plural = "strategies"
        constraints = [models.UniqueConstraint(fields=["team", "key", "version"], name="one_strategy_version")]
        indexes = [models.Index(fields=["team", "name", "-version", "-id"], name="strategy_by_name")]
        triggers = [
            pgtrigger.Protect(
                name="immutable",
                operation=pgtrigger.Update,
                condition=pgtrigger.AnyChange("team", "key", "version", "name", "parameters"),
            )
        ]

    def __str__(self) -> str:
        return f"{self.name} v{self.version}"


class StrategyWeight(models.Model):
    """The share of a campaign's new drafts that a strategy gets. Shares need not sum to one; they are normalised."""

    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE, related_name="strategy_weights")
    strategy = models.ForeignKey(Strategy, on_delete=models.PROTECT, related_name="weights")
    weight = models.FloatField(default=1.0)
    allowed = models.BooleanField(default=True, help_text="Off: the campaign does without it, whatever its weight.")

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["campaign", "strategy"], name="one_weight_per_strategy"),
            models.CheckConstraint(condition=models.Q(weight__gte=0), name="weight_not_negative"),
        ]

    def __str__(self) -> str:
        return f"{self.strategy}: {self.weight:g}"
