"""Who is in which campaign, at which step."""

from __future__ import annotations

from django.db import models
from django.utils import timezone

from outreach.campaigns.models import Campaign
from outreach.teams.models import Team
from prospects.models import Prospect


class EnrolmentState(models.TextChoices):
    ACTIVE = "active", "Active"
    PAUSED = "paused", "Paused"
    REPLIED = "replied", "Replied"
    FINISHED = "finished", "Finished"
    REMOVED = "removed", "Removed"


class Enrolment(models.Model):
    """A prospect in a campaign. `active` in one campaign at a time: one person, one purpose."""

    team = models.ForeignKey(Team, on_delete=models.CASCADE, related_name="+")
    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE, related_name="enrolments")
    prospect = models.ForeignKey(Prospect, on_delete=models.CASCADE, related_name="enrolments")
    state = models.CharField(max_length=16, choices=EnrolmentState, default=EnrolmentState.ACTIVE)
    state_reason = models.CharField(max_length=300, blank=True)
    step = models.PositiveSmallIntegerField(default=1)
    due_at = models.DateTimeField(default=timezone.now, help_text="When the step's draft may be written.")
    paused_until = models.DateField(null=True, blank=True)
    connected = models.BooleanField(
        null=True, blank=True, help_text="Whether the connection was accepted, as a person said; empty: nobody has said."
    )
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["campaign", "prospect"], name="enrolled_once_per_campaign"),
            models.UniqueConstraint(
                fields=["prospect"], condition=models.Q(state__in=["active", "paused"]), name="one_purpose_per_person"
            ),
        ]
        indexes = [
            models.Index(fields=["campaign", "state", "id"], name="enrolment_by_campaign"),
            models.Index(fields=["campaign", "step", "-id"], name="enrolment_by_step"),
            models.Index(fields=["due_at"], name="enrolment_due", condition=models.Q(state="active")),
            models.Index(
                fields=["due_at", "id"],
                name="enrolment_follow_up",
                condition=models.Q(state="active", step__gt=1),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.prospect} in {self.campaign}, step {self.step}"
