"""Whom a campaign is for, and the enrolling of all of them: the row is the queue."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils import timezone

from outreach.campaigns.models import Campaign
from outreach.teams.models import Team


class CampaignAudience(models.Model):
    """The saved filters of a campaign, as messaging.enrolment.domain.audience reads them."""

    campaign = models.OneToOneField(Campaign, on_delete=models.CASCADE, related_name="audience")
    filters = models.JSONField(default=dict)
    saved_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, related_name="+"
    )
    saved_at = models.DateTimeField(default=timezone.now)

    def __str__(self) -> str:
        return f"audience of campaign {self.campaign_id}"


class TextReading(models.Model):
    """What a title, a place or a size was understood as. Only the digest of the text is kept, so it names nobody."""

    kind = models.CharField(max_length=16, help_text="What was read, and the version of the rules that read it.")
    digest = models.UUIDField(help_text="MD5 of the text.")
    value = models.CharField(max_length=32, blank=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["kind", "digest"], name="text_read_once")]
        indexes = [models.Index(fields=["kind", "value", "digest"], name="text_by_value")]

    def __str__(self) -> str:
        return f"{self.kind}: {self.value}"


class RunState(models.TextChoices):
    WAITING = "waiting", "Waiting"
    RUNNING = "running", "Running"
    DONE = "done", "Done"
    CANCELLED = "cancelled", "Cancelled"


class EnrolmentRun(models.Model):
    """Everybody of an audience on their way into a campaign. Walks the team's people by number, chunk by chunk.

    cursor: the last number looked at; upto: the newest when it began. Both move in the transaction that enrols.
    """

    team = models.ForeignKey(Team, on_delete=models.CASCADE, related_name="+")
    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE, related_name="enrolment_runs")
    filters = models.JSONField(default=dict, help_text="The audience when it was started.")
    state = models.CharField(max_length=16, choices=RunState, default=RunState.WAITING)
    message = models.CharField(max_length=300, blank=True)
    cursor = models.BigIntegerField(default=0)
    upto = models.BigIntegerField(default=0)
    total = models.PositiveIntegerField(default=0, help_text="People of the team to look at.")
    looked_at = models.PositiveIntegerField(default=0)
    enrolled = models.PositiveIntegerField(default=0)
    excluded = models.JSONField(default=dict, help_text="Reason to number of people left out.")
    lease_token = models.UUIDField(null=True, blank=True)
    lease_until = models.DateTimeField(null=True, blank=True)
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, related_name="+"
    )
    created_at = models.DateTimeField(default=timezone.now)
    claimed_at = models.DateTimeField(null=True, blank=True, help_text="When the present worker took it over.")
    claimed_looked_at = models.PositiveIntegerField(default=0, help_text="How many were looked at then.")
    finished_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["campaign"], condition=models.Q(state__in=["waiting", "running"]), name="one_run_per_campaign"
            )
        ]
        indexes = [
            models.Index(fields=["campaign", "-id"], name="run_by_campaign"),
            models.Index(fields=["id"], name="run_unfinished", condition=models.Q(state__in=["waiting", "running"])),
        ]

    def __str__(self) -> str:
        return f"enrolment run {self.pk} ({self.state})"
