"""The frozen payload and the outbox. A payload's hash is checked by the database."""

from __future__ import annotations

import pgtrigger
from django.db import models
from django.db.models.functions import Now
from django.utils import timezone

from messaging.models.drafts import Draft, Revision
from outreach.campaigns.models import Channel, SendingAccount
from outreach.teams.models import Team, never_deleted
from prospects.models import Prospect


class Payload(models.Model):
    """The complete outgoing message: for e-mail the RFC 5322 bytes, for LinkedIn a canonical text form.

    sha256 is the hex digest of `content`; a CHECK in the migration holds it.
    """

    draft = models.ForeignKey(Draft, on_delete=models.CASCADE, related_name="payloads")
    revision = models.ForeignKey(Revision, on_delete=models.PROTECT, related_name="payloads")
    channel = models.CharField(max_length=32, choices=Channel)
    account = models.ForeignKey(SendingAccount, on_delete=models.PROTECT, related_name="+")
    recipient = models.CharField(max_length=500)
    message_id = models.CharField(max_length=300, blank=True)
    content = models.BinaryField()
    sha256 = models.CharField(max_length=64)
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        indexes = [models.Index(fields=["message_id"], name="payload_by_message_id")]
        triggers = [pgtrigger.Protect(name="immutable", operation=pgtrigger.Update), *never_deleted()]

    def __str__(self) -> str:
        return f"payload {self.sha256[:12]} to {self.recipient}"


class DeliveryState(models.TextChoices):
    WAITING = "waiting", "Scheduled"
    TASK = "task", "To send by hand"
    CLAIMED = "claimed", "Being handed over"
    SENT = "sent", "Sent"
    ATTESTED = "attested", "Sent by hand"
    HANDED_OVER = "handed_over", "Handed over"
    FAILED = "failed", "Failed"
    UNCONFIRMED = "unconfirmed", "Needs confirmation"
    CANCELLED = "cancelled", "Cancelled"


_DELIVERY_RULES = """
    IF NEW.state IN ('claimed', 'attested', 'handed_over') AND (TG_OP = 'INSERT' OR OLD.state IS DISTINCT FROM NEW.state)
       AND NOT EXISTS (
        SELECT 1 FROM messaging_approval a
        WHERE a.id = NEW.approval_id AND a.lapsed_at IS NULL AND a.payload_id = NEW.payload_id
          AND (a.send_by >= CURRENT_DATE OR NEW.state = 'attested')
    ) THEN
        RAISE EXCEPTION 'delivery refused: no standing approval of this payload' USING ERRCODE = 'check_violation';
    END IF;
    IF NEW.state = 'sent' AND (TG_OP = 'INSERT' OR OLD.state NOT IN ('claimed', 'unconfirmed', 'sent')) THEN
        RAISE EXCEPTION 'delivery refused: it was not claimed before it was sent' USING ERRCODE = 'check_violation';
    END IF;
    RETURN NEW;
"""


class Delivery(models.Model):
    """One outbox row per approval. Claimed once; an interrupted hand-over becomes `unconfirmed`, never a second try."""

    team = models.ForeignKey(Team, on_delete=models.CASCADE, related_name="deliveries")
    draft = models.ForeignKey(Draft, on_delete=models.CASCADE, related_name="deliveries")
    prospect = models.ForeignKey(Prospect, on_delete=models.CASCADE, related_name="deliveries")
    approval = models.OneToOneField("Approval", on_delete=models.PROTECT, related_name="delivery")
    payload = models.OneToOneField(Payload, on_delete=models.PROTECT, related_name="delivery")
    channel = models.CharField(max_length=32, choices=Channel)
    account = models.ForeignKey(SendingAccount, on_delete=models.PROTECT, related_name="deliveries")
    idempotency_key = models.UUIDField(unique=True)
    state = models.CharField(max_length=16, choices=DeliveryState, default=DeliveryState.WAITING)
    due_at = models.DateTimeField()
    claim_token = models.UUIDField(null=True, blank=True)
    claimed_at = models.DateTimeField(null=True, blank=True)
    attempts = models.PositiveSmallIntegerField(default=0)
    error = models.TextField(blank=True)
    error_permanent = models.BooleanField(null=True)
    transport_id = models.CharField(max_length=300, blank=True)
    sent_at = models.DateTimeField(null=True, blank=True)
    created_at = models.DateTimeField(default=timezone.now, db_default=Now())

    class Meta:
        verbose_name_plural = "deliveries"
        indexes = [
            models.Index(
                fields=["state", "due_at"], name="delivery_due", condition=models.Q(state__in=["waiting", "claimed"])
            ),
            models.Index(fields=["team", "state", "-id"], name="delivery_by_team"),
            models.Index(fields=["account", "sent_at"], name="delivery_by_account"),
            models.Index(fields=["prospect", "-id"], name="delivery_by_prospect"),
        ]
        triggers = [
            pgtrigger.Trigger(
                name="approved_only",
                when=pgtrigger.Before,
                operation=pgtrigger.Insert | pgtrigger.Update,
                func=_DELIVERY_RULES,
            ),
            pgtrigger.Protect(
                name="bound",
                operation=pgtrigger.Update,
                condition=pgtrigger.AnyChange(
                    "team", "draft", "prospect", "approval", "payload", "channel", "account", "idempotency_key"
                ),
            ),
            *never_deleted(),
        ]

    def __str__(self) -> str:
        return f"delivery {self.pk} ({self.state})"


class DeliveryEvent(models.Model):
    """What happened to a delivery, in order. Append-only."""

    delivery = models.ForeignKey(Delivery, on_delete=models.CASCADE, related_name="events")
    kind = models.CharField(max_length=32)
    detail = models.TextField(blank=True)
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        triggers = [pgtrigger.Protect(name="append_only", operation=pgtrigger.Update), *never_deleted()]

    def __str__(self) -> str:
        return f"{self.kind} at {self.at}"


class OptOutToken(models.Model):
    """Opaque and random, in the message's unsubscribe link; outlives erasure."""

    token = models.CharField(max_length=64, unique=True)
    team = models.ForeignKey(Team, on_delete=models.CASCADE, related_name="+")
    prospect = models.ForeignKey(Prospect, on_delete=models.SET_NULL, null=True, blank=True, related_name="+")
    draft = models.ForeignKey(Draft, on_delete=models.SET_NULL, null=True, blank=True, related_name="+")
    used_at = models.DateTimeField(null=True, blank=True)
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        indexes = [
            models.Index(fields=["-used_at"], name="optout_used", condition=models.Q(used_at__isnull=False)),
        ]

    def __str__(self) -> str:
        return f"opt-out token {self.pk}"
