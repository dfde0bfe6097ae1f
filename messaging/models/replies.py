"""What came back: raw mail, kept, and what was read from it."""

from __future__ import annotations

import pgtrigger
from django.conf import settings
from django.db import models
from django.utils import timezone

from messaging.models.delivery import Delivery
from outreach.campaigns.models import SendingAccount
from outreach.teams.models import Team, never_deleted
from prospects.models import Prospect


class Mailbox(models.Model):
    """Where mail is read from, and how far it was read. `not read` and `no reply` differ."""

    account = models.OneToOneField(SendingAccount, on_delete=models.CASCADE, related_name="mailbox")
    uid_validity = models.BigIntegerField(null=True, blank=True)
    last_uid = models.BigIntegerField(default=0)
    read_at = models.DateTimeField(null=True, blank=True)
    error = models.TextField(blank=True)

    class Meta:
        verbose_name_plural = "mailboxes"

    def __str__(self) -> str:
        return f"mailbox of {self.account_id}"


class RawMail(models.Model):
    """A message as received. Immutable; every step after it can be run again."""

    team = models.ForeignKey(Team, on_delete=models.CASCADE, related_name="raw_mail")
    source = models.CharField(max_length=32, help_text="catchall, imap, file, pasted")
    content = models.BinaryField()
    sha256 = models.CharField(max_length=64)
    received_at = models.DateTimeField(default=timezone.now)

    class Meta:
        verbose_name_plural = "raw mail"
        constraints = [models.UniqueConstraint(fields=["team", "sha256"], name="raw_mail_once")]
        triggers = [pgtrigger.Protect(name="immutable", operation=pgtrigger.Update), *never_deleted()]

    def __str__(self) -> str:
        return f"raw mail {self.sha256[:12]}"


class ReplyState(models.TextChoices):
    NEW = "new", "New"
    ANSWERED = "answered", "Answered"
    CLOSED = "closed", "Closed"
    UNMATCHED = "unmatched", "Unmatched"


class Reply(models.Model):
    """What was read from raw mail, by which classifier."""

    team = models.ForeignKey(Team, on_delete=models.CASCADE, related_name="replies")
    raw = models.OneToOneField(RawMail, on_delete=models.PROTECT, related_name="reply")
    delivery = models.ForeignKey(Delivery, on_delete=models.SET_NULL, null=True, blank=True, related_name="replies")
    prospect = models.ForeignKey(Prospect, on_delete=models.SET_NULL, null=True, blank=True, related_name="replies")
    matched_by = models.CharField(max_length=32, blank=True)
    state = models.CharField(max_length=16, choices=ReplyState, default=ReplyState.NEW)
    sender_address = models.CharField(max_length=320, blank=True)
    subject = models.TextField(blank=True)
    kind = models.CharField(max_length=16)
    intent = models.CharField(max_length=20, blank=True)
    sentiment = models.CharField(max_length=16, blank=True)
    confidence = models.FloatField(default=0)
    text = models.TextField(blank=True)
    language = models.CharField(max_length=16, blank=True)
    return_date = models.DateField(null=True, blank=True)
    bounce = models.JSONField(null=True, blank=True)
    meeting = models.JSONField(null=True, blank=True)
    referral_to = models.CharField(max_length=320, blank=True, help_text="Whom they name instead: address or name.")
    follow_up_on = models.DateField(null=True, blank=True, help_text="When they ask to be written to again.")
    because = models.TextField(blank=True, help_text="The words that decided the reading.")
    read_as = models.CharField(max_length=20, blank=True, help_text="The classifier's intent, kept when corrected.")
    actions = models.JSONField(default=list, help_text="What was done because of it, once.")
    classifier_version = models.CharField(max_length=32)
    corrected_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, related_name="+"
    )
    received_at = models.DateTimeField(default=timezone.now)
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        verbose_name_plural = "replies"
        indexes = [
            models.Index(fields=["team", "state", "-id"], name="reply_by_team"),
            models.Index(fields=["delivery"], name="reply_by_delivery"),
            models.Index(fields=["prospect", "-id"], name="reply_by_prospect"),
            models.Index(fields=["-id"], name="reply_corrected", condition=models.Q(corrected_by__isnull=False)),
        ]

    def __str__(self) -> str:
        return f"{self.kind} from {self.sender_address}"
