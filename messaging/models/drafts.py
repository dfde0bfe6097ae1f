"""The message to be: its dossier, each text it has had, and what the verifier said of it."""

from __future__ import annotations

import pgtrigger
from django.conf import settings
from django.db import models
from django.utils import timezone

from messaging.models.enrolments import Enrolment
from messaging.models.strategies import PromptVersion, Strategy
from outreach.campaigns.models import Campaign, Channel
from outreach.teams.models import Team, never_deleted
from prospects.models import Prospect


class FrozenDossier(models.Model):
    """The numbered set of evidence one draft is written from. items: [{"ref", "evidence_id", kind, actor, text, …}]."""

    team = models.ForeignKey(Team, on_delete=models.CASCADE, related_name="+")
    prospect = models.ForeignKey(Prospect, on_delete=models.CASCADE, related_name="+")
    items = models.JSONField()
    content_hash = models.CharField(max_length=64)
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        triggers = [pgtrigger.Protect(name="immutable", operation=pgtrigger.Update), *never_deleted()]

    def __str__(self) -> str:
        return f"dossier {self.pk}"


class DraftState(models.TextChoices):
    WAITING = "waiting", "Waiting to be written"
    WRITING = "writing", "Being written"
    READY = "ready", "Ready for review"
    BLOCKED = "blocked", "Blocked"
    CHANGES = "changes", "Changes requested"
    APPROVED = "approved", "Approved"
    REJECTED = "rejected", "Rejected"
    SENT = "sent", "Sent"
    CANCELLED = "cancelled", "Cancelled"


class Draft(models.Model):
    """One message to one prospect at one step. The row is the queue: workers claim it with a lease."""

    team = models.ForeignKey(Team, on_delete=models.CASCADE, related_name="drafts")
    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE, related_name="drafts")
    enrolment = models.ForeignKey(Enrolment, on_delete=models.CASCADE, related_name="drafts")
    prospect = models.ForeignKey(Prospect, on_delete=models.CASCADE, related_name="drafts")
    step = models.PositiveSmallIntegerField(default=1)
    channel = models.CharField(max_length=32, choices=Channel)
    language = models.CharField(max_length=16, blank=True)
    state = models.CharField(max_length=16, choices=DraftState, default=DraftState.WAITING)
    state_reason = models.TextField(blank=True)
    dossier = models.ForeignKey(FrozenDossier, on_delete=models.PROTECT, null=True, blank=True, related_name="drafts")
    hooks = models.JSONField(default=list, help_text="Ranked hooks as computed, best first.")
    layers = models.JSONField(default=list, help_text="Layers the text uses.")
    dropped_layers = models.JSONField(default=list, help_text="Layers dropped, each with the reason.")
    strategy = models.ForeignKey(Strategy, on_delete=models.PROTECT, null=True, blank=True, related_name="drafts")
    propensities = models.JSONField(default=dict, help_text="Probability of each strategy when this one was drawn.")
    prompt_version = models.ForeignKey(
        PromptVersion, on_delete=models.PROTECT, null=True, blank=True, related_name="drafts"
    )
    model = models.CharField(max_length=200, blank=True)
    fallback = models.BooleanField(default=False, help_text="The embedded composer stepped in for the model.")
    instruction = models.TextField(blank=True, help_text="A reviewer's instruction for the next writing.")
    instructed_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, related_name="+"
    )
    analysis = models.JSONField(default=dict, help_text="What stage 2 made of the evidence: motivation, pain points.")
    progress = models.CharField(max_length=300, blank=True, help_text="What its worker does now, for who watches.")
    attempts = models.PositiveSmallIntegerField(default=0, help_text="Times a worker has begun.")
    lease_token = models.UUIDField(null=True, blank=True)
    lease_until = models.DateTimeField(null=True, blank=True)
    current = models.ForeignKey("Revision", on_delete=models.PROTECT, null=True, blank=True, related_name="+")
    verdicts = models.CharField(
        max_length=200, blank=True, help_text="One letter a claim of the current check, for lists."
    )
    open_findings = models.PositiveSmallIntegerField(default=0)
    ready_at = models.DateTimeField(null=True, blank=True)
    review_due_at = models.DateTimeField(null=True, blank=True)
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["enrolment", "step"], name="one_draft_per_step")]
        indexes = [
            models.Index(fields=["team", "state", "review_due_at", "id"], name="draft_queue"),
            models.Index(
                fields=["state", "lease_until"],
                name="draft_claimable",
                condition=models.Q(state__in=["waiting", "writing"]),
            ),
            models.Index(
                fields=["team", "review_due_at", "id"],
                name="draft_blocked",
                condition=models.Q(state__in=["blocked", "changes"]),
            ),
            models.Index(fields=["team", "-id"], name="draft_rejected", condition=models.Q(state="rejected")),
            models.Index(
                fields=["id"], name="draft_queued", condition=models.Q(state__in=["ready", "blocked", "approved"])
            ),
            models.Index(fields=["campaign", "state", "id"], name="draft_by_campaign"),
            models.Index(fields=["prospect", "-id"], name="draft_by_prospect"),
        ]

    def __str__(self) -> str:
        return f"draft {self.pk} to {self.prospect_id} ({self.state})"


class AuthorKind(models.TextChoices):
    MODEL = "model", "Language model"
    COMPOSER = "composer", "Embedded composer"
    PERSON = "person", "A person"


class Revision(models.Model):
    """One text of a draft. Immutable. declared: the model's segments with typed claims, for the verifier."""

    draft = models.ForeignKey(Draft, on_delete=models.CASCADE, related_name="revisions")
    number = models.PositiveIntegerField()
    author_kind = models.CharField(max_length=16, choices=AuthorKind)
    subject = models.TextField(blank=True)
    body = models.TextField()
    content_hash = models.CharField(max_length=64, help_text="SHA-256 over subject, NUL, body.")
    dossier = models.ForeignKey(FrozenDossier, on_delete=models.PROTECT, related_name="revisions")
    declared = models.JSONField(null=True, blank=True)
    quality = models.JSONField(default=list)
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["draft", "number"], name="one_revision_per_number")]
        triggers = [pgtrigger.Protect(name="immutable", operation=pgtrigger.Update), *never_deleted()]

    def __str__(self) -> str:
        return f"revision {self.number} of draft {self.draft_id}"


class AuthorshipKind(models.TextChoices):
    PROMPTED = "prompted", "Prompted a regeneration"
    EDITED = "edited", "Edited the text"
    EVIDENCED = "evidenced", "Added evidence"


class Authorship(models.Model):
    """Who shaped a revision. Under four eyes none of them may approve it. Inherited by later edits of the text."""

    revision = models.ForeignKey(Revision, on_delete=models.CASCADE, related_name="authorships")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    kind = models.CharField(max_length=16, choices=AuthorshipKind)
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["revision", "user", "kind"], name="authorship_once")]
        triggers = [pgtrigger.Protect(name="append_only", operation=pgtrigger.Update), *never_deleted()]

    def __str__(self) -> str:
        return f"{self.user_id} {self.kind} revision {self.revision_id}"


class Check(models.Model):
    """One run of one verifier version over one revision."""

    revision = models.ForeignKey(Revision, on_delete=models.CASCADE, related_name="checks")
    verifier_version = models.CharField(max_length=32)
    passes = models.BooleanField()
    refused = models.TextField(blank=True)
    valid_until = models.DateField(null=True, blank=True, help_text="Last day on which every claim stays true.")
    send_by = models.DateField(help_text="The day the dates were measured against.")
    judged = models.JSONField(
        null=True, blank=True, help_text="What the judge said: model, failure, opinions. Empty: it was never asked."
    )
    quality = models.JSONField(
        null=True, blank=True, help_text="Findings with the levels of the team then. Empty: those of the revision hold."
    )
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        indexes = [models.Index(fields=["revision", "-id"], name="check_by_revision")]
        triggers = [pgtrigger.Protect(name="immutable", operation=pgtrigger.Update), *never_deleted()]

    def __str__(self) -> str:
        return f"check of revision {self.revision_id}: {'passes' if self.passes else 'blocks'}"


class Claim(models.Model):
    """A claim found by a check. evidence: refs; evidence_ids: rows that decide it."""

    checked = models.ForeignKey(Check, on_delete=models.CASCADE, related_name="claims")
    field_name = models.CharField(max_length=8)
    start = models.PositiveIntegerField()
    end = models.PositiveIntegerField()
    span = models.TextField()
    type = models.CharField(max_length=16)
    verdict = models.CharField(max_length=20)
    reason = models.TextField()
    hint = models.TextField(blank=True)
    evidence = models.JSONField(default=list)
    evidence_ids = models.JSONField(default=list)
    valid_until = models.DateField(null=True, blank=True)

    class Meta:
        indexes = [
            models.Index(fields=["-id"], name="claim_corroborated", condition=models.Q(verdict="judge-corroborated"))
        ]
        triggers = [pgtrigger.Protect(name="immutable", operation=pgtrigger.Update), *never_deleted()]

    def __str__(self) -> str:
        return f"{self.verdict}: {self.span[:60]}"


class ModelCall(models.Model):
    """One request to a language model: what it cost and how it ended. Prompts are not stored here."""

    draft = models.ForeignKey(Draft, on_delete=models.CASCADE, related_name="model_calls")
    stage = models.CharField(max_length=16)
    model = models.CharField(max_length=200)
    outcome = models.CharField(max_length=32, help_text="used, rejected, malformed, refused, error")
    detail = models.TextField(blank=True)
    prompt_tokens = models.PositiveIntegerField(default=0)
    cached_tokens = models.PositiveIntegerField(default=0)
    completion_tokens = models.PositiveIntegerField(default=0)
    cost = models.DecimalField(max_digits=12, decimal_places=6, default=0)
    milliseconds = models.PositiveIntegerField(default=0)
    created_at = models.DateTimeField(default=timezone.now)

    def __str__(self) -> str:
        return f"{self.model}: {self.outcome}"


class ModelSpend(models.Model):
    """What a campaign's requests to language models cost on one day (UTC), and what is set aside for those under way."""

    team = models.ForeignKey(Team, on_delete=models.CASCADE, related_name="+")
    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE, related_name="model_spend")
    day = models.DateField()
    spent = models.DecimalField(max_digits=14, decimal_places=6, default=0)
    aside = models.DecimalField(max_digits=14, decimal_places=6, default=0)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["campaign", "day"], name="one_spend_per_campaign_and_day")]
        indexes = [models.Index(fields=["team", "day"], name="spend_by_team_and_day")]

    def __str__(self) -> str:
        return f"{self.spent} on {self.day}"
