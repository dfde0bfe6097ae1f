"""What we know: people, companies, and dated evidence about them with its source."""

from __future__ import annotations

import pgtrigger
from django.conf import settings
from django.contrib.postgres.indexes import GinIndex
from django.contrib.postgres.search import SearchVector
from django.db import models
from django.db.models.functions import Lower
from django.utils import timezone

from outreach.teams.models import Team, never_deleted
from prospects.models.identities import Doubt, DoubtState, Merge, MergeSuggestion, SuggestionState
from prospects.models.imports import ColumnMapping, ImportBatch, ImportPart, ImportState, ImportStep
from prospects.models.industries import NOTE_CONTENT, IndustryNote, NoteState

__all__ = [
    "EVIDENCE_CONTENT",
    "NOTE_CONTENT",
    "PROSPECT_SEARCH",
    "ColumnMapping",
    "Company",
    "CompanySource",
    "Doubt",
    "DoubtState",
    "Evidence",
    "EvidenceState",
    "IdentityKey",
    "ImportBatch",
    "ImportPart",
    "ImportState",
    "ImportStep",
    "IndustryNote",
    "KeyKind",
    "Merge",
    "MergeSuggestion",
    "NoteState",
    "Prospect",
    "ProspectState",
    "SourceKind",
    "SourceState",
    "SuggestionState",
    "Suppression",
]


class Company(models.Model):
    team = models.ForeignKey(Team, on_delete=models.CASCADE, related_name="companies")
    name = models.CharField(max_length=300)
    normalized_name = models.CharField(max_length=300, help_text="Case, legal suffix and punctuation folded.")
    domain = models.CharField(max_length=253, blank=True)
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        verbose_name_plural = "companies"
        constraints = [models.UniqueConstraint(fields=["team", "normalized_name"], name="one_company_per_name")]
        indexes = [
            models.Index(fields=["team", "domain"], name="company_by_domain", condition=~models.Q(domain="")),
        ]

    def __str__(self) -> str:
        return self.name


class SourceKind(models.TextChoices):
    FEED = "feed", "Feed"
    PAGE = "page", "Page"


class SourceState(models.TextChoices):
    ACTIVE = "active", "Active"
    PAUSED = "paused", "Paused"


class CompanySource(models.Model):
    """A feed or page of a company that is read again and again. The row is the queue: due, claimed under a lease, read."""

    team = models.ForeignKey(Team, on_delete=models.CASCADE, related_name="company_sources")
    company = models.ForeignKey(Company, on_delete=models.CASCADE, related_name="sources")
    url = models.CharField(max_length=1000)
    kind = models.CharField(max_length=8, choices=SourceKind, blank=True, help_text="Blank until it was read once.")
    title = models.CharField(max_length=300, blank=True)
    state = models.CharField(max_length=8, choices=SourceState, default=SourceState.ACTIVE)
    etag = models.CharField(max_length=200, blank=True)
    last_modified = models.CharField(max_length=200, blank=True)
    next_fetch_at = models.DateTimeField(default=timezone.now)
    lease_until = models.DateTimeField(null=True, blank=True)
    last_fetch_at = models.DateTimeField(null=True, blank=True)
    last_success_at = models.DateTimeField(null=True, blank=True)
    error = models.CharField(max_length=400, blank=True, help_text="Why the last attempt brought nothing, for people.")
    failures = models.PositiveIntegerField(default=0, help_text="In a row; each doubles the wait.")
    found = models.PositiveIntegerField(default=0, help_text="How many pieces of news it has brought.")
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, related_name="+"
    )
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["company", "url"], name="source_once_per_company")]
        indexes = [models.Index(fields=["next_fetch_at"], name="source_due", condition=models.Q(state="active"))]

    def __str__(self) -> str:
        return self.title or self.url


class ProspectState(models.TextChoices):
    ACTIVE = "active", "Active"
    CONFLICTED = "conflicted", "Parts disagree about who this is"
    MERGED = "merged", "Merged into another record"
    ERASED = "erased", "Erased"


#: What a search for a person looks through; the expression of the index, so use exactly this one.
PROSPECT_SEARCH = SearchVector("full_name", "title", "email", config="simple")


class Prospect(models.Model):
    """One person as one team knows them. The words stand in evidence; these columns are for lists and search."""

    team = models.ForeignKey(Team, on_delete=models.CASCADE, related_name="prospects")
    full_name = models.CharField(max_length=300)
    headline = models.TextField(blank=True)
    title = models.CharField(max_length=300, blank=True, help_text="Title of the newest open position.")
    company = models.ForeignKey(Company, on_delete=models.SET_NULL, null=True, blank=True, related_name="prospects")
    location = models.CharField(max_length=300, blank=True)
    language = models.CharField(max_length=16, blank=True)
    language_confidence = models.FloatField(default=0)
    language_signals = models.JSONField(default=list, help_text="Source, code, weight and reason of each signal.")
    language_chosen = models.BooleanField(default=False, help_text="A person decided; signals no longer change it.")
    email = models.CharField(max_length=320, blank=True)
    linkedin_url = models.CharField(max_length=500, blank=True)
    first_degree = models.BooleanField(default=False, help_text="Connected to the sender: gets messages, never notes.")
    state = models.CharField(max_length=16, choices=ProspectState, default=ProspectState.ACTIVE)
    conflict = models.TextField(blank=True, help_text="What disagrees, while the state is conflicted.")
    created_at = models.DateTimeField(default=timezone.now)
    updated_at = models.DateTimeField(default=timezone.now)

    class Meta:
        indexes = [
            models.Index(fields=["team", "-id"], name="prospect_by_team"),
            models.Index("team", Lower("full_name"), "id", name="prospect_by_name"),
            models.Index(fields=["team", "company", "id"], name="prospect_by_company"),
            models.Index(fields=["team", "language", "-id"], name="prospect_by_language"),
            models.Index(fields=["team", "-id"], name="prospect_first_degree", condition=models.Q(first_degree=True)),
            models.Index(fields=["team", "-id"], name="prospect_in_doubt", condition=models.Q(state="conflicted")),
            GinIndex(PROSPECT_SEARCH, name="prospect_search"),
        ]

    def __str__(self) -> str:
        return self.full_name


class KeyKind(models.TextChoices):
    LINKEDIN_SLUG = "linkedin_slug", "LinkedIn profile name"
    LINKEDIN_URN = "linkedin_urn", "LinkedIn URN"
    LINKEDIN_ID = "linkedin_id", "LinkedIn numeric id"
    EMAIL = "email", "E-mail address"
    SOURCE_ID = "source_id", "Id in the source"


class IdentityKey(models.Model):
    """What tells one person from another. A key belongs to one prospect of a team."""

    team = models.ForeignKey(Team, on_delete=models.CASCADE, related_name="+")
    prospect = models.ForeignKey(Prospect, on_delete=models.CASCADE, related_name="identity_keys")
    kind = models.CharField(max_length=16, choices=KeyKind)
    value = models.CharField(max_length=500)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["team", "kind", "value"], name="identity_key_unique_in_team")]

    def __str__(self) -> str:
        return f"{self.kind}:{self.value}"


class EvidenceState(models.TextChoices):
    CURRENT = "current", "Current"
    SUPERSEDED = "superseded", "Superseded"
    RETRACTED = "retracted", "Retracted"
    ERASED = "erased", "Erased"


#: Columns of evidence that never change, but through erasure.
EVIDENCE_CONTENT = (
    "team",
    "prospect",
    "company",
    "owner",
    "kind",
    "actor",
    "text",
    "fields",
    "occurred_first",
    "occurred_last",
    "observed_at",
    "language",
    "source",
    "source_url",
    "snapshot",
    "content_hash",
    "added_by",
    "batch",
    "created_at",
)


class Evidence(models.Model):
    """One immutable, dated fact or text (see prospects.domain.evidence). About a prospect, a company or a team mate."""

    team = models.ForeignKey(Team, on_delete=models.CASCADE, related_name="evidence")
    prospect = models.ForeignKey(Prospect, on_delete=models.CASCADE, null=True, blank=True, related_name="evidence")
    company = models.ForeignKey(Company, on_delete=models.CASCADE, null=True, blank=True, related_name="evidence")
    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        related_name="+",
        help_text="The team mate it describes (an archive of their own).",
    )
    kind = models.CharField(max_length=32)
    actor = models.CharField(max_length=16)
    ref = models.CharField(max_length=64, blank=True, help_text="Its name in the source: post1, positions[0].")
    text = models.TextField()
    fields = models.JSONField(default=dict)
    occurred_first = models.DateField(null=True, blank=True)
    occurred_last = models.DateField(null=True, blank=True)
    observed_at = models.DateField()
    language = models.CharField(max_length=16, blank=True)
    source = models.CharField(max_length=500)
    source_url = models.CharField(max_length=1000, blank=True)
    snapshot = models.TextField(
        blank=True, help_text="The page or file text it was taken from, as evidence added by hand."
    )
    batch = models.ForeignKey(ImportBatch, on_delete=models.SET_NULL, null=True, blank=True, related_name="evidence")
    added_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, blank=True, related_name="+"
    )
    content_hash = models.CharField(max_length=64)
    slot = models.CharField(
        max_length=200,
        blank=True,
        help_text="What holds one value at a time: newer evidence of the slot supersedes it.",
    )
    last_seen_at = models.DateField(null=True, blank=True, help_text="A later day on which a source said the same.")
    state = models.CharField(max_length=16, choices=EvidenceState, default=EvidenceState.CURRENT)
    state_reason = models.CharField(max_length=300, blank=True)
    superseded_by = models.ForeignKey("self", on_delete=models.SET_NULL, null=True, blank=True, related_name="+")
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        verbose_name_plural = "evidence"
        constraints = [
            models.CheckConstraint(
                condition=models.Q(occurred_first__isnull=True, occurred_last__isnull=True)
                | models.Q(occurred_first__lte=models.F("occurred_last")),
                name="evidence_interval_in_order",
            ),
            models.CheckConstraint(
                condition=models.Q(prospect__isnull=False)
                | models.Q(company__isnull=False)
                | models.Q(owner__isnull=False),
                name="evidence_is_about_someone",
            ),
            models.UniqueConstraint(
                fields=["prospect", "content_hash"],
                condition=models.Q(state="current", prospect__isnull=False),
                name="evidence_once_per_prospect",
            ),
            models.UniqueConstraint(
                fields=["company", "content_hash"],
                condition=models.Q(state="current", company__isnull=False),
                name="evidence_once_per_company",
            ),
            models.UniqueConstraint(
                fields=["owner", "team", "content_hash"],
                condition=models.Q(state="current", owner__isnull=False),
                name="evidence_once_per_owner",
            ),
        ]
        indexes = [
            models.Index(fields=["prospect", "-id"], name="evidence_by_prospect"),
            models.Index(fields=["company", "-id"], name="evidence_by_company"),
        ]
        triggers = [
            pgtrigger.Protect(
                name="immutable", operation=pgtrigger.Update, condition=pgtrigger.AnyChange(*EVIDENCE_CONTENT)
            ),
            *never_deleted(),
        ]

    def __str__(self) -> str:
        return f"{self.kind}: {self.text[:60]}"


class Suppression(models.Model):
    """Never write to this address, profile, domain or company. A keyed hash, so that it survives erasure."""

    class Kind(models.TextChoices):
        EMAIL = "email", "E-mail address"
        DOMAIN = "domain", "Domain"
        PROFILE = "profile", "LinkedIn profile"
        COMPANY = "company", "Company"

    team = models.ForeignKey(Team, on_delete=models.CASCADE, related_name="suppressions")
    kind = models.CharField(max_length=16, choices=Kind)
    key_version = models.PositiveSmallIntegerField(default=1)
    keyed_hash = models.CharField(max_length=64)
    origin = models.CharField(
        max_length=16, blank=True, help_text="The kind of list it came from: opt_out, customer, opportunity."
    )
    reason = models.CharField(max_length=200)
    added_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, related_name="+"
    )
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["team", "kind", "key_version", "keyed_hash", "origin"], name="suppressed_once_by_each_list"
            )
        ]

    def __str__(self) -> str:
        return f"{self.kind} suppressed: {self.reason}"
