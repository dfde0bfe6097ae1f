"""How a team sends: policies, sender identities and accounts."""

from __future__ import annotations

from decimal import Decimal

import pgtrigger
from django.conf import settings
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.utils import timezone

from outreach.teams.models import Team, never_deleted


class Channel(models.TextChoices):
    LINKEDIN_CONNECTION = "linkedin_connection", "LinkedIn connection note"
    LINKEDIN_MESSAGE = "linkedin_message", "LinkedIn message"
    INMAIL = "inmail", "InMail"
    EMAIL = "email", "Email"


#: The settings that decide how strictly is approved, and when a new value is the weaker one; as in domain.weakening.
_POLICY_RULES = """
    weaker := array_remove(ARRAY[
        CASE WHEN OLD.four_eyes AND NOT NEW.four_eyes THEN 'four_eyes' END,
        CASE WHEN OLD.quality_blocks AND NOT NEW.quality_blocks THEN 'quality_blocks' END,
        CASE WHEN EXISTS (
            SELECT 1 FROM jsonb_each_text(NEW.quality_levels) n
            WHERE n.value = 'warn' AND OLD.quality_levels ->> n.key IS DISTINCT FROM 'warn'
        ) OR EXISTS (
            SELECT 1 FROM jsonb_each_text(OLD.quality_levels) o
            WHERE o.value = 'block' AND NEW.quality_levels ->> o.key IS DISTINCT FROM 'block'
        ) THEN 'quality_levels' END,
        CASE WHEN NEW.self_approval_delay < OLD.self_approval_delay THEN 'self_approval_delay' END,
        CASE WHEN NEW.observed_days_position > OLD.observed_days_position THEN 'observed_days_position' END,
        CASE WHEN NEW.observed_days_company > OLD.observed_days_company THEN 'observed_days_company' END,
        CASE WHEN NEW.observed_days_common > OLD.observed_days_common THEN 'observed_days_common' END,
        CASE WHEN NEW.notice_texts <> OLD.notice_texts AND NEW.notice_texts <> '{}' THEN 'notice_texts' END,
        CASE WHEN NEW.send_by_days > OLD.send_by_days THEN 'send_by_days' END
    ], NULL);
    IF EXISTS (
        SELECT 1 FROM unnest(weaker) AS setting WHERE NOT EXISTS (
            SELECT 1 FROM campaigns_policychange c
            WHERE c.team_id = NEW.team_id AND c.state = 'waiting'
              AND c.changes -> setting ->> 1 = to_jsonb(NEW) ->> setting
              AND (c.decided_by_id <> c.asked_by_id OR c.effective_at <= now())
        )
    ) THEN
        RAISE EXCEPTION 'policy refused: a second person has to confirm what weakens approval'
            USING ERRCODE = 'check_violation';
    END IF;
    RETURN NEW;
"""


class TeamPolicy(models.Model):
    """How careful a team is. Every default is the safe one."""

    team = models.OneToOneField(Team, on_delete=models.CASCADE, related_name="policy")
    four_eyes = models.BooleanField(default=True)
    four_eyes_off_at = models.DateTimeField(
        null=True, blank=True, help_text="When they were given up. Authors of texts from before stay barred."
    )
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
    observed_days_company = models.PositiveSmallIntegerField(
        default=365, help_text="The same for what a company is: its size, its industry, its seat."
    )
    observed_days_common = models.PositiveSmallIntegerField(
        default=730, help_text="The same for what sender and prospect have in common."
    )
    review_target_hours = models.PositiveSmallIntegerField(default=24)
    send_on_weekends = models.BooleanField(default=False)
    send_on_holidays = models.BooleanField(default=False)
    home_country = models.CharField(max_length=2, blank=True, help_text="ISO code; its holidays are the team's own.")
    model_base_url = models.CharField(max_length=500, blank=True, help_text="Empty: the installation's model.")
    model_name = models.CharField(max_length=200, blank=True)
    model_daily_budget = models.DecimalField(max_digits=10, decimal_places=2, default=Decimal(10))
    model_monthly_budget = models.DecimalField(max_digits=10, decimal_places=2, default=Decimal(100))
    notice_texts = models.JSONField(
        default=dict, blank=True, help_text="Language code to what the footer says besides."
    )
    postal_address = models.TextField(blank=True, help_text="Printed in the footer of every e-mail.")
    lawful_basis = models.CharField(max_length=200, default="legitimate interest (Art. 6(1)(f) GDPR)")
    quality_blocks = models.BooleanField(default=True, help_text="Length and call-to-action findings block approval.")
    quality_levels = models.JSONField(
        default=dict, blank=True, help_text="Quality rule to block or warn, where the team differs from the product."
    )
    quality_changed_at = models.DateTimeField(
        null=True, blank=True, help_text="When what quality blocks was changed: older checks are run again."
    )

    class Meta:
        verbose_name_plural = "team policies"
        constraints = [
            models.CheckConstraint(
                condition=models.Q(model_daily_budget__gte=0, model_monthly_budget__gte=0),
                name="budget_not_below_nought",
            )
        ]
        triggers = [
            pgtrigger.Trigger(
                name="weakened_by_two",
                when=pgtrigger.Before,
                operation=pgtrigger.Update,
                declare=[("weaker", "text[]")],
                func=_POLICY_RULES,
            ),
            *never_deleted(),
        ]

    def __str__(self) -> str:
        return f"Policy of {self.team}"


class PolicyChangeState(models.TextChoices):
    WAITING = "waiting", "Waits for a second person"
    APPLIED = "applied", "In force"
    DECLINED = "declined", "Declined"
    WITHDRAWN = "withdrawn", "Withdrawn"


class PolicyChange(models.Model):
    """A weaker policy that somebody asked for. changes: setting to [from, to].

    Another manager confirms or declines it. Where there was none when it was asked for, it takes effect at effective_at.
    """

    team = models.ForeignKey(Team, on_delete=models.CASCADE, related_name="policy_changes")
    asked_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    asked_at = models.DateTimeField(default=timezone.now)
    changes = models.JSONField()
    effective_at = models.DateTimeField(null=True, blank=True)
    state = models.CharField(max_length=16, choices=PolicyChangeState, default=PolicyChangeState.WAITING)
    decided_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, blank=True, related_name="+"
    )
    decided_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["team"], condition=models.Q(state="waiting"), name="one_policy_change_waits"
            ),
            models.CheckConstraint(
                condition=~models.Q(state="applied")
                | (models.Q(decided_by__isnull=False) & ~models.Q(decided_by=models.F("asked_by")))
                | models.Q(effective_at__isnull=False),
                name="policy_weakened_by_two_or_late",
            ),
        ]
        indexes = [models.Index(fields=["effective_at"], name="policy_change_due", condition=models.Q(state="waiting"))]
        triggers = [
            pgtrigger.Protect(
                name="asked_once",
                operation=pgtrigger.Update,
                condition=pgtrigger.AnyChange("team", "asked_by", "asked_at", "changes", "effective_at"),
            ),
            *never_deleted(),
        ]

    def __str__(self) -> str:
        return f"policy change {self.pk} of team {self.team_id} ({self.state})"


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
    signatures = models.JSONField(default=dict, blank=True, help_text="Language code to the signature in it.")
    calendar_url = models.CharField(max_length=500, blank=True, help_text="Where a meeting can be booked.")

    def __str__(self) -> str:
        return f"{self.full_name}, {self.company}"


class AccountKind(models.TextChoices):
    SMTP = "smtp", "Mailbox (SMTP)"
    LINKEDIN = "linkedin", "LinkedIn (assisted)"


class Plan(models.TextChoices):
    """What a LinkedIn account may do; the figures are in domain.linkedin."""

    FREE = "free", "Basic"
    PREMIUM = "premium", "Premium"
    SALES_NAVIGATOR = "sales_navigator", "Sales Navigator"


class Security(models.TextChoices):
    STARTTLS = "starttls", "STARTTLS"
    IMPLICIT = "implicit", "TLS from the start"
    NONE = "none", "none (only on one's own machine)"


class SendingAccount(models.Model):
    """Where messages leave from, and where answers arrive. Passwords are `Secret` rows.

    A mailbox without smtp_host leaves through the installation's own mail server; without imap_host it is not read.
    """

    team = models.ForeignKey(Team, on_delete=models.CASCADE, related_name="sending_accounts")
    kind = models.CharField(max_length=16, choices=AccountKind)
    address = models.CharField(max_length=320, help_text="E-mail address, or LinkedIn profile name.")
    display_name = models.CharField(max_length=200, blank=True)
    plan = models.CharField(max_length=16, choices=Plan, default=Plan.FREE)
    note_limit = models.PositiveSmallIntegerField(
        default=200, help_text="Characters of a connection note: 200 on a basic account, 300 with Premium."
    )
    weekly_invitations = models.PositiveSmallIntegerField(default=80, help_text="Connection notes in any 7 days.")
    monthly_notes = models.PositiveSmallIntegerField(
        default=5, help_text="Connection notes in any 30 days; 0 is no limit of its own."
    )
    daily_cap = models.PositiveIntegerField(default=50, help_text="Messages in any 24 hours.")
    active = models.BooleanField(default=True)
    smtp_host = models.CharField(max_length=253, blank=True)
    smtp_port = models.PositiveIntegerField(default=587)
    smtp_security = models.CharField(max_length=16, choices=Security, default=Security.STARTTLS)
    smtp_user = models.CharField(max_length=320, blank=True)
    imap_host = models.CharField(max_length=253, blank=True)
    imap_port = models.PositiveIntegerField(default=993)
    imap_security = models.CharField(max_length=16, choices=Security, default=Security.IMPLICIT)
    imap_user = models.CharField(max_length=320, blank=True)
    tested_at = models.DateTimeField(null=True, blank=True)
    test_faults = models.JSONField(default=list, blank=True, help_text="What the last test of the connection found.")

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["team", "kind", "address"], name="one_account_per_address"),
            models.CheckConstraint(
                condition=models.Q(smtp_port__range=(1, 65535), imap_port__range=(1, 65535)), name="account_ports"
            ),
        ]
        triggers = [
            # The envelope's sender is read when a message leaves: it is the one that was approved.
            pgtrigger.Protect(
                name="address_stays",
                operation=pgtrigger.Update,
                condition=pgtrigger.AnyChange("team", "kind", "address"),
            )
        ]

    def __str__(self) -> str:
        return self.address


class SecretKind(models.TextChoices):
    SMTP = "smtp", "Password for sending"
    IMAP = "imap", "Password for reading"
    MODEL = "model", "Key of the language model"


class Secret(models.Model):
    """A password or key, encrypted (outreach.vault). Replaced or forgotten, never shown."""

    team = models.ForeignKey(Team, on_delete=models.CASCADE, related_name="+")
    account = models.ForeignKey(SendingAccount, on_delete=models.CASCADE, null=True, blank=True, related_name="secrets")
    kind = models.CharField(max_length=16, choices=SecretKind)
    token = models.TextField()
    set_at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["team", "account", "kind"], name="one_secret_per_purpose", nulls_distinct=False
            ),
            models.CheckConstraint(
                condition=models.Q(kind="model", account__isnull=True)
                | (~models.Q(kind="model") & models.Q(account__isnull=False)),
                name="secret_of_account_or_model",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind} secret of team {self.team_id}"


class ClosedDay(models.Model):
    """A day on which the team sends nothing: its own holidays, a works outing."""

    team = models.ForeignKey(Team, on_delete=models.CASCADE, related_name="closed_days")
    day = models.DateField()
    label = models.CharField(max_length=100, blank=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["team", "day"], name="closed_once_a_day")]

    def __str__(self) -> str:
        return f"{self.day} {self.label}".strip()
