"""What was tried, what became of it, and what was proposed because of it."""

from __future__ import annotations

import pgtrigger
from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.utils import timezone

from messaging.models import Draft, Strategy
from outreach.campaigns.models import Campaign
from outreach.teams.models import Team


class Exposure(models.Model):
    """One message and everything that was decided by lot or by rule when it was written. Immutable.

    persona: seniority of the prospect's title. cluster: their company; colleagues get one strategy and count as one.
    propensities: by strategy id, as at the draw. attributes: as assigned, not as they turned out. eligible: layers that
    the evidence allowed.
    """

    team = models.ForeignKey(Team, on_delete=models.CASCADE, related_name="+")
    draft = models.OneToOneField(Draft, on_delete=models.CASCADE, related_name="exposure")
    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE, related_name="+")
    strategy = models.ForeignKey(Strategy, on_delete=models.PROTECT, related_name="+")
    channel = models.CharField(max_length=32)
    language = models.CharField(max_length=16)
    persona = models.CharField(max_length=32)
    cluster = models.BigIntegerField(null=True, blank=True)
    propensities = models.JSONField(default=dict)
    attributes = models.JSONField(default=dict)
    eligible = models.JSONField(default=list)
    fallback = models.BooleanField(default=False, help_text="The embedded composer stepped in for the model.")
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        triggers = [pgtrigger.Protect(name="immutable", operation=pgtrigger.Update)]

    def __str__(self) -> str:
        return f"exposure {self.pk} of draft {self.draft_id}"


class OutcomeKind(models.TextChoices):
    SENT = "sent", "Sent"
    REPLY = "reply", "A person replied"
    POSITIVE = "positive", "The reply is positive"
    MEETING = "meeting", "A meeting"
    OPTOUT = "optout", "Asked to be left alone"
    BOUNCE = "bounce", "Came back as undeliverable"
    COMPLAINT = "complaint", "Complained"


class Outcome(models.Model):
    """One thing that happened to a message, or the taking back of one (amount -1). Immutable; read once each."""

    exposure = models.ForeignKey(Exposure, on_delete=models.CASCADE, related_name="outcomes")
    kind = models.CharField(max_length=16, choices=OutcomeKind)
    amount = models.SmallIntegerField(default=1)
    at = models.DateTimeField(help_text="When it happened.")
    edited = models.BooleanField(default=False, help_text="Of a sending: a person had changed the text.")
    source = models.CharField(max_length=80, unique=True, help_text="The row it was read from.")
    recorded_at = models.DateTimeField(default=timezone.now)
    counted = models.BooleanField(default=False, help_text="Is in the rollup.")

    class Meta:
        constraints = [models.CheckConstraint(condition=models.Q(amount__in=(-1, 1)), name="once_or_taken_back")]
        indexes = [
            models.Index(fields=["exposure", "kind"], name="outcome_by_exposure"),
            models.Index(fields=["id"], name="outcome_uncounted", condition=models.Q(counted=False)),
        ]
        triggers = [
            pgtrigger.Protect(
                name="immutable",
                operation=pgtrigger.Update,
                condition=pgtrigger.AnyChange("exposure", "kind", "amount", "at", "edited", "source"),
            )
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.amount:+d} of exposure {self.exposure_id}"


class DayCell(models.Model):
    """Messages alike in everything that a page or estimator asks for, sent on one day: the only thing they read.

    ages[a]: replies that came a days after sending; the last entry holds those after the window. Counts of replies,
    positive ones, meetings and opt-outs are those within the window.
    """

    team = models.ForeignKey(Team, on_delete=models.CASCADE, related_name="+")
    sent_on = models.DateField()
    strategy = models.ForeignKey(Strategy, on_delete=models.PROTECT, related_name="+")
    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE, related_name="+")
    channel = models.CharField(max_length=32)
    language = models.CharField(max_length=16)
    persona = models.CharField(max_length=32)
    fallback = models.BooleanField()
    edited = models.BooleanField()
    alike = models.CharField(max_length=64, help_text="Hash of attributes and propensities.")
    odds = models.CharField(max_length=64, help_text="Hash of the propensities alone.")
    attributes = models.JSONField(default=dict)
    propensities = models.JSONField(default=dict)
    sent = models.PositiveIntegerField(default=0)
    replied = models.IntegerField(default=0)
    positive = models.IntegerField(default=0)
    meetings = models.IntegerField(default=0)
    optouts = models.IntegerField(default=0)
    bounced = models.IntegerField(default=0)
    complaints = models.IntegerField(default=0)
    ages = ArrayField(models.IntegerField(), default=list)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=[
                    "team", "sent_on", "strategy", "campaign", "channel", "language", "persona", "fallback", "edited",
                    "alike",
                ],
                name="one_cell_a_day",
            )
        ]  # fmt: skip
        indexes = [models.Index(fields=["team", "odds"], name="cell_by_odds")]

    def __str__(self) -> str:
        return f"{self.sent} messages of {self.sent_on}"


class Computation(models.Model):
    """A retune: asked for by the clock or a person, done by a worker. The row is the queue; result is what pages show.

    result: arms, effects, tables, weeks and guardrails as plain JSON, empty until it is done.
    """

    team = models.ForeignKey(Team, on_delete=models.CASCADE, related_name="+")
    asked_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, related_name="+"
    )
    asked_at = models.DateTimeField(default=timezone.now)
    started_at = models.DateTimeField(null=True, blank=True)
    done_at = models.DateTimeField(null=True, blank=True)
    result = models.JSONField(default=dict)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["team"], condition=models.Q(done_at=None), name="one_computation_waits")
        ]
        indexes = [models.Index(fields=["team", "-id"], name="computation_newest")]

    def __str__(self) -> str:
        return f"computation {self.pk}"


class Mark(models.Model):
    """How far a source has been read."""

    source = models.CharField(max_length=32, primary_key=True)
    last_id = models.BigIntegerField(default=0)
    read_at = models.DateTimeField(default=timezone.now)

    def __str__(self) -> str:
        return f"{self.source} up to {self.last_id}"


class ProposalState(models.TextChoices):
    OPEN = "open", "Waits for a manager"
    APPROVED = "approved", "Approved"
    DECLINED = "declined", "Declined"
    REPLACED = "replaced", "Replaced by a newer one"


class Proposal(models.Model):
    """New weights, with the evidence as it was. weights, present: {strategy id: share}, each summing to one."""

    team = models.ForeignKey(Team, on_delete=models.CASCADE, related_name="+")
    state = models.CharField(max_length=16, choices=ProposalState, default=ProposalState.OPEN)
    weights = models.JSONField()
    present = models.JSONField()
    snapshot = models.JSONField(help_text="Arms, effects, guardrails and forecast as computed.")
    decided_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, related_name="+"
    )
    reason = models.TextField(blank=True)
    decided_at = models.DateTimeField(null=True, blank=True)
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["team"], condition=models.Q(state="open"), name="one_open_proposal"),
            models.CheckConstraint(
                condition=~models.Q(state="declined") | ~models.Q(reason=""), name="declined_with_a_reason"
            ),
        ]
        triggers = [
            pgtrigger.Protect(
                name="evidence_stays",
                operation=pgtrigger.Update,
                condition=pgtrigger.AnyChange("weights", "present", "snapshot", "team", "created_at"),
            )
        ]

    def __str__(self) -> str:
        return f"proposal {self.pk} ({self.state})"


class AppliedWeights(models.Model):
    """Every set of weights that was in force, the newest last. Immutable; going back writes a new one."""

    team = models.ForeignKey(Team, on_delete=models.CASCADE, related_name="+")
    number = models.PositiveIntegerField()
    weights = models.JSONField()
    incumbent = models.ForeignKey(Strategy, on_delete=models.PROTECT, null=True, blank=True, related_name="+")
    proposal = models.ForeignKey(Proposal, on_delete=models.PROTECT, null=True, blank=True, related_name="+")
    returns_to = models.ForeignKey("self", on_delete=models.PROTECT, null=True, blank=True, related_name="+")
    applied_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, related_name="+"
    )
    why = models.CharField(max_length=300)
    applied_at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["team", "number"], name="one_set_per_number")]
        triggers = [
            pgtrigger.Protect(
                name="immutable",
                operation=pgtrigger.Update,
                condition=pgtrigger.AnyChange("team", "number", "weights", "incumbent", "proposal", "why"),
            )
        ]

    def __str__(self) -> str:
        return f"weights {self.number}"


class FrozenArm(models.Model):
    """A strategy that gets no new messages because too many people asked to be left alone. Lifted by a manager."""

    team = models.ForeignKey(Team, on_delete=models.CASCADE, related_name="+")
    strategy = models.ForeignKey(Strategy, on_delete=models.CASCADE, related_name="+")
    reason = models.TextField()
    frozen_at = models.DateTimeField(default=timezone.now)
    lifted_at = models.DateTimeField(null=True, blank=True)
    lifted_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, related_name="+"
    )

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["team", "strategy"], condition=models.Q(lifted_at__isnull=True), name="frozen_once"
            )
        ]

    def __str__(self) -> str:
        return f"{self.strategy} frozen"
