"""What the embedded catch-all mail server received. Nothing of it ever leaves this machine."""

from __future__ import annotations

import pgtrigger
from django.db import models
from django.utils import timezone


class CaughtMail(models.Model):
    """One message as it came over SMTP. It belongs to the team whose payload carries its Message-ID."""

    sender = models.CharField(max_length=320, blank=True)
    recipient = models.CharField(max_length=320)
    message_id = models.CharField(max_length=300, blank=True)
    content = models.BinaryField()
    sha256 = models.CharField(max_length=64)
    received_at = models.DateTimeField(default=timezone.now)

    class Meta:
        verbose_name_plural = "caught mail"
        indexes = [models.Index(fields=["message_id"], name="caught_by_message_id")]
        triggers = [pgtrigger.Protect(name="immutable", operation=pgtrigger.Update)]

    def __str__(self) -> str:
        return f"caught mail {self.pk} to {self.recipient}"
