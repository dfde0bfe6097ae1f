"""What people of an industry care about: short statements that a team owns and a manager has read."""

from __future__ import annotations

import pgtrigger
from django.conf import settings
from django.db import models
from django.utils import timezone

from outreach.teams.models import Team, never_deleted

#: What never changes: another wording is another version.
NOTE_CONTENT = ("team", "industry", "text", "kind", "source", "source_url", "language", "version", "replaces", "author")


class NoteState(models.TextChoices):
    DRAFT = "draft", "To be reviewed"
    APPROVED = "approved", "Approved"
    RETIRED = "retired", "Retired"


class IndustryNote(models.Model):
    """One version of one statement. Only an approved one can be cited, and only for a year after its review."""

    class Kind(models.TextChoices):
        REGULATION = "regulation", "Law or regulation"
        STANDARD = "standard", "Standard"
        ASSOCIATION = "association", "Trade association or statistics"
        SURVEY = "survey", "Survey or study"
        FILINGS = "filings", "Company reports"
        PRACTICE = "practice", "Common practice"

    team = models.ForeignKey(Team, on_delete=models.CASCADE, related_name="industry_notes")
    industry = models.CharField(max_length=64, help_text="Key of a shipped industry, or the team's own folded name.")
    text = models.CharField(max_length=300)
    kind = models.CharField(max_length=16, choices=Kind, help_text="What kind of source it rests on.")
    source = models.CharField(max_length=300)
    source_url = models.CharField(max_length=1000, blank=True)
    language = models.CharField(max_length=16, default="en")
    state = models.CharField(max_length=8, choices=NoteState, default=NoteState.DRAFT)
    version = models.PositiveSmallIntegerField(default=1)
    replaces = models.OneToOneField(
        "self",
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        related_name="successor",
        help_text="The version before.",
    )
    author = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        related_name="+",
        help_text="Nobody for a starter.",
    )
    created_at = models.DateTimeField(default=timezone.now)
    reviewed_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, blank=True, related_name="+"
    )
    reviewed_at = models.DateTimeField(null=True, blank=True)
    retired_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["team", "industry", "text", "state"],
                condition=~models.Q(state="retired"),
                name="industry_note_said_once",
            ),
            models.CheckConstraint(
                condition=~models.Q(state="approved") | models.Q(reviewed_by__isnull=False, reviewed_at__isnull=False),
                name="approved_industry_note_was_reviewed",
            ),
        ]
        indexes = [models.Index(fields=["team", "industry", "id"], name="industry_note_by_industry")]
        triggers = [
            pgtrigger.Protect(
                name="note_immutable", operation=pgtrigger.Update, condition=pgtrigger.AnyChange(*NOTE_CONTENT)
            ),
            *never_deleted(),
        ]

    def __str__(self) -> str:
        return f"{self.industry}: {self.text[:60]}"
