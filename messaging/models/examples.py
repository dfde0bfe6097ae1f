"""Messages that did well, as examples for the language model: proposed, then approved or declined by a manager."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils import timezone

from outreach.campaigns.models import Channel
from outreach.teams.models import Team


class ExampleState(models.TextChoices):
    CANDIDATE = "candidate", "To be decided"
    APPROVED = "approved", "In use"
    DECLINED = "declined", "Declined"


class FewShotExample(models.Model):
    """A message that did well, with placeholders for everybody and every company, shown to the model as an example.

    Declining blanks subject and body. Those written to somebody who was erased are neither shown nor used.
    """

    team = models.ForeignKey(Team, on_delete=models.CASCADE, related_name="few_shot_examples")
    source = models.OneToOneField("messaging.Revision", on_delete=models.PROTECT, related_name="example")
    prospect = models.ForeignKey("prospects.Prospect", on_delete=models.CASCADE, related_name="+")
    channel = models.CharField(max_length=32, choices=Channel)
    language = models.CharField(max_length=16)
    subject = models.TextField(blank=True)
    body = models.TextField(blank=True)
    outcome = models.CharField(max_length=16, help_text="positive or meeting")
    rate = models.FloatField(help_text="Shrunken rate of positive replies of its strategy when it was proposed.")
    state = models.CharField(max_length=16, choices=ExampleState, default=ExampleState.CANDIDATE)
    decided_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, related_name="+"
    )
    decided_at = models.DateTimeField(null=True, blank=True)
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=models.Q(state="candidate") | models.Q(decided_at__isnull=False),
                name="example_decided_by_somebody",
            ),
            models.CheckConstraint(
                condition=~models.Q(state="approved") | ~models.Q(body=""), name="example_in_use_has_a_text"
            ),
        ]
        indexes = [
            models.Index(fields=["team", "state", "-id"], name="example_by_state"),
            models.Index(
                fields=["team", "channel", "language", "-rate", "-id"],
                name="example_in_use",
                condition=models.Q(state="approved"),
            ),
        ]

    def __str__(self) -> str:
        return f"example {self.pk} ({self.channel}, {self.language}, {self.state})"
