"""What we offer and how: campaigns, proof points, sender identities and accounts, policies."""

from __future__ import annotations

from django.conf import settings
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.utils import timezone

from outreach.teams.models import Team


class Channel(models.TextChoices):
    LINKEDIN_CONNECTION = "linkedin_connection", "LinkedIn connection note"
    LINKEDIN_MESSAGE = "linkedin_message", "LinkedIn message"
    INMAIL = "inmail", "InMail"
    EMAIL = "email", "Email"


class TeamPolicy(models.Model):
    """How careful a team is. Every default is the safe one."""

    team = models.OneToOneField(Team, on_delete=models.CASCADE, related_name="policy")
    four_eyes = models.BooleanField(default=True)
    self_approval_delay = models.PositiveIntegerField(
        default=10, help_text="Minutes a team of one waits before it may approve its own text."
    )
    undo_seconds = models.PositiveIntegerField(default=60, help_text="Grace period between approval and sending.")
    send_by_days = models.PositiveSmallIntegerField(
        default=7, validators=[MinValueValidator(1), MaxValueValidator(60)], help_text="Days an approval may wait."
    )
    observed_days_position = models.PositiveSmallIntegerField(
        default=180, help_text="How old an observed position may be for a claim in the present tense, in days."
    )
    review_target_hours = models.PositiveSmallIntegerField(default=24)
    postal_address = models.TextField(blank=True, help_text="Printed in the footer of every e-mail.")
    lawful_basis = models.CharField(max_length=200, default="legitimate interest (Art. 6(1)(f) GDPR)")
    quality_blocks = models.BooleanField(default=True, help_text="Length and call-to-action findings block approval.")

    class Meta:
        verbose_name_plural = "team policies"

    def __str__(self) -> str:
        return f"Policy of {self.team}"


class SenderIdentity(models.Model):
    """The person a message comes from. One team mate may have several."""

    team = models.ForeignKey(Team, on_delete=models.CASCADE, related_name="sender_identities")
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, related_name="+"
    )
    full_name = models.CharField(max_length=200)
    title = models.CharField(max_length=200, blank=True)
    company = models.CharField(max_length=200)
    signature = models.TextField(blank=True)

    def __str__(self) -> str:
        return f"{self.full_name}, {self.company}"


class AccountKind(models.TextChoices):
    SMTP = "smtp", "Mailbox (SMTP)"
    LINKEDIN = "linkedin", "LinkedIn (assisted)"


class SendingAccount(models.Model):
    """Where messages leave from. SMTP connection details without secrets; the deployment's EMAIL_URL is the default."""

    team = models.ForeignKey(Team, on_delete=models.CASCADE, related_name="sending_accounts")
    kind = models.CharField(max_length=16, choices=AccountKind)
    address = models.CharField(max_length=320, help_text="E-mail address, or LinkedIn profile name.")
    display_name = models.CharField(max_length=200, blank=True)
    note_limit = models.PositiveSmallIntegerField(
        default=200, help_text="Characters of a connection note: 200 on a basic account, 300 with Premium."
    )
    daily_cap = models.PositiveIntegerField(default=50, help_text="Messages in any 24 hours.")
    active = models.BooleanField(default=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["team", "kind", "address"], name="one_account_per_address")]

    def __str__(self) -> str:
        return self.address


class CampaignStatus(models.TextChoices):
    DRAFT = "draft", "Draft"
    RUNNING = "running", "Running"
    PAUSED = "paused", "Paused"
    FINISHED = "finished", "Finished"


class Campaign(models.Model):
    team = models.ForeignKey(Team, on_delete=models.CASCADE, related_name="campaigns")
    slug = models.SlugField()
    name = models.CharField(max_length=200)
    purpose = models.CharField(max_length=200, help_text="One purpose per person: no one is written to for two.")
    offer = models.TextField(help_text="What we offer, in one sentence that may be quoted.")
    value_proposition = models.TextField(blank=True, help_text="What the offer changes for them; ranks the hooks.")
    call_to_action = models.CharField(max_length=300, help_text="The one question the message ends with.")
    must_not_say = models.TextField(blank=True, help_text="One phrase a line.")
    channel = models.CharField(max_length=32, choices=Channel)
    languages = models.JSONField(default=list, help_text="Language codes that may be written; empty is all.")
    sender = models.ForeignKey(SenderIdentity, on_delete=models.PROTECT, related_name="campaigns")
    account = models.ForeignKey(SendingAccount, on_delete=models.PROTECT, related_name="campaigns")
    status = models.CharField(max_length=16, choices=CampaignStatus, default=CampaignStatus.DRAFT)
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, related_name="+"
    )
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["team", "slug"], name="one_campaign_per_slug")]
        indexes = [models.Index(fields=["team", "-id"], name="campaign_by_team")]

    def __str__(self) -> str:
        return self.name


class ProofPoint(models.Model):
    """A statement about us that may be made: text, figures, where it comes from, who approved it, until when."""

    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE, related_name="proof_points")
    key = models.CharField(max_length=32)
    text = models.TextField()
    source = models.CharField(max_length=300)
    date = models.CharField(max_length=10, blank=True, help_text="YYYY, YYYY-MM or YYYY-MM-DD")
    expires_on = models.DateField(null=True, blank=True)
    approved_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, related_name="+"
    )

    class Meta:
        constraints = [models.UniqueConstraint(fields=["campaign", "key"], name="one_proof_point_per_key")]

    def __str__(self) -> str:
        return self.text
