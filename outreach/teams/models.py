"""Who may do what: people, teams, memberships, and the trail of what they did."""

from __future__ import annotations

import secrets
from typing import Any, ClassVar

import pgtrigger
from django.contrib.auth.base_user import AbstractBaseUser, BaseUserManager
from django.contrib.auth.models import PermissionsMixin
from django.db import models
from django.db.models.functions import Lower
from django.utils.timezone import now

#: The flush between tests is the only TRUNCATE there is; the setting is given to test databases alone.
_TRUNCATE_RULE = """
    IF current_setting('footnote.truncate', true) IS DISTINCT FROM 'tests' THEN
        RAISE EXCEPTION 'Cannot truncate %: its rows are kept', TG_TABLE_NAME;
    END IF;
    RETURN NULL;
"""


def never_deleted() -> list[pgtrigger.Trigger]:
    """Triggers of a table whose rows stay: neither DELETE, alone or in a cascade, nor TRUNCATE takes one away."""
    return [
        pgtrigger.Protect(name="never_deleted", operation=pgtrigger.Delete),
        pgtrigger.Trigger(
            name="never_truncated",
            level=pgtrigger.Statement,
            when=pgtrigger.Before,
            operation=pgtrigger.Truncate,
            func=_TRUNCATE_RULE,
        ),
    ]


class UserManager(BaseUserManager["User"]):
    def create_user(self, email: str, password: str | None = None, **fields: Any) -> User:
        user = self.model(email=self.normalize_email(email).lower(), **fields)
        user.set_password(password)
        user.save(using=self._db)
        return user

    def create_superuser(self, email: str, password: str | None = None, **fields: Any) -> User:
        return self.create_user(email, password, is_staff=True, is_superuser=True, **fields)


class User(AbstractBaseUser, PermissionsMixin):
    """A person who logs in with an e-mail address."""

    email = models.EmailField(unique=True)
    full_name = models.CharField(max_length=200)
    timezone = models.CharField(max_length=64, default="UTC")
    is_staff = models.BooleanField(default=False)
    is_active = models.BooleanField(default=True)
    date_joined = models.DateTimeField(default=now)

    objects: ClassVar[UserManager] = UserManager()
    USERNAME_FIELD = "email"
    EMAIL_FIELD = "email"
    REQUIRED_FIELDS: ClassVar[list[str]] = ["full_name"]

    class Meta:
        constraints = [models.UniqueConstraint(Lower("email"), name="user_email_case_insensitive")]

    def __str__(self) -> str:
        return self.full_name or self.email

    def get_short_name(self) -> str:
        return self.full_name.split(" ")[0] if self.full_name else self.email


class Team(models.Model):
    slug = models.SlugField(unique=True)
    name = models.CharField(max_length=200)
    timezone = models.CharField(max_length=64, default="UTC")
    created_at = models.DateTimeField(default=now)

    def __str__(self) -> str:
        return self.name


class Role(models.TextChoices):
    WRITER = "writer", "Writer"
    REVIEWER = "reviewer", "Reviewer"
    MANAGER = "manager", "Manager"
    ADMIN = "admin", "Administrator"
    ANALYST = "analyst", "Analyst"


class Membership(models.Model):
    team = models.ForeignKey(Team, on_delete=models.CASCADE, related_name="memberships")
    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="memberships")
    role = models.CharField(max_length=16, choices=Role)
    active = models.BooleanField(default=True)
    created_at = models.DateTimeField(default=now)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["team", "user"], name="one_membership_per_team_and_user"),
            models.CheckConstraint(condition=models.Q(role__in=Role.values), name="membership_role_known"),
        ]

    def __str__(self) -> str:
        return f"{self.user} in {self.team}: {self.role}"


def new_salt() -> str:
    return secrets.token_hex(16)


class AuditEvent(models.Model):
    """What happened, by whom, to what. Commitments (salted hashes), never personal content."""

    team = models.ForeignKey(Team, on_delete=models.PROTECT, related_name="audit_events")
    at = models.DateTimeField(default=now)
    actor = models.ForeignKey(User, on_delete=models.PROTECT, null=True, blank=True, related_name="+")
    action = models.CharField(max_length=64)
    target_type = models.CharField(max_length=64)
    target_id = models.BigIntegerField(null=True, blank=True)
    details = models.JSONField(default=dict)
    commitment = models.CharField(max_length=64, blank=True)

    class Meta:
        indexes = [
            models.Index(fields=["team", "-id"], name="audit_by_team"),
            models.Index(fields=["team", "target_type", "target_id"], name="audit_by_target"),
            models.Index(fields=["team", "action", "-id"], name="audit_by_action"),
        ]
        triggers = [pgtrigger.Protect(name="append_only", operation=pgtrigger.Update), *never_deleted()]

    def __str__(self) -> str:
        return f"{self.at:%Y-%m-%d %H:%M} {self.action} {self.target_type} {self.target_id}"


class CommitmentSalt(models.Model):
    """What a commitment was salted with. Erasing the row makes the commitment say nothing."""

    event = models.OneToOneField(AuditEvent, on_delete=models.CASCADE, related_name="commitment_salt")
    salt = models.CharField(max_length=64, default=new_salt)

    def __str__(self) -> str:
        return f"salt of audit event {self.event_id}"
