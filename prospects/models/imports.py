"""Files on their way in: how their columns are read, their pieces, and the rows of them that went in together."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.utils import timezone

from outreach.teams.models import Team


class ImportState(models.TextChoices):
    PREPARED = "prepared", "Ready to start"
    WAITING = "waiting", "Waiting"
    RUNNING = "running", "Running"
    DONE = "done", "Done"
    REFUSED = "refused", "Refused"
    CANCELLED = "cancelled", "Cancelled"


class ImportBatch(models.Model):
    """One file on its way in. The row is the queue: a worker claims it, holds a lease, records how far it came."""

    team = models.ForeignKey(Team, on_delete=models.CASCADE, related_name="imports")
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+")
    started_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.SET_NULL,
        null=True,
        blank=True,
        related_name="+",
        help_text="Who let a prepared file in, where that was decided apart.",
    )
    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.SET_NULL,
        null=True,
        blank=True,
        related_name="+",
        help_text="The team mate a LinkedIn archive describes.",
    )
    prospect = models.ForeignKey(
        "prospects.Prospect", on_delete=models.SET_NULL, null=True, blank=True, related_name="+"
    )
    file_name = models.CharField(max_length=300)
    file_size = models.PositiveBigIntegerField(default=0, help_text="Bytes of the file as it was handed in.")
    file_sha256 = models.CharField(max_length=64)
    format = models.CharField(max_length=32, blank=True)
    mapping = models.JSONField(
        null=True,
        blank=True,
        help_text="How the columns of a table are read, as a person chose; none where the format knows.",
    )
    state = models.CharField(max_length=16, choices=ImportState, default=ImportState.WAITING)
    message = models.TextField(blank=True)
    rows = models.PositiveIntegerField(default=0)
    rows_done = models.PositiveIntegerField(default=0)
    created = models.PositiveIntegerField(default=0)
    updated = models.PositiveIntegerField(default=0)
    unchanged = models.PositiveIntegerField(default=0)
    problems = models.PositiveIntegerField(default=0, help_text="Rows that were not used; the steps hold them.")
    warnings = models.JSONField(default=list)
    lease_until = models.DateTimeField(null=True, blank=True)
    observed_on = models.DateField(
        null=True,
        blank=True,
        help_text="The day the file was first handed in: again the same file is no new observation.",
    )
    created_at = models.DateTimeField(default=timezone.now)
    started_at = models.DateTimeField(null=True, blank=True)
    claimed_at = models.DateTimeField(null=True, blank=True, help_text="When the present worker took it over.")
    claimed_rows = models.PositiveIntegerField(default=0, help_text="How many rows were done then.")
    finished_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        indexes = [
            models.Index(fields=["team", "-id"], name="import_by_team"),
            models.Index(fields=["team", "file_sha256"], name="import_by_content"),
            models.Index(fields=["id"], name="import_unfinished", condition=models.Q(state__in=["waiting", "running"])),
        ]

    def __str__(self) -> str:
        return f"{self.file_name} ({self.state})"

    @property
    def skipped(self) -> list[dict[str, Any]]:
        """All rows that were not used: row, reason, place and cells of each."""
        return [entry for rows in self.steps.order_by("first").values_list("skipped", flat=True) for entry in rows]

    @property
    def prospect_ids(self) -> list[int]:
        """The prospects that the file speaks about, in its order."""
        steps = self.steps.order_by("first").values_list("prospect_ids", flat=True)
        return list(dict.fromkeys(number for ids in steps for number in ids))


class ColumnMapping(models.Model):
    """What the columns of one header become, as the team chose last. Every file with that header is read so."""

    team = models.ForeignKey(Team, on_delete=models.CASCADE, related_name="column_mappings")
    fingerprint = models.CharField(max_length=64, help_text="Of the names of the columns, in any order.")
    labels = models.JSONField(default=list, help_text="The header as it stood in the file.")
    columns = models.JSONField(default=dict, help_text="Column key to field; what is missing is not imported.")
    file_name = models.CharField(max_length=300, blank=True, help_text="The file that it was chosen for.")
    saved_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, related_name="+"
    )
    saved_at = models.DateTimeField(default=timezone.now)
    used_at = models.DateTimeField(null=True, blank=True)
    uses = models.PositiveIntegerField(default=0)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["team", "fingerprint"], name="one_mapping_per_header")]
        indexes = [models.Index(fields=["team", "-id"], name="mapping_by_team")]

    def __str__(self) -> str:
        return ", ".join(map(str, self.labels[:6]))


class ImportPart(models.Model):
    """A piece of a file on its way in, so that no process has to hold the whole. Gone once the file is done with."""

    batch = models.ForeignKey(ImportBatch, on_delete=models.CASCADE, related_name="parts")
    number = models.PositiveIntegerField()
    data = models.BinaryField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["batch", "number"], name="import_part_once")]

    def __str__(self) -> str:
        return f"part {self.number} of import {self.batch_id}"


class ImportStep(models.Model):
    """Some rows of a file that went in together: written in the transaction that absorbed them, never changed.

    The unique beginning is what keeps rows from going in twice, whoever works on the file.
    """

    batch = models.ForeignKey(ImportBatch, on_delete=models.CASCADE, related_name="steps")
    first = models.PositiveIntegerField(help_text="How many rows of the file were done before.")
    rows = models.PositiveIntegerField()
    skipped = models.JSONField(default=list, help_text="Rows that were not used: row, reason, place, cells.")
    prospect_ids = ArrayField(models.BigIntegerField(), default=list)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["batch", "first"], name="import_step_once")]

    def __str__(self) -> str:
        return f"rows from {self.first} of import {self.batch_id}"
