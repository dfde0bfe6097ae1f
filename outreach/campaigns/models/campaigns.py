"""What we offer: campaigns, what proves the offer, and the steps in which people are written to."""

from __future__ import annotations

import pgtrigger
from django.conf import settings
from django.core.validators import MaxValueValidator
from django.db import models
from django.utils import timezone

from outreach.campaigns.models.settings import AccountKind, Channel, SenderIdentity, SendingAccount
from outreach.teams.models import Team


class CampaignStatus(models.TextChoices):
    DRAFT = "draft", "Draft"
    READY = "ready", "Ready"
    RUNNING = "running", "Running"
    PAUSED = "paused", "Paused"
    FINISHED = "finished", "Finished"


class Tone(models.TextChoices):
    PLAIN = "plain", "Plain"
    WARM = "warm", "Warm"
    CRISP = "crisp", "Crisp"


class Condition(models.TextChoices):
    """What must hold before a step is taken; as in domain.sequence. Whether a mail was opened is never asked."""

    ALWAYS = "always", "in any case"
    CONNECTED = "connected", "only if they accepted the connection"
    NOT_CONNECTED = "not_connected", "only if they have not accepted the connection"
    NO_REPLY = "no_reply", "only if they have not replied"


#: Status moves as in domain.lifecycle; the rest is refused, whoever asks.
_MOVES_RULE = """
    IF NOT (OLD.status || '>' || NEW.status = ANY (ARRAY[
        'draft>ready', 'draft>finished',
        'ready>draft', 'ready>running', 'ready>finished',
        'running>paused', 'running>finished',
        'paused>running', 'paused>finished'
    ])) THEN
        RAISE EXCEPTION 'campaign refused: from % to %', OLD.status, NEW.status USING ERRCODE = 'check_violation';
    END IF;
    RETURN NEW;
"""
_ACCOUNTS_RULE = """
    IF NEW.status IN ('ready', 'running', 'paused') AND EXISTS (
        SELECT 1 FROM campaigns_sequencestep s WHERE s.campaign_id = NEW.id AND NOT EXISTS (
            SELECT 1 FROM campaigns_sendingaccount a
            WHERE a.id IN (NEW.account_id, NEW.other_account_id) AND a.team_id = NEW.team_id
              AND a.kind = CASE s.channel WHEN 'email' THEN 'smtp' ELSE 'linkedin' END
        )
    ) THEN
        RAISE EXCEPTION 'campaign refused: a step has no account of its channel' USING ERRCODE = 'check_violation';
    END IF;
    RETURN NEW;
"""
_FIRST_STEP_RULE = """
    INSERT INTO campaigns_sequencestep (campaign_id, position, channel, wait_days, condition, instruction)
    VALUES (NEW.id, 1, NEW.channel, 0, 'always', '');
    RETURN NULL;
"""
_CHANNEL_TO_STEP_RULE = """
    UPDATE campaigns_sequencestep SET channel = NEW.channel
    WHERE campaign_id = NEW.id AND position = 1 AND channel <> NEW.channel;
    RETURN NULL;
"""
_CHANNEL_TO_CAMPAIGN_RULE = """
    UPDATE campaigns_campaign SET channel = NEW.channel WHERE id = NEW.campaign_id AND channel <> NEW.channel;
    RETURN NULL;
"""


class Campaign(models.Model):
    """An offer to people, in steps. A draft may be incomplete; `domain.checklist` says what it lacks.

    channel is the first step's; the database keeps the two equal. account serves the first step's kind of channel,
    other_account the other kind, where there are steps of it: `account_for` chooses.
    """

    team = models.ForeignKey(Team, on_delete=models.CASCADE, related_name="campaigns")
    slug = models.SlugField()
    name = models.CharField(max_length=200)
    purpose = models.CharField(
        max_length=200, blank=True, help_text="One purpose per person: no one is written to for two."
    )
    offer = models.TextField(blank=True, help_text="What we offer, in one sentence that may be quoted.")
    value_proposition = models.TextField(blank=True, help_text="What the offer changes for them; ranks the hooks.")
    call_to_action = models.CharField(max_length=300, blank=True, help_text="The one question the message ends with.")
    must_not_say = models.TextField(blank=True, help_text="One phrase a line.")
    tone = models.CharField(max_length=16, choices=Tone, blank=True, help_text="Empty: each strategy's own.")
    channel = models.CharField(max_length=32, choices=Channel, default=Channel.EMAIL)
    languages = models.JSONField(default=list, help_text="Language codes that may be written; empty is all.")
    sender = models.ForeignKey(
        SenderIdentity, on_delete=models.PROTECT, null=True, blank=True, related_name="campaigns"
    )
    account = models.ForeignKey(
        SendingAccount, on_delete=models.PROTECT, null=True, blank=True, related_name="campaigns"
    )
    other_account = models.ForeignKey(SendingAccount, on_delete=models.PROTECT, null=True, blank=True, related_name="+")
    no_proof_needed = models.BooleanField(default=False, help_text="The offer is all that is said about us.")
    starts_on = models.DateField(null=True, blank=True, help_text="No draft is written before.")
    ends_on = models.DateField(null=True, blank=True, help_text="No draft is written after.")
    budget = models.DecimalField(
        max_digits=10, decimal_places=2, null=True, blank=True,
        help_text="What its model calls may cost, in the currency of the price list; empty is no limit of its own.",
    )  # fmt: skip
    drafts_per_day = models.PositiveIntegerField(null=True, blank=True, help_text="Empty is no limit of its own.")
    status = models.CharField(max_length=16, choices=CampaignStatus, default=CampaignStatus.DRAFT)
    cloned_from = models.ForeignKey("self", on_delete=models.SET_NULL, null=True, blank=True, related_name="+")
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, related_name="+"
    )
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["team", "slug"], name="one_campaign_per_slug"),
            models.CheckConstraint(
                condition=models.Q(status__in=["draft", "finished"])
                | (models.Q(sender__isnull=False, account__isnull=False) & ~models.Q(offer="") & ~models.Q(purpose="")),
                name="campaign_complete_unless_draft",
            ),
            models.CheckConstraint(
                condition=models.Q(ends_on__isnull=True)
                | models.Q(starts_on__isnull=True)
                | models.Q(ends_on__gte=models.F("starts_on")),
                name="campaign_ends_after_start",
            ),
            models.CheckConstraint(
                condition=models.Q(budget__isnull=True) | models.Q(budget__gt=0), name="campaign_budget_positive"
            ),
            models.CheckConstraint(
                condition=models.Q(drafts_per_day__isnull=True) | models.Q(drafts_per_day__gt=0),
                name="campaign_drafts_per_day_positive",
            ),
        ]
        indexes = [models.Index(fields=["team", "-id"], name="campaign_by_team")]
        triggers = [
            pgtrigger.Trigger(
                name="status_moves", when=pgtrigger.Before, operation=pgtrigger.Update, func=_MOVES_RULE,
                condition=pgtrigger.AnyChange("status"),
            ),
            pgtrigger.Trigger(
                name="accounts_serve_steps", when=pgtrigger.Before, operation=pgtrigger.Update, func=_ACCOUNTS_RULE,
                condition=pgtrigger.AnyChange("status", "account", "other_account"),
            ),
            pgtrigger.Trigger(
                name="first_step", when=pgtrigger.After, operation=pgtrigger.Insert, func=_FIRST_STEP_RULE
            ),
            pgtrigger.Trigger(
                name="channel_to_step", when=pgtrigger.After, operation=pgtrigger.Update, func=_CHANNEL_TO_STEP_RULE,
                condition=pgtrigger.AnyChange("channel"),
            ),
        ]  # fmt: skip

    def __str__(self) -> str:
        return self.name

    def account_for(self, channel: str) -> SendingAccount | None:
        """Where a message of this channel leaves from; None where the campaign has no account of that kind."""
        wanted = AccountKind.SMTP if channel == Channel.EMAIL else AccountKind.LINKEDIN
        return next((one for one in (self.account, self.other_account) if one is not None and one.kind == wanted), None)

    def sending_account(self, channel: str) -> SendingAccount:
        """The same for a campaign that is complete. Raises LookupError where it is not: no draft is written for one."""
        found = self.account_for(channel)
        if found is None:
            raise LookupError(f"campaign {self.pk} has no account for {channel}")
        return found

    def sending_person(self) -> SenderIdentity:
        """Who writes. Raises LookupError for a draft that names nobody yet."""
        if self.sender is None:
            raise LookupError(f"campaign {self.pk} has no sender")
        return self.sender


class SequenceStep(models.Model):
    """One message of a campaign's sequence: position 1 is the first. A campaign has one from the moment it exists.

    wait_days: days after the step before was sent; instruction: what a writer should know about this step.
    """

    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE, related_name="steps")
    position = models.PositiveSmallIntegerField()
    channel = models.CharField(max_length=32, choices=Channel)
    wait_days = models.PositiveSmallIntegerField(default=0, validators=[MaxValueValidator(180)])
    condition = models.CharField(max_length=16, choices=Condition, default=Condition.ALWAYS)
    instruction = models.TextField(blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["campaign", "position"], name="one_step_per_position", deferrable=models.Deferrable.IMMEDIATE
            ),
            models.CheckConstraint(
                condition=models.Q(position__gt=1)
                | models.Q(position=1, wait_days=0, condition__in=["always", "no_reply"]),
                name="first_step_waits_for_nothing",
            ),
            models.CheckConstraint(condition=models.Q(wait_days__lte=180), name="step_waits_half_a_year_at_most"),
            models.CheckConstraint(condition=models.Q(condition__in=Condition.values), name="step_condition_known"),
        ]
        triggers = [
            pgtrigger.Trigger(
                name="channel_to_campaign", when=pgtrigger.After, operation=pgtrigger.Update,
                func=_CHANNEL_TO_CAMPAIGN_RULE, condition=pgtrigger.Q(new__position=1),
            ),
        ]  # fmt: skip

    def __str__(self) -> str:
        return f"step {self.position} of campaign {self.campaign_id}: {self.channel}"


class ProofPoint(models.Model):
    """A statement about us that may be made: text, where it comes from, who approved it, until when.

    Until somebody has approved it (approved_at) it licenses no claim.
    """

    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE, related_name="proof_points")
    key = models.CharField(max_length=32)
    text = models.TextField()
    source = models.CharField(max_length=300)
    date = models.CharField(max_length=10, blank=True, help_text="YYYY, YYYY-MM or YYYY-MM-DD")
    expires_on = models.DateField(null=True, blank=True)
    approved_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, related_name="+"
    )
    approved_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["campaign", "key"], name="one_proof_point_per_key")]

    def __str__(self) -> str:
        return self.text


class OfferChange(models.Model):
    """What a campaign says about us changed after texts were written: they are verified again.

    Messaging looks for the open ones, checks every text that waits and was last checked before `at`, and settles it.
    """

    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE, related_name="offer_changes")
    at = models.DateTimeField(default=timezone.now)
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, related_name="+")
    fields = models.JSONField(default=list, help_text="What changed: offer, proof_points.KEY, …")
    checked = models.PositiveIntegerField(default=0, help_text="Texts verified again because of it.")
    lapsed = models.PositiveIntegerField(default=0, help_text="Approvals that ended because of it.")
    settled_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        indexes = [
            models.Index(fields=["id"], name="offer_change_open", condition=models.Q(settled_at__isnull=True)),
            models.Index(fields=["campaign", "-id"], name="offer_change_by_campaign"),
        ]

    def __str__(self) -> str:
        return f"change of {self.campaign_id} at {self.at:%Y-%m-%d %H:%M}"
