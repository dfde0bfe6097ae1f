"""What belongs to a file on its way in: its pieces, and the rows of it that went in together."""

from __future__ import annotations

from django.contrib.postgres.fields import ArrayField
from django.db import models


class ImportPart(models.Model):
    """A piece of a file on its way in, so that no process has to hold the whole. Gone once the file is done with."""

    batch = models.ForeignKey("prospects.ImportBatch", on_delete=models.CASCADE, related_name="parts")
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

    batch = models.ForeignKey("prospects.ImportBatch", on_delete=models.CASCADE, related_name="steps")
    first = models.PositiveIntegerField(help_text="How many rows of the file were done before.")
    rows = models.PositiveIntegerField()
    skipped = models.JSONField(default=list, help_text="Rows that were not used: row, reason, place, cells.")
    prospect_ids = ArrayField(models.BigIntegerField(), default=list)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["batch", "first"], name="import_step_once")]

    def __str__(self) -> str:
        return f"rows from {self.first} of import {self.batch_id}"
